"""What a seat can do now, lazily and in canonical order, and the amounts that it follows from."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Final, assert_never

from domain.game import Seat
from domain.games.steinnheimr.cards import DONATION, ORE, UPGRADES, ingots_due
from domain.games.steinnheimr.goods import LEVEL, RESOURCES, Amounts, Resource, covers, goods
from domain.games.steinnheimr.state import (
    FORMS,
    LOCATIONS,
    Action,
    Buy,
    Craft,
    Deed,
    Discard,
    Donate,
    Form,
    Location,
    Mine,
    Place,
    Player,
    Refine,
    Refresh,
    Remove,
    State,
    Trade,
    Work,
)

_YIELD: Final[Amounts] = (3, 2, 2, 1)  # SH-5


def mined(s: State, level: int) -> int:
    """The ore that a mine would give now: what there is, at most (SH-2, SH-5)."""
    return min(s.supply[level], _YIELD[level] + s.me.powers.mined[level])


def exchange(give: Resource, get: Resource) -> tuple[int, int]:
    """How many are given for how many, one level up or down (SH-8)."""
    return (2, 1) if LEVEL[give] < LEVEL[get] else (1, 2)


def most_trades(s: State, form: Form, give: Resource, get: Resource) -> int:
    """How often the player's stock and the supply allow this trade; it is always paid out in full (SH-2)."""
    given, got = exchange(give, get)
    stock = s.me.ore if form == "ore" else s.me.ingots
    return min(stock[LEVEL[give]] // given, s.supply[LEVEL[get]] // got)


def wage(me: Player) -> int:
    """Coins for work in the town (SH-10)."""
    return 3 + me.powers.wage


def refresh_price(me: Player) -> int:
    """Coins for a refresh (SH-11)."""
    return max(0, 2 - me.powers.refresh)


def craftable(me: Player, item: str) -> bool:
    """Whether the player has what the item takes (SH-7)."""
    return covers(me.ingots, ingots_due(item, me.powers.cheaper)) and covers(me.ore, ORE[item])


def can_refresh(s: State) -> bool:
    """SH-11: once a turn, before placing or between placing and removing, while there is an upgrade to discard and a coin to pay."""
    return s.step != "discard" and not s.refreshed and any(s.upgrades) and s.me.coins >= refresh_price(s.me)


def within_reach(s: State) -> tuple[Location, ...]:
    """Where the seat on turn can place its dwarf, or which dwarf it can remove: not the one it has just placed (SH-4)."""
    if s.step == "place":
        return tuple([at for at in LOCATIONS if at not in s.dwarves])
    return tuple([at for at in s.dwarves if at != s.placed])


def legal(s: State, seat: Seat) -> Iterator[Action]:
    """All that the seat can do now; nothing where it is not its turn."""
    if s.due or s.reason or seat != s.seats[s.turn]:
        return
    if s.step == "discard":
        yield from _discards(s.me)
        return
    if can_refresh(s):
        yield Refresh()
    step = Place if s.step == "place" else Remove
    for at in within_reach(s):
        yield step(at, None)
        for do in deeds(s, at):
            yield step(at, do)


def deeds(s: State, at: Location) -> Iterator[Deed]:
    """The actions that the player on turn can carry out at a location."""
    match at:
        case "iron" | "silver" | "gold" | "mithril":
            if mined(s, LEVEL[at]):
                yield Mine()
        case "furnace":
            for resource, ore in zip(RESOURCES, s.me.ore, strict=True):
                yield from (Refine(resource, count) for count in range(1, ore + 1))
        case "anvil":
            yield from (Craft(item) for item in s.items if item and craftable(s.me, item))
        case "market":
            yield from _trades(s)
        case "guild":
            yield from (Buy(upgrade) for upgrade in s.upgrades if upgrade and UPGRADES[upgrade].cost <= s.me.coins)
        case "town":
            yield Work()
            for town in filter(None, s.towns):
                yield from _donations(s.me, town)
        case _:
            assert_never(at)


def _trades(s: State) -> Iterator[Trade]:
    for form in FORMS:
        for level, give in enumerate(RESOURCES):
            for get in (*RESOURCES[max(0, level - 1) : level], *RESOURCES[level + 1 : level + 2]):
                yield from (Trade(form, give, get, times) for times in range(1, most_trades(s, form, give, get) + 1))


def _donations(me: Player, town: str) -> Iterator[Donate]:
    """Every way to pay: of each resource at least the ingots that ore is missing for, at most those there are (SH-10)."""
    price = DONATION[town]
    ways = [range(max(0, due - ore), min(due, ingots) + 1) for due, ore, ingots in zip(price, me.ore, me.ingots, strict=True)]
    yield from (Donate(town, goods(ingots)) for ingots in product(*ways))


def _discards(me: Player) -> Iterator[Discard]:
    """Every way to give back just what there is no room for, cheap ore first (SH-13)."""
    yield from (Discard(goods(given[:4]), goods(given[4:])) for given in _parts((*me.ore, *me.ingots), me.excess))


def _parts(stock: tuple[int, ...], number: int) -> Iterator[tuple[int, ...]]:
    """Every choice of so many from the stock, the first kinds first."""
    if len(stock) == 1:
        yield (number,)
        return
    for here in range(min(stock[0], number), max(0, number - sum(stock[1:])) - 1, -1):
        yield from ((here, *others) for others in _parts(stock[1:], number - here))
