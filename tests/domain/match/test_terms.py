"""How a match was agreed and how it ended, in words."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from domain.match.commands import Actor, Resign
from domain.match.match import Match
from domain.match.telling import Cast
from domain.match.terms import ending, label, terms, verdict
from tests.table import LoadedLot, Table, ann, creation, four


def table(*names: str, **options: object) -> Table:
    made = Table(LoadedLot([2]))
    made.does(creation(*four(*names), options=dict(options)))
    return made


def ended(ranks: dict[str, int], reason: str = "goals") -> Match:
    """A match that ended like that; Ann is north and south, Bo east, a house bot west."""
    return replace(table("ann", "bo", "ann", "bot1").live, status="over", outcome={"ranks": ranks, "scores": {}, "reason": reason})


def test_only_what_is_not_usual_is_said():
    assert terms(table("ann", "bo", "cy", "di", goals_to_win=2, max_turns=20).live) == (("Goals to win", "2"), ("Max turns", "20"))
    assert terms(table("ann", "bo", "cy", "di").live) == ()
    assert label("goals_to_win") == "Goals to win"


@pytest.mark.parametrize(
    ("ranks", "said"),
    [
        ({"north": 1, "east": 2, "south": 3, "west": 4}, ("you won", "North (Ann) won", "North (Ann) won")),
        (
            {"north": 1, "east": 3, "south": 1, "west": 4},
            ("you won", "North (Ann) and South (Ann) share the first place", "North (Ann) and South (Ann) share the first place"),
        ),
        (
            {"north": 1, "east": 1, "south": 3, "west": 4},
            ("you share the first place", "you share the first place", "North (Ann) and East (Bo) share the first place"),
        ),
        (
            {"north": 1, "east": 1, "south": 4, "west": 1},
            ("you share the first place", "you share the first place", "North (Ann), East (Bo) and West share the first place"),
        ),
        ({"north": 2, "east": 3, "south": 4, "west": 1}, ("West won", "West won", "West won")),
    ],
)
def test_the_verdict_depends_on_who_reads_it(ranks: dict[str, int], said: tuple[str, str, str]):
    match = ended(ranks)
    assert tuple(verdict(Cast(match, {"p-ann0000000": "Ann", "p-bo": "Bo"}, reader)) for reader in ("p-ann0000000", "p-bo", None)) == said


@pytest.mark.parametrize(
    ("reason", "said"),
    [
        ("goals", "by goals"),
        ("agreement", "by agreement"),
        ("resignation", "by resignation"),
        ("timeout", "by time-out"),
        ("long-walk", "by long walk"),
    ],
)
def test_the_ending_names_its_reason(reason: str, said: str):
    assert ending(ended({"north": 1, "east": 2, "south": 3, "west": 4}, reason)) == said


def test_a_match_that_goes_on_has_no_ending():
    made = table("ann", "bo", "ann", "bot1")
    assert ending(made.live) == ""
    made.does(Resign(Actor("p-bo", "web")))
    made.does(Resign(ann()))
    assert (made.live.status, ending(made.live)) == ("over", "by resignation")
