"""The house bot `greedy`: weighs the positions that the rest of its turn can lead to, and goes for the best."""

from __future__ import annotations

from functools import lru_cache
from heapq import nlargest
from typing import Final

from domain.game import Pick, Seat
from domain.games.four_forges.forges import NONE, PLACE, Stones, minus, some
from domain.games.four_forges.rules import actions, apply
from domain.games.four_forges.state import AcceptTrade, Action, DeclineTrade, State

KEPT: Final = 10.0  # the worth of a stone in the chest
LYING: Final = 1.0  # and of one that lies in the forge
SPOILED: Final = 0.15  # what it is worth to take away from others what they could make
DUG: Final = 25.0  # the worth of six stones from the mine, before they are seen
ENDED: Final = 1000.0
BREADTH: Final = 6  # positions gone on with after each action
SMELTED: Final = (20.0, 14.0, 9.0, 6.0, 4.0, 2.0, 1.0, 0.0)  # the worth of an anvil, by how many stones must come or go before it can be smelted
FORGED: Final = (13.0, 9.0, 6.0, 4.0, 2.0, 1.0, 0.0, 0.0)  # or forged


def greedy(s: State, seat: Seat, pick: Pick) -> Action:
    """The first action of the best way through the turn, of equal ones any. It offers no trade, which would cost it the whole turn."""
    place = PLACE[seat]
    if s.trade:
        fair = worth(apply(s, seat, AcceptTrade()), place) > worth(apply(s, seat, DeclineTrade()), place)
        return AcceptTrade() if fair else DeclineTrade()
    firsts = _best(s, seat)
    return firsts[pick(len(firsts))]


def worth(s: State, place: int) -> float:
    """How a seat stands: by its chest, by what can still come of its forge, and a little by what others can make."""
    scores = list(map(sum, s.chests))
    lead = scores[place] - max(score for other, score in enumerate(scores) if other != place)
    if s.reason:
        return ENDED * (1 if lead > 0 else 0 if lead == 0 else -1) + lead + s.actions_left / 10  # the sooner the better
    mine = s.anvils[4 * place : 4 * place + 4]
    lying = LYING * sum(map(sum, mine))
    others = sum(map(prospect, s.anvils)) - sum(map(prospect, mine))
    dug = DUG if s.digging is not None and s.turn == place else 0
    return KEPT * scores[place] + sum(map(prospect, mine)) + lying + dug - SPOILED * others


@lru_cache(4096)
def prospect(stones: Stones) -> float:
    """What may come of an anvil, never more than its stones could bring elsewhere."""
    if stones == NONE:
        return 0.0
    to_smelt = sum(abs(count - 1) for count in stones)
    to_forge = min(sum(map(abs, minus(stones, some(3, colour)))) for colour in range(3))
    return min(max(SMELTED[min(to_smelt, 7)], FORGED[min(to_forge, 7)]), SMELTED[0] / 3 * sum(stones))


def _best(s: State, seat: Seat) -> list[Action]:
    """The actions that begin the ways to the best positions that the turn can lead to.

    Of the positions after each action only the best are gone on with; of several ways to one the first counts.
    """
    place, best, firsts = PLACE[seat], -2 * ENDED, dict[Action, None]()
    reached: dict[State, Action | None] = {s: None}
    while reached:
        following: dict[State, Action] = {}
        for before, begun in reached.items():
            for action in actions(before):
                following.setdefault(apply(before, seat, action), begun or action)
        weighed = {after: worth(after, place) for after in following}
        for after in filter(lambda after: _rests(after, s), following):
            if weighed[after] > best:
                best, firsts = weighed[after], {}
            if weighed[after] == best:
                firsts[following[after]] = None
        going_on = (after for after in following if not _rests(after, s))
        reached = {after: following[after] for after in nlargest(BREADTH, going_on, key=weighed.__getitem__)}
    return list(firsts)


def _rests(after: State, s: State) -> bool:
    """The turn is over, or goes on with what nobody knows yet."""
    return after.reason is not None or after.digging is not None or (after.turn, after.round) != (s.turn, s.round)
