"""Whatever goes wrong is a problem with a stable type: JSON for programs, a page for people, and no secret in either."""

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest
from flask import Flask

from domain.match.refusal import Kind, Refused
from infra import wiring
from infra.wiring import Site
from service.app import create_app
from service.problems import OTHERS, REFUSALS, Problem, refusal
from tests.servers import RedisServer
from tests.service.api.contract import HeldClient
from tests.service.api.person import ALL_MINE, ME, RANDOM, Person, answered, refused
from tests.service.conftest import settings_of


def test_every_refusal_of_the_domain_is_a_type_of_problem():
    assert set(REFUSALS) == set(get_args(Kind))
    assert not set(REFUSALS) & set(OTHERS)


@pytest.mark.parametrize(
    ("kind", "status"),
    [
        ("stale-ply", 409), ("not-your-turn", 409), ("deadline-passed", 409), ("match-over", 409), ("interrupted", 409),
        ("illegal-action", 422), ("unreadable-text", 422), ("key-reused", 422), ("no-such-match", 404), ("not-your-seat", 403),
    ],
)  # fmt: skip
def test_the_statuses_are_those_of_the_contract(kind: Kind, status: int):
    problem = refusal(Refused(kind, "words"))
    assert problem.status == status
    assert problem.body()["type"] == f"/problems/{kind}"
    assert OTHERS["log-unavailable"].status == 503


def test_a_refusal_names_its_ruling_its_action_and_its_deadline():
    problem = refusal(Refused("illegal-action", "no cell ahead of it is free (FO-2)", action=1, due=1_795_953_600_000))
    assert problem.body() == {
        "type": "/problems/illegal-action",
        "title": "Not a legal action",
        "status": 422,
        "detail": "no cell ahead of it is free (FO-2)",
        "action": 1,
        "ruling": "FO-2",
        "due": "2026-11-29T12:00:00.000Z",
    }


def test_nothing_is_there_for_programs(anybody: Person):
    for path in ("/api/v1", "/api/v1/", "/api/v1/match", "/api/v2/matches", "/api/v1//matches", "/api/v1/matches/"):
        problem = refused(anybody.asks("GET", path), 404, "not-found")
        assert problem["detail"] == "there is nothing at this address"


def test_a_method_that_is_not_there_is_refused_with_those_that_are(ann: Person):
    for method in ("PUT", "DELETE", "PATCH"):
        response = ann.asks(method, "/api/v1/matches")
        problem = refused(response, 405, "method-not-allowed")
        assert response.headers["Allow"] == "GET, HEAD, OPTIONS, POST"
        assert problem["detail"] == f"{method} cannot be used here; what can be used is GET, HEAD, OPTIONS, POST"


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/metrics", 405),
        ("/healthz", 405),
        ("/readyz", 405),
        ("/openapi.yaml", 405),
        ("/.well-known/jwks.json", 405),
        ("/.well-known/nothing", 404),
        ("/problems/stale-ply", 405),
    ],
)
def test_also_outside_of_the_api_programs_are_told_as_programs(anybody: Person, path: str, status: int):
    response = anybody.asks("POST", path, headers={"Accept": "*/*"})
    refused(response, status, {404: "not-found", 405: "method-not-allowed"}[status])
    assert response.headers.get("Access-Control-Allow-Origin") == (None if path == "/metrics" else "*")
    assert status == 404 or response.headers["Allow"] == "GET, HEAD, OPTIONS"


def test_people_get_a_page(app: Flask):
    app.test_client_class = None
    for accept in ("text/html,application/xhtml+xml,*/*;q=0.8", "*/*", ""):
        response = app.test_client().get("/nowhere", headers={"Accept": accept})
        assert (response.status_code, response.mimetype) == (404, "text/html")
    assert app.test_client().get("/nowhere", headers={"Accept": "application/json"}).mimetype == "application/problem+json"


def broken(*_: Any) -> Any:
    """Something that has gone wrong, with a secret in its words."""
    raise RuntimeError("fp_0123456789 is a secret")


def test_a_fault_of_ours_is_told_with_a_number_and_nothing_else(
    ann: Person, site: Site, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    match = ann.creates(*ALL_MINE)["id"]
    monkeypatch.setattr(site.desk, "look", broken)
    problem = refused(ann.get(f"/matches/{match}"), 500, "internal-error")
    assert problem["detail"] == f"something went wrong here, not with your request; in the log it is incident {problem['incident']}"
    assert "fp_" not in str(problem)
    assert f"incident {problem['incident']}: GET /api/v1/matches/<id>" in caplog.text
    assert match not in "\n".join(record.getMessage() for record in caplog.records)


def test_a_page_is_made_of_a_fault_too(app: Flask, monkeypatch: pytest.MonkeyPatch):
    app.test_client_class = None
    monkeypatch.setattr("service.pages.start.blank", broken)
    response = app.test_client().get("/", headers={"Accept": "text/html"})
    assert (response.status_code, response.mimetype) == (500, "text/html")
    assert "fp_" not in response.get_data(as_text=True)


def test_requests_are_logged_by_route_and_never_by_path(app: Flask, ann: Person, caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.INFO)
    match = ann.creates(*ALL_MINE)["id"]
    ann.get(f"/matches/{match}?x=1")
    app.test_client_class = None
    app.test_client().get("/m/abcdefgh")
    said = [record.getMessage() for record in caplog.records if record.name == "service.door.record"]
    assert said == ["POST /api/v1/matches 201", "GET /api/v1/matches/<id> 422", "GET /m/<token> 404"]
    assert "abcdefgh" not in caplog.text
    assert ann.token not in caplog.text


@pytest.fixture
def doomed(redis_server: Callable[..., RedisServer], tmp_path: Path):
    """A site with a Redis of its own, and a player with a match."""
    server = redis_server()
    built = wiring.site(settings_of(server, tmp_path))
    app = create_app(built)
    app.test_client_class = HeldClient
    player = built.players.add("Ann", "ann@example.org")
    ann = Person(app.test_client(), player.id, built.players.new_token(player.id, ["matches:read", "matches:play", "matches:create"], "tests"))
    yield server, ann
    built.redis.close()
    built.rq_redis.close()


def test_without_redis_it_says_so_and_that_nothing_was_written(doomed: tuple[RedisServer, Person], anybody: Person):
    server, ann = doomed
    match = ann.creates(*ALL_MINE)
    seat = match["to_act"][0]["seat"]
    server.kill()
    for response in (
        ann.get(f"/matches/{match['id']}"),
        ann.get("/matches"),
        ann.submits(match, seat, {"type": "deploy", "at": "a1"}),
        ann.post("/matches", {"game": "fourfold", "seats": [ME, RANDOM, RANDOM, RANDOM]}),
    ):
        problem = refused(response, 503, "log-unavailable")
        assert problem["detail"] == "the log of the matches cannot be reached or written to just now; nothing was written"
        assert response.headers["Retry-After"] == "1"
    problem = refused(ann.asks("GET", "/readyz"), 503, "not-ready")
    assert len(problem["reasons"]) == 1
    assert answered(ann.asks("GET", "/healthz"), 200) == {"status": "ok"}


def test_a_redis_that_would_lose_moves_is_not_played_on(redis_server: Callable[..., RedisServer], tmp_path: Path):
    built = wiring.site(settings_of(redis_server(appendfsync="no"), tmp_path))
    app = create_app(built)
    app.test_client_class = HeldClient
    player = built.players.add("Ann", "ann@example.org")
    ann = Person(app.test_client(), player.id, built.players.new_token(player.id, ["matches:create"], "tests"))
    problem = refused(ann.asks("GET", "/readyz"), 503, "not-ready")
    assert problem["reasons"] == ["Redis answers before a move is on disk (appendfsync no): set `appendfsync always`"]
    refused(ann.post("/matches", {"game": "fourfold", "seats": [ME, RANDOM, RANDOM, RANDOM]}), 503, "log-unavailable")
    built.redis.close()
    built.rq_redis.close()


def test_a_match_whose_log_is_damaged_is_closed_and_others_go_on(ann: Person, site: Site):
    match, other = ann.creates(*ALL_MINE), ann.creates(*ALL_MINE)
    key = f"{{p{match['id'][:2]}}}:m:{match['id']}:ev"
    site.redis.xadd(key, {"t": "fire.broke-out.1", "d": b"{}"}, id=f"{match['version'] + 1}-0")
    problem = refused(ann.get(f"/matches/{match['id']}"), 503, "match-damaged")
    assert "fire.broke-out.1" in problem["detail"]
    ann.plays(other)


def test_a_match_whose_events_were_changed_is_neither_shown_nor_signed_by_a_process_that_starts(ann: Person, site: Site):
    built = wiring.site(site.settings)
    anew = Person(create_app(built).test_client(), ann.id, ann.token)
    match, other = ann.creates(*ALL_MINE), ann.creates(*ALL_MINE)
    key = f"{{p{match['id'][:2]}}}:m:{match['id']}:ev"
    rows: Any = site.redis.xrange(key)
    site.redis.delete(key)
    for row, fields in rows:
        site.redis.xadd(key, {name: value.replace(b'"via":"api"', b'"via":"web"') for name, value in fields.items()}, id=row)
    for path in ("", "/history", "/history/2"):
        problem = refused(anew.get(f"/matches/{match['id']}{path}"), 503, "match-damaged")
        assert "(CHAIN: its " in problem["detail"]
    assert site.readonly.marked()[match["id"]].endswith(": an event was changed")
    assert anew.get(f"/matches/{other['id']}").status_code == 200
    built.redis.close()
    built.rq_redis.close()
    built.limiter.close()


def test_a_match_that_is_read_only_is_shown_and_not_written_to_and_others_go_on(ann: Person, site: Site):
    match, other = ann.creates(*ALL_MINE), ann.creates(*ALL_MINE)
    site.readonly.mark(match["id"], "LOST: version 40 of it was signed, and it ends at 37")
    problem = refused(ann.post(f"/matches/{match['id']}/resignation", {}), 503, "match-damaged")
    assert problem["detail"] == (
        "this match is read-only until somebody has looked at it, for its log contradicts itself "
        "(LOST: version 40 of it was signed, and it ends at 37)"
    )
    assert answered(ann.get(f"/matches/{match['id']}"), 200)["version"] == match["version"]
    assert len(answered(ann.get(f"/matches/{match['id']}/history"), 200)["events"]) == match["version"]
    assert answered(ann.asks("GET", "/readyz"), 200) == {"status": "ok", "read_only_matches": 1}
    ann.plays(other)


def test_whoever_asks_whether_the_site_is_ready_learns_at_once_what_a_restart_has_lost(ann: Person, site: Site):
    match = ann.creates(*ALL_MINE)
    site.witness.record([(match["id"], match["version"] + 3, bytes(32))])
    site.redis.delete("{ops}:audits")  # as after a start of Redis: nobody has audited it
    assert answered(ann.asks("GET", "/readyz"), 200) == {"status": "ok", "read_only_matches": 1}
    assert site.readonly.marked() == {match["id"]: f"LOST: version {match['version'] + 3} of it was signed, and it ends at {match['version']}"}


def test_a_problem_says_only_what_it_has_to_say():
    assert set(Problem("not-found", "nothing").body()) == {"type", "title", "status", "detail"}
