"""The cards as cards.json lists them, and what the effects that a player holds come to."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, assert_never

import msgspec

from domain.game import Record
from domain.games.steinnheimr.goods import NOTHING, RESOURCES, Amounts, Resource, amounts

ItemType: TypeAlias = Literal["weapon", "armor", "tool", "jewelry"]
Counted: TypeAlias = Literal["weapon", "armor", "tool", "jewelry", "town", "upgrade", "coin", "resource"]
CardId: TypeAlias = str  # "item-17", "upgrade-05", "town-03", "bonus-8"

TYPES: Final[tuple[ItemType, ...]] = ("weapon", "armor", "tool", "jewelry")


class Effect(Record, frozen=True, forbid_unknown_fields=True, tag_field="kind"):
    """Base of what an upgrade or a town card does for the player who holds it."""


class VpPerItem(Effect, frozen=True, tag="vp_per_item"):
    """Points for every item of a type, at the end."""

    type: ItemType
    vp: int


class VpPerTown(Effect, frozen=True, tag="vp_per_town"):
    """Points for every town card, at the end."""

    vp: int


class IngotDiscount(Effect, frozen=True, tag="ingot_discount"):
    """So many ingots of a resource less for an item (SH-7)."""

    resource: Resource
    amount: int


class MineBonus(Effect, frozen=True, tag="mine_bonus"):
    """So much more ore of a resource from its mine (SH-5)."""

    resource: Resource
    amount: int


class TownWage(Effect, frozen=True, tag="town_wage"):
    """So many more coins for work in the town (SH-10)."""

    amount: int


class Capacity(Effect, frozen=True, tag="capacity"):
    """Room for so many more resources (SH-13)."""

    amount: int


class RefreshDiscount(Effect, frozen=True, tag="refresh_discount"):
    """So many coins less for a refresh (SH-11)."""

    amount: int


class Coins(Effect, frozen=True, tag="coins"):
    """So many coins at once; town cards only."""

    amount: int


Lasting: TypeAlias = VpPerItem | VpPerTown | IngotDiscount | MineBonus | TownWage | Capacity | RefreshDiscount


class Item(Record, frozen=True, forbid_unknown_fields=True):
    """What is crafted at the anvil, and what it takes."""

    id: CardId
    name: str
    type: ItemType
    vp: int
    ingots: dict[Resource, int]
    ore: dict[Resource, int]


class Upgrade(Record, frozen=True, forbid_unknown_fields=True):
    """What the guild sells."""

    id: CardId
    name: str
    cost: int  # coins
    effect: Lasting


class Town(Record, frozen=True, forbid_unknown_fields=True):
    """What the town gives for a donation."""

    id: CardId
    name: str
    vp: int
    donation: dict[Resource, int]
    effect: Lasting | Coins | None


class Bonus(Record, frozen=True, forbid_unknown_fields=True):
    """Points for the one player who has the most of something at the end (SH-15)."""

    id: CardId
    name: str
    vp: int
    counts: Counted


class Box(Record, frozen=True, forbid_unknown_fields=True):
    """All cards there are."""

    items: tuple[Item, ...]
    upgrades: tuple[Upgrade, ...]
    towns: tuple[Town, ...]
    bonuses: tuple[Bonus, ...]


_LIST: Final = Path(__file__).with_name("cards.json").read_bytes()
BOX: Final = msgspec.json.decode(_LIST, type=Box)
COMPONENTS: Final[dict[str, Any]] = msgspec.json.decode(_LIST)

ITEMS: Final = {item.id: item for item in BOX.items}
UPGRADES: Final = {upgrade.id: upgrade for upgrade in BOX.upgrades}
TOWNS: Final = {town.id: town for town in BOX.towns}
BONUSES: Final = {bonus.id: bonus for bonus in BOX.bonuses}

INGOTS: Final = {item.id: amounts(item.ingots) for item in BOX.items}  # as printed
ORE: Final = {item.id: amounts(item.ore) for item in BOX.items}
DONATION: Final = {town.id: amounts(town.donation) for town in BOX.towns}


class Powers(Record, frozen=True):
    """What a player's upgrades and town cards come to together; what counts only at the end is left to the scoring."""

    mined: Amounts = NOTHING  # more ore from each mine
    cheaper: Amounts = NOTHING  # fewer ingots for an item
    wage: int = 0
    room: int = 0
    refresh: int = 0


def effects(towns: Iterable[CardId], upgrades: Iterable[CardId]) -> list[Lasting | Coins]:
    """The effects of cards held; those of towns and of upgrades are the same thing (SH-5)."""
    held = [UPGRADES[card].effect for card in upgrades]
    return held + [effect for card in towns if (effect := TOWNS[card].effect)]


@lru_cache(maxsize=4096)
def powers(towns: tuple[CardId, ...], upgrades: tuple[CardId, ...]) -> Powers:
    """The lasting effects of cards held, added up; the same cards are asked for again with every action."""
    mined, cheaper, wage, room, refresh = dict[Resource, int](), dict[Resource, int](), 0, 0, 0
    for effect in effects(towns, upgrades):
        match effect:
            case MineBonus(resource, amount):
                mined[resource] = mined.get(resource, 0) + amount
            case IngotDiscount(resource, amount):
                cheaper[resource] = cheaper.get(resource, 0) + amount
            case TownWage(amount):
                wage += amount
            case Capacity(amount):
                room += amount
            case RefreshDiscount(amount):
                refresh += amount
            case VpPerItem() | VpPerTown() | Coins():
                pass
            case _:
                assert_never(effect)
    return Powers(amounts(mined), amounts(cheaper), wage, room, refresh)


@lru_cache(maxsize=4096)
def ingots_due(item: CardId, cheaper: Amounts) -> Amounts:
    """What an item costs in ingots with these discounts: at least one, of the lowest resource that it needs (SH-7)."""
    printed = INGOTS[item]
    iron, silver, gold, mithril = [max(0, amount - less) for amount, less in zip(printed, cheaper, strict=True)]
    if iron or silver or gold or mithril:
        return iron, silver, gold, mithril
    return amounts({next(resource for resource, amount in zip(RESOURCES, printed, strict=True) if amount): 1})
