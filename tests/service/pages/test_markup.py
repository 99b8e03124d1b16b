"""Every kind of page is HTML as the standard has it."""

from pathlib import Path

from flask import Flask
from flask.testing import FlaskClient

from domain.games import GAMES
from tests.markup import flaws
from tests.service.pages.parlour import Parlour
from tests.service.pages.visitor import Visitor


def test_every_page_is_as_the_standard_has_it(app: Flask, client: FlaskClient, parlour: Parlour, tmp_path: Path):
    match = parlour.choosing("Ann", visibility="public")
    over = parlour.through(parlour.start("Ann", options={"goals_to_win": 1}, visibility="public"))
    waiting = parlour.start("Cy", invited="Bo")
    paths = ["/", "/games", *(f"/games/{game}" for game in GAMES), "/lost", "/nowhere", "/m/damaged", "/verify", "/docs", "/sign-in", "/s/damaged"]
    paths += [f"/matches/{match.id}", f"/matches/{over.id}", f"/matches/{over.id}/history", "/dev/mail", "/dev/previews"]
    paths += [parlour.link(match), parlour.link(match, choice=1), parlour.link(match, "resign"), parlour.link(waiting, "join", seat="east")]
    paths += [parlour.link(over, "view", seat="north"), parlour.link(match, "view")]
    pages = {path: client.get(path).text for path in paths}
    ann = Visitor(app, parlour.site).signs_in(parlour.person("Ann"))
    pages |= {path: ann.get(path).text for path in ("/me", "/me/settings", f"/matches/{match.id}/ending", f"/matches/{match.id}/mail")}
    # A button's type is `submit` where none is named, which is meant; and a page that waits for house bots looks again by itself, in a while.
    assert flaws(pages, tmp_path, no_implicit_button_type="off", meta_refresh="off", aria_label_misuse=["error", {"allowAnyNamable": True}]) == []
