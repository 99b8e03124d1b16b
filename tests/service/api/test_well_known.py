"""What has its place outside `/api/v1`, and the catalogue of games."""

from dataclasses import replace

import msgspec
import pytest
from flask import Flask
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from domain.games import GAMES
from infra.seals.keys import thumbprint
from infra.wiring import Site
from service.api import catalogue
from service.app import serving
from service.problems import SORTS
from tests.service.api.contract import FILE
from tests.service.api.person import ALL_MINE, ME, RANDOM, Person, answered, refused


def test_the_public_keys_can_be_had(anybody: Person, site: Site):
    response = anybody.asks("GET", "/.well-known/jwks.json")
    keys = answered(response, 200)["keys"]
    assert keys == [*site.signing.public()]
    assert keys[0]["kid"] == thumbprint(keys[0])
    assert response.headers["Cache-Control"] == "public, max-age=3600"


def test_the_site_is_well_and_ready(anybody: Person):
    assert answered(anybody.asks("GET", "/healthz?from=lb"), 200) == {"status": "ok"}
    assert answered(anybody.asks("GET", "/readyz"), 200) == {"status": "ok", "read_only_matches": 0}


def test_the_description_is_served_as_it_was_committed(anybody: Person):
    response = anybody.asks("GET", "/openapi.yaml")
    assert response.mimetype == "application/yaml"
    assert response.data == FILE.read_bytes()


@pytest.mark.parametrize("name", SORTS)
def test_every_type_of_problem_is_explained_at_its_address(anybody: Person, name: str):
    response = anybody.asks("GET", f"/problems/{name}")
    assert response.mimetype == "text/plain"
    assert response.get_data(as_text=True) == f"{SORTS[name].title} ({SORTS[name].status})\n\n{SORTS[name].advice}\n"


def test_a_type_that_is_none_is_refused(anybody: Person):
    refused(anybody.asks("GET", "/problems/weather"), 404, "not-found")


def test_every_answer_has_the_headers_that_keep_browsers_out_of_trouble(ann: Person):
    match = ann.creates(*ALL_MINE)["id"]
    for path in ("/api/v1/games", f"/api/v1/matches/{match}", "/api/v1/nowhere", "/healthz", "/openapi.yaml"):
        headers = ann.asks("GET", path).headers
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Content-Security-Policy"] == "default-src 'none'; frame-ancestors 'none'"
        assert headers["Referrer-Policy"] == "same-origin"
        assert "Cache-Control" in headers
        assert "Set-Cookie" not in headers


def test_a_site_with_https_says_so(routes: Flask, site: Site):
    assert "Strict-Transport-Security" not in serving(routes, site).test_client().get("/healthz").headers
    secured = replace(site, settings=replace(site.settings, url="https://turns.example.org"))
    assert serving(routes, secured).test_client().get("/healthz").headers["Strict-Transport-Security"] == "max-age=31536000"


def test_head_and_options_need_no_words(ann: Person, app: Flask):
    match = ann.creates(*ALL_MINE)
    head = ann.asks("HEAD", f"/api/v1/matches/{match['id']}")
    assert (head.status_code, head.data) == (200, b"")
    assert head.headers["ETag"] == f'"{match["version"]}-{match["head"]["hash"][:16]}"'
    options = ann.asks("OPTIONS", "/api/v1/matches")
    assert options.status_code == 200
    assert "POST" in options.headers["Allow"]


def test_the_catalogue_has_every_game_with_the_schemas_of_its_options_and_actions(anybody: Person):
    games = answered(anybody.get("/games"), 200)["games"]
    assert [game["id"] for game in games] == sorted(GAMES)
    fourfold = next(game for game in games if game["id"] == "fourfold")
    assert (fourfold["title"], fourfold["edition"], fourfold["sizes"], fourfold["several_seats"]) == ("Fourfold", 1, [4], True)
    assert fourfold["seats"] == ["north", "east", "south", "west"]
    assert "random" in fourfold["bots"]
    assert fourfold["options"] == msgspec.json.decode(msgspec.json.encode(msgspec.json.schema(GAMES["fourfold"].options)))
    assert fourfold["options"]["$defs"]["Options"]["properties"]["goals_to_win"]["maximum"] == 10
    assert "guide" not in fourfold


@pytest.mark.parametrize("name", GAMES)
def test_the_catalogue_has_the_schema_of_what_a_position_of_each_game_is(ann: Person, anybody: Person, name: str):
    game = answered(anybody.get(f"/games/{name}"), 200)
    judge = Draft202012Validator(game["view"])
    Draft202012Validator.check_schema(game["view"])
    seats = [ME, *([RANDOM] * (game["sizes"][0] - 1))]
    view = answered(ann.post("/matches", {"game": name, "seats": seats}), 201)["view"]
    judge.validate(view)
    assert set(game["view"]["$defs"]["View"]["required"]) == set(view)
    assert not judge.is_valid({**view, "turn": []})


def test_of_a_game_whose_rules_changed_the_catalogue_shows_the_newest_edition(anybody: Person, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(GAMES, "fourfold", replace(GAMES["fourfold"], edition=2))
    catalogue._list.cache_clear()
    catalogue._game.cache_clear()
    assert answered(anybody.get("/games/fourfold"), 200)["edition"] == 2
    assert next(game["edition"] for game in answered(anybody.get("/games"), 200)["games"] if game["id"] == "fourfold") == 2
    catalogue._list.cache_clear()
    catalogue._game.cache_clear()


@pytest.mark.parametrize("name", GAMES)
def test_one_game_comes_with_guide_and_components(anybody: Person, name: str):
    game = answered(anybody.get(f"/games/{name}"), 200)
    row = next(row for row in answered(anybody.get("/games"), 200)["games"] if row["id"] == name)
    assert game["guide"] == GAMES[name].guide
    assert game["components"] == msgspec.json.decode(msgspec.json.encode(GAMES[name].components))
    assert {**row, "guide": game["guide"], "components": game["components"]} == game


def test_a_game_that_is_none_is_refused_with_those_that_are(anybody: Person):
    problem = refused(anybody.get("/games/chess"), 404, "no-such-game")
    assert problem["detail"] == f"there is no game chess; there are {', '.join(sorted(GAMES))}"


def test_the_catalogue_may_be_kept(anybody: Person):
    for path in ("/games", "/games/fourfold"):
        etag = anybody.get(path).headers["ETag"]
        again = anybody.get(path, headers={"If-None-Match": etag})
        assert (again.status_code, again.data) == (304, b"")
