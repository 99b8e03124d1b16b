"""The cards: as many of each kind as the rules page says, each of its shape, and the very list that is served."""

import json
from collections import Counter
from pathlib import Path

import msgspec
import pytest

import domain.games.steinnheimr as package
from domain.games.steinnheimr import GAME
from domain.games.steinnheimr.cards import BOX, Box, IngotDiscount, ingots_due, powers
from domain.games.steinnheimr.goods import RESOURCES

FILE = json.loads(Path(package.__file__).with_name("cards.json").read_text())
KEYS = {
    "items": ["id", "name", "type", "vp", "ingots", "ore"],
    "upgrades": ["id", "name", "cost", "effect"],
    "towns": ["id", "name", "vp", "donation", "effect"],
    "bonuses": ["id", "name", "vp", "counts"],
}


def test_the_catalogue_serves_the_file_as_it_is():
    assert GAME.components == FILE
    assert {kind: [list(card) for card in cards] for kind, cards in FILE.items()} == {kind: [keys] * len(FILE[kind]) for kind, keys in KEYS.items()}


def test_there_are_54_items_26_upgrades_20_towns_and_8_bonuses_numbered_through():
    numbers = {"items": "item-{:02}", "upgrades": "upgrade-{:02}", "towns": "town-{:02}", "bonuses": "bonus-{}"}
    assert {kind: len(cards) for kind, cards in FILE.items()} == {"items": 54, "upgrades": 26, "towns": 20, "bonuses": 8}
    for kind, name in numbers.items():
        assert [card["id"] for card in FILE[kind]] == [name.format(number) for number in range(1, len(FILE[kind]) + 1)]


def test_no_two_cards_have_one_name():
    names = [card["name"] for cards in FILE.values() for card in cards]
    assert len({name.casefold() for name in names}) == len(names) == 108
    assert all(name.isascii() and name == name.strip() and len(name) <= 24 for name in names)


def test_there_are_15_weapons_15_armors_12_tools_and_12_jewels_and_a_third_of_all_ask_for_ore():
    assert Counter(item.type for item in BOX.items) == {"weapon": 15, "armor": 15, "tool": 12, "jewelry": 12}
    assert sum(bool(item.ore) for item in BOX.items) == 18
    assert all(sum(item.ingots.values()) >= 1 for item in BOX.items)


@pytest.mark.parametrize("kind", ["weapon", "armor", "tool", "jewelry"])
def test_items_go_from_cheap_to_grand_and_their_value_rises_with_their_cost(kind: str):
    worth = {"iron": 1.0, "silver": 1.5, "gold": 1.5, "mithril": 3.0}
    items = [item for item in BOX.items if item.type == kind]
    costs = [sum(worth[resource] * amount for goods in (item.ingots, item.ore) for resource, amount in goods.items()) for item in items]
    assert min(costs) <= 3
    assert max(costs) >= 6
    ranked = sorted(zip(costs, (item.vp for item in items), strict=True))
    third = len(ranked) // 3
    assert max(vp for _, vp in ranked[:third]) < max(vp for _, vp in ranked[-third:])
    assert all(cost + 1 <= vp + 1.5 and vp <= cost + 4 for cost, vp in ranked)
    assert any("gold" in item.ingots and "mithril" in item.ingots for item in items) or kind == "armor"


def test_upgrades_are_of_the_kinds_and_numbers_of_the_page():
    effects = Counter[tuple[object, ...]](tuple(msgspec.to_builtins(upgrade.effect).values()) for upgrade in BOX.upgrades)
    expected: dict[tuple[object, ...], int] = {
        **{("vp_per_item", kind, 2): 2 for kind in ("weapon", "armor", "tool", "jewelry")},
        **{("ingot_discount", resource, 1): number for resource, number in zip(RESOURCES, (2, 2, 2, 1), strict=True)},
        **{("mine_bonus", resource, 1): number for resource, number in zip(RESOURCES, (2, 1, 1, 1), strict=True)},
        ("town_wage", 1): 2,
        ("capacity", 2): 2,
        ("vp_per_town", 1): 1,
        ("refresh_discount", 1): 1,
    }
    assert effects == expected
    assert all(1 <= upgrade.cost <= 6 for upgrade in BOX.upgrades)


def test_fifteen_towns_are_plain_and_five_have_an_effect():
    assert sum(town.effect is None for town in BOX.towns) == 15
    assert [msgspec.to_builtins(town.effect)["kind"] for town in BOX.towns if town.effect] == [
        "coins",
        "coins",
        "town_wage",
        "vp_per_town",
        "capacity",
    ]
    assert all(1 <= sum(town.donation.values()) <= 8 for town in BOX.towns)


def test_there_is_one_bonus_for_everything_that_is_counted():
    assert [bonus.counts for bonus in BOX.bonuses] == ["weapon", "armor", "tool", "jewelry", "town", "upgrade", "coin", "resource"]


def test_a_list_with_something_strange_in_it_is_refused():
    for spoilt in (
        {**FILE, "dragons": []},
        {**FILE, "items": [{**FILE["items"][0], "type": "toy"}]},
        {**FILE, "items": [{**FILE["items"][0], "colour": "red"}]},
        {**FILE, "upgrades": [{**FILE["upgrades"][0], "effect": {"kind": "vp_per_item", "type": "weapon", "vp": 2, "amount": 2}}]},
        {**FILE, "upgrades": [{**FILE["upgrades"][0], "effect": {"kind": "coins", "amount": 2}}]},
    ):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(spoilt, Box)


def test_all_discounts_together_leave_every_item_a_price():
    smith = powers((), tuple(upgrade.id for upgrade in BOX.upgrades if isinstance(upgrade.effect, IngotDiscount)))
    assert smith.cheaper == (2, 2, 2, 1)
    assert all(1 <= sum(ingots_due(item.id, smith.cheaper)) <= sum(item.ingots.values()) for item in BOX.items)
