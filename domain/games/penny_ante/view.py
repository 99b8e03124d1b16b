"""A position as JSON, and what each field of it says."""

from __future__ import annotations

from typing import Annotated, TypedDict

from msgspec import Meta

from domain.game import Seat
from domain.games.penny_ante.chessboard import SEATS, Space
from domain.games.penny_ante.rules import held
from domain.games.penny_ante.state import Phase, SpaceName, State, phase


class SpaceSeen(TypedDict, total=False):
    """A space with pennies, or one with a fortress and the pennies that guard it."""

    stacks: Annotated[list[Annotated[int, Meta(ge=1)]], Meta(description="its stacks, from the largest to the smallest, where there is no fortress")]
    fortress: Annotated[bool, Meta(description="there where a fortress stands, and then true")]
    guard: Annotated[int, Meta(ge=0, description="the pennies that guard the fortress")]


class View(TypedDict):
    """A position of Penny Ante: `view` of a match."""

    phase: Annotated[Phase, Meta(description="placing the pennies, the play proper, or over")]
    spaces: Annotated[dict[SpaceName, SpaceSeen], Meta(description="every space with a fortress or pennies, from a1 to h8")]
    pool: Annotated[int, Meta(ge=0, description="the pennies that both reinforce from")]
    to_place: Annotated[dict[Seat, int], Meta(description="by seat, how many pennies it has to place still")]
    fortresses: Annotated[dict[Seat, int], Meta(description="by seat, how many fortresses it has")]
    turn: Annotated[Seat | None, Meta(description="whose turn it is; null when it is over")]
    plies_without_progress: Annotated[int, Meta(ge=0, description="plies in a row without progress, as in PA-12")]


def view(s: State) -> View:
    """The position."""
    occupied = sorted({*s.pennies, *s.fortresses})
    return {
        "phase": phase(s),
        "spaces": {at: _seen(s, at) for at in occupied},
        "pool": s.pool,
        "to_place": dict(zip(SEATS, s.to_place, strict=True)),
        "fortresses": {seat: held(s.fortresses, seat) for seat in SEATS},
        "turn": None if s.reason else s.turn,
        "plies_without_progress": s.idle,
    }


def _seen(s: State, at: Space) -> SpaceSeen:
    stacks = s.pennies.get(at, ())
    if at in s.fortresses:
        return {"fortress": True, "guard": sum(stacks)}
    return {"stacks": list(stacks)}
