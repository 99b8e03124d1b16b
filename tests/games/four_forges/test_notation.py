"""Lines of Four Forges: written one way, read in many."""

import json
from time import process_time

import msgspec
import pytest

from domain.game import Unreadable
from domain.games.four_forges import GAME
from domain.games.four_forges.notation import tell, write
from domain.games.four_forges.reading import read
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
        "O2 \u2212 O1 grey",
        "O2 grey > O1",
        "O2g>O1",
        "O2>O1 (grey)",
        "“O2>O1 grey”.",
        "move the grey stone from O2 to O1",
        "mv o2 o1 gr",
        "02>01 grey",
        "O2>Ol grey",
        "o2>oi g",
        "ochre 2 to ochre 1: grey",
        "Ochre's anvil 2 > Ochre 1 gre",
        "Ｏ２＞Ｏ１　ｇ",
    ],
)
def test_a_move_is_read_in_many_ways(line: str):
    assert read(START, line) == Move("O2", "O1", "grey")


@pytest.mark.parametrize(
    "line",
    [
        "BREAK o2 Silver",
        "break silver O2",
        "break a silver stone on O2",
        "break O2: s",
        "break-O2-silver",
        "break s o2",
        "br O2 sil",
        "b O2 s",
        "break O2 (silver)",
        "break the silver on anvil O2",
        "break 02 s",
    ],
)
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
        ("f O2", Forge("O2")),
        ("O2 forge", Forge("O2")),
        ("sm 01", Smelt("O1")),
        ("smelt the stones on OI", Smelt("O1")),
        ("min o3", Mine("O3")),
        ("mine for lead 4", Mine("L4")),
        ("declare", DeclareEnd()),
        ("declare the game over", DeclareEnd()),
        ("end the match", DeclareEnd()),
        ("turn ends", EndTurn()),
        ("pass", EndTurn()),
        ("done.", EndTurn()),
        ("reject", DeclineTrade()),
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
        "offer L4 two black, a grey for O3 s",
        "L4 2b/1g <-> O3 1s",
        "trade L4 1gray, 2blk for O3 1silv",
        "trade 2b1g from L4 for 1 silver from O3",
        "trade lead 4 2b1g = ochre 3 1s",
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
    assert str(unreadable.value) == "say which stone you mean: “O2>O1 black”, “O2>O1 silver” or “O2>O1 grey”"
    with pytest.raises(Unreadable, match=r"^no stone lies on O4$"):
        read(START, "break O4")


@pytest.mark.parametrize("said", ["yes", "Y", "ok", "agreed", "n", "No."])
def test_short_answers_are_read_where_an_offer_waits_and_nowhere_else(said: str):
    s = position(FULL, options=Options(trading=True))
    with pytest.raises(Unreadable):
        read(s, said)
    assert read(play(s, "trade O2 1b for M1 1g"), said) == (DeclineTrade() if said[0] in "nN" else AcceptTrade())


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("end", "“end” can be read in two ways, neither of which can be done now"),
        ("b O2", "“b o2” can be read in two ways: write “break O2 black”, “break O2 silver”, “break O2 grey” or “O2>O1 black”"),
        ("S O2", "“s o2” can be read in two ways: write “O2>O1 black”"),
        ("m O2", "“m o2” can be read in two ways: write “O2>O1 black”"),
        ("O2>O1>M1 grey", "a stone goes one step an action: write “O2>O1 grey; O1>M1 grey”"),
        ("O1>O2>O3", "a stone goes one step an action: write “O1>O2; O2>O3”"),
        ("O2>O1 grey, then forge O2", "several actions have “;” between them: write “O2>O1 grey; forge O2”"),
        ("O2>O1 g and O2>M2 b", "several actions have “;” between them: write “O2>O1 grey; O2>M2 black”"),
        ("O2>O1 2 grey", "one stone is moved or broken an action: write “O2>O1 grey; O2>O1 grey” for two"),
        ("break two silver on O2", "one stone is moved or broken an action: write “break O2 silver; break O2 silver” for two"),
        ("O5>O1 grey", "there is no anvil O5: there are O1 to O4, M1 to M4, L1 to L4 and A1 to A4"),
        ("forge X1", "there is no anvil X1: there are O1 to O4, M1 to M4, L1 to L4 and A1 to A4"),
        ("trade L4 2b2b for O3 1s", "black stands twice in “2b2b”: name each colour once, as in “2b1g”"),
    ],
)
def test_a_line_that_is_nearly_one_is_refused_with_what_could_be_meant(line: str, words: str):
    with pytest.raises(Unreadable) as unreadable:
        read(START, line)
    assert str(unreadable.value) == words


@pytest.mark.parametrize("part", ["blacks", "b", "1 b ", "o2 ", "1", " to ", "trade ", "the ", "- ", "o2>", "l"])
def test_reading_takes_no_time_however_a_line_repeats_itself(part: str):
    began = process_time()
    for line in (part * 2000, f"break {part * 2000}x", f"trade o2 {part * 25}! for o3 {part * 20}?"):
        with pytest.raises(Unreadable):
            read(START, line)
    assert process_time() - began < 0.25


@pytest.mark.parametrize(
    "line",
    [
        "",
        "O2",
        "O2>O1 white",
        "forge",
        "forge O2 grey",
        "break black O2 black",
        "trade L4 for O3",
        "trade L4 2x for O3 1s",
        "sm\u0131lt O1",
        "O\u0662>O1 grey",
    ],
)
def test_what_is_no_action_is_unreadable_with_words_that_help(line: str):
    with pytest.raises(Unreadable) as unreadable:
        read(START, line)
    assert str(unreadable.value) == f"“{line}” is no action of Four Forges"


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("O1 1b1s1g", "“s o1” can be read in two ways: write “smelt O1” or “O1>O2 black”"),
        ("O1 2b", "“s o1” can be read in two ways: write “O1>O2 black”"),
        ("M1 2b", "“s o1” can be read in two ways, neither of which can be done now"),
    ],
)
def test_of_what_can_be_read_in_two_ways_only_what_can_be_done_is_named(said: str, words: str):
    with pytest.raises(Unreadable) as unreadable:
        read(position(said), "s O1")
    assert str(unreadable.value) == words


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
