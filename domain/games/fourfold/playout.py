"""A match played on at random to its end, some times faster than by the rules: the same game with small numbers that change in place."""

from __future__ import annotations

from typing import Final

from domain.game import Pick
from domain.games.fourfold.court import CELLS, SEATS, SIDES, TEAM
from domain.games.fourfold.state import State

_AT: Final = {cell: number for number, cell in enumerate(CELLS)}
_START: Final = [[_AT[cell] for cell in SIDES[seat].start] for seat in SEATS]
_AHEAD: Final = [[[_AT[to] for to in SIDES[seat].ahead[cell]] for cell in CELLS] for seat in SEATS]
_SCORES: Final = [[cell in SIDES[seat].destination for cell in CELLS] for seat in SEATS]


def played_out(s: State, pick: Pick) -> tuple[tuple[int, ...], int]:
    """The goals of each team at the end when everybody plays on at random, and how many lots for teams, moves and passes that took.

    Lots are drawn in the order in which the rules ask for them, and none where there is one possibility, so that the same lots bring the same end.
    """
    court = _Court(s, pick)
    if s.reason is None:
        waiting = len(s.waiting)
        at = s.order.index(s.waiting[0]) if waiting else len(s.order)
        moved = s.moved
        if s.due is not None and s.due.runner is not None and not s.due.first:
            at, waiting = s.order.index(s.due.runner), waiting + 1
        else:
            court.bring_on()
            moved = moved or not waiting  # of a turn that ends with a replacement no stalemate is said (FO-6)
        court.play(at, at + waiting, moved=moved)
    return tuple(court.goals), court.steps


class _Court:
    """The runners in order of appearance, teams and cells by their numbers."""

    def __init__(self, s: State, pick: Pick) -> None:
        self.start, self.pick, self.steps = s, pick, 0
        self.teams = [SEATS.index(TEAM[runner[0]].seat) for runner in s.order]
        self.cells = [_AT[cell] for cell in s.cells]
        self.free = [cell not in s.cells for cell in CELLS]
        self.goals = list(s.goals)

    def bring_on(self) -> None:
        """What is under way where no runner of the turn is due: a lot, a deployment or a first move, and the rest of the opening."""
        due, opening = self.start.due, self.start.phase == "opening"
        if due is None and not opening:
            self.enter(self.pick(len(SEATS)))  # FO-6
        elif due is not None and due.runner is None:
            self.enter(SEATS.index(due.seat))
        elif due is not None:
            self.step(len(self.cells) - 1)
        while opening and len(self.cells) < self.start.options.max_runners:  # FO-1
            teams = [team for team, cells in enumerate(_START) if any(self.free[cell] for cell in cells)]
            self.enter(teams[self.pick(len(teams))])

    def enter(self, team: int) -> None:
        """The team deploys if it has room, and the runner makes its first move."""
        self.steps += 1
        cells = [cell for cell in _START[team] if self.free[cell]]
        if cells:
            at = cells[self.pick(len(cells))] if len(cells) > 1 else cells[0]
            self.free[at] = False
            self.teams.append(team)
            self.cells.append(at)
            self.step(len(self.cells) - 1)

    def step(self, place: int) -> bool:
        """A runner moves if it can; whether it could (FO-2)."""
        self.steps += 1
        free, at = self.free, self.cells[place]
        cells = [cell for cell in _AHEAD[self.teams[place]][at] if free[cell]]
        if not cells:
            return False
        to = cells[self.pick(len(cells))] if len(cells) > 1 else cells[0]
        free[at], free[to], self.cells[place] = True, False, to
        return True

    def leave(self, place: int) -> None:
        """A runner is evaporated, and a team drawn for a replacement (FO-6)."""
        self.free[self.cells.pop(place)] = True
        self.teams.pop(place)
        self.enter(self.pick(len(SEATS)))

    def play(self, at: int, end: int, *, moved: bool) -> None:
        """The turn in which the runners from `at` to before `end` are still due, and all turns after it."""
        options, turn = self.start.options, self.start.turn
        while True:
            while at < end:
                if self.step(at):
                    moved, team = True, self.teams[at]
                    if _SCORES[team][self.cells[at]]:
                        self.goals[team] += 1
                        if self.goals[team] == options.goals_to_win:
                            return
                        self.leave(at)
                        at, end = at - 1, end - 1
                at += 1
            if turn == options.max_turns:
                return
            if not moved:
                self.leave(0)  # FO-5
            at, end, turn, moved = 0, len(self.cells), turn + 1, False
