"""Penny Ante in one line of text: `c3>b4 2.2.2 =5.3 x b5 2.0`, `F d4>c5 5 x c6 3`, `capture d4>c5 2 d5>b4`."""

from __future__ import annotations

import re
from typing import Final, assert_never

from msgspec import UNSET, UnsetType

from domain.game import Unreadable
from domain.games.penny_ante.chessboard import Space
from domain.games.penny_ante.stacks import Stacks, arrangements, in_order, is_portion
from domain.games.penny_ante.state import (
    Action,
    Assault,
    Bombard,
    Capture,
    Fortify,
    FortressBombard,
    Place,
    Reinforce,
    State,
    phase,
    room,
    stacks_made,
)

_GOES: Final = r" ?(?:[-=–—−]*[>→⇒]|[-–—−:]+|to|) ?"
_WAY: Final = rf"([a-h][1-8]){_GOES}([a-h][1-8])"
_NUMBERS: Final = r"([0-9]{1,2}(?: ?[.,+/ ] ?[0-9]{1,2})*)"
_GUARDS: Final = r"[ :,]+(?:with )?([0-9]{1,2})(?: guards?)?"
_REMOVING: Final = rf"(?: ?,? ?(?:x|×|removes?|takes?) ?([a-h][1-8])[ :,]+{_NUMBERS})?"

_PLACE: Final = re.compile(r"(?:places?|puts?) ?(?:at|on|)[ :>-]*([a-h][1-8])")
_SPACE: Final = re.compile(r"[a-h][1-8]")
_BOMBARD: Final = re.compile(rf"(?:bombards?:? ?)?{_WAY}[ :,]+(?:takes? )?{_NUMBERS}(?: ?,? ?(?:=|as|into) ?{_NUMBERS})?{_REMOVING}")
_MARCH: Final = re.compile(rf"(f|fortress|fortress[- ]bombards?|assaults?):? ?{_WAY}{_GUARDS}{_REMOVING}")
_CAPTURE: Final = re.compile(rf"captures?:? ?{_WAY}{_GUARDS} ?,?(?:x|×|) ?{_WAY}")
_FORTIFY: Final = re.compile(rf"fortif(?:y|ies):? ?([a-h][1-8]) ?(?:[=:,]|as|into|to|) ?{_NUMBERS}")
_REINFORCE: Final = re.compile(r"reinforces?:? ?([a-h][1-8])")

_SHAPES: Final = {  # by the first letters of what was written
    "fortif": "“fortify c3 3.3.2” (the stacks that shall stand there)",
    "re": "“reinforce c3”",
    "as": "“assault d4>e3 5” (the guards that come along)",
    "ca": "“capture d4>c5 2 d5>b4” (the guards that come along, the fortress and where it goes)",
    "f ": "“F d4>c5 5 x c6 3” (the guards that come along, and what is removed)",
    "fortr": "“F d4>c5 5 x c6 3” (the guards that come along, and what is removed)",
    "": "“c3>b4 2.2.2 =5.3 x b5 2.0” (off each stack, the stacks there, what is removed), “F d4>c5 5 x c6 3”, “fortify c3 3.3.2”, "
    "“reinforce c3”, “assault d4>e3 5” or “capture d4>c5 2 d5>b4”",
}


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


def joined(numbers: Stacks) -> str:
    """`2.2.0`."""
    return ".".join(map(str, numbers))


def _removing(target: Space | UnsetType, remove: Stacks | UnsetType) -> str:
    return ("" if target is UNSET else f" x {target}") + ("" if remove is UNSET else f" {joined(remove)}")


def read(s: State, line: str) -> Action:
    """The action of a line. Numbers may stand in any order where the order says nothing; `=…` may be left out where there is one way only."""
    said = " ".join(line.casefold().split())
    if found := _PLACE.fullmatch(said):
        return Place(found[1])
    if phase(s) == "placement" and _SPACE.fullmatch(said):
        return Place(said)
    if found := _BOMBARD.fullmatch(said):
        from_, to, take, arrange, target, remove = found.groups()
        taken = _aligned(s, from_, take)
        arranged = _sorted(arrange) if arrange else _only_way(s, from_, taken, to)
        return Bombard(from_, taken, to, arranged, *_removed(s, target, remove))
    if found := _MARCH.fullmatch(said):
        kind, from_, to, guards, target, remove = found.groups()
        return (Assault if kind.startswith("a") else FortressBombard)(from_, int(guards), to, *_removed(s, target, remove))
    if found := _CAPTURE.fullmatch(said):
        from_, to, guards, fortress, put = found.groups()
        return Capture(from_, int(guards), to, fortress, put)
    if found := _FORTIFY.fullmatch(said):
        return Fortify(found[1], _sorted(found[2]))
    if found := _REINFORCE.fullmatch(said):
        return Reinforce(found[1])
    raise Unreadable(_not_understood(s, said, line))


def _numbers(said: str) -> Stacks:
    return tuple(map(int, re.findall("[0-9]+", said)))


def _sorted(said: str) -> Stacks:
    return tuple(sorted(_numbers(said), reverse=True))


def _aligned(s: State, at: Space, said: str) -> Stacks:
    """Numbers off the stacks of a space, as they are written: among equal stacks the larger number first."""
    portion, stacks = _numbers(said), s.pennies.get(at, ())
    return in_order(portion, stacks) if len(portion) == len(stacks) else portion


def _removed(s: State, target: str | None, remove: str | None) -> tuple[Space | UnsetType, Stacks | UnsetType]:
    return (target, _aligned(s, target, remove)) if target and remove else (UNSET, UNSET)


def _only_way(s: State, from_: Space, take: Stacks, to: Space) -> Stacks | UnsetType:
    """How the pennies stand where they end, if they can only stand in one way."""
    made = stacks_made(s, to, take)
    if not made or not is_portion(take, s.pennies.get(from_, ()), room(s, to)):
        return UNSET
    possible = arrangements(sum(take) + sum(s.pennies.get(to, ())), made)
    return possible[0] if len(possible) == 1 else UNSET


def _not_understood(s: State, said: str, line: str) -> str:
    placing = "“place c3” (pennies are being placed)" if phase(s) == "placement" else None
    shape = placing or next(shape for start, shape in _SHAPES.items() if said.startswith(start))
    return f"“{' '.join(line.split())[:40]}” is no action of Penny Ante; write {shape}"
