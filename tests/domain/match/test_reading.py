"""Actions as they come from outside: JSON held to a game's shapes, lines read in the positions that they lead to."""

from typing import Any

import pytest

from domain.games import GAMES
from domain.games.fourfold.state import Advance, Deploy, Pass
from domain.match.reading import actions_said, actions_written, lines_of
from domain.match.refusal import Refused
from tests.table import LoadedLot, Table, creation, four

FOURFOLD = GAMES["fourfold"]
SOUTH = 2  # in seat order


def opened() -> Table:
    """A match in which south has been drawn to deploy the first runner."""
    table = Table(LoadedLot([SOUTH]))
    table.does(creation(*four("ann", "bo", "cy", "di")))
    return table


def test_json_values_become_actions_in_their_order():
    said = [{"type": "deploy", "at": "c1"}, {"to": "c2", "runner": "S1", "type": "advance"}, {"type": "pass", "runner": "N1"}]
    assert actions_said(FOURFOLD, said) == (Deploy("c1"), Advance("S1", "c2"), Pass("N1"))
    assert actions_said(FOURFOLD, []) == ()


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ({"type": "fly"}, "there is no such `type`; there are deploy, advance, pass"),
        ({"type": ["deploy"]}, "there is no such `type`; there are deploy, advance, pass"),
        ({"at": "c1"}, "its `type` is missing, which is one of deploy, advance, pass"),
        ("deploy c1", "it must be an object with a `type`, which is one of deploy, advance, pass"),
        ({"type": "advance", "runner": "S1"}, "`to` is missing (beside its type a advance has runner, to)"),
    ],
)
def test_the_first_value_that_is_no_action_is_named_with_what_is_wrong(value: Any, words: str):
    with pytest.raises(Refused) as refused:
        actions_said(FOURFOLD, [{"type": "deploy", "at": "c1"}, value, "nor this"])
    assert (refused.value.kind, refused.value.action) == ("illegal-action", 1)
    assert refused.value.words == f"action 1 (counted from 0) is none of Fourfold: {words}"


def test_a_text_is_lines_or_parts_of_lines():
    assert lines_of(" deploy c1 ;S1>c2\n\n;; pass \r\n") == ["deploy c1", "S1>c2", "pass"]
    assert lines_of(" ; \n") == []


def test_each_line_is_read_in_the_position_after_those_before_it():
    """`c2` alone says which runner goes there only once the runner is on the court."""
    assert actions_written(opened().live, "south", "c1; c2") == (Deploy("c1"), Advance("S1", "c2"))


def test_a_line_that_cannot_be_read_is_named():
    with pytest.raises(Refused) as refused:
        actions_written(opened().live, "south", "c1; castle")
    assert (refused.value.kind, refused.value.action) == ("unreadable-text", 1)


def test_reading_ends_at_the_first_action_that_is_not_legal():
    assert actions_written(opened().live, "south", "a5; castle") == (Deploy("a5"),)


def test_what_comes_after_the_seats_turn_is_not_read_but_counted_as_one_too_many():
    """Whoever submits it is told that something comes in between, whatever it says."""
    read = actions_written(opened().live, "south", "c1; c2; castle; and castle again")
    assert len(read) == 3
    assert read[:2] == (Deploy("c1"), Advance("S1", "c2"))
