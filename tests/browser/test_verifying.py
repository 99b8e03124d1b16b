"""The page that checks a history in the browser: it reads the file there, and says what holds and what does not."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from tests.service.pages.parlour import Parlour


def test_a_downloaded_history_is_checked_without_being_sent_anywhere(browser: Browser, base: str, parlour: Parlour, tmp_path: Path):
    over = parlour.through(parlour.start("Ann", options={"goals_to_win": 1}, visibility="public"))
    context = browser.new_context(base_url=base, viewport={"width": 390, "height": 844})
    complaints: list[str] = []
    context.on("console", lambda message: complaints.append(message.text))
    page = context.new_page()
    page.goto(f"/matches/{over.id}/history")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the history").click()
    file = tmp_path / "history.ndjson"
    download.value.save_as(file)
    page.get_by_role("link", name="Check it in your browser").click()
    expect(page.get_by_role("heading", name="Check a history")).to_be_visible()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(f"{request.method} {request.url}") if "/static/" not in request.url else None)
    page.get_by_label("The history of a match").set_input_files(file)
    report = page.get_by_role("status")
    expect(report.get_by_role("heading", name="It holds")).to_be_visible()
    expect(report).to_contain_text(f"history.ndjson: match {over.id}, fourfold, {over.version} events")
    expect(report).to_contain_text("every lot is what the revealed seed gives")
    expect(report).to_contain_text(re.compile("head and header are signed with a key that the file names|Ed25519 is not known here"))
    expect(report).to_contain_text("that every action was by the rules")
    expect(report).to_contain_text(parlour.site.desk.look(over.id).tip.hash.hex())
    assert page.evaluate("document.documentElement.scrollWidth") == 390

    changed = tmp_path / "changed.ndjson"
    changed.write_bytes(file.read_bytes().replace(b'"ply":3', b'"ply":4', 1))
    page.get_by_label("The history of a match").set_input_files([file, changed])
    expect(report.get_by_role("heading", name="It holds")).to_be_visible()
    expect(report.get_by_role("heading", name="It does NOT hold")).to_be_visible()
    expect(report).to_contain_text("was changed: its hash does not follow from what it says")
    assert asked == []
    context.close()
    assert complaints == []


def test_without_a_script_the_page_says_what_to_do_instead(page: Page):
    page.goto("/verify")
    expect(page.get_by_text("none runs in this browser")).to_be_visible()
    expect(page.get_by_label("The history of a match")).to_be_hidden()
    expect(page.get_by_text("forgepost history verify FILE")).to_be_visible()
