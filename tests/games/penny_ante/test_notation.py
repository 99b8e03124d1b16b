"""Lines and JSON of Penny Ante: written one way, read in many."""

import json

import msgspec
import pytest

from domain.game import Unreadable
from domain.games.penny_ante import GAME
from domain.games.penny_ante.notation import write
from domain.games.penny_ante.reading import read
from domain.games.penny_ante.state import Action, Assault, Bombard, Capture, Fortify, FortressBombard, Options, Place, Reinforce
from tests.games.penny_ante.positions import START, play, position

S = position("d4 F5, d5 F, e4 F, e5 F, c3 2.2.2, b4 1.1, b5 2.2, c4 3, c5 2.2, c6 3, b2 3", options={"assault": "disperse-and-bombard"})

EXAMPLES: list[tuple[Action, str, dict[str, object]]] = [  # the table on the rules page
    (Place("c3"), "place c3", {"type": "place", "at": "c3"}),
    (
        Bombard("c3", (2, 2, 2), "b4", (5, 3), "b5", (2, 0)),
        "c3>b4 2.2.2 =5.3 x b5 2.0",
        {"type": "bombard", "from": "c3", "take": [2, 2, 2], "to": "b4", "arrange": [5, 3], "target": "b5", "remove": [2, 0]},
    ),
    (
        Bombard("d4", (4,), "c3", (4,), "c4", (3,)),
        "d4>c3 4 =4 x c4 3",
        {"type": "bombard", "from": "d4", "take": [4], "to": "c3", "arrange": [4], "target": "c4", "remove": [3]},
    ),
    (
        FortressBombard("d4", 5, "c5", "c6", (3,)),
        "F d4>c5 5 x c6 3",
        {"type": "fortress-bombard", "from": "d4", "guards": 5, "to": "c5", "target": "c6", "remove": [3]},
    ),
    (Fortify("c3", (3, 3, 2)), "fortify c3 3.3.2", {"type": "fortify", "at": "c3", "stacks": [3, 3, 2]}),
    (Reinforce("c3"), "reinforce c3", {"type": "reinforce", "at": "c3"}),
    (Assault("d4", 5, "e3"), "assault d4>e3 5", {"type": "assault", "from": "d4", "guards": 5, "to": "e3"}),
    (
        Capture("d4", 2, "c5", "d5", "b4"),
        "capture d4>c5 2 d5>b4",
        {"type": "capture", "from": "d4", "guards": 2, "to": "c5", "fortress": "d5", "put": "b4"},
    ),
    # what the table leaves to be understood
    (Bombard("c3", (1, 0, 0), "b4", (2, 1)), "c3>b4 1.0.0 =2.1", {"type": "bombard", "from": "c3", "take": [1, 0, 0], "to": "b4", "arrange": [2, 1]}),
    (Bombard("c3", (1, 0, 0), "d4"), "c3>d4 1.0.0", {"type": "bombard", "from": "c3", "take": [1, 0, 0], "to": "d4"}),
    (FortressBombard("d4", 0, "c5"), "F d4>c5 0", {"type": "fortress-bombard", "from": "d4", "guards": 0, "to": "c5"}),
    (
        Assault("d4", 5, "c5", "c6", (3,)),
        "assault d4>c5 5 x c6 3",
        {"type": "assault", "from": "d4", "guards": 5, "to": "c5", "target": "c6", "remove": [3]},
    ),
]


@pytest.mark.parametrize(("action", "line", "wire"), EXAMPLES, ids=[line for _, line, _ in EXAMPLES])
def test_an_action_has_one_line_and_one_shape(action: Action, line: str, wire: dict[str, object]):
    assert write(action) == line
    assert read(S, line) == action
    assert json.loads(msgspec.json.encode(action)) == wire
    assert list(json.loads(msgspec.json.encode(action))) == list(wire)
    assert msgspec.convert(wire, GAME.actions) == action


@pytest.mark.parametrize(
    "line",
    [
        "C3>B4 2.2.2 =5.3 X B5 2.0",
        "c3 > b4  2.2.2  = 5.3  x b5  2.0",
        "c3-b4 2.2.2 =5.3 x b5 2.0",
        "c3->b4 2.2.2 =5.3 x b5 2.0",
        "c3→b4 2.2.2 =5.3 × b5 2.0",
        "c3–b4 2.2.2 =5.3 xb5 2.0",
        "c3 to b4 2.2.2 =5.3 x b5 2.0",
        "c3b4 2.2.2=5.3x b5 2.0",
        "c3 b4 2,2,2 = 5,3 x b5 2,0",
        "c3>b4: 2+2+2 = 5+3 removes b5 2+0",
        "c3>b4 2 2 2 = 5 3 x b5 2 0",
        "bombard c3>b4 2.2.2 as 5.3 takes b5: 2.0",
        "c3>b4 2.2.2 =3.5 x b5 0.2",
        "c3−b4 2-2-2 =5–3 x b5 2—0.",
        "from c3 to b4 taking 2/2/2 into 5/3, removing b5 2/0!",
        "c3>b4 all =5.3 x b5 2.0",
    ],
)
def test_a_bombardment_is_read_in_many_ways(line: str):
    assert read(S, line) == Bombard("c3", (2, 2, 2), "b4", (5, 3), "b5", (2, 0))


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("f d4>c5 5 x c6 3", FortressBombard("d4", 5, "c5", "c6", (3,))),
        ("Fortress d4 to c5 with 5 guards x c6 3", FortressBombard("d4", 5, "c5", "c6", (3,))),
        ("fortress-bombard d4>c5 5", FortressBombard("d4", 5, "c5")),
        ("Assaults D4-E3, 5", Assault("d4", 5, "e3")),
        ("capture d4→c5 with 2 guards, d5→b4", Capture("d4", 2, "c5", "d5", "b4")),
        ("captures d4c5 2 x d5 to b4", Capture("d4", 2, "c5", "d5", "b4")),
        ("Fortify c3: 2,3,3", Fortify("c3", (3, 3, 2))),
        ("fortify c3 as 3 3 2", Fortify("c3", (3, 3, 2))),
        ("fortifies c3 = 3.3.2", Fortify("c3", (3, 3, 2))),
        ("REINFORCE  C3", Reinforce("c3")),
        ("reinforces: c3", Reinforce("c3")),
        ("put on c3", Place("c3")),
        ("F d4>c5 all", FortressBombard("d4", 5, "c5")),
        ("cap d4−c5 all d5−b4", Capture("d4", 5, "c5", "d5", "b4")),
        ("reinf c3", Reinforce("c3")),
        ("Place C3", Place("c3")),
    ],
)
def test_other_actions_are_read_in_many_ways(line: str, action: Action):
    assert read(S, line) == action


def test_a_space_alone_is_a_placement_while_pennies_are_placed():
    assert read(START, " C3 ") == Place("c3")
    with pytest.raises(Unreadable):
        read(S, "c3")


def test_the_arrangement_may_be_left_out_where_there_is_one_way_only():
    assert read(S, "b2>a1 2") == Bombard("b2", (2,), "a1", (2,))
    assert read(S, "c3>d2 1.1.1") == Bombard("c3", (1, 1, 1), "d2", (1, 1, 1))
    assert read(S, "c3>d4 1.1.1") == Bombard("c3", (1, 1, 1), "d4")
    assert read(S, "c3>b4 1.0.0") == Bombard("c3", (1, 0, 0), "b4", (2, 1))
    assert read(S, "c3>b4 2.0.0") == Bombard("c3", (2, 0, 0), "b4")  # 2.2 or 3.1: it must be said


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("b2>a1", Bombard("b2", (1,), "a1", (1,))),
        ("b2>a1 x a2", Bombard("b2", (1,), "a1", (1,), "a2", (1,))),
        ("fortify c3", Fortify("c3", (1, 1))),
        ("F e5>f6", FortressBombard("e5", 0, "f6")),
        ("assault e5>d6", Assault("e5", 0, "d6")),
        ("reinforce", Reinforce("e5")),
    ],
)
def test_what_is_left_out_is_filled_in_where_there_is_one_way_only(line: str, action: Action):
    s = position("d4 F10, e5 F, d5 F, e4 F, b2 1, a2 1, c3 2") if line != "reinforce" else position("d4 F10, e5 F, d5 F, e4 F, b2 10")
    assert read(s, line) == action


@pytest.mark.parametrize(
    ("line", "readings"),
    [
        ("b2>a1", "“b2>a1 1” or “b2>a1 2”"),
        ("c3>b4", "“c3>b4 1.0.0”, “c3>b4 1.1.0”, “c3>b4 1.1.1”, … or “c3>b4 2.2.2” (9 ways)"),
        ("c3>d4 2.2.2 x c4", "“c3>d4 2.2.2 x c4 1” or “c3>d4 2.2.2 x c4 2”"),
        ("assault d4>e3", "“assault d4>e3 0”, “assault d4>e3 1”, “assault d4>e3 2”, “assault d4>e3 3”, “assault d4>e3 4” or “assault d4>e3 5”"),
        ("capture d4>e3 2", "“capture d4>e3 2 e4>d2”, “capture d4>e3 2 e4>d4”, “capture d4>e3 2 e4>f2” or “capture d4>e3 2 e4>f4”"),
        ("reinforce", "“reinforce b2”, “reinforce b4”, “reinforce c3”, “reinforce d4” or “reinforce e5”"),
    ],
)
def test_what_can_be_read_in_several_ways_is_asked_back_with_all_of_them_or_their_number(line: str, readings: str):
    s = position("d4 F5, d5 F, e4 F, e5 F, c3 2.2.2, b2 2, b4 1.1, c4 2")
    with pytest.raises(Unreadable) as unreadable:
        read(s, line)
    assert str(unreadable.value) == f"that can be read in several ways: write {readings}"


def test_where_guards_and_their_fortress_might_go_it_is_asked_who_moves():
    s = position("d4 F5, d5 F, e4 F, e5 F")
    with pytest.raises(Unreadable) as unreadable:
        read(s, "d4-c5")
    words = "say what moves from d4, guards alone or the fortress with them: “d4>c5 5 =5”, “F d4>c5 5” or “assault d4>c5 5”"
    assert str(unreadable.value) == words


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("c5>b6", "there are no pennies on c5 to bombard with (PA-4)"),
        ("c6>b7", "c6 is a light space: dark has the spaces of its own colour (PA-3)"),
        ("c3>c5", "c3 and c5 are not diagonal neighbours"),
        ("c3>b4 2.2.2 =5.3 x c4", "there are no pennies on c4 to remove (PA-6)"),
        ("F d4>c4", "d4 and c4 are not diagonal neighbours"),
        ("capture d4>c5", "the fortress on d5 cannot be captured: its guard is 1"),
        ("fortify a1", "there are no pennies on a1 to arrange (PA-7)"),
    ],
)
def test_where_there_is_no_way_at_all_the_reason_is_told(line: str, words: str):
    s = position("d4 F5, d5 F1, e4 F1, e5 F, c3 2.2.2, b4 1.1")
    assert (GAME.objection(s, "dark", read(s, line)) or "").startswith(words)


def test_numbers_off_stacks_that_do_not_fit_are_left_for_the_objection():
    assert read(S, "c3>b4 9.9.9.9.9.9.9.9.9.9.9.9 =5.3") == Bombard("c3", (9,) * 12, "b4", (5, 3))
    assert read(S, "c3>b4 9.9.9.9.9.9.9.9.9.9.9.9") == Bombard("c3", (9,) * 12, "b4")


@pytest.mark.parametrize(
    "line",
    [
        "",
        "c3>b9 1",
        "c3>b4 2.2.2 =5.3 x",
        "c3>b4 222",
        "c3>b4 2.2.2 =5.3 x b5 2.0 and more",
        "c3>b4 ٢",
        "fortify",
        "assault d4",
        "capture d4",
        "F d4",
    ],
)
def test_what_is_no_action_is_unreadable(line: str):
    with pytest.raises(Unreadable) as unreadable:
        read(S, line)
    assert str(unreadable.value) == f"“{line[:40]}” is no action of Penny Ante"


def test_a_long_line_is_not_repeated_in_full():
    with pytest.raises(Unreadable) as unreadable:
        read(S, "no " * 1000)
    assert len(str(unreadable.value)) < 300


@pytest.mark.parametrize(
    "wire",
    [
        {"type": "place", "at": "C3"},
        {"type": "place", "at": "i3"},
        {"type": "place", "at": "c9"},
        {"type": "place"},
        {"type": "Place", "at": "c3"},
        {"type": "bombard", "from": "c3", "take": [], "to": "b4"},
        {"type": "bombard", "from": "c3", "take": [1, 1, 1, 1, 1], "to": "b4"},
        {"type": "bombard", "from": "c3", "take": [-1], "to": "b4"},
        {"type": "bombard", "from": "c3", "take": [11], "to": "b4"},
        {"type": "bombard", "from": "c3", "take": [1.0], "to": "b4"},
        {"type": "bombard", "from": "c3", "take": [True], "to": "b4"},
        {"type": "bombard", "from": "c3", "take": 1, "to": "b4"},
        {"type": "bombard", "from": "c3", "take": [1], "to": "b4", "arrange": [0]},
        {"type": "bombard", "from": "c3", "take": [1], "to": "b4", "arrange": None},
        {"type": "bombard", "from": "c3", "take": [1], "to": "b4", "target": None, "remove": None},
        {"type": "bombard", "from_": "c3", "take": [1], "to": "b4"},
        {"type": "fortress-bombard", "from": "d4", "guards": 11, "to": "c5"},
        {"type": "fortress-bombard", "from": "d4", "to": "c5"},
        {"type": "fortify", "at": "c3", "stacks": [1, 1, 1, 1, 1]},
        {"type": "reinforce", "at": "c3", "stacks": [1]},
        {"type": "assault", "from": "d4", "guards": "5", "to": "e3"},
        {"type": "capture", "from": "d4", "guards": 2, "to": "c5", "fortress": "d5"},
        {"type": "pass"},
    ],
)
def test_an_action_of_another_shape_is_refused(wire: dict[str, object]):
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(wire, GAME.actions)


def test_the_options_have_their_defaults():
    assert msgspec.to_builtins(Options()) == {
        "pennies": 100,
        "placement": "alternate",
        "assault": "disperse",
        "no_progress_limit": 100,
        "max_plies": 2000,
    }


@pytest.mark.parametrize(
    "options",
    [
        {"pennies": 40, "no_progress_limit": 20, "max_plies": 200},
        {"pennies": 400, "placement": "batch", "assault": "disperse-and-bombard"},
        {"no_progress_limit": None},
        {"max_plies": None},
    ],
)
def test_options_within_their_bounds_are_taken(options: dict[str, object]):
    assert GAME.unfit(msgspec.convert(options, Options), GAME.seats) is None


@pytest.mark.parametrize(
    "options",
    [
        {"pennies": 39},
        {"pennies": 401},
        {"pennies": None},
        {"pennies": 100.0},
        {"placement": "Alternate"},
        {"assault": "bombard"},
        {"no_progress_limit": 19},
        {"max_plies": 199},
        {"max_plies": True},
        {"coins": 100},
    ],
)
def test_options_out_of_their_bounds_are_refused(options: dict[str, object]):
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(options, Options)


def test_the_view_after_three_placements_is_the_one_on_the_rules_page():
    s = play(START, "place c3", "place d5", "place d4")
    seen = GAME.view(s)
    assert seen == {
        "phase": "placement",
        "spaces": {
            "c3": {"stacks": [1]},
            "d4": {"fortress": True, "guard": 1},
            "d5": {"fortress": True, "guard": 1},
            "e4": {"fortress": True, "guard": 0},
            "e5": {"fortress": True, "guard": 0},
        },
        "pool": 80,
        "to_place": {"dark": 8, "light": 9},
        "fortresses": {"dark": 2, "light": 2},
        "turn": "light",
        "plies_without_progress": 0,
    }
    assert list(seen) == ["phase", "spaces", "pool", "to_place", "fortresses", "turn", "plies_without_progress"]


def test_the_view_lists_spaces_from_a1_to_h8_and_stacks_largest_first():
    seen = GAME.view(position("h8 2.1, a2 F3, d4 1, b1 F, a1 5.4.4.1, c4 F, d5 F"))
    assert list(seen["spaces"]) == ["a1", "a2", "b1", "c4", "d4", "d5", "h8"]
    assert seen["spaces"]["a1"] == {"stacks": [5, 4, 4, 1]}
    assert (seen["phase"], seen["turn"]) == ("play", "dark")
