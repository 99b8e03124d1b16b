"""A position in words: what is going on, the court in letters that are all of one width, and who is where as lists."""

from __future__ import annotations

from typing import Final

from domain.game import Seat
from domain.games.fourfold.court import COLUMNS, ROWS, SEATS, SIDES
from domain.games.fourfold.notation import write
from domain.games.fourfold.objections import one_of
from domain.games.fourfold.rules import legal, possible
from domain.games.fourfold.state import State, occupant

_OWN_ENDS: Final = ("goals", "turn-limit")  # at any other, seats that have left may lead

# Full-width forms are as wide as each other in every font that has them, proportional ones included.
_WIDE: Final = {ord(narrow): ord(narrow) + 0xFEE0 for narrow in "0123456789abcdeNESW"} | {ord(" "): 0x3000, ord("."): 0x30FB}


def headline(s: State) -> tuple[str, str]:
    """How far the match is, and what happens now."""
    if s.phase == "opening":
        return f"Opening: {len(s.order)} of {s.options.max_runners} runners on the court", _doing(s)
    turns = f"Turn {s.turn}" if s.options.max_turns is None else f"Turn {s.turn} of {s.options.max_turns}"
    return (f"Over in turn {s.turn}", _leading(s)) if s.phase == "over" else (turns, _doing(s))


def text(s: State) -> str:
    """The board for a mail: north above, west on the left, then the position as lists."""
    title, doing = headline(s)
    return "\n".join([f"{title}: {doing}." if s.phase != "opening" else f"{title}; {doing}.", "", *_court(s), "", *_teams(s), "", *_turn(s)])


def _doing(s: State) -> str:
    if s.due is None:
        return "a team is being drawn to deploy"
    seat, runner, cells = s.due.seat, s.due.runner, possible(s)
    if runner is None:
        return f"{seat} deploys a runner to {one_of(cells)}"
    return f"{seat} moves {runner} to {one_of(cells)}" if cells else f"{seat} cannot move {runner} and passes"


def _leading(s: State) -> str:
    if s.reason not in _OWN_ENDS:
        return "it was ended as it stands"
    leaders: tuple[Seat, ...] = tuple(seat for seat, goals in zip(SEATS, s.goals, strict=True) if goals == max(s.goals))
    goals = counted(max(s.goals))
    return f"{leaders[0]} wins with {goals}" if len(leaders) == 1 else f"{', '.join(leaders[:-1])} and {leaders[-1]} tie with {goals} each"


def _court(s: State) -> list[str]:
    width = max(map(len, s.order), default=2) + 1

    def line(edge: str, cells: list[str]) -> str:
        return f"{edge} {''.join(cell.ljust(width) for cell in cells)}{edge}".translate(_WIDE)

    letters = line(" ", list(COLUMNS)).rstrip("\u3000")
    return [letters, *(line(row, [occupant(s, column + row) or ".." for column in COLUMNS]) for row in reversed(ROWS)), letters]


def _teams(s: State) -> list[str]:
    return [
        f"{seat.capitalize()} (from {side.starts_on} to {side.runs_to}), {goals} of {counted(s.options.goals_to_win)}: "
        + (", ".join(f"{runner} on {cell}" for runner, cell in zip(s.order, s.cells, strict=True) if runner[0] == side.initial) or "no runner")
        for (seat, side), goals in zip(SIDES.items(), s.goals, strict=True)
    ]


def _turn(s: State) -> list[str]:
    lists = [f"Order of movement: {', '.join(s.order) or 'nobody yet'}"]
    if s.phase == "play":
        lists.append(f"Still to move in this turn{' after that' if s.due else ''}: {', '.join(s.waiting) or 'nobody'}")
    if s.due:
        lists.append(f"Now {s.due.seat}: {', '.join(map(write, legal(s, s.due.seat)))}")
    return lists


def counted(goals: int) -> str:
    """`1 goal`, `4 goals`."""
    return "1 goal" if goals == 1 else f"{goals} goals"
