"""Actions as they come from outside: JSON held to a game's shapes, lines read in the positions that they lead to."""

import re
from typing import Any

import msgspec
import pytest

from domain.chain import SeedLot
from domain.games import GAMES
from domain.games.fourfold.state import Advance, Deploy, Pass
from domain.match.commands import Actor, Submit
from domain.match.reading import LONGEST, actions_said, actions_written, kinds_of, lines_of, plain, possible, submission
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
        ({"type": "advance", "runner": "S1"}, "`to` is missing (beside its type an advance has runner, to)"),
    ],
)
def test_the_first_value_that_is_no_action_is_named_with_what_is_wrong(value: Any, words: str):
    with pytest.raises(Refused) as refused:
        actions_said(FOURFOLD, [{"type": "deploy", "at": "c1"}, value, "nor this"])
    assert (refused.value.kind, refused.value.action) == ("illegal-action", 1)
    assert refused.value.words == f"action 1 (counted from 0) is none of Fourfold: {words}"


ODD = [None, True, 3, -1, 10**30, 2.5, "", "z9", "a1\n", "it's", "\x00", "x" * 100, [], {}, [1] * 9, ["x"], [None], [-1], {"red": 1}, {"type": "fly"}]
OF_THE_CODE = re.compile(r"[\\^$*|<>]|\[a-|\b(?:str|int|None|True|False|Expected|Invalid|match|regex)\b")
SAID_BACK = re.compile("`[^`]*`|“[^”]*”")


@pytest.mark.parametrize("name", sorted(GAMES))
def test_whatever_a_field_holds_its_refusal_is_in_words_and_not_in_those_of_the_code(name: str):
    told = 0
    for kind, shape in kinds_of(GAMES[name]).items():
        for field in msgspec.structs.fields(shape):
            for odd in ODD:
                with pytest.raises(Refused) as refused:
                    actions_said(GAMES[name], [{"type": kind, field.encode_name: odd}, {}])
                assert refused.value.words.startswith(("action 0 (counted from 0) is none of ", "action 1 (counted from 0) is none of "))
                assert not OF_THE_CODE.search(SAID_BACK.sub("", refused.value.words)), refused.value.words
                told += 1
    assert told >= 60


def test_a_text_is_lines_or_parts_of_lines():
    assert lines_of(" deploy c1 ;S1>c2\n\n;; pass \r\n") == ["deploy c1", "S1>c2", "pass"]
    assert lines_of(" ; \n") == []


def test_a_line_is_what_can_be_seen_of_it_in_the_usual_letters():
    assert lines_of("\u202edeploy\u00a0c\u200b1\u2028Ｓ１＞ｃ２；pa\u00adss\x00") == ["deploy c1", "S1>c2", "pass"]
    assert lines_of("\u200b;\x07\n\ufeff") == []


def test_a_text_that_is_too_long_is_refused_unread():
    assert lines_of("x" * LONGEST) == ["x" * LONGEST]
    with pytest.raises(Refused) as refused:
        lines_of("x" * (LONGEST + 1))
    assert (refused.value.kind, refused.value.words) == ("unreadable-text", "that is too long to be read: 4000 characters are the most")


def test_what_cannot_be_seen_is_not_shown():
    assert plain("  a\x00\u202eb\u2028 c\n") == "a b c"
    assert plain("abcdef", 4) == "abc…"


def test_each_line_is_read_in_the_position_after_those_before_it():
    """`c2` alone says which runner goes there only once the runner is on the court."""
    assert actions_written(opened().live, "south", "c1; c2") == (Deploy("c1"), Advance("S1", "c2"))


def test_a_line_that_cannot_be_read_is_named():
    with pytest.raises(Refused) as refused:
        actions_written(opened().live, "south", "c1; castle")
    assert (refused.value.kind, refused.value.action) == ("unreadable-text", 1)
    assert refused.value.words == "“castle” is no action of Fourfold; possible then: “S1>b2”, “S1>c2”, “S1>d2”"


@pytest.mark.parametrize("name", sorted(GAMES))
def test_whoever_was_not_understood_is_told_only_what_is_legal_there(name: str):
    game = GAMES[name]
    draw, told = SeedLot(bytes(32), "00-0000000000").at(0, 0, b""), 0
    state = game.setup(game.options(), game.seats[: game.sizes[-1]])
    for step in range(60):
        if game.chance_due(state):
            state = game.apply_chance(state, game.draw(state, draw))
            continue
        seat = game.awaited(state)[0]
        found = [game.read(state, line) for line in re.findall("“([^”]+)”", possible(game, state, seat))]
        assert found
        assert {game.objection(state, seat, action) for action in found} == {None}
        told += 1
        state = game.apply(state, seat, found[step % len(found)])
        if game.result(state):
            break
    assert told > 10


def test_reading_ends_at_the_first_action_that_is_not_legal():
    assert actions_written(opened().live, "south", "a5; castle") == (Deploy("a5"),)


def test_what_comes_after_the_seats_turn_is_not_read_but_counted_as_one_too_many():
    """Whoever submits it is told that something comes in between, whatever it says."""
    read = actions_written(opened().live, "south", "c1; c2; castle; and castle again")
    assert len(read) == 3
    assert read[:2] == (Deploy("c1"), Advance("S1", "c2"))


def test_a_submission_is_read_for_whoever_is_asked_in_the_position_it_was_made_for():
    table, cy = opened(), Actor("p-cy", "link")
    assert submission(cy, "south", 0, "c1; c2", "salt")(table.live) == Submit(cy, "south", 0, (Deploy("c1"), Advance("S1", "c2")), "salt")
    assert submission(cy, "south", 0, [{"type": "deploy", "at": "c1"}])(table.live) == Submit(cy, "south", 0, (Deploy("c1"),))
    with pytest.raises(Refused, match="castle"):
        submission(cy, "south", 0, "castle")(table.live)


@pytest.mark.parametrize(("player", "seat", "ply"), [("p-cy", "south", 1), ("p-bo", "south", 0), ("p-bo", "east", 0), ("p-cy", "up", 0)])
@pytest.mark.parametrize("said", ["castle", [{"type": "fly"}]], ids=["text", "json"])
def test_anything_else_is_left_unread_for_the_desk_to_refuse(player: str, seat: str, ply: int, said: Any):
    assert submission(Actor(player, "api"), seat, ply, said)(opened().live).actions == ()
