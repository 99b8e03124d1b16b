"""Penny Ante in one line of text: `c3>b4 2.2.2 =5.3 x b5 2.0`, `F d4>c5 5 x c6 3`, `capture d4>c5 2 d5>b4`."""

from __future__ import annotations

from typing import assert_never

from msgspec import UNSET, UnsetType

from domain.games.penny_ante.chessboard import Space
from domain.games.penny_ante.phrases import joined
from domain.games.penny_ante.stacks import Stacks
from domain.games.penny_ante.state import Action, Assault, Bombard, Capture, Fortify, FortressBombard, Place, Reinforce


def write(action: Action) -> str:
    """The canonical line."""
    match action:
        case Place(at):
            return f"place {at}"
        case Bombard(from_, take, to, arrange, target, remove):
            arranged = "" if arrange is UNSET else f" ={joined(arrange)}"
            return f"{from_}>{to} {joined(take)}{arranged}{_removing(target, remove)}"
        case FortressBombard(from_, guards, to, target, remove):
            return f"F {from_}>{to} {guards}{_removing(target, remove)}"
        case Fortify(at, stacks):
            return f"fortify {at} {joined(stacks)}"
        case Reinforce(at):
            return f"reinforce {at}"
        case Assault(from_, guards, to, target, remove):
            return f"assault {from_}>{to} {guards}{_removing(target, remove)}"
        case Capture(from_, guards, to, fortress, put):
            return f"capture {from_}>{to} {guards} {fortress}>{put}"
        case _:
            assert_never(action)


def _removing(target: Space | UnsetType, remove: Stacks | UnsetType) -> str:
    return ("" if target is UNSET else f" x {target}") + ("" if remove is UNSET else f" {joined(remove)}")
