"""Every route answers every kind of caller as the table says, and no route is missing from it."""

import pytest
from flask import Flask

from infra.wiring import Site
from service.app import create_app, routed
from service.contract.operations import OPERATIONS
from tests.people import Watch
from tests.service.access.callers import CALLERS, Scene
from tests.service.access.table import TABLE

SCOPES = {f"{said.method} /api/v1{said.rule}": said.scope or "" for said in OPERATIONS.values() if said.scope}
ROUTES = {f"{method} {rule.rule}" for rule in routed().url_map.iter_rules() for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}}

SAME = ("Content-Type", "Content-Length", "Cache-Control", "ETag", "Link", "Location", "Vary", "WWW-Authenticate", "Content-Security-Policy")
GROWING = {("GET /metrics", "Content-Length")}  # each request is counted


@pytest.fixture
def app(site: Site) -> Flask:
    return create_app(site)


def test_no_route_is_missing_from_the_table():
    missing, left_over = sorted(ROUTES - set(TABLE)), sorted(set(TABLE) - ROUTES)
    assert missing == [], "each needs a row in table.py that says what whom gets: mine(…), seated(…), seen(…), signed_in(…) or everybody(…)"
    assert left_over == [], "these routes are no more: take their rows out of table.py"


@pytest.mark.parametrize("route", [route for route in TABLE if route in ROUTES])
def test_every_kind_of_caller_gets_what_the_table_says(app: Flask, site: Site, watch: Watch, route: str):
    row, got = TABLE[route], {}
    for caller in CALLERS:
        got[caller] = anew(app, site, watch, route).asks(caller, route.partition(" ")[0], row.path, row.json, row.form)
    assert got == row.gets


def test_head_answers_as_get_does_and_sends_no_body(app: Flask, site: Site, watch: Watch):
    other = {}
    for route in sorted(route for route in TABLE if route.startswith("GET ") and route in ROUTES):
        scene = anew(app, site, watch, route)
        for caller in ("nobody", "creator", "cookie"):
            found = []
            for method in ("GET", "HEAD"):
                with scene.answer(caller, method, TABLE[route].path) as response:
                    found.append((response.status_code, {name: response.headers.get(name) for name in SAME if (route, name) not in GROWING}))
                    assert method == "GET" or response.data == b"", route
            if found[0] != found[1]:
                other[route, caller] = found
    assert other == {}


def test_options_lists_the_methods_and_needs_no_token(app: Flask, site: Site, watch: Watch):
    scene = anew(app, site, watch, "")
    by_program = {f"/api/v1{said.rule}" if name.startswith("api.") else said.rule for name, said in OPERATIONS.items()}
    for rule in sorted({route.partition(" ")[2] for route in ROUTES}):
        methods = {route.partition(" ")[0] for route in ROUTES if route.endswith(f" {rule}")}
        with scene.answer("nobody", "OPTIONS", TABLE[f"{min(methods)} {rule}"].path) as response:
            allowed = set(response.headers["Allow"].split(", "))
            assert methods <= allowed, rule
            assert response.status_code == 200 or (rule not in by_program and response.status_code == 405), rule
            if rule in by_program:
                assert allowed == methods | {"OPTIONS"} | ({"HEAD"} if "GET" in methods else set()), rule
                shared = response.headers.get("Access-Control-Allow-Methods")
                assert shared == (None if rule == "/metrics" else response.headers["Allow"]), rule
                assert "Set-Cookie" not in response.headers
                assert response.data == b""


def anew(app: Flask, site: Site, watch: Watch, route: str) -> Scene:
    """The scene as if nobody had asked for anything."""
    site.redis.flushdb()
    app.extensions["forgepost-porter"].forget()
    site.desk._known.clear()
    return Scene(app, site, watch, SCOPES.get(route, ""))
