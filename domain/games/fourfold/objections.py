"""Why an action cannot be played now, in words for the player, naming the ruling and what would be legal."""

from __future__ import annotations

from typing import assert_never

from domain.game import Seat
from domain.games.fourfold.court import SIDES, TEAM, Cell
from domain.games.fourfold.rules import possible
from domain.games.fourfold.state import Action, Advance, Deploy, Due, Pass, State, occupant


def objection(s: State, seat: Seat, action: Action) -> str | None:
    """None where the action is legal."""
    if s.due is None:
        return "the match is over" if s.reason else f"nobody can act before it is drawn which team deploys ({_drawn_by(s)})"
    if seat != s.due.seat:
        return f"it is not {seat}'s turn: {_awaited(s, s.due)}"
    match action:
        case Deploy(at):
            return _against_deploying(s, s.due, at)
        case Advance(runner, to):
            return _against_moving(s, s.due, runner) or _against_going(s, runner, to)
        case Pass(runner):
            return _against_moving(s, s.due, runner) or _against_passing(s, runner)
        case _:
            assert_never(action)


def one_of(names: tuple[str, ...]) -> str:
    """`b2, c2 or d2`."""
    return " or ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)


def _against_deploying(s: State, due: Due, at: Cell) -> str | None:
    if due.runner is not None:
        return f"{due.seat} cannot deploy now: {_awaited(s, due)}"
    if at in possible(s):
        return None
    file = f"a runner starts on a free cell of {SIDES[due.seat].starts_on}: {one_of(possible(s))} ({_drawn_by(s)})"
    there = occupant(s, at)
    return f"{due.seat} cannot deploy to {at}, where {there} stands: {file}" if there else f"{due.seat} cannot deploy to {at}: {file}"


def _against_moving(s: State, due: Due, runner: str) -> str | None:
    if runner == due.runner:
        return None
    if runner not in s.order:
        return f"there is no {runner} on the court: {_awaited(s, due)}"
    return f"{runner} is not due: {_awaited(s, due)}"


def _against_going(s: State, runner: str, to: Cell) -> str | None:
    cells, side = possible(s), TEAM[runner[0]]
    if to in cells:
        return None
    if not cells:
        return f"{runner} cannot move: no cell ahead of it is free, so it passes ({_passing(s)})"
    ahead = side.ahead[s.cells[s.order.index(runner)]]
    if to in ahead:
        return f"{runner} cannot go to {to}, where {occupant(s, to)} stands: {one_of(cells)} {'is' if len(cells) == 1 else 'are'} free (FO-2)"
    return f"{runner} cannot go to {to}: a move is one step towards {side.runs_to}, straight or diagonally, to a free cell: {one_of(cells)} (FO-2)"


def _against_passing(s: State, runner: str) -> str | None:
    if cells := possible(s):
        return f"{runner} cannot pass, since a runner that can move must: to {one_of(cells)} (FO-2)"
    return None


def _awaited(s: State, due: Due) -> str:
    if due.runner is None:
        return f"{due.seat} has been drawn and deploys a runner, to {one_of(possible(s))} ({_drawn_by(s)})"
    if due.first:
        return f"{due.seat}'s {due.runner} has just been deployed and makes its first move at once ({_drawn_by(s)})"
    return f"{due.seat}'s {due.runner} is due, in order of appearance (FO-4)"


def _drawn_by(s: State) -> str:
    return "FO-1" if s.phase == "opening" else "FO-6"


def _passing(s: State) -> str:
    return "FO-7" if s.due and s.due.first else "FO-2"
