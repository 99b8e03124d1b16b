"""A position as JSON, and what each field of it says."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired, TypedDict

from msgspec import Meta

from domain.game import Seat
from domain.games.fourfold.court import SEATS
from domain.games.fourfold.rules import possible
from domain.games.fourfold.state import CellName, Phase, RunnerName, State


class DueMove(TypedDict):
    """What is to be done now, and by whom."""

    seat: Annotated[Seat, Meta(description="whose decision it is")]
    kind: Annotated[Literal["deploy", "advance", "pass"], Meta(description="to put a runner on the court, to move one, or to leave it where it is")]
    runner: NotRequired[Annotated[RunnerName, Meta(description="the runner that moves or stays; not there where one is put on the court")]]
    cells: Annotated[list[CellName], Meta(description="where the runner can go, in canonical order")]


class View(TypedDict):
    """A position of Fourfold: `view` of a match."""

    phase: Annotated[Phase, Meta(description="the opening, the play proper, or over")]
    turn: Annotated[int, Meta(ge=0, description="full turns from 1; 0 in the opening")]
    court: Annotated[dict[CellName, RunnerName], Meta(description="who stands where; free cells are not there")]
    order: Annotated[list[RunnerName], Meta(description="the runners on the court as they appeared, the earliest first")]
    goals: Annotated[dict[Seat, int], Meta(description="goals by seat")]
    deployed: Annotated[dict[Seat, int], Meta(description="by seat, how many runners it has put on the court so far")]
    moved_this_turn: Annotated[bool, Meta(description="whether a runner that was due in this turn has moved; a first move does not count")]
    due: Annotated[DueMove | None, Meta(description="what is to be done now; null while a team is drawn and when it is over")]
    waiting: Annotated[list[RunnerName], Meta(description="the runners still due in this turn after that one, in order")]


def view(s: State) -> View:
    """The position."""
    return {
        "phase": s.phase,
        "turn": s.turn,
        "court": dict(sorted(zip(s.cells, s.order, strict=True))),
        "order": list(s.order),
        "goals": dict(zip(SEATS, s.goals, strict=True)),
        "deployed": dict(zip(SEATS, s.deployed, strict=True)),
        "moved_this_turn": s.moved,
        "due": _due(s),
        "waiting": list(s.waiting),
    }


def _due(s: State) -> DueMove | None:
    if s.due is None:
        return None
    cells = list(possible(s))
    if s.due.runner is None:
        return {"seat": s.due.seat, "kind": "deploy", "cells": cells}
    return {"seat": s.due.seat, "kind": "advance" if cells else "pass", "runner": s.due.runner, "cells": cells}
