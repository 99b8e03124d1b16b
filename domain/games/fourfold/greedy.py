"""A house bot that looks one action ahead: it runs where the way is open and stands where the others want to go."""

from __future__ import annotations

from typing import Final

from domain.game import Pick, Seat
from domain.games.fourfold.court import SEATS, SIDES, TEAM, Cell, Side
from domain.games.fourfold.rules import apply, legal
from domain.games.fourfold.state import Action, State

OPEN: Final = 0.85  # what a step is worth that can be made now,
TAKEN: Final = 0.4  # and one on to a cell where somebody stands now but may soon have left
GOAL: Final = 1.5  # a goal made, against a runner just about to make it


def greedy(s: State, seat: Seat, pick: Pick) -> Action:
    """The action after which the seat stands best; among equals, by lot."""
    actions = tuple(legal(s, seat))
    worths = tuple(_worth(apply(s, seat, action), seat) for action in actions)
    best = tuple(action for action, worth in zip(actions, worths, strict=True) if worth == max(worths))
    return best[pick(len(best))]


def _worth(s: State, seat: Seat) -> float:
    """The seat's prospects less those of the others, who count the more the nearer they are to winning."""
    prospects = {other: GOAL * goals for other, goals in zip(SEATS, s.goals, strict=True)}
    for runner, cell in zip(s.order, s.cells, strict=True):
        side = TEAM[runner[0]]
        prospects[side.seat] += _prospect(s, side, cell)
    return prospects[seat] - sum(worth * worth for other, worth in prospects.items() if other != seat) / WEIGH


def _prospect(s: State, side: Side, cell: Cell) -> float:
    """How likely a runner gets from there to its destination: 1 on it, and less with each step and each cell that is taken."""
    if cell in side.destination:
        return 1.0
    return max(_prospect(s, side, to) * (TAKEN if to in s.cells else OPEN) for to in side.ahead[cell])
WEIGH = 12
