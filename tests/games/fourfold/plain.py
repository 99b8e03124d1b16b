"""Fourfold once more, slowly, from its rulings alone: a list of runners, a dict of goals, and no line of code from the game itself."""

from __future__ import annotations

from typing import Any

TEAMS = ("north", "east", "south", "west")
STEP = {"north": (0, -1), "east": (-1, 0), "south": (0, 1), "west": (1, 0)}
EVERY = [column + row for column in "abcde" for row in "12345"]


def gone(team: str, cell: str) -> int:
    """How many steps a team's runner on that cell has behind it, from 0 on its starting file to 4 on its destination."""
    column, row = "abcde".index(cell[0]), "12345".index(cell[1])
    return {"north": 4 - row, "east": 4 - column, "south": row, "west": column}[team]


class Plain:
    """A match as somebody would keep it on paper; `now`: ("draw",), ("deploy", team), ("move", runner, is it its first?) or ("over", reason)."""

    def __init__(self, most: int, needed: int, turns: int | None) -> None:
        self.most, self.needed, self.turns = most, needed, turns
        self.court: list[list[str]] = []  # [runner, cell] by appearance
        self.goals, self.sent = dict.fromkeys(TEAMS, 0), dict.fromkeys(TEAMS, 0)
        self.opening, self.turn, self.anybody_moved = True, 0, False
        self.to_move: list[str] = []  # this turn, after the one that is due
        self.stalemate = False  # does the replacement to come belong to a stalemate?
        self.now: tuple[Any, ...] = ("draw",)

    def free(self, cells: list[str]) -> list[str]:
        return [cell for cell in cells if all(cell != taken for _, taken in self.court)]

    def start(self, team: str) -> list[str]:
        return self.free([cell for cell in EVERY if gone(team, cell) == 0])

    def team(self, runner: str) -> str:
        return next(team for team in TEAMS if team[0].upper() == runner[0])

    def place(self, runner: str) -> str:
        return next(cell for name, cell in self.court if name == runner)

    def ways(self, runner: str) -> list[str]:
        """FO-2: one step ahead, aside by one at most."""
        here, team = self.place(runner), self.team(runner)
        near = [cell for cell in EVERY if abs(ord(cell[0]) - ord(here[0])) <= 1 and abs(ord(cell[1]) - ord(here[1])) <= 1]
        return self.free([cell for cell in near if gone(team, cell) == gone(team, here) + 1])

    def candidates(self) -> list[str]:
        """What can be drawn, as lines: FO-1, FO-6."""
        if self.opening:
            return [f"* {team} deploys" for team in TEAMS if self.start(team)]
        return [f"* {team} deploys" if self.start(team) else f"* {team} is blocked" for team in TEAMS]

    def lines(self) -> list[str]:
        """What can be played."""
        match self.now:
            case ("deploy", team):
                return [f"deploy {cell}" for cell in self.start(team)]
            case ("move", runner, _):
                return [f"{runner}>{cell}" for cell in self.ways(runner)] or [f"{runner} pass"]
        return []

    def play(self, line: str) -> None:
        """A line that is possible."""
        match self.now:
            case ("draw",):
                team = line.split()[1]
                if "blocked" in line:
                    self.next_runner()
                else:
                    self.now = ("deploy", team)
            case ("deploy", team):
                self.sent[team] += 1
                runner = f"{team[0].upper()}{self.sent[team]}"
                self.court.append([runner, line.split()[1]])
                self.now = ("move", runner, True)
            case ("move", runner, first):
                if "pass" in line:
                    self.next_runner()
                else:
                    self.move(runner, line.split(">")[1], first=first)

    def move(self, runner: str, cell: str, *, first: bool) -> None:
        self.anybody_moved |= not first
        team = self.team(runner)
        if gone(team, cell) < 4:
            next(entry for entry in self.court if entry[0] == runner)[1] = cell
            self.next_runner()
            return
        self.goals[team] += 1
        self.court = [entry for entry in self.court if entry[0] != runner]
        self.now = ("draw",)
        if self.goals[team] == self.needed:
            self.now, self.to_move = ("over", "goals"), []

    def next_runner(self) -> None:
        if self.opening and len(self.court) < self.most:
            self.now = ("draw",)
        elif self.to_move:
            self.now = ("move", self.to_move.pop(0), False)
        elif self.opening or self.stalemate:
            self.new_turn()
        elif self.turn == self.turns:
            self.now = ("over", "turn-limit")
        elif not self.anybody_moved:
            self.court.pop(0)
            self.now, self.stalemate = ("draw",), True
        else:
            self.new_turn()

    def new_turn(self) -> None:
        self.opening, self.stalemate, self.anybody_moved = False, False, False
        self.turn += 1
        first, *self.to_move = [runner for runner, _ in self.court]
        self.now = ("move", first, False)

    def view(self) -> dict[str, Any]:
        """As the rules page has it."""
        due: dict[str, Any] | None = None
        match self.now:
            case ("deploy", team):
                due = {"seat": team, "kind": "deploy", "cells": self.start(team)}
            case ("move", runner, _):
                ways = self.ways(runner)
                due = {"seat": self.team(runner), "kind": "advance" if ways else "pass", "runner": runner, "cells": ways}
        return {
            "phase": "over" if self.now[0] == "over" else "opening" if self.opening else "play",
            "turn": self.turn,
            "court": {cell: runner for runner, cell in self.court},
            "order": [runner for runner, _ in self.court],
            "goals": self.goals,
            "deployed": self.sent,
            "moved_this_turn": self.anybody_moved,
            "due": due,
            "waiting": self.to_move,
        }

    def ranks(self) -> dict[str, int]:
        """FO-9."""
        return {team: 1 + sum(other > goals for other in self.goals.values()) for team, goals in self.goals.items()}
