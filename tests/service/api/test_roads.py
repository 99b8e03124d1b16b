"""The short road answers as Flask does, to the byte, and what is not usual goes by Flask."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import EnvironBuilder, run_wsgi_app

from service.contract.operations import OPERATIONS
from tests.service.api.person import ALL_MINE, API, Person

Road = Callable[..., tuple[int, list[tuple[str, str]], Any]]


@pytest.fixture
def short(app: Flask) -> Road:
    """Asks as a server would; gives the status, the headers in their order, and the body."""
    return lambda *asked, **said: _asked(app.wsgi_app, *asked, **said)


@pytest.fixture
def long(app: Flask) -> Road:
    """The same by Flask alone."""
    return lambda *asked, **said: _asked(Flask.wsgi_app.__get__(app), *asked, **said)


def _asked(application: Any, method: str, path: str, body: bytes | None = None, **headers: str) -> tuple[int, list[tuple[str, str]], Any]:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    environ = EnvironBuilder(path, method=method, data=body, headers=list(named.items())).get_environ()
    pieces, status, said = run_wsgi_app(application, environ)
    told = [(name, "how many" if name == "RateLimit" else value) for name, value in said]  # it falls with each request
    return int(status[:3]), sorted(told), b"".join(pieces)


def test_what_is_asked_at_every_move_takes_the_short_road():
    assert sorted(name for name, said in OPERATIONS.items() if said.short) == ["api.show_match", "api.submit"]


def test_the_short_road_needs_no_flask(app: Flask, ann: Person, short: Road, monkeypatch: pytest.MonkeyPatch):
    match = ann.creates(*ALL_MINE)
    move = _move(ann, match)

    def closed(*_: Any) -> None:
        raise AssertionError("by Flask")

    monkeypatch.setattr(Flask, "full_dispatch_request", closed)
    path, bearer = f"{API}/matches/{match['id']}", f"Bearer {ann.token}"
    assert short("GET", path, Authorization=bearer)[0] == 200
    assert short("GET", path)[0] == 404
    assert short("POST", f"{path}/submissions", move, Authorization=bearer, Content_Type="application/json")[0] == 201


LOOKS: list[tuple[str, dict[str, str], int]] = [
    ("", {}, 200),
    ("", {"Authorization": "nobody"}, 404),
    ("", {"Authorization": "Basic YTpi"}, 401),
    ("", {"Authorization": "Bearer fp_0"}, 401),
    ("", {"If_None_Match": '"{etag}"'}, 304),
    ("", {"If_None_Match": 'W/"1-0", W/"{etag}"'}, 304),
    ("", {"If_None_Match": '"1-0"'}, 200),
    ("?x=1", {}, 422),
    ("?x=1&x=2", {}, 422),
    ("?", {}, 200),
]


@pytest.mark.parametrize(("query", "headers", "status"), LOOKS)
def test_a_look_is_the_same_by_both(ann: Person, short: Road, long: Road, query: str, headers: dict[str, str], status: int):
    match = ann.creates(*ALL_MINE)
    tag = f"{match['version']}-{match['head']['hash'][:16]}"
    said = {"Authorization": f"Bearer {ann.token}", **{name: value.replace("{etag}", tag) for name, value in headers.items()}}
    if said["Authorization"] == "nobody":
        del said["Authorization"]
    path = f"{API}/matches/{match['id']}{query}"
    answer = short("GET", path, **said)
    assert answer == long("GET", path, **said)
    assert answer[0] == status


REFUSED: list[tuple[Any, dict[str, str], int]] = [
    ({"seat": "south", "ply": 99, "text": "x"}, {}, 409),
    ({"seat": "nowhere", "ply": 0, "text": "x"}, {}, 422),
    ({"seat": "south"}, {}, 422),
    ([], {}, 422),
    (None, {}, 422),
    (b"", {}, 400),
    (b"{", {}, 400),
    (b'{"seat":"a","seat":"b"}', {}, 400),
    (b'{"seat":"' + b"a" * 33_000 + b'"}', {}, 413),
    ({}, {"Content_Type": "text/plain"}, 415),
    ({}, {"Content_Type": ""}, 415),
    ({}, {"Content_Type": "application/json; charset=latin-1"}, 415),
    ({}, {"Content_Encoding": "gzip"}, 415),
    ({}, {"Authorization": ""}, 401),
    ({}, {"Idempotency_Key": "two words"}, 422),
    (b"a.b.c", {"Content_Type": "application/jose"}, 400),
    (b"a.b.c", {"Content_Type": "application/jose", "Authorization": "Bearer fp_0"}, 401),
]


@pytest.mark.parametrize(("body", "headers", "status"), REFUSED)
def test_a_refusal_is_the_same_by_both(ann: Person, short: Road, long: Road, body: Any, headers: dict[str, str], status: int):
    match = ann.creates(*ALL_MINE)
    said = {"Authorization": f"Bearer {ann.token}", "Content_Type": "application/json", **headers}
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    path = f"{API}/matches/{match['id']}/submissions"
    answer = short("POST", path, data, **said)
    assert answer == long("POST", path, data, **said)
    assert answer[0] == status


def test_a_fault_of_ours_is_the_same_by_both(ann: Person, short: Road, long: Road, monkeypatch: pytest.MonkeyPatch):
    match = ann.creates(*ALL_MINE)

    def broken(*_: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("service.api.showing.to_act", broken)
    monkeypatch.setattr("service.errors.token_hex", lambda _: "0123456789ab")
    path, bearer = f"{API}/matches/{match['id']}", f"Bearer {ann.token}"
    answer = short("GET", path, Authorization=bearer)
    assert answer == long("GET", path, Authorization=bearer)
    assert answer[0] == 500


def test_a_move_by_one_road_is_repeated_by_the_other(ann: Person, short: Road, long: Road):
    match = ann.creates(*ALL_MINE)
    path, move = f"{API}/matches/{match['id']}/submissions", _move(ann, match)
    said = {"Authorization": f"Bearer {ann.token}", "Content_Type": "application/json", "Idempotency_Key": "once"}
    status, headers, body = short("POST", path, move, **said)
    assert status == 201
    assert long("POST", path, move, **said) == (200, sorted([*headers, ("Idempotent-Replayed", "true")]), body)
    assert short("POST", path, move, **said) == long("POST", path, move, **said)


@pytest.mark.parametrize("tail", ["", "/submissions"])
@pytest.mark.parametrize("method", ["HEAD", "OPTIONS", "PUT", "DELETE", "PATCH"])
def test_other_methods_go_by_flask(ann: Person, short: Road, long: Road, method: str, tail: str):
    match = ann.creates(*ALL_MINE)
    path = f"{API}/matches/{match['id']}{tail}"
    assert short(method, path) == long(method, path)


@pytest.mark.parametrize("path", ["/matches/ü", "/matches/%2F", "/matches/a%0Ab", "/matches/x/", "/matches/x/submissions/", "//matches/x"])
def test_odd_addresses_are_answered_as_by_flask(short: Road, long: Road, path: str):
    assert short("GET", f"{API}{path}") == long("GET", f"{API}{path}")
    assert short("POST", f"{API}{path}") == long("POST", f"{API}{path}")


def test_a_request_by_the_short_road_is_counted_and_logged_by_its_route(ann: Person, app: Flask, short: Road, caplog: pytest.LogCaptureFixture):
    match = ann.creates(*ALL_MINE)
    caplog.set_level("INFO", "service.door.record")
    caplog.clear()
    short("GET", f"{API}/matches/{match['id']}")
    assert [record.getMessage() for record in caplog.records] == ["GET /api/v1/matches/<id> 404"]
    app.extensions["forgepost"].tally.say()
    counted = app.extensions["forgepost"].tally.totals()
    assert counted["requests", "GET", "/api/v1/matches/<id>", "404"] == 1


def _move(ann: Person, match: dict[str, Any]) -> bytes:
    seat = match["to_act"][0]["seat"]
    action = ann.may(match["id"], seat)[0]["action"]
    return json.dumps({"seat": seat, "ply": match["ply"], "actions": [action]}).encode()
