"""Lines of Steinnheimr: written one way, read in many; wire shapes, options and the view."""

import json

import msgspec
import pytest

from domain.game import Unreadable
from domain.games.steinnheimr import GAME
from domain.games.steinnheimr.notation import read, tell, write
from domain.games.steinnheimr.state import (
    Action,
    BonusInPlay,
    Buy,
    Craft,
    Discard,
    Donate,
    FirstPlayer,
    ItemShown,
    Mine,
    Options,
    Outcome,
    Place,
    Refine,
    Refresh,
    Remove,
    TownShown,
    Trade,
    UpgradeShown,
    Work,
)
from tests.games.steinnheimr.positions import BEGUN, OPENING, SHOWN, has, play, position

S = position(has("2 iron ore, 1 gold ingot"), has())


@pytest.mark.parametrize(
    ("action", "line", "wire"),
    [
        (Refresh(), "refresh", {"type": "refresh"}),
        (Place("gold", None), "place gold, nothing", {"type": "place", "at": "gold", "do": None}),
        (Place("iron", Mine()), "place iron, mine", {"type": "place", "at": "iron", "do": {"type": "mine"}}),
        (
            Remove("furnace", Refine("iron", 3)),
            "remove furnace, refine 3 iron",
            {"type": "remove", "at": "furnace", "do": {"type": "refine", "resource": "iron", "count": 3}},
        ),
        (
            Place("anvil", Craft("item-17")),
            "place anvil, craft item-17",
            {"type": "place", "at": "anvil", "do": {"type": "craft", "item": "item-17"}},
        ),
        (
            Place("market", Trade("ore", "iron", "silver", 2)),
            "place market, trade iron>silver ore x2",
            {"type": "place", "at": "market", "do": {"type": "trade", "form": "ore", "give": "iron", "get": "silver", "times": 2}},
        ),
        (
            Remove("guild", Buy("upgrade-05")),
            "remove guild, buy upgrade-05",
            {"type": "remove", "at": "guild", "do": {"type": "buy", "upgrade": "upgrade-05"}},
        ),
        (Place("town", Work()), "place town, work", {"type": "place", "at": "town", "do": {"type": "work"}}),
        (
            Place("town", Donate("town-03", {"iron": 1})),
            "place town, donate town-03 with 1 iron ingot",
            {"type": "place", "at": "town", "do": {"type": "donate", "town": "town-03", "ingots": {"iron": 1}}},
        ),
        (
            Place("town", Donate("town-01", {"silver": 1, "iron": 2})),
            "place town, donate town-01 with 2 iron ingot, 1 silver ingot",
            {"type": "place", "at": "town", "do": {"type": "donate", "town": "town-01", "ingots": {"iron": 2, "silver": 1}}},
        ),
        (
            Place("town", Donate("town-01", {})),
            "place town, donate town-01",
            {"type": "place", "at": "town", "do": {"type": "donate", "town": "town-01", "ingots": {}}},
        ),
        (
            Discard({"iron": 2}, {"gold": 1}),
            "discard 2 iron ore, 1 gold ingot",
            {"type": "discard", "ore": {"iron": 2}, "ingots": {"gold": 1}},
        ),
    ],
)
def test_an_action_has_one_line_and_one_shape(action: Action, line: str, wire: dict[str, object]):
    assert write(action) == line
    assert read(S, line) == action
    assert json.loads(msgspec.json.encode(action)) == wire
    assert msgspec.convert(wire, GAME.actions) == action


@pytest.mark.parametrize(
    ("lines", "action"),
    [
        (["REFRESH", " refresh ", "refresh the guild", "refreshes upgrades"], Refresh()),
        (
            ["Place Gold , Nothing", "place gold: nothing", "place dwarf on gold - nothing", "place at the gold mine → nothing", "place gold, -"],
            Place("gold", None),
        ),
        (["place iron mine", "place iron > mine", "place iron and mine", "place on the iron mine, mine", "place iron – mine"], Place("iron", Mine())),
        (
            ["remove furnace, refine iron 3", "remove furnace: refine 3x iron ore", "removes furnace to refine 3 iron"],
            Remove("furnace", Refine("iron", 3)),
        ),
        (
            ["place anvil, craft 17", "place anvil, craft item 17", "place anvil, craft carter's bracers", "PLACE ANVIL, CRAFT CARTER’S BRACERS"],
            Place("anvil", Craft("item-17")),
        ),
        (["place anvil, craft 7", "place anvil, craft item-7", "place anvil, craft #7"], Place("anvil", Craft("item-07"))),
        (
            [
                "place market, trade iron→silver ore ×2",
                "place market, trade iron to silver ore x 2",
                "place market, trade iron-silver ore 2",
                "place market, trade iron->silver ores 2x",
            ],
            Place("market", Trade("ore", "iron", "silver", 2)),
        ),
        (["place market, trade gold > iron ingot", "place market, trade gold to iron ingots x1"], Place("market", Trade("ingot", "gold", "iron", 1))),
        (["remove guild, buy upgrade 5", "remove guild, buy 05", "remove guild, buy toolmaker's gauge"], Remove("guild", Buy("upgrade-05"))),
        (["place town, works", "place town and work", "place town work"][:2], Place("town", Work())),
        (
            [
                "place town, donate 3 with 1 iron ingot",
                "place town, donate to grain store with 1 iron ingot, 3 iron ore",
                "place town, donate town-3, with 1 iron ingots",
            ],
            Place("town", Donate("town-03", {"iron": 1})),
        ),
        (["place town, donate town-02", "place town, donate palisade with 4 iron ore"], Place("town", Donate("town-02", {}))),
        (
            [
                *("discard 1 gold ingot, 2 iron ore", "Discard 2 iron ore and 1 gold ingot", "discard 1 iron ore + 1 iron ore + 1x gold ingots"),
                *("discard 2 iron ore 1 gold ingot", "discard 2 iron ore, 1 gold ingot.", "Discard 2 iron ore, and 1 gold ingot!"),
            ],
            Discard({"iron": 2}, {"gold": 1}),
        ),
    ],
)
def test_lines_are_read_in_many_ways(lines: list[str], action: Action):
    assert [read(S, line) for line in lines] == [action] * len(lines)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "place",
        "place dwarf",
        "place forge, mine",
        "place iron, dig",
        "place furnace, refine iron",
        "place furnace, refine 0 iron",
        "place furnace, refine -1 iron",
        "place furnace, refine 1000 iron",
        "place furnace, refine ３ iron",
        "place anvil, craft",
        "place anvil, craft item-123",
        "place anvil, craft palisade",
        "place market, trade iron>silver",
        "place market, trade iron ore",
        "place guild, buy carter's bracers",
        "place town, donate town-03 with 1 iron",
        "place town, donate town-03 with everything",
        "place town, donate town-03 with 1 iron ore",
        "discard",
        "discard everything",
        "discard 0 iron ore",
        "mine",
        "move iron, mine",
    ],
)
def test_what_is_no_action_is_unreadable_with_words_that_help(line: str):
    with pytest.raises(Unreadable) as unreadable:
        read(S, line)
    assert str(unreadable.value) == (
        f"“{line}” is no action of Blacksmiths of Steinnheimr; red is to place a dwarf on iron, gold, mithril, anvil, guild or town (SH-4)"
    )


def test_a_location_alone_does_not_say_what_is_done_there():
    for line, words in [
        ("place iron", "“place iron” does not say what to do there: write “place iron, nothing” or “place iron, mine” (SH-4)"),
        ("Remove  the silver", "“remove silver” does not say what to do there (SH-4)"),
    ]:
        with pytest.raises(Unreadable) as unreadable:
            read(S, line)
        assert str(unreadable.value) == words


def test_nothing_is_suggested_where_nobody_can_act():
    with pytest.raises(Unreadable, match=r"^“go!” is no action of Blacksmiths of Steinnheimr$"):
        read(OPENING, "go!")


def test_a_long_line_is_not_repeated_in_full():
    with pytest.raises(Unreadable) as unreadable:
        read(S, "no " * 1000)
    assert len(str(unreadable.value)) < 350


@pytest.mark.parametrize(
    ("outcome", "line", "wire"),
    [
        (FirstPlayer("blue"), "* blue begins", {"kind": "first_player", "seat": "blue"}),
        (BonusInPlay("bonus-3"), "* bonus-3 in play", {"kind": "bonus", "card": "bonus-3"}),
        (ItemShown("item-17", 2), "* item-17 shown", {"kind": "item", "card": "item-17", "slot": 2}),
        (TownShown("town-01", 0), "* town-01 shown", {"kind": "town", "card": "town-01", "slot": 0}),
        (UpgradeShown("upgrade-26", 1), "* upgrade-26 shown", {"kind": "upgrade", "card": "upgrade-26", "slot": 1}),
    ],
)
def test_a_lot_has_one_line_and_one_shape(outcome: Outcome, line: str, wire: dict[str, object]):
    assert tell(outcome) == line
    assert json.loads(msgspec.json.encode(outcome)) == wire
    assert msgspec.convert(wire, GAME.outcomes) == outcome


@pytest.mark.parametrize(
    "wire",
    [
        {"type": "place", "at": "gold"},
        {"type": "place", "at": "Gold", "do": None},
        {"type": "place", "at": "forge", "do": None},
        {"type": "place", "at": "gold", "do": "mine"},
        {"type": "place", "at": "gold", "do": {}},
        {"type": "place", "at": "gold", "do": {"type": "mine", "count": 2}},
        {"type": "place", "at": "gold", "do": {"type": "place", "at": "gold", "do": None}},
        {"type": "place", "at": "gold", "do": None, "seat": "red"},
        {"type": "mine"},
        {"type": "remove", "at": "furnace", "do": {"type": "refine", "resource": "iron", "count": 0}},
        {"type": "remove", "at": "furnace", "do": {"type": "refine", "resource": "iron", "count": True}},
        {"type": "remove", "at": "furnace", "do": {"type": "refine", "resource": "iron", "count": 2.0}},
        {"type": "remove", "at": "furnace", "do": {"type": "refine", "resource": "tin", "count": 2}},
        {"type": "remove", "at": "anvil", "do": {"type": "craft", "item": "item-1"}},
        {"type": "remove", "at": "anvil", "do": {"type": "craft", "item": "town-01"}},
        {"type": "remove", "at": "market", "do": {"type": "trade", "form": "ingots", "give": "iron", "get": "silver", "times": 1}},
        {"type": "remove", "at": "market", "do": {"type": "trade", "form": "ingot", "give": "iron", "get": "silver"}},
        {"type": "remove", "at": "town", "do": {"type": "donate", "town": "town-01"}},
        {"type": "remove", "at": "town", "do": {"type": "donate", "town": "town-01", "ingots": {"iron": 0}}},
        {"type": "remove", "at": "town", "do": {"type": "donate", "town": "town-01", "ingots": {"Iron": 1}}},
        {"type": "remove", "at": "town", "do": {"type": "donate", "town": "town-01", "ingots": None}},
        {"type": "discard", "ore": {"iron": 1}},
        {"type": "discard", "ore": {"iron": 0}, "ingots": {}},
        {"type": "discard", "ore": [], "ingots": {}},
        {"type": "refresh", "do": None},
    ],
)
def test_an_action_of_another_shape_is_refused(wire: dict[str, object]):
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(wire, GAME.actions)


def test_the_order_of_keys_does_not_matter():
    wire = {"ingots": {"silver": 1, "iron": 2}, "ore": {}, "type": "discard"}
    assert write(msgspec.convert(wire, GAME.actions)) == "discard 2 iron ingot, 1 silver ingot"


def test_the_options_have_their_defaults_and_bounds():
    assert msgspec.to_builtins(Options()) == {"items_to_end": None, "max_rounds": 60}
    for fine in ({"items_to_end": 1}, {"items_to_end": 13, "max_rounds": 10}, {"max_rounds": None}):
        assert GAME.unfit(msgspec.convert(fine, Options), GAME.seats[:3]) is None
    for wrong in ({"items_to_end": 0}, {"items_to_end": 14}, {"items_to_end": "6"}, {"max_rounds": 9}, {"max_rounds": 10.0}, {"rounds": 20}):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(wrong, Options)


def test_the_view_at_the_start_has_the_shape_of_the_rules_page():
    nothing = {"iron": 0, "silver": 0, "gold": 0, "mithril": 0}
    player = {"coins": 2, "ore": nothing, "ingots": nothing, "items": [], "towns": [], "upgrades": []}
    assert GAME.view(play(OPENING, "* blue begins", *BEGUN[1:], *SHOWN)) == {
        "dwarves": ["silver", "furnace", "market"],
        "shown": {
            "items": ["item-31", "item-01", "item-02", "item-03"],
            "towns": ["town-01", "town-02", "town-03"],
            "upgrades": ["upgrade-01", "upgrade-02", "upgrade-03"],
        },
        "bonus": ["bonus-1", "bonus-2"],
        "decks": {"items": 50, "towns": 17, "upgrades": 23, "discarded_upgrades": []},
        "supply": {"iron": 30, "silver": 20, "gold": 20, "mithril": 10},
        "round": 1,
        "first_player": "blue",
        "players": {"red": player, "blue": player},
        "due": {"item-31": {"iron": 1}, "item-01": {"iron": 2}, "item-02": {"iron": 3}, "item-03": {"iron": 4}},
        "turn": {"seat": "blue", "step": "place", "placed_at": None, "refreshed": False},
        "ending": False,
        "scores": {"red": 1, "blue": 1},
    }


def test_the_view_follows_the_turn():
    s = play(position(has("2 coins, 8 iron ore"), has()), "place iron, mine")
    assert GAME.view(s)["turn"] == {"seat": "red", "step": "remove", "placed_at": "iron", "refreshed": False}
    assert GAME.view(s)["dwarves"] == ["iron", "silver", "furnace", "market"]
    s = play(s, "remove silver, nothing")
    assert GAME.view(s)["turn"] == {"seat": "red", "step": "discard", "placed_at": "iron", "refreshed": False}
    over = position(has(), has(), reason="items", ending="items", round=20)
    assert (GAME.view(over)["turn"], GAME.view(over)["due"], GAME.view(over)["round"]) == (None, {}, 20)
