"""What a position is worth to a player, in points: those made so far, and what goods, coins and upgrades may still become."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, assert_never

from domain.games.steinnheimr.cards import (
    BONUSES,
    DONATION,
    ITEMS,
    ORE,
    TOWNS,
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
    effects,
    ingots_due,
    powers,
)
from domain.games.steinnheimr.goods import LEVEL, NOTHING, Amounts
from domain.games.steinnheimr.scoring import count, scores
from domain.games.steinnheimr.state import Player, State

# Found by self-play, each against the others
_PER_ACTION: Final = 0.82  # what is left of a card's worth for each action that is still missing for it
_SECOND: Final = 0.55  # of the card that is second best within reach, since both may need the same goods
_ORE: Final = (0.3, 0.45, 0.45, 0.8)
_INGOT: Final = (0.6, 0.85, 0.85, 1.4)
COIN: Final = 0.36
_AHEAD: Final = 10.0  # for having an end begin while ahead, or against it while behind
_SHARE: Final = 0.18  # of the items to come that are of a type one collects
_TOO_MUCH: Final = 0.5  # for each resource there is no room for
_YIELD: Final = (3, 2, 2, 1)
_SAVED: Final = (0.9, 1.1, 1.1, 1.3)  # points that a discount saves with each item


def future(s: State) -> float:
    """Turns that the player on turn still has after this one, roughly."""
    if s.ending or s.reason:
        return 0.0
    missing = s.items_to_end - max([len(player.items) for player in s.players])
    rounds = min(missing * 2.0, len(s.town_deck) * 3.0 / len(s.seats) + 2)
    return rounds if s.options.max_rounds is None else min(rounds, s.options.max_rounds - s.round)


def estimate(s: State, turn: int) -> float:
    """Points that the player at this place may count on, and how far ahead an end that has begun finds it."""
    me, turns = s.players[turn], future(s)
    if turns <= 0:
        points = scores(s)
        others = max(score for place, score in enumerate(points) if place != turn)
        return points[turn] + (_AHEAD if points[turn] > others else -_AHEAD)
    worth = _held(me.items, me.towns, me.upgrades, turns) + me.coins * COIN - me.excess * _TOO_MUCH
    worth += _price(me.ore, _ORE) + _price(me.ingots, _INGOT)
    for bonus in s.bonus:
        worth += _lead(s, turn, bonus)
    return worth + _in_reach(s, me, turns)


@lru_cache(maxsize=4096)
def _held(items: tuple[CardId, ...], towns: tuple[CardId, ...], upgrades: tuple[CardId, ...], turns: float) -> float:
    """Cards held, which stay the same while one action after another is tried."""
    points = sum(ITEMS[item].vp for item in items) + sum(TOWNS[town].vp for town in towns)
    me = Player(items=items, towns=towns)
    return points + sum(effect_worth(me, effect, turns) for effect in effects(towns, upgrades))


def effect_worth(me: Player, effect: Lasting | Coins, turns: float) -> float:
    """What an effect still brings, with so many turns to come."""
    items = turns / 3
    match effect:
        case VpPerItem(kind, vp):
            return vp * (count(me, kind) + items * _SHARE)
        case VpPerTown(vp):
            return vp * (len(me.towns) + turns * 0.1)
        case IngotDiscount(resource, amount):
            return amount * items * _SAVED[LEVEL[resource]]
        case MineBonus(resource, amount):
            return amount * turns * 0.12 * _ORE[LEVEL[resource]]
        case TownWage(amount):
            return amount * turns * 0.1
        case Capacity(amount):
            return amount * turns * 0.05
        case RefreshDiscount(amount):
            return amount * turns * 0.02
        case Coins():
            return 0.0
        case _:
            assert_never(effect)


def _lead(s: State, turn: int, bonus: CardId) -> float:
    """A share in a bonus card that grows with the lead."""
    card = BONUSES[bonus]
    numbers = [count(player, card.counts) for player in s.players]
    mine = numbers.pop(turn)
    step = 0.08 if card.counts in ("coin", "resource") else 0.2
    return card.vp * max(0.0, min(1.0, 0.4 + step * (mine - max(numbers)))) if mine else 0.0


def _in_reach(s: State, me: Player, turns: float) -> float:
    """The best two cards shown, less what they cost, and less still for every action that is missing for them."""
    best = second = 0.0
    gains = [(_item_gain(item, me.towns, me.upgrades), _missing(me, ingots_due(item, me.powers.cheaper), ORE[item])) for item in s.items if item]
    gains += [(_town_gain(town, me.towns, turns), _missing(me, NOTHING, _still(DONATION[town], me.ingots))) for town in s.towns if town]
    for gain, missing in gains:
        worth = gain * _PER_ACTION**missing
        if worth > best:
            best, second = worth, best
        elif worth > second:
            second = worth
    return best + _SECOND * second


@lru_cache(maxsize=4096)
def _item_gain(item: CardId, towns: tuple[CardId, ...], upgrades: tuple[CardId, ...]) -> float:
    """Points for an item, less its price."""
    bonuses = sum(effect.vp for effect in effects(towns, upgrades) if isinstance(effect, VpPerItem) and effect.type == ITEMS[item].type)
    return ITEMS[item].vp + bonuses - _price(ingots_due(item, powers(towns, upgrades).cheaper), _INGOT) - _price(ORE[item], _ORE)


@lru_cache(maxsize=4096)
def _town_gain(town: CardId, towns: tuple[CardId, ...], turns: float) -> float:
    """Points for a town card and its effect, less its price."""
    effect = TOWNS[town].effect
    return TOWNS[town].vp + (effect_worth(Player(towns=towns), effect, turns) if effect else 0.0) - _price(DONATION[town], _ORE)


def _price(goods: Amounts, prices: tuple[float, ...]) -> float:
    return goods[0] * prices[0] + goods[1] * prices[1] + goods[2] * prices[2] + goods[3] * prices[3]


def _still(asked: Amounts, ingots: Amounts) -> Amounts:
    """What ore is due beyond the ingots there are."""
    iron, silver, gold, mithril = [max(0, amount - there) for amount, there in zip(asked, ingots, strict=True)]
    return iron, silver, gold, mithril


def _missing(me: Player, ingots: Amounts, ore: Amounts) -> int:
    """Actions until the card is taken: mining what there is not, refining each kind once, anvil or town."""
    actions = 1
    for refined, due, there, stock, at_once in zip(me.ingots, ingots, ore, me.ore, _YIELD, strict=True):
        to_mine = there - stock
        if due > refined:
            actions += 1
            to_mine += due - refined
        if to_mine > 0:
            actions -= -to_mine // at_once
    return actions
