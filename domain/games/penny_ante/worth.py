"""What a position is worth to a house bot: fortresses, held or about to change hands; then guards, nearness and pennies."""

from __future__ import annotations

from functools import cache
from typing import Final

from domain.game import Seat
from domain.games.penny_ante.chessboard import COLOUR, COLUMNS, DIAGONAL, ORTHOGONAL, ROWS, SPACES, Space
from domain.games.penny_ante.stacks import TALLEST
from domain.games.penny_ante.state import State

WON: Final = 1e9

# From where a fortress on the first space, having moved there, captures one on the second (PA-9).
_BETWEEN: Final[dict[tuple[Space, Space], tuple[Space, ...]]] = {
    (at, to): between for at in SPACES for to in SPACES if (between := tuple(step for step in DIAGONAL[at] if step in ORTHOGONAL[to]))
}


def worth(s: State, seat: Seat) -> float:
    """To the seat that has just moved."""
    if s.reason:
        return WON if s.reason == "fortresses" else 0
    mine = [at for at in s.fortresses if COLOUR[at] == seat]
    theirs = [at for at in s.fortresses if COLOUR[at] != seat]
    lost, won = _within_reach(s, theirs, mine), _within_reach(s, mine, theirs)
    value = 1000 * (len(mine) - len(theirs)) - (900 if lost else 0) - 40 * lost + 60 * won
    for at in mine:
        value += 12 * min(sum(s.pennies.get(at, ())), 5) - 6 * min([distance(at, to) for to in theirs])
    for at in theirs:
        value -= 14 * sum(s.pennies.get(at, ()))
    for at, stacks in s.pennies.items():
        value += 2 * sum(stacks) if COLOUR[at] == seat else -3 * sum(stacks)
    return value


def _within_reach(s: State, from_: list[Space], unguarded: list[Space]) -> int:
    return sum([to not in s.pennies and any(_can_step(s, at, to) for at in from_) for to in unguarded])


def _can_step(s: State, at: Space, to: Space) -> bool:
    return any(step not in s.fortresses and sum(s.pennies.get(step, ())) <= TALLEST for step in _BETWEEN.get((at, to), ()))


@cache
def distance(one: Space, other: Space) -> int:
    """Steps of a king."""
    return max(abs(COLUMNS.index(one[0]) - COLUMNS.index(other[0])), abs(ROWS.index(one[1]) - ROWS.index(other[1])))
