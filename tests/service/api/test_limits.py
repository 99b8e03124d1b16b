"""Whoever asks too often is told so, and when to go on; others go on meanwhile."""

import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from flask import Flask

from infra.limits.limiter import Limiter
from infra.limits.quotas import quotas
from infra.wiring import Site
from service.app import serving
from tests.service.api.contract import HeldClient
from tests.service.api.person import ALL_MINE, Person, answered, refused

HOURLY = "read=4/3600,write=3/3600,heavy=2/3600,picture=1/3600,create=2/3600,mail=2/3600,page=3/3600"


@pytest.fixture
def site(site: Site) -> Site:
    """A site that allows little."""
    return replace(site, limiter=Limiter(site.rq_redis, quotas(HOURLY, dev=False)))


@pytest.fixture
def app(routes: Flask, site: Site) -> Flask:
    app = serving(routes, site)
    app.test_client_class = HeldClient
    return app


def test_beyond_the_quota_a_token_is_told_when_to_go_on(ann: Person):
    for left in (3, 2, 1, 0):
        response = ann.get("/games")
        assert (response.status_code, response.headers["RateLimit-Policy"]) == (200, '"read";q=4;w=3600')
        policy, room, whole = response.headers["RateLimit"].split(";")
        assert (policy, room) == ('"read"', f"r={left}")
        assert (4 - left) * 900 - 100 < int(whole.removeprefix("t=")) <= (4 - left) * 900
    response = ann.get("/games")
    problem = refused(response, 429, "too-many-requests")
    assert 800 < int(response.headers["Retry-After"]) <= 900
    assert re.fullmatch(r'"read";r=0;t=3(600|5\d\d)', response.headers["RateLimit"])
    assert problem["violated-policies"] == ["read"]
    wait = response.headers["Retry-After"]
    assert problem["detail"] == f"more than 4 requests of this kind (read) in 1 hour; there is room for another in {wait} seconds"


def test_tokens_are_counted_each_by_itself_however_they_are_written(ann: Person, bo: Person):
    for number in range(4):
        assert ann.get("/me", headers={"Authorization": f"{'bEaReR' if number % 2 else 'Bearer'}  {ann.token}"}).status_code == 200
    assert ann.get("/me").status_code == 429
    assert bo.get("/me").status_code == 200


def test_kinds_are_counted_each_by_itself(ann: Person):
    match = ann.creates(*ALL_MINE)
    seat = match["to_act"][0]["seat"]
    assert [ann.get(f"/matches/{match['id']}/legal-actions").status_code for _ in range(3)] == [200, 200, 429]
    refused(ann.post(f"/matches/{match['id']}/checks", {"seat": seat, "ply": 0, "text": "pass"}), 429, "too-many-requests")
    assert [ann.get(f"/matches/{match['id']}/board.png").status_code for _ in range(2)] == [200, 429]
    assert ann.get(f"/matches/{match['id']}/board.svg").status_code == 200
    assert [ann.post(f"/matches/{match['id']}/offers", {"kind": "end"}).status_code for _ in range(4)].count(429) == 1
    ann.creates(*ALL_MINE)
    refused(ann.post("/matches", {"game": "fourfold", "seats": ALL_MINE}), 429, "too-many-requests")


def test_without_a_token_or_with_a_false_one_the_address_is_counted(anybody: Person, ann: Person):
    for number in range(4):
        response = anybody.get("/me", headers={"Authorization": f"Bearer fp_{number:052}"})
        refused(response, 401, "not-authenticated")
    refused(anybody.get("/me", headers={"Authorization": "Bearer fp_other"}), 429, "too-many-requests")
    refused(anybody.get("/matches"), 429, "too-many-requests")
    assert answered(ann.get("/me"), 200)["id"] == ann.id


def test_the_address_is_what_our_proxy_says(anybody: Person):
    def comes_from(said: str) -> int:
        return anybody.get("/games", headers={"X-Forwarded-For": said}).status_code

    assert [comes_from(f"192.0.2.{number}, 198.51.100.1") for number in range(5)] == [200] * 4 + [429]
    assert comes_from("198.51.100.2") == 200


def test_sign_ups_are_few(anybody: Person):
    said = [anybody.post("/players", {"name": "Zoe", "email": f"zoe{number}@example.org"}).status_code for number in range(3)]
    assert said == [202, 202, 429]


def test_whoever_looks_after_the_site_is_never_held_back(anybody: Person):
    assert {anybody.asks("GET", path).status_code for path in ("/healthz", "/readyz", "/metrics") for _ in range(9)} == {200}


def test_what_is_refused_counts_too(ann: Person):
    match = ann.creates(*ALL_MINE)
    said = [ann.post(f"/matches/{match['id']}/take-back", {"seat": "north"}).status_code for _ in range(4)]
    assert said == [409, 409, 409, 429]
    assert ann.sees(match["id"])["version"] == match["version"]


def test_visitors_of_pages_get_a_page(app: Flask):
    app.test_client_class = None
    visitor = app.test_client()
    assert [visitor.get("/games").status_code for _ in range(3)] == [200] * 3
    response = visitor.get("/nowhere")
    assert (response.status_code, response.mimetype) == (429, "text/html")
    assert 1100 < int(response.headers["Retry-After"]) <= 1200
    assert "Wait a little, then try again." in response.text
    with visitor.get("/static/forgepost.css") as style:
        assert style.status_code == 200


@pytest.mark.parametrize(("path", "form"), [("/sign-in", {"address": "ann@example.org"}), ("/lost", {"address": "ann@example.org"})])
def test_forms_that_send_mails_are_few(app: Flask, path: str, form: dict[str, str]):
    app.test_client_class = None
    visitor: Callable[..., int] = lambda: app.test_client().post(path, data=form).status_code  # noqa: E731
    assert [visitor() for _ in range(3)] == [303, 303, 429]


def test_one_address_starts_few_matches(app: Flask):
    app.test_client_class = None
    assert [app.test_client().post("/", data={}).status_code for _ in range(3)] == [422, 422, 429]
