"""Trades (FF-9): with whom, of what and for what, listed one after the other or drawn from the many."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Final

from domain.game import Pick
from domain.games.four_forges.forges import ANVILS, FORGES, NONE, Anvil, Stones
from domain.games.four_forges.state import OfferTrade, State, amount, offers_left


def offers(s: State) -> Iterator[OfferTrade]:
    """Every trade that the seat on turn can offer, in canonical order."""
    for start in givers(s):
        for give in portions(s.anvils[start]):
            for to in takers(s, give):
                yield from (OfferTrade(ANVILS[start], amount(give), ANVILS[to], amount(take)) for take in portions(s.anvils[to]) if take != give)


def some_offer(s: State, pick: Pick) -> OfferTrade:
    """One of them, without listing them; there must be one."""
    ways = [(start, to) for start in givers(s) for to in partners(s) if sum(s.anvils[start]) > 1 or portions(s.anvils[to]) != (s.anvils[start],)]
    start, to = ways[pick(len(ways))]
    gives = [give for give in portions(s.anvils[start]) if portions(s.anvils[to]) != (give,)]
    give = gives[pick(len(gives))]
    takes = [take for take in portions(s.anvils[to]) if take != give]
    return OfferTrade(ANVILS[start], amount(give), ANVILS[to], amount(takes[pick(len(takes))]))


def givers(s: State) -> list[Anvil]:
    """The own anvils that something can be given from in a trade now."""
    if not offers_left(s):
        return []
    return [at for at in FORGES[s.turn] if any(takers(s, give) for give in portions(s.anvils[at]))]


def takers(s: State, give: Stones) -> list[Anvil]:
    """The anvils of others from which something else than `give` can be taken."""
    return [to for to in partners(s) if portions(s.anvils[to]) != (give,)]


def partners(s: State) -> list[Anvil]:
    """The anvils with stones of all seats that the seat on turn can trade with, in board order."""
    return [to for to, stones in enumerate(s.anvils) if stones != NONE and may_trade(s, to // 4)]


def may_trade(s: State, place: int) -> bool:
    """With another seat, which was not vacated and is another player's."""
    return place not in s.vacated and s.holders[place] != s.holders[s.turn]


def portions(stones: Stones) -> tuple[Stones, ...]:
    """All that can be taken from so many stones, at least one; ascending."""
    return _portions_of_few(stones) if sum(stones) <= FEW else _portions_of_many(stones)


def _portions(stones: Stones) -> tuple[Stones, ...]:
    black, silver, grey = stones
    return tuple((b, s, g) for b in range(black + 1) for s in range(silver + 1) for g in range(grey + 1))[1:]


FEW: Final = 12
_portions_of_few = cache(_portions)  # of 455 different heaps
_portions_of_many = lru_cache(16)(_portions)  # a heap of all stones has 60,000 portions, so no more heaps are kept than one board has
