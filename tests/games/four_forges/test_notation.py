"""Lines of Four Forges: written one way, read in many."""

import json

import msgspec
import pytest

from domain.game import Unreadable
from domain.games.four_forges import GAME
from domain.games.four_forges.notation import read, tell, write
from domain.games.four_forges.state import (
    AcceptTrade,
    Action,
    Amount,
    Break,
    DeclareEnd,
    DeclineTrade,
    EndTurn,
    Forge,
    Mine,
    Move,
    OfferTrade,
    Options,
    Outcome,
    Smelt,
)
from tests.games.four_forges.positions import FULL, lot, play, position

START = position("O1 2b O2 2b2s2g M1 1g")
TRADE = OfferTrade("L4", Amount(2, 0, 1), "O3", Amount(0, 1, 0))


@pytest.mark.parametrize(
    ("action", "line", "wire"),
    [
        (Move("O2", "O1", "grey"), "O2>O1 grey", {"type": "move", "from": "O2", "to": "O1", "stone": "grey"}),
        (Forge("O2"), "forge O2", {"type": "forge", "anvil": "O2"}),
        (Smelt("O1"), "smelt O1", {"type": "smelt", "anvil": "O1"}),
        (Break("A4", "black"), "break A4 black", {"type": "break", "anvil": "A4", "stone": "black"}),
        (Mine("O3"), "mine O3", {"type": "mine", "anvil": "O3"}),
        (DeclareEnd(), "declare end", {"type": "declare-end"}),
        (EndTurn(), "end turn", {"type": "end-turn"}),
        (
            TRADE,
            "trade L4 2b1g for O3 1s",
            {
                "type": "offer-trade",
                "from": "L4",
                "give": {"black": 2, "silver": 0, "grey": 1},
                "to": "O3",
                "take": {"black": 0, "silver": 1, "grey": 0},
            },
        ),
        (AcceptTrade(), "accept", {"type": "accept-trade"}),
        (DeclineTrade(), "decline", {"type": "decline-trade"}),
    ],
    ids=["move", "forge", "smelt", "break", "mine", "declare-end", "end-turn", "offer-trade", "accept-trade", "decline-trade"],
)
def test_an_action_has_one_line_and_one_shape_with_its_keys_in_order(action: Action, line: str, wire: dict[str, object]):
    assert write(action) == line
    assert read(START, line) == action
    assert msgspec.json.encode(action).decode() == json.dumps(wire, separators=(",", ":"))
    assert msgspec.convert(wire, GAME.actions) == action


@pytest.mark.parametrize(
    "line",
    [
        "o2>o1 grey",
        "O2 > O1 g",
        "O2-O1 grey",
        "O2->O1 gray",
        "O2 – O1 grey",
        "O2→O1 grey",
        "O2 to O1 grey",
        "O2 O1 grey",
        "O2O1 g",
        "O2>O1g",
        "O2>O1, grey",
        "O2>O1: grey stone",
        "move O2>O1 grey",
        "move grey from O2 to O1",
        "moves a grey stone from O2 to O1",
        "grey O2>O1",
        "g O2 O1",
        " O 2  =>  O 1   GREY ",
    ],
)
def test_a_move_is_read_in_many_ways(line: str):
    assert read(START, line) == Move("O2", "O1", "grey")


@pytest.mark.parametrize("line", ["BREAK o2 Silver", "break silver O2", "break a silver stone on O2", "break O2: s", "break-O2-silver", "break s o2"])
def test_breaking_is_read_in_many_ways(line: str):
    assert read(START, line) == Break("O2", "silver")


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("FORGE o2", Forge("O2")),
        ("forge at O2", Forge("O2")),
        ("smelts O1", Smelt("O1")),
        ("smelt-O1", Smelt("O1")),
        ("mine on O3", Mine("O3")),
        ("mine:O3", Mine("O3")),
        ("Declare the end", DeclareEnd()),
        ("declare-end", DeclareEnd()),
        ("end my turn", EndTurn()),
        ("END-TURN", EndTurn()),
        ("accept the trade", AcceptTrade()),
        ("accept-trade", AcceptTrade()),
        ("Decline offer", DeclineTrade()),
    ],
)
def test_what_else_there_is_to_do_is_read_in_many_ways(line: str, action: Action):
    assert read(START, line) == action


@pytest.mark.parametrize(
    "line",
    [
        "trade L4 1g2b for O3 1s",
        "TRADE l4 2B1G FOR o3 1S",
        "trade L4 2b 1g for O3 1s",
        "trade L4 2 black 1 grey for O3 1 silver",
        "trade L4 2 black stones and 1 grey for O3 1 silver stone",
        "trade L4: 2b, 1g for O3: 1s",
        "trade L4 2b+1g for O3 1s0b",
        "offer trade L4 2b1g for O3 1s",
        "offer-trade L4 2b1g against O3 1s",
    ],
)
def test_a_trade_is_read_in_many_ways_its_stones_in_any_order(line: str):
    assert read(START, line) == TRADE


def test_no_stones_at_all_are_written_as_a_dash_and_read_so_that_the_rules_can_object():
    nothing = OfferTrade("L4", Amount(0, 0, 0), "O3", Amount(0, 1, 0))
    assert write(nothing) == "trade L4 - for O3 1s"
    assert read(START, "trade L4 - for O3 1s") == read(START, "trade L4 0b for O3 1s") == nothing


def test_the_colour_may_be_left_out_where_only_one_lies_there():
    assert read(START, "O1>O2") == Move("O1", "O2", "black")
    assert read(START, "break O1") == Break("O1", "black")


def test_otherwise_the_colours_to_choose_from_are_said():
    with pytest.raises(Unreadable) as unreadable:
        read(START, "O2>O1")
    assert str(unreadable.value) == "say which stone you mean: “O2>O1 black”, “O2>O1 silver”, “O2>O1 grey”"
    with pytest.raises(Unreadable, match=r"“break O4 black”, “break O4 silver”, “break O4 grey”$"):
        read(START, "break O4")


@pytest.mark.parametrize(
    "line",
    [
        "",
        "O2",
        "O5>O1 grey",
        "X1>O1 grey",
        "O2>O1 white",
        "O2>O1>O3 grey",
        "forge",
        "forge O2 grey",
        "break black O2 black",
        "end",
        "declare",
        "trade L4 for O3",
        "trade L4 2b2b for O3 1s",
        "trade L4 2x for O3 1s",
        "trade L4 99999b for O3 1s",
        "trade L4 b for O3 1s",
        "sm\u0131lt O1",
        "O\u0662>O1 grey",
    ],
)
def test_what_is_no_action_is_unreadable_with_words_that_help(line: str):
    with pytest.raises(Unreadable) as unreadable:
        read(START, line)
    words = f"“{line}” is no action of Four Forges; write “O2>O1 grey” to move, “break A4 black”, “forge O2” or “smelt O1”"
    assert str(unreadable.value) == words


def test_what_can_be_written_depends_on_the_match_and_the_moment():
    s = position(FULL, options=Options(mining=True, trading=True))
    with pytest.raises(Unreadable, match=r"“mine O3”, “declare end”, “end turn” or “trade L4 2b1g for O3 1s”$"):
        read(s, "go!")
    with pytest.raises(Unreadable, match=r"; write “accept” or “decline”$"):
        read(play(s, "trade O2 1b for M1 1g"), "maybe")


def test_a_long_line_is_not_repeated_in_full():
    with pytest.raises(Unreadable) as unreadable:
        read(START, "no " * 1000)
    assert len(str(unreadable.value)) < 200


@pytest.mark.parametrize(
    ("line", "wire"),
    [
        ("* mine O3 1b3s2g", {"anvil": "O3", "stones": {"black": 1, "silver": 3, "grey": 2}}),
        ("* mine A1 6g", {"anvil": "A1", "stones": {"black": 0, "silver": 0, "grey": 6}}),
        (
            "* deal ochre O1 - O2 2b2s2g O3 3b1s2g O4 1b3s2g",
            {
                "seat": "ochre",
                "anvils": {
                    "O1": {"black": 0, "silver": 0, "grey": 0},
                    "O2": {"black": 2, "silver": 2, "grey": 2},
                    "O3": {"black": 3, "silver": 1, "grey": 2},
                    "O4": {"black": 1, "silver": 3, "grey": 2},
                },
            },
        ),
    ],
    ids=["mine", "six-alike", "deal"],
)
def test_a_lot_has_one_line_and_one_shape(line: str, wire: dict[str, object]):
    outcome: Outcome = lot(line)
    kind = line.split()[1]
    assert tell(outcome) == line
    assert msgspec.json.encode(outcome).decode() == json.dumps({"kind": kind, **wire}, separators=(",", ":"))
    assert msgspec.convert({**wire, "kind": kind}, GAME.outcomes) == outcome


STONES = {"black": 1, "silver": 0, "grey": 0}
OFFER = {"type": "offer-trade", "from": "L4", "give": STONES, "to": "O3", "take": {**STONES, "silver": 1}}


@pytest.mark.parametrize(
    "wire",
    [
        {"type": "move", "from": "o2", "to": "O1", "stone": "grey"},
        {"type": "move", "from_": "O2", "to": "O1", "stone": "grey"},
        {"type": "move", "from": "O2", "to": "O1"},
        {"type": "move", "from": "O2", "to": "O1", "stone": "Grey"},
        {"type": "move", "from": "O2", "to": "O1\n", "stone": "grey"},
        {"type": "forge", "anvil": "O5"},
        {"type": "forge", "anvil": "O2", "stone": "grey"},
        {"type": "Forge", "anvil": "O2"},
        {"type": "declare-end", "anvil": "O2"},
        {"type": "pass"},
        {**OFFER, "give": {"black": 1, "silver": 0}},
        {**OFFER, "give": {**STONES, "gold": 1}},
        {**OFFER, "give": {**STONES, "black": -1}},
        {**OFFER, "give": {**STONES, "black": 1.0}},
        {**OFFER, "give": {**STONES, "black": True}},
        {**OFFER, "give": [1, 0, 0]},
    ],
)
def test_json_of_another_shape_is_refused(wire: dict[str, object]):
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(wire, GAME.actions)


def test_the_order_of_keys_does_not_matter():
    backwards = dict(reversed(OFFER.items()))
    assert msgspec.convert(backwards, GAME.actions) == msgspec.convert(OFFER, GAME.actions)


def test_options_have_their_bounds_and_defaults():
    assert msgspec.to_builtins(Options()) == {
        "mining": False,
        "trading": False,
        "actions_per_turn": 3,
        "trade_offers_per_turn": 3,
        "no_progress_rounds": 20,
        "max_rounds": None,
    }
    for wrong in ({"trade_offers_per_turn": 0}, {"trade_offers_per_turn": 11}, {"no_progress_rounds": 2}, {"max_rounds": 0}, {"mining": None}):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(wrong, Options)
    assert msgspec.convert({"no_progress_rounds": None, "max_rounds": 1, "trade_offers_per_turn": 10}, Options).no_progress_rounds is None
