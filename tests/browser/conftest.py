"""A browser, and the site that it looks at over HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from shutil import which
from threading import Thread

import pytest
from flask import Flask
from playwright.sync_api import Browser, Page, expect, sync_playwright
from werkzeug.serving import make_server

from tests.servers import PATIENT
from tests.service.conftest import site, site_redis, watch
from tests.service.pages.conftest import app, compiled, parlour

__all__ = ["app", "compiled", "parlour", "site", "site_redis", "watch"]  # fixtures

WAIT = PATIENT * 1000  # ms for whatever the browser is asked
expect.set_options(timeout=WAIT)

# It runs as root in places, and must not ask the network for anything of its own.
QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The distribution's Chromium."""
    binary = which("chromium") or which("chromium-browser") or which("google-chrome")
    assert binary, "these tests need Chromium; `make test` says how to get it"
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=binary, args=[*QUIET], timeout=WAIT)
        started.on("context", lambda context: context.set_default_timeout(WAIT))
        yield started
        started.close()


@pytest.fixture
def base(app: Flask) -> Iterator[str]:
    """The address of the site."""
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def page(browser: Browser, base: str) -> Iterator[Page]:
    """A tab without scripts, as the pages need none; whatever the browser complains about fails the test."""
    context = browser.new_context(base_url=base, java_script_enabled=False)
    complaints: list[str] = []
    context.on("console", lambda message: complaints.append(message.text))
    context.on("requestfailed", lambda request: complaints.append(f"{request.url}: {request.failure}"))
    yield context.new_page()
    context.close()
    # What is still on its way when the page is left does not come, a download is no page, and a refusal is remarked upon.
    usual = ("ERR_ABORTED", "status of 4")
    unexpected = [complaint for complaint in complaints if not any(each in complaint for each in usual)]
    assert unexpected == []
