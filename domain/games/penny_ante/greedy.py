"""A house bot that looks for the best position after its action and the best answer to it, among sound actions only."""

from __future__ import annotations

from typing import Final

from domain.game import Pick, Seat
from domain.games.penny_ante.chessboard import CENTRE, COLOUR, OTHER
from domain.games.penny_ante.listing import placeable
from domain.games.penny_ante.rules import apply
from domain.games.penny_ante.sound import sound
from domain.games.penny_ante.state import Action, Place, State, phase
from domain.games.penny_ante.worth import distance, worth

LOOKS: Final = 1_500  # positions after an answer that it looks at, about 20 µs each


def greedy(s: State, seat: Seat, pick: Pick) -> Action:
    """The action whose best answer leaves most; the lot decides between equals."""
    if phase(s) == "placement":
        return _placed(s, seat, pick)
    actions = sound(s, seat)
    first = pick(len(actions))
    tried = [(action, apply(s, seat, action)) for action in (*actions[first:], *actions[:first])]
    tried.sort(key=lambda one: one[1].idle - worth(one[1], seat))
    chosen, best = tried[0][0], float("-inf")
    for action, after in tried[: max(2, LOOKS // len(tried))]:
        left = _worth_answered(after, seat, best) - after.idle  # going on for nothing is worth less and less (PA-12)
        if left > best:
            chosen, best = action, left
    return chosen


def _worth_answered(s: State, seat: Seat, wanted: float) -> float:
    """What a position is worth to a seat when the other one has answered; where that is less than wanted, no more than that it is less."""
    if s.reason:
        return worth(s, seat)
    left, other = float("inf"), OTHER[seat]
    for answer in sound(s, other):
        left = min(left, -worth(apply(s, other, answer), other))
        if left < wanted:
            break
    return left


def _placed(s: State, seat: Seat, pick: Pick) -> Place:
    """The guard first, then around the own fortresses."""
    possible = list(placeable(s, seat))
    away = [(at not in CENTRE, sum(distance(at, fortress) for fortress in CENTRE if COLOUR[fortress] == seat)) for at in possible]
    nearest = [at for at, far in zip(possible, away, strict=True) if far == min(away)]
    return Place(nearest[pick(len(nearest))])
