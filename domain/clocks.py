"""Deadlines, as pure functions of a match's settings and of when a seat was asked."""

from __future__ import annotations

from typing import Annotated, assert_never

import msgspec
from msgspec import Meta


class PerTurn(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="per-turn"):
    """So long for every turn, from the moment the seat is asked."""

    seconds: Annotated[int, Meta(ge=1, le=31_536_000)] = 259_200


Timing = PerTurn  # a closed union; further kinds of clock join it


def due(timing: Timing, asked: int, paused_until: int = 0) -> int:
    """The deadline (ms) of a seat that was asked at `asked` (ms); no time runs before `paused_until`. A move at that very millisecond is in time."""
    match timing:
        case PerTurn(seconds=seconds):
            return max(asked, paused_until) + seconds * 1000
        case _ as never:
            assert_never(never)
