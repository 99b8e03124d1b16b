"""What the players of a match have agreed on beside the game's own options."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from domain.clocks import PerTurn, Timing


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Each optional; these are the defaults. `several_seats` is written down only where it is so (FO-10)."""

    clock: Timing = PerTurn()
    on_timeout: Literal["vacate"] = "vacate"
    undo_seconds: Annotated[int, Meta(ge=0, le=86_400)] = 60
    auto_forced: bool = True
    seating: Literal["random", "joined"] = "random"
    visibility: Literal["private", "public"] = "private"
    several_seats: bool | UnsetType = UNSET
