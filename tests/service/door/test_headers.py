"""What every answer tells browsers: nothing of a page may be used elsewhere, and all of the API may, without cookies."""

from dataclasses import replace

import pytest
from flask import Flask
from werkzeug.datastructures import Headers

from infra.wiring import Site
from service.app import routed, serving

EVERYWHERE = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), display-capture=(), geolocation=(), hid=(), microphone=(), midi=(), payment=(), serial=(), usb=()",
}
PAGES = ("/", "/games", "/games/fourfold", "/lost", "/sign-in", "/verify", "/nowhere", "/m/nothing", "/static/forgepost.css", "/paints.css", "/me")
OF_THE_API = ("/api/v1/games", "/api/v1/me", "/api/v1/nothing", "/openapi.yaml", "/problems/stale-ply", "/.well-known/jwks.json", "/healthz")


@pytest.fixture
def app(site: Site) -> Flask:
    return serving(routed(), site)


def heard(app: Flask, path: str, method: str = "GET", **asked: str) -> Headers:
    """The headers of an answer to another site's page."""
    said = {"Origin": "https://elsewhere.example", **{name.replace("_", "-"): value for name, value in asked.items()}}
    with app.test_client().open(path, method=method, headers=said) as response:
        return response.headers


@pytest.mark.parametrize("path", [*PAGES, *OF_THE_API])
def test_every_answer_is_closed_to_whoever_sniffs_frames_or_refers(app: Flask, path: str):
    headers = heard(app, path)
    assert {name: headers.get(name) for name in EVERYWHERE} == EVERYWHERE
    assert headers["Content-Security-Policy"].startswith("default-src 'none'")
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    assert "unsafe-inline" not in headers["Content-Security-Policy"]
    assert "Strict-Transport-Security" not in headers
    assert "Access-Control-Allow-Credentials" not in headers


@pytest.mark.parametrize("path", PAGES)
def test_no_page_is_read_by_another_site(app: Flask, path: str):
    for method in ("GET", "OPTIONS"):
        headers = heard(app, path, method, Access_Control_Request_Method="POST")
        assert [name for name, _ in headers if name.startswith("Access-Control-")] == []
        assert headers["Cross-Origin-Resource-Policy"] == "same-origin"


def test_the_figures_which_this_machine_may_read_are_none_for_pages_that_are_open_on_it(app: Flask):
    for method in ("GET", "OPTIONS"):
        headers = heard(app, "/metrics", method, Origin="https://elsewhere.example", Access_Control_Request_Method="GET")
        assert [name for name, _ in headers if name.startswith("Access-Control-")] == []
        assert headers["Cross-Origin-Resource-Policy"] == "same-origin"


@pytest.mark.parametrize("path", OF_THE_API)
def test_programs_on_other_sites_may_read_the_api(app: Flask, path: str):
    headers = heard(app, path)
    assert headers["Access-Control-Allow-Origin"] == "*"
    assert headers["Cross-Origin-Resource-Policy"] == "cross-origin"
    told = set(headers["Access-Control-Expose-Headers"].split(", "))
    assert {"ETag", "Link", "Location", "Retry-After", "RateLimit", "RateLimit-Policy", "Idempotent-Replayed"} <= told


def test_a_browser_asks_before_a_move_once_a_day(app: Flask):
    asked = {
        "Origin": "https://elsewhere.example",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization,content-type,idempotency-key",
    }
    response = app.test_client().options("/api/v1/matches/07-0000000001/submissions", headers=asked)
    assert response.status_code == 200
    assert set(response.headers["Access-Control-Allow-Methods"].split(", ")) == {"POST", "OPTIONS"}
    assert response.headers["Access-Control-Allow-Headers"] == "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID"
    assert response.headers["Access-Control-Max-Age"] == "86400"
    assert (response.data, response.headers.get("Content-Type")) == (b"", None)
    assert response.headers["Access-Control-Allow-Origin"] == "*"


def test_by_https_it_stays_https(site: Site):
    app = serving(routed(), replace(site, settings=replace(site.settings, url="https://turns.example.org")))
    for path in (*PAGES, *OF_THE_API):
        assert heard(app, path)["Strict-Transport-Security"] == "max-age=31536000"
