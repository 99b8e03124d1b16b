"""Lines of Fourfold: written one way, read in many."""

import json

import msgspec
import pytest

from domain.game import Unreadable
from domain.games.fourfold import GAME
from domain.games.fourfold.notation import read, tell, write
from domain.games.fourfold.state import Action, Advance, Deploy, Options, Outcome, Pass, Team
from tests.games.fourfold.positions import OPENING, play, position

MOVING = position("S1 c1, E1 e1", due="S1", waiting="E1")
DEPLOYING = position("S1 c1", due="south")


@pytest.mark.parametrize(
    ("action", "line", "wire"),
    [
        (Deploy("c1"), "deploy c1", {"type": "deploy", "at": "c1"}),
        (Advance("S1", "c2"), "S1>c2", {"type": "advance", "runner": "S1", "to": "c2"}),
        (Pass("S1"), "S1 pass", {"type": "pass", "runner": "S1"}),
    ],
    ids=["deploy", "advance", "pass"],
)
def test_an_action_has_one_line_and_one_shape(action: Action, line: str, wire: dict[str, str]):
    assert write(action) == line
    assert read(MOVING, line) == action
    assert json.loads(msgspec.json.encode(action)) == wire
    assert msgspec.convert(wire, GAME.actions) == action


@pytest.mark.parametrize(
    "line",
    [
        "s1>c2",
        "S1 > C2",
        "S1-c2",
        "S1->c2",
        "S1 - c2",
        "S1–c2",
        "S1→c2",
        "S1 to c2",
        "s1 TO C2",
        "S1xc2",
        "S1 x c2",
        "S1 c2",
        "S1c2",
        " S1  =>  c2 ",
        "s 1 c2",
        "S 1 > c 2",
        "S1>c2.",
        "S1>c2!",
        "“S1>c2”",
        "S1, c2",
        "S1>>c2",
        "move S1 to c2",
        "S1 goes to c2",
        "Ｓ１＞ｃ２",  # as the board in a mail has it
    ],
)
def test_a_move_is_read_in_many_ways(line: str):
    assert read(MOVING, line) == Advance("S1", "c2")


@pytest.mark.parametrize(
    "line", ["DEPLOY c1", "deploy C1", "Deploys to c1", "deploy-c1", "deploy at c1", "deploy > c1", "deployc1", "deploy c 1", "Place c1.", "C1."]
)
def test_a_deployment_is_read_in_many_ways(line: str):
    assert read(DEPLOYING, line) == Deploy("c1")


@pytest.mark.parametrize("line", ["S1 PASS", "s1 passes", "S1: pass", "S1>pass", "pass", "Pass."])
def test_a_pass_is_read_in_many_ways(line: str):
    assert read(MOVING, line) == Pass("S1")


def test_the_first_name_is_a_runner_and_the_second_a_cell():
    assert read(MOVING, "e1>e2") == Advance("E1", "e2")
    assert read(MOVING, "e1e2") == Advance("E1", "e2")
    assert read(DEPLOYING, "E12 to E1") == Advance("E12", "e1")


def test_a_cell_alone_is_for_whoever_is_due():
    assert read(MOVING, "C2") == Advance("S1", "c2")
    assert read(DEPLOYING, "e1") == Deploy("e1")


@pytest.mark.parametrize(
    "line", ["", "S1", "c9", "S1>f2", "S1>c2>c3", "S1>c2 and then E1", "S0>c2", "X1>c2", "deploy", "deploy S1", "deploy f1", "sıç", "S١>c2"]
)
def test_what_is_no_action_is_unreadable_with_words_that_help(line: str):
    with pytest.raises(Unreadable) as unreadable:
        read(MOVING, line)
    assert str(unreadable.value) == f"“{line}” is no action of Fourfold"


def test_nothing_is_suggested_where_nobody_can_act():
    with pytest.raises(Unreadable, match=r"^“go!” is no action of Fourfold$"):
        read(OPENING, "go!")


def test_a_long_line_is_not_repeated_in_full():
    with pytest.raises(Unreadable) as unreadable:
        read(MOVING, "no " * 1000)
    assert len(str(unreadable.value)) < 200


@pytest.mark.parametrize(
    ("outcome", "line", "wire"),
    [
        (Team("south", "opening"), "* south deploys", {"seat": "south", "for": "opening"}),
        (Team("south", "replacement", blocked=False), "* south deploys", {"seat": "south", "for": "replacement", "blocked": False}),
        (Team("north", "replacement", blocked=True), "* north is blocked", {"seat": "north", "for": "replacement", "blocked": True}),
    ],
    ids=["opening", "replacement", "blocked"],
)
def test_a_lot_has_one_line_and_one_shape(outcome: Outcome, line: str, wire: dict[str, object]):
    assert tell(outcome) == line
    assert json.loads(msgspec.json.encode(outcome)) == {"kind": "team", **wire}
    assert msgspec.convert({"kind": "team", **wire}, GAME.outcomes) == outcome


@pytest.mark.parametrize(
    "wire",
    [
        {"seat": "south", "for": "opening", "blocked": False},
        {"seat": "south", "for": "replacement"},
        {"seat": "South", "for": "opening"},
        {"seat": "south", "for": "play"},
        {"seat": "south", "for_": "opening"},
    ],
)
def test_a_lot_of_another_shape_is_refused(wire: dict[str, object]):
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"kind": "team", **wire}, GAME.outcomes)


@pytest.mark.parametrize(
    "wire",
    [
        {"type": "deploy", "at": "C1"},
        {"type": "deploy", "at": "c6"},
        {"type": "deploy", "at": "c1", "runner": "S1"},
        {"type": "deploy"},
        {"type": "Deploy", "at": "c1"},
        {"type": "advance", "runner": "s1", "to": "c2"},
        {"type": "advance", "runner": "S01", "to": "c2"},
        {"type": "advance", "runner": "S1", "to": None},
        {"type": "pass", "runner": 1},
        {"type": "pass"},
        {"type": "resign"},
    ],
)
def test_an_action_of_another_shape_is_refused(wire: dict[str, object]):
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(wire, GAME.actions)


def test_the_options_have_their_defaults():
    assert msgspec.to_builtins(Options()) == {"max_runners": 16, "goals_to_win": 4, "max_turns": None}


@pytest.mark.parametrize(
    "options", [{"max_runners": 4, "goals_to_win": 1, "max_turns": 1}, {"max_runners": 16, "goals_to_win": 10}, {"max_turns": None}]
)
def test_options_within_their_bounds_are_taken(options: dict[str, object]):
    chosen = msgspec.convert(options, Options)
    assert GAME.unfit(chosen, GAME.seats) is None


@pytest.mark.parametrize(
    "options",
    [
        {"max_runners": 3},
        {"max_runners": 17},
        {"goals_to_win": 0},
        {"goals_to_win": 11},
        {"max_turns": 0},
        {"max_runners": None},
        {"goals_to_win": 4.0},
        {"goals_to_win": True},
        {"runners": 5},
    ],
)
def test_options_out_of_their_bounds_are_refused(options: dict[str, object]):
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(options, Options)


def test_the_view_after_the_first_deployment_is_the_one_on_the_rules_page():
    assert GAME.view(play(OPENING, "* south deploys", "deploy c1")) == {
        "phase": "opening",
        "turn": 0,
        "court": {"c1": "S1"},
        "order": ["S1"],
        "goals": {"north": 0, "east": 0, "south": 0, "west": 0},
        "deployed": {"north": 0, "east": 0, "south": 1, "west": 0},
        "moved_this_turn": False,
        "due": {"seat": "south", "kind": "advance", "runner": "S1", "cells": ["b2", "c2", "d2"]},
        "waiting": [],
    }


def test_the_view_names_what_is_due():
    assert GAME.view(play(OPENING, "* east deploys"))["due"] == {"seat": "east", "kind": "deploy", "cells": ["e1", "e2", "e3", "e4", "e5"]}
    stuck = position("S1 a2, N1 a3, W1 b3", due="S1", waiting="N1 W1")
    assert GAME.view(stuck)["due"] == {"seat": "south", "kind": "pass", "runner": "S1", "cells": []}
    assert GAME.view(stuck)["waiting"] == ["N1", "W1"]
    assert GAME.view(position("S1 c1", phase="over", reason="goals"))["due"] is None
