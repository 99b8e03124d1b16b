"""Points, ranks and the end (SH-15, SH-16)."""

from __future__ import annotations

from functools import lru_cache

from domain.game import Result, Standing, ranked
from domain.games.steinnheimr.cards import BONUSES, ITEMS, TOWNS, CardId, Counted, VpPerItem, VpPerTown, effects
from domain.games.steinnheimr.goods import plus
from domain.games.steinnheimr.state import Player, State


def standing(s: State) -> Standing:
    """By points; then by item, town and upgrade cards together, then by coins (SH-16). An agreed end is scored in the same way."""
    points = scores(s)
    ahead = {
        seat: (score, len(player.items) + len(player.towns) + len(player.upgrades), player.coins)
        for seat, score, player in zip(s.seats, points, s.players, strict=True)
    }
    return Standing(ranked(ahead), dict(zip(s.seats, points, strict=True)))


def result(s: State) -> Result | None:
    """The final standing, once the last round is over (SH-14)."""
    if s.reason is None:
        return None
    final = standing(s)
    return Result(final.ranks, final.scores, s.reason)


def scores(s: State) -> list[int]:
    """Each player's points if it ended now (SH-15), in seat order."""
    points = [_cards(player) + leftovers(player) for player in s.players]
    for bonus in map(BONUSES.__getitem__, s.bonus):
        if (winner := bonus_winner(s, bonus.counts)) is not None:
            points[winner] += bonus.vp
    return points


def bonus_winner(s: State, counts: Counted) -> int | None:
    """The place in `seats` of the one player who alone has the most, and at least one; None on a tie (SH-15)."""
    numbers = [count(player, counts) for player in s.players]
    most = max(numbers)
    return numbers.index(most) if most and numbers.count(most) == 1 else None


def count(player: Player, counts: Counted) -> int:
    """How much a player has of what a bonus card counts."""
    match counts:
        case "town":
            return len(player.towns)
        case "upgrade":
            return len(player.upgrades)
        case "coin":
            return player.coins
        case "resource":
            return sum(player.ore) + sum(player.ingots)
        case _:
            return _types(player.items).count(counts)


@lru_cache(maxsize=4096)
def _types(items: tuple[CardId, ...]) -> list[str]:
    """The types of items; the same ones are counted again with every look at the scores."""
    return [ITEMS[item].type for item in items]


def leftovers(player: Player) -> int:
    """One point for each 2 coins, 3 iron, 2 silver, 2 gold, 1 mithril, ore and ingots together, each rounded down."""
    iron, silver, gold, mithril = plus(player.ore, player.ingots)
    return player.coins // 2 + iron // 3 + silver // 2 + gold // 2 + mithril


def _cards(player: Player) -> int:
    points = sum(ITEMS[item].vp for item in player.items) + sum(TOWNS[town].vp for town in player.towns)
    for effect in effects(player.towns, player.upgrades):
        if isinstance(effect, VpPerItem):
            points += effect.vp * count(player, effect.type)
        elif isinstance(effect, VpPerTown):
            points += effect.vp * len(player.towns)
    return points
