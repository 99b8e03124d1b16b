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
        site.redis.flushdb()
        app.extensions["forgepost-porter"].forget()
        site.desk._known.clear()
        scene = Scene(app, site, watch, SCOPES.get(route, ""))
        got[caller] = scene.asks(caller, route.partition(" ")[0], row.path, row.json, row.form)
    assert got == row.gets
