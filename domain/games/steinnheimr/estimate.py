"""What a position is worth to a player, in points: those made so far, and what goods, coins and upgrades may still become."""

from __future__ import annotations

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
)
from domain.games.steinnheimr.goods import LEVEL, Amounts
from domain.games.steinnheimr.scoring import count, scores
from domain.games.steinnheimr.state import Player, State

# Found by self-play, each against the others
_PER_ACTION: Final = 0.82  # what is left of a card's worth for each action that is still missing for it
_SECOND: Final = 0.55  # of the card that is second best within reach, since both may need the same goods
_ORE: Final = (0.34, 0.5, 0.5, 1.0)
_INGOT: Final = (0.5, 0.75, 0.75, 1.3)
COIN: Final = 0.3
_TOO_MUCH: Final = 0.5  # for each resource there is no room for
_YIELD: Final = (3, 2, 2, 1)
_SAVED: Final = (0.2, 0.35, 0.35, 0.4)  # ingots of each resource that a discount saves with each item


def future(s: State) -> float:
    """Turns that the player on turn still has after this one, roughly."""
    if s.ending or s.reason:
        return 0.0
    missing = s.items_to_end - max(len(player.items) for player in s.players)
    rounds = min(missing * 2.4, len(s.town_deck) * 3.0 / len(s.seats) + 2)
    return rounds if s.options.max_rounds is None else min(rounds, s.options.max_rounds - s.round)


def estimate(s: State, turn: int) -> float:
    """Points that the player at this place may count on, and how far ahead an end that has begun finds it."""
    me, turns = s.players[turn], future(s)
    if turns <= 0:
        points = scores(s)
        others = max(score for place, score in enumerate(points) if place != turn)
        return points[turn] + (3.0 if points[turn] > others else -3.0)
    worth = me.coins * COIN - me.excess * _TOO_MUCH
    worth += sum(ITEMS[item].vp for item in me.items) + sum(TOWNS[town].vp for town in me.towns)
    worth += sum(effect_worth(me, effect, turns) for effect in effects(me.towns, me.upgrades))
    worth += sum(amount * price for amount, price in zip(me.ore, _ORE, strict=True))
    worth += sum(amount * price for amount, price in zip(me.ingots, _INGOT, strict=True))
    worth += sum(_lead(s, turn, bonus) for bonus in s.bonus)
    return worth + _in_reach(s, me, turns)


def effect_worth(me: Player, effect: Lasting | Coins, turns: float) -> float:
    """What an effect still brings, with so many turns to come."""
    items = turns / 2.6
    match effect:
        case VpPerItem(kind, vp):
            return vp * (count(me, kind) + items * 0.3)
        case VpPerTown(vp):
            return vp * (len(me.towns) + turns * 0.15)
        case IngotDiscount(resource, amount):
            return amount * items * _SAVED[LEVEL[resource]]
        case MineBonus(resource, amount):
            return amount * turns * 0.2 * _ORE[LEVEL[resource]]
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
    ahead = numbers[turn] - max(number for place, number in enumerate(numbers) if place != turn)
    step = 0.08 if card.counts in ("coin", "resource") else 0.2
    return card.vp * max(0.0, min(1.0, 0.4 + step * ahead)) if numbers[turn] else 0.0


def _in_reach(s: State, me: Player, turns: float) -> float:
    """The best two cards shown, less what they cost, and less still for every action that is missing for them."""
    cheaper, best, second = me.powers.cheaper, 0.0, 0.0
    bonuses = {effect.type: effect.vp for effect in effects(me.towns, me.upgrades) if isinstance(effect, VpPerItem)}
    for item in s.items:
        if item:
            ingots, ore = ingots_due(item, cheaper), ORE[item]
            gain = ITEMS[item].vp + bonuses.get(ITEMS[item].type, 0) - _price(ingots, _INGOT) - _price(ore, _ORE)
            best, second = _two(best, second, gain * _PER_ACTION ** _missing(me, ingots, ore))
    for town in s.towns:
        if town:
            asked, effect = DONATION[town], TOWNS[town].effect
            gain = TOWNS[town].vp + (effect_worth(me, effect, turns) if effect else 0.0) - _price(asked, _ORE)
            best, second = _two(best, second, gain * _PER_ACTION ** _missing_ore(me, asked))
    return best + _SECOND * second


def _two(best: float, second: float, new: float) -> tuple[float, float]:
    return (new, best) if new > best else (best, max(second, new))


def _price(goods: Amounts, prices: tuple[float, ...]) -> float:
    return goods[0] * prices[0] + goods[1] * prices[1] + goods[2] * prices[2] + goods[3] * prices[3]


def _missing(me: Player, ingots: Amounts, ore: Amounts) -> int:
    """Actions until an item is crafted: mining what there is not, refining each kind once, the anvil."""
    actions = 1
    for level in range(4):
        to_refine = max(0, ingots[level] - me.ingots[level])
        to_mine = max(0, to_refine + ore[level] - me.ore[level])
        actions += (to_refine > 0) - (-to_mine // _YIELD[level])
    return actions


def _missing_ore(me: Player, asked: Amounts) -> int:
    """Actions until a donation is made: mining what there is not, the town."""
    return 1 - sum(-max(0, asked[level] - me.ore[level] - me.ingots[level]) // _YIELD[level] for level in range(4))
