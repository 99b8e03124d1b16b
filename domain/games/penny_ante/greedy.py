"""A house bot that looks three plies ahead, at sound actions and at the best of their answers only, and plays on for a win."""

from __future__ import annotations

from typing import Final, NamedTuple

from domain.game import Pick, Seat
from domain.games.penny_ante.chessboard import CENTRE, COLOUR, OTHER
from domain.games.penny_ante.listing import placeable
from domain.games.penny_ante.rules import apply
from domain.games.penny_ante.sound import sound
from domain.games.penny_ante.state import Action, Place, State, phase
from domain.games.penny_ante.worth import distance, worth

LOOKS: Final = 2_000  # positions that it looks at, about 20 µs each; a list as long as half of them is gone through all the same
BREADTH: Final = (12, 6)  # of its own actions and of the answers to each, the best so many are looked into


class Try(NamedTuple):
    """An action, the position after it, and what that is worth at first sight to who made it."""

    action: Action
    after: State
    worth: float


def greedy(s: State, seat: Seat, pick: Pick) -> Action:
    """The action that leaves most after the best answer to it; the lot decides between those that leave nearly as much."""
    if phase(s) == "placement":
        return _placed(s, seat, pick)
    tries = _tries(s, seat)
    looks = LOOKS // len(tries)
    first = max(2, min(BREADTH[0], looks))
    breadth = max(0, min(BREADTH[1], (looks - first - 1) // first))
    near = 4 + s.ply / 16  # the longer it lasts, the more it varies: what comes again and again would be a draw
    found: list[tuple[float, Action]] = []
    best = float("-inf")
    for action, after, value in tries[:first]:
        left = (
            value if after.reason else -_best(after, OTHER[seat], breadth, near - best)
        ) - after.idle  # for nothing is worth less and less (PA-12)
        found.append((left, action))
        best = max(best, left)
    equals = [action for left, action in found if left >= best - near]
    return equals[pick(len(equals))]


def _tries(s: State, seat: Seat) -> list[Try]:
    """All sound actions, the best at first sight before the others."""
    tries = [Try(action, after := apply(s, seat, action), worth(after, seat)) for action in sound(s, seat)]
    return sorted(tries, key=lambda one: one.worth, reverse=True)


def _best(s: State, seat: Seat, breadth: int, enough: float) -> float:
    """What the seat to move can make of it at best, its most promising actions judged by their best answers; or something above `enough`."""
    best = float("-inf")
    if not breadth:
        for action in sound(s, seat):
            best = max(best, worth(apply(s, seat, action), seat))
            if best > enough:
                break
        return best
    for _, after, value in _tries(s, seat)[:breadth]:
        best = max(best, value if after.reason else -_best(after, OTHER[seat], 0, -best))
        if best > enough:
            break
    return best


def _placed(s: State, seat: Seat, pick: Pick) -> Place:
    """The guard first, then around the own fortresses."""
    possible = list(placeable(s, seat))
    away = [(at not in CENTRE, sum(distance(at, fortress) for fortress in CENTRE if COLOUR[fortress] == seat)) for at in possible]
    nearest = [at for at, far in zip(possible, away, strict=True) if far == min(away)]
    return Place(nearest[pick(len(nearest))])
