"""My matches: what waits for me comes first, and nobody else's private match is among them."""

import re

from flask import Flask

from domain.match.match import Match
from infra.listing import row
from tests.service.pages.parlour import Parlour, words
from tests.service.pages.visitor import Visitor


def listed(parlour: Parlour, *matches: Match) -> None:
    """As the relay does it."""
    for match in matches:
        parlour.site.listing.record(row(parlour.look(match)))


def sections(html: str) -> dict[str, list[str]]:
    """The matches under each heading."""
    return {
        words(title): re.findall(r"<code>([0-9]{2}-[0-9a-z]{10})</code>", body)
        for title, body in re.findall(r"<section[^>]*><h2[^>]*>(.*?)</h2>(.*?)</section>", html, re.DOTALL)
    }


def test_matches_stand_under_what_they_wait_for(app: Flask, parlour: Parlour):
    ann = parlour.person("Ann")
    turn = parlour.choosing("Ann", "Bo")
    other = parlour.choosing("Bo", "Ann")
    over = parlour.through(parlour.start("Ann", options={"goals_to_win": 1}))
    waiting, invited = parlour.start("Ann", invited="Cid"), parlour.start("Bo", invited="Ann")
    foreign = parlour.start("Bo", "Cid")
    listed(parlour, turn, other, over, waiting, invited, foreign)
    page = Visitor(app, parlour.site).signs_in(ann).get("/me").text
    assert sections(page) == {
        "Your turn": [turn.id],
        "You are invited": [invited.id],
        "Waiting for others": [other.id],
        "Not begun yet": [waiting.id],
        "Finished": [over.id],
    }
    assert "with Bo and 2 house bots" in words(page)
    assert "with somebody invited and 2 house bots" in words(page)
    assert foreign.id not in page


def test_who_has_no_match_is_told_so(app: Flask, parlour: Parlour):
    page = Visitor(app, parlour.site).signs_in(parlour.person("Ann")).get("/me").text
    assert "Nothing waits for you, and you wait for nobody." in words(page)
