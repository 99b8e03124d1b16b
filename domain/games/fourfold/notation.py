"""Fourfold in one line of text: `deploy c1`, `S1>c2`, `S1 pass`, `* south deploys`."""

from __future__ import annotations

import re
from typing import Final, assert_never
from unicodedata import normalize

from domain.game import Unreadable
from domain.games.fourfold.state import Action, Advance, Deploy, Pass, State, Team

_BETWEEN: Final = r" ?(?:[-=–—−]*[>→⇒]+|[-–—−:,]+|(?:goes |moves )?to|at|on|x|) ?"
_TO: Final = r"([a-e]) ?([1-5])"
_RUNNER: Final = r"([nesw]) ?([1-9][0-9]*)"
_DEPLOY: Final = re.compile(r"(?:deploys?|place|put)" + _BETWEEN + _TO)
_ADVANCE: Final = re.compile(r"(?:(?:move|advance|run) )?" + _RUNNER + _BETWEEN + _TO)
_PASS: Final = re.compile(_RUNNER + _BETWEEN + r"pass(?:es)?")
_CELL: Final = re.compile(_TO)
_AROUND: Final = " .,;!\"'“”„‘’«»"  # what hands and mail programs leave around a line


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
    said = " ".join(normalize("NFKC", line).casefold().split()).strip(_AROUND)  # the board in a mail is written in letters of full width
    if deploy := _DEPLOY.fullmatch(said):
        return Deploy("".join(deploy.groups()))
    if advance := _ADVANCE.fullmatch(said):
        return Advance(advance[1].upper() + advance[2], advance[3] + advance[4])
    if passed := _PASS.fullmatch(said):
        return Pass(passed[1].upper() + passed[2])
    if s.due and s.due.runner and said == "pass":
        return Pass(s.due.runner)
    if s.due and (cell := _CELL.fullmatch(said)):
        to = "".join(cell.groups())
        return Advance(s.due.runner, to) if s.due.runner else Deploy(to)
    raise Unreadable(f"“{' '.join(line.split())[:40]}” is no action of Fourfold")


def tell(outcome: Team) -> str:
    """What was drawn."""
    return f"* {outcome.seat} is blocked" if outcome.blocked is True else f"* {outcome.seat} deploys"
