"""A house bot that plays every possibility out at random many times and takes the one after which it did best.

How often it wins, and why more than that is not to be had, is told in balance.md.
"""

from __future__ import annotations

from domain.game import Pick, Seat
from domain.games.fourfold import rules
from domain.games.fourfold.court import SEATS
from domain.games.fourfold.playout import played_out
from domain.games.fourfold.state import Action, State

WORK = 90_000  # lots, moves and passes that a decision plays out, shared by its possibilities: some 60 ms, whatever the options
BEGINNING = 30  # what the beginning of a playout costs, in the same measure
LEAD = 0.3  # what a goal more than the best of the others is worth, beside a match won


def greedy(s: State, seat: Seat, pick: Pick) -> Action:
    """Every possibility is tried equally often; of equals the first is taken."""
    actions = list(rules.legal(s, seat))
    if len(actions) == 1:
        return actions[0]
    after = [rules.apply(s, seat, action) for action in actions]
    left, worth, lots = WORK, [0.0] * len(actions), _lots(pick(1 << 32))
    while left > 0:
        for place, begun in enumerate(after):
            goals, steps = played_out(begun, lots)
            worth[place] += _worth(goals, SEATS.index(seat))
            left -= steps + BEGINNING
    return actions[worth.index(max(worth))]


def _lots(seed: int) -> Pick:
    """Thousands of lots from one: a linear congruential generator (Knuth's MMIX), of whose 64 bits the upper half is used."""
    drawn = seed

    def lot(n: int, /) -> int:
        nonlocal drawn
        drawn = (drawn * 6364136223846793005 + 1442695040888963407) & 0xFFFF_FFFF_FFFF_FFFF
        return (drawn >> 32) * n >> 32

    return lot


def _worth(goals: tuple[int, ...], me: int) -> float:
    """The seat's share of the first rank, and its lead, so that it plays on for goals where nothing is to be won any more."""
    mine, most = goals[me], max(goals)
    others = max(goals[:me] + goals[me + 1 :])
    return (1 / goals.count(most) if mine == most else 0.0) + LEAD * (mine - others)
