"""What things are called when a player is told of them: goods, places, cards and what cards do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, assert_never

from domain.games.steinnheimr.cards import (
    BONUSES,
    DONATION,
    INGOTS,
    ITEMS,
    ORE,
    TOWNS,
    UPGRADES,
    Capacity,
    CardId,
    Coins,
    IngotDiscount,
    Lasting,
    MineBonus,
    RefreshDiscount,
    TownWage,
    VpPerItem,
    VpPerTown,
)
from domain.games.steinnheimr.goods import RESOURCES, Amounts
from domain.games.steinnheimr.state import Location

PLACES: Final[dict[Location, str]] = {
    "iron": "the iron mine",
    "silver": "the silver mine",
    "gold": "the gold mine",
    "mithril": "the mithril mine",
    "furnace": "the furnace",
    "anvil": "the anvil",
    "market": "the market",
    "guild": "the guild",
    "town": "the town",
}
COUNTED: Final = {
    "weapon": "weapons",
    "armor": "armor",
    "tool": "tools",
    "jewelry": "jewelry",
    "town": "town cards",
    "upgrade": "upgrades",
    "coin": "coins",
    "resource": "resources",
}


def one_of(names: Sequence[str], last: str = "or") -> str:
    """`iron, gold or town`."""
    return f" {last} ".join(part for part in (", ".join(names[:-1]), *names[-1:]) if part)


def counted(number: int, noun: str) -> str:
    """`1 coin`, `3 coins`, `no coins`."""
    return f"1 {noun}" if number == 1 else f"{number or 'no'} {noun}s"


def told(ore: Amounts, ingots: Amounts) -> str:
    """`3 iron ore, 1 gold ingot`, or `nothing`."""
    mined = [f"{amount} {resource} ore" for resource, amount in zip(RESOURCES, ore, strict=True) if amount]
    refined = [counted(amount, f"{resource} ingot") for resource, amount in zip(RESOURCES, ingots, strict=True) if amount]
    return ", ".join(mined + refined) or "nothing"


def item_told(item: CardId, ingots: Amounts | None = None) -> str:
    """`item-17 Ferryman's Hatchet (weapon, 4 points): 2 iron ingots`, with what is due in ingots, if that is not what is printed."""
    card, due = ITEMS[item], ingots or INGOTS[item]
    less = f" (printed: {told((0, 0, 0, 0), INGOTS[item])})" if due != INGOTS[item] else ""
    return f"{item} {card.name} ({card.type}, {counted(card.vp, 'point')}): {told(ORE[item], due)}{less}"


def upgrade_told(upgrade: CardId) -> str:
    """`upgrade-14 Wider Ore Cart (1 coin): 1 more iron ore from its mine`."""
    card = UPGRADES[upgrade]
    return f"{upgrade} {card.name} ({counted(card.cost, 'coin')}): {effect_told(card.effect)}"


def town_told(town: CardId) -> str:
    """`town-16 Toll House (1 point, 3 coins at once): 2 iron`; ore and ingots are welcome alike."""
    card = TOWNS[town]
    effect = f", {effect_told(card.effect)}" if card.effect else ""
    asked = ", ".join(f"{amount} {resource}" for resource, amount in zip(RESOURCES, DONATION[town], strict=True) if amount)
    return f"{town} {card.name} ({counted(card.vp, 'point')}{effect}): {asked}"


def bonus_told(bonus: CardId) -> str:
    """`bonus-3 The Busy Workshop (5 points): most tools`."""
    card = BONUSES[bonus]
    return f"{bonus} {card.name} ({counted(card.vp, 'point')}): most {COUNTED[card.counts]}"


def held_told(card: CardId) -> str:
    """A card that somebody holds, with what it still does or counts."""
    if card in ITEMS:
        return f"{ITEMS[card].name} ({ITEMS[card].type}, {ITEMS[card].vp})"
    if card in UPGRADES:
        return f"{UPGRADES[card].name} ({effect_told(UPGRADES[card].effect)})"
    effect = TOWNS[card].effect
    return f"{TOWNS[card].name} ({TOWNS[card].vp}{f', {effect_told(effect)}' if effect else ''})"


def effect_told(effect: Lasting | Coins) -> str:
    """What a card does for who holds it."""
    match effect:
        case VpPerItem(kind, vp):
            return f"{counted(vp, 'point')} for each {'piece of jewelry' if kind == 'jewelry' else 'armor piece' if kind == 'armor' else kind}"
        case VpPerTown(vp):
            return f"{counted(vp, 'point')} for each town card"
        case IngotDiscount(resource, amount):
            return f"items take {counted(amount, f'{resource} ingot')} less"
        case MineBonus(resource, amount):
            return f"{amount} more {resource} ore from its mine"
        case TownWage(amount):
            return f"{amount} more {'coin' if amount == 1 else 'coins'} for work in the town"
        case Capacity(amount):
            return f"room for {amount} more resources"
        case RefreshDiscount(amount):
            return f"a refresh costs {counted(amount, 'coin')} less"
        case Coins(amount):
            return f"{counted(amount, 'coin')} at once"
        case _:
            assert_never(effect)


def brief(effect: Lasting | Coins) -> str:
    """The same in a few words, for a small card."""
    match effect:
        case VpPerItem(kind, vp):
            return f"+{vp} per {kind}"
        case VpPerTown(vp):
            return f"+{vp} per town card"
        case IngotDiscount(resource, amount):
            return f"{amount} {resource} ingot less"
        case MineBonus(resource, amount):
            return f"+{amount} {resource} ore"
        case TownWage(amount):
            return f"+{counted(amount, 'coin')} for work"
        case Capacity(amount):
            return f"room for {amount} more"
        case RefreshDiscount(amount):
            return f"refresh: {counted(amount, 'coin')} less"
        case Coins(amount):
            return f"{counted(amount, 'coin')} at once"
        case _:
            assert_never(effect)
