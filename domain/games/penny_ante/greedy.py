"""A house bot that looks for the best position after its action and the best answer to it, among sound actions only."""

from __future__ import annotations

from functools import cache
from typing import Final

from domain.game import Pick, Seat
from domain.games.penny_ante.chessboard import CENTRE, COLOUR, COLUMNS, OTHER, ROWS, Space
from domain.games.penny_ante.listing import capturable, marches, placeable
from domain.games.penny_ante.rules import apply
from domain.games.penny_ante.sound import sound
from domain.games.penny_ante.state import Action, Place, State, phase

LOOKS: Final = 400  # positions after an answer that it looks at, 30 µs each


def greedy(s: State, seat: Seat, pick: Pick) -> Action:
    """The action whose best answer leaves most; the lot decides between equals."""
    if phase(s) == "placement":
        return _placed(s, seat, pick)
    actions = sound(s, seat)
    first = pick(len(actions))
    tried = [(action, apply(s, seat, action)) for action in (*actions[first:], *actions[:first])]
    tried.sort(key=lambda one: one[1].idle - _worth(one[1], seat))
    few = tried[: max(2, LOOKS // len(tried))]
    return max(few, key=lambda one: _worth_answered(one[1], seat) - one[1].idle)[0]  # going on for nothing is worth less and less (PA-12)


def _placed(s: State, seat: Seat, pick: Pick) -> Place:
    """The guard first, then around the own fortresses."""

    def away(at: Space) -> tuple[bool, int]:
        return at not in CENTRE, sum(_distance(at, fortress) for fortress in CENTRE if COLOUR[fortress] == seat)

    possible = list(placeable(s, seat))
    nearest = [at for at in possible if away(at) == min(map(away, possible))]
    return Place(nearest[pick(len(nearest))])


def _worth_answered(s: State, seat: Seat) -> float:
    """What a position is worth to a seat when the other one has answered."""
    other = OTHER[seat]
    return _worth(s, seat) if s.reason else -max(_worth(apply(s, other, answer), other) for answer in sound(s, other))


def _worth(s: State, seat: Seat) -> float:
    """What a position is worth to the seat that has just moved: fortresses, held or about to change hands; then guards, nearness and pennies."""
    if s.reason:
        return 1e9 if s.reason == "fortresses" else 0
    mine = [at for at in s.fortresses if COLOUR[at] == seat]
    theirs = [at for at in s.fortresses if COLOUR[at] != seat]
    lost, won = _within_reach(s, OTHER[seat]), _within_reach(s, seat)
    worth = 1000 * (len(mine) - len(theirs)) - 900 * bool(lost) - 40 * lost + 60 * won
    worth += sum([12 * min(sum(s.pennies.get(at, ())), 5) - 6 * min([_distance(at, to) for to in theirs]) for at in mine])
    worth -= sum([14 * sum(s.pennies.get(at, ())) for at in theirs])
    return worth + sum([sum(stacks) * (2 if COLOUR[at] == seat else -3) for at, stacks in s.pennies.items()])


def _within_reach(s: State, seat: Seat) -> int:
    """How many fortresses the seat could capture if it were to move."""
    return len({fortress for _, to in marches(s, seat) for fortress in capturable(s, to)})


@cache
def _distance(one: Space, other: Space) -> int:
    """Steps of a king."""
    return max(abs(COLUMNS.index(one[0]) - COLUMNS.index(other[0])), abs(ROWS.index(one[1]) - ROWS.index(other[1])))
