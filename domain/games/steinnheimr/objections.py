"""Why an action cannot be played now, in words for the player, naming the ruling and what would be legal."""

from __future__ import annotations

from typing import Final, assert_never

from domain.game import Seat
from domain.games.steinnheimr.cards import DONATION, ORE, UPGRADES, CardId, ingots_due
from domain.games.steinnheimr.choices import can_refresh, craftable, deeds, exchange, mined, most_trades, refresh_price, within_reach
from domain.games.steinnheimr.goods import LEVEL, NOTHING, RESOURCES, Amounts, amounts, covers, goods, minus, plus
from domain.games.steinnheimr.names import PLACES, counted, one_of, told
from domain.games.steinnheimr.state import (
    ROOM,
    Action,
    Buy,
    Craft,
    Deed,
    Discard,
    Donate,
    Location,
    Mine,
    Place,
    Refine,
    Refresh,
    Remove,
    State,
    Trade,
    Work,
)

_DONE_AT: Final[dict[str, str]] = {
    "furnace": "ore is refined (SH-6)",
    "anvil": "items are crafted (SH-7)",
    "market": "resources are traded (SH-8)",
    "guild": "upgrades are bought (SH-9)",
    "town": "you work or donate (SH-10)",
}


def objection(s: State, seat: Seat, action: Action) -> str | None:
    """None where the action is legal."""
    if s.reason:
        return "the match is over"
    if s.due:
        return f"nobody can act before {'the first player' if s.first is None else 'a card'} has been drawn (SH-{1 if s.first is None else 12})"
    if seat != s.seats[s.turn]:
        return f"it is not {seat}'s turn: {asked(s)}"
    match action:
        case Refresh():
            return _against_refreshing(s)
        case Place(at, do):
            return _against_placing(s, at) or _against_doing(s, at, do)
        case Remove(at, do):
            return _against_removing(s, at) or _against_doing(s, at, do)
        case Discard(ore, ingots):
            return _against_discarding(s, amounts(ore), amounts(ingots))
        case _:
            assert_never(action)


def asked(s: State) -> str:
    """What the seat on turn is to do now."""
    seat = s.seats[s.turn]
    match s.step:
        case "place":
            return f"{seat} is to place a dwarf on {one_of(within_reach(s))} (SH-4)"
        case "remove":
            return f"{seat} is to remove a dwarf from {one_of(within_reach(s))} (SH-4)"
        case "discard":
            held = sum(s.me.ore) + sum(s.me.ingots)
            return f"{seat} has {held} resources and room for {ROOM + s.me.powers.room}, and is to discard exactly {s.me.excess} (SH-13)"
        case _:
            assert_never(s.step)


# The turn


def _against_refreshing(s: State) -> str | None:
    if can_refresh(s):
        return None
    if s.step == "discard":
        return f"it is too late for a refresh: {asked(s)}"
    if s.refreshed:
        return f"the upgrades have been refreshed in this turn already (SH-11); {asked(s)}"
    if not any(s.upgrades):
        return f"there is no upgrade that could be discarded (SH-11); {asked(s)}"
    return f"a refresh costs {counted(refresh_price(s.me), 'coin')}, and {s.seats[s.turn]} has {s.me.coins} (SH-11); {asked(s)}"


def _against_placing(s: State, at: Location) -> str | None:
    if s.step != "place":
        return f"a dwarf has been placed already: {asked(s)}"
    return f"there is a dwarf at {PLACES[at]} already: {asked(s)}" if at in s.dwarves else None


def _against_removing(s: State, at: Location) -> str | None:
    if s.step != "remove":
        return f"no dwarf can be removed now: {asked(s)}"
    if at == s.placed:
        return f"the dwarf that was just placed stays at {PLACES[at]}: {asked(s)}"
    return f"there is no dwarf at {PLACES[at]}: {asked(s)}" if at not in s.dwarves else None


def _against_discarding(s: State, ore: Amounts, ingots: Amounts) -> str | None:
    me = s.me
    if s.step != "discard":
        return f"there is nothing to discard now: {asked(s)}"
    if not covers(me.ore, ore) or not covers(me.ingots, ingots):
        return f"{s.seats[s.turn]} does not have all of that, but {told(me.ore, me.ingots)}: {asked(s)}"
    return None if sum(ore) + sum(ingots) == me.excess else f"that is not the right number: {asked(s)}"


# What is done at a location


def _against_doing(s: State, at: Location, do: Deed | None) -> str | None:
    match do:
        case None:
            return None
        case Mine():
            if at not in LEVEL:
                return _elsewhere(at)
            return None if mined(s, LEVEL[at]) else f"no {at} is left in the supply, so {PLACES[at]} gives nothing (SH-2)"
        case Refine(resource, count):
            return _against_refining(s, resource, count) if at == "furnace" else _elsewhere(at)
        case Craft(item):
            return _against_crafting(s, item) if at == "anvil" else _elsewhere(at)
        case Trade():
            return _against_trading(s, do) if at == "market" else _elsewhere(at)
        case Buy(upgrade):
            return _against_buying(s, upgrade) if at == "guild" else _elsewhere(at)
        case Work():
            return None if at == "town" else _elsewhere(at)
        case Donate(town, ingots):
            return _against_donating(s, town, amounts(ingots)) if at == "town" else _elsewhere(at)
        case _:
            assert_never(do)


def _elsewhere(at: Location) -> str:
    done = _DONE_AT.get(at, "ore is mined (SH-5)")
    return f"that is not done at {PLACES[at]}: there {done}, or nothing is done (SH-4)"


def _against_refining(s: State, resource: str, count: int) -> str | None:
    ore, seat = s.me.ore[LEVEL[resource]], s.seats[s.turn]
    if 1 <= count <= ore:
        return None
    if not ore:
        return f"{seat} has no {resource} ore to refine, but {told(s.me.ore, NOTHING)} (SH-6)"
    return f"{seat} has {ore} {resource} ore and can refine {'just that' if ore == 1 else f'1 to {ore} of it'} (SH-6)"


def _against_crafting(s: State, item: CardId) -> str | None:
    me, seat = s.me, s.seats[s.turn]
    if item not in s.items:
        now = [card for card in s.items if card and craftable(me, card)]
        which = f"{seat} can craft {one_of(now)}" if now else f"shown are {_listed(s.items)}, and {seat} has not the goods for any of them"
        return f"{item} is not among the items shown: {which} (SH-7)"
    if craftable(me, item):
        return None
    ingots = ingots_due(item, me.powers.cheaper)
    return f"{item} takes {told(ORE[item], ingots)}, and {seat} has {told(me.ore, me.ingots)} (SH-7)"


def _against_trading(s: State, trade: Trade) -> str | None:
    give, get, seat = trade.give, trade.get, s.seats[s.turn]
    if abs(LEVEL[give] - LEVEL[get]) != 1:
        near = [resource for resource in RESOURCES if abs(LEVEL[give] - LEVEL[resource]) == 1]
        return f"a trade goes one level up or down: {give} can become {one_of(near)} (SH-8)"
    most = most_trades(s, trade.form, give, get)
    if 1 <= trade.times <= most:
        return None
    given, got = exchange(give, get)
    rate = f"{given} {give} {trade.form} for {got} {get} {trade.form}"
    stock = (s.me.ore if trade.form == "ore" else s.me.ingots)[LEVEL[give]]
    left = f"{seat} has {stock} {give} {trade.form}, and the supply {s.supply[LEVEL[get]]} {get}"
    return f"{rate}, at most {counted(most, 'time')}: {left} (SH-8)" if most else f"{rate} cannot be traded now: {left} (SH-8)"


def _against_buying(s: State, upgrade: CardId) -> str | None:
    if upgrade not in s.upgrades:
        return f"{upgrade} is not among the upgrades shown: {_listed(s.upgrades)} (SH-9)"
    cost = UPGRADES[upgrade].cost
    return None if cost <= s.me.coins else f"{upgrade} costs {counted(cost, 'coin')}, and {s.seats[s.turn]} has {s.me.coins} (SH-9)"


def _against_donating(s: State, town: CardId, ingots: Amounts) -> str | None:
    me = s.me
    if town not in s.towns:
        return f"{town} is not among the town cards shown: {_listed(s.towns)} (SH-10)"
    price = DONATION[town]
    asks = ", ".join(f"{amount} {resource}" for resource, amount in goods(price).items())
    if not covers(price, ingots):
        return f"{town} takes {asks}, in ore or ingots, and nothing beyond that (SH-10)"
    if covers(me.ore, minus(price, ingots)) and covers(me.ingots, ingots):
        return None
    enough = covers(plus(me.ore, me.ingots), price)
    ways = [do.ingots for do in deeds(s, "town") if isinstance(do, Donate) and do.town == town] if enough else []
    how = f"; it can be paid with {one_of([told(NOTHING, amounts(way)) if way else 'no ingots' for way in ways])}, the rest in ore" if ways else ""
    return f"{town} takes {asks}, in ore or ingots, and {s.seats[s.turn]} has {told(me.ore, me.ingots)}{how} (SH-10)"


def _listed(shown: tuple[CardId | None, ...]) -> str:
    return one_of([card for card in shown if card], "and") or "none"
