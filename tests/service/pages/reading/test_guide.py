"""How to play, as pages."""

from flask.testing import FlaskClient

from domain.games import GAMES
from tests.service.pages.parlour import words


def test_every_game_is_listed_and_has_its_guide(client: FlaskClient):
    page = client.get("/games")
    assert page.status_code == 200
    for game in GAMES.values():
        assert game.title in words(page.text)
        guide = client.get(f"/games/{game.id}")
        assert guide.status_code == 200
        assert "<h1>" in guide.text
        assert words(guide.text).count("#") == 0


def test_a_guide_shows_its_pictures(client: FlaskClient):
    html = client.get("/games/fourfold").text
    assert html.count("<svg") >= 3  # the mark of the house, and the boards
    assert "board:" not in html


def test_a_game_that_there_is_not_is_a_404_that_names_those_there_are(client: FlaskClient):
    page = client.get("/games/chess")
    assert page.status_code == 404
    listed = ", ".join(sorted(game.title for game in GAMES.values()))
    assert f"There is no game of this name here. There are: {listed}" in words(page.text)
