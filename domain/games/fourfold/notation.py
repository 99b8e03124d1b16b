"""Fourfold in one line of text: `deploy c1`, `S1>c2`, `S1 pass`, `* south deploys`."""

from __future__ import annotations

import re
from typing import Final, assert_never

from domain.game import Unreadable
from domain.games.fourfold.rules import legal
from domain.games.fourfold.state import Action, Advance, Deploy, Pass, State, Team

_BETWEEN: Final = r" ?(?:[-=–—−]*[>→⇒]|[-–—−:]+|to|at|on|x|) ?"
_DEPLOY: Final = re.compile(r"deploys?" + _BETWEEN + r"([a-e][1-5])")
_ADVANCE: Final = re.compile(r"([nesw]) ?([1-9][0-9]*)" + _BETWEEN + r"([a-e][1-5])")
_PASS: Final = re.compile(r"([nesw]) ?([1-9][0-9]*)" + _BETWEEN + r"pass(?:es)?")
_CELL: Final = re.compile(r"[a-e][1-5]")


def write(action: Action) -> str:
    """The canonical line."""
    match action:
        case Deploy(at):
            return f"deploy {at}"
        case Advance(runner, to):
            return f"{runner}>{to}"
        case Pass(runner):
            return f"{runner} pass"
        case _:
            assert_never(action)


def read(s: State, line: str) -> Action:
    """The action of a line. The first name is a runner, the second a cell; who is due may be left out (`c2`, `pass`)."""
    said = " ".join(line.casefold().split())
    if deploy := _DEPLOY.fullmatch(said):
        return Deploy(deploy[1])
    if advance := _ADVANCE.fullmatch(said):
        return Advance(advance[1].upper() + advance[2], advance[3])
    if passed := _PASS.fullmatch(said):
        return Pass(passed[1].upper() + passed[2])
    if s.due and s.due.runner and said == "pass":
        return Pass(s.due.runner)
    if s.due and _CELL.fullmatch(said):
        return Advance(s.due.runner, said) if s.due.runner else Deploy(said)
    raise Unreadable(_not_understood(s, line))


def tell(outcome: Team) -> str:
    """What was drawn."""
    return f"* {outcome.seat} is blocked" if outcome.blocked is True else f"* {outcome.seat} deploys"


def _not_understood(s: State, line: str) -> str:
    now = [write(action) for action in legal(s, s.due.seat)] if s.due else []
    shape = "a runner and a cell (“S1>c2”), “deploy c1” or “S1 pass”"
    return f"“{' '.join(line.split())[:40]}” is no action of Fourfold; write {shape}" + (f"; now possible: {', '.join(now)}" if now else "")
