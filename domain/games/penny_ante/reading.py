"""Reading a line of Penny Ante as people write it; what it leaves out is filled in where there is one way only, else asked back."""

from __future__ import annotations

import re
from typing import Any, Final, TypeAlias, TypeVar

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from domain.game import Unreadable
from domain.games.penny_ante.chessboard import COLOUR, ORTHOGONAL, Space
from domain.games.penny_ante.listing import capturable, fortifiable, marches, most_guards, placeable, reinforceable, shelters, targets, ways
from domain.games.penny_ante.notation import write
from domain.games.penny_ante.objections import objection
from domain.games.penny_ante.phrases import joined, which_of
from domain.games.penny_ante.stacks import Stacks, arrangements, configurations, in_order, is_portion, portions
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

T = TypeVar("T")
Mover: TypeAlias = Bombard | FortressBombard | Assault

_GOES: Final = r" ?(?:-*[>→⇒]|=+>|[-:]+|to|) ?"
_SPACE: Final = r"([a-h][1-8])"
_WAY: Final = rf"(?:from )?{_SPACE}{_GOES}{_SPACE}"
_NUMBERS: Final = r"(all|[0-9]{1,2}(?: ?[-.,+/ ] ?[0-9]{1,2})*)"
_GUARDS: Final = r"(?:[ :,]+(?:with )?(all|[0-9]{1,2})(?: guards?)?)?"
_REMOVING: Final = rf"(?: ?,? ?(?:x|×|removes?|removing|takes?) ?{_SPACE}(?:[ :,]+{_NUMBERS})?)?"

_PLACE: Final = re.compile(rf"(?:places?|puts?) ?(?:at|on|)[ :>-]*{_SPACE}?")
_BOMBARD: Final = re.compile(
    rf"(?:bombards?:? ?)?{_WAY}(?:[ :,]+(?:takes? |taking |with )?{_NUMBERS})?(?: ?,? ?(?:=|as|into) ?{_NUMBERS})?{_REMOVING}"
)
_MARCH: Final = re.compile(rf"(f|fortress|fortress[- ]bombards?|assaults?):? ?{_WAY}{_GUARDS}{_REMOVING}")
_CAPTURE: Final = re.compile(rf"cap(?:tures?)?:? ?{_WAY}{_GUARDS}(?: ?,?(?:x|×|) ?{_SPACE}(?:{_GOES}{_SPACE})?)?")
_FORTIFY: Final = re.compile(rf"fortif(?:y|ies):? ?{_SPACE}(?: ?(?:[=:,]|as|into|to|) ?{_NUMBERS})?")
_REINFORCE: Final = re.compile(rf"reinf(?:orces?)?:? ?{_SPACE}?")

_PLAIN: Final = str.maketrans(dict.fromkeys("‐‑‒–—−", "-"))


def read(s: State, line: str) -> Action:
    """The action of a line. Numbers may stand in any order where the order says nothing, and `all` for as many as there are."""
    said = " ".join(line.casefold().translate(_PLAIN).split()).rstrip(".!, ")
    if found := _PLACE.fullmatch(said):
        return Place(found[1] or _only({f"place {at}": at for at in placeable(s, s.turn)}, "a1"))
    if phase(s) == "placement" and re.fullmatch(_SPACE, said):
        return Place(said)
    if found := _BOMBARD.fullmatch(said):
        return _bombard(s, *found.groups())
    if found := _MARCH.fullmatch(said):
        return _march(s, *found.groups())
    if found := _CAPTURE.fullmatch(said):
        return _capture(s, *found.groups())
    if found := _FORTIFY.fullmatch(said):
        return _fortify(s, *found.groups())
    if found := _REINFORCE.fullmatch(said):
        return Reinforce(found[1] or _only({f"reinforce {at}": at for at in reinforceable(s, s.turn)}, s.fortresses[0]))
    raise Unreadable(f"“{' '.join(line.split())[:40]}” is no action of Penny Ante")


# What a line leaves out


def _only(possible: dict[str, T], otherwise: T) -> T:
    """The one thing that is possible, by the line that says it; where nothing is, `otherwise`, which will be refused with the reason."""
    if len(possible) > 1:
        raise Unreadable(f"that can be read in several ways: write {which_of([f'“{line}”' for line in possible])}")
    return next(iter(possible.values()), otherwise)


def _bombard(s: State, from_: Space, to: Space, take: str | None, arrange: str | None, target: str | None, remove: str | None) -> Bombard:
    stacks, goes = s.pennies.get(from_, ()), (from_, to) in ways(s, s.turn)
    if take is None and from_ in s.fortresses and COLOUR[from_] == s.turn:
        raise Unreadable(_what_moves(s, from_, to))
    taken = (
        _aligned(stacks, take)
        if take
        else _only({f"{from_}>{to} {joined(one)}": one for one in portions(stacks, room(s, to)) if goes}, stacks or (1,))
    )
    arranged = _sorted(arrange) if arrange and arrange != "all" else _only_way(s, from_, taken, to)
    said = Bombard(from_, taken, to, arranged)
    return replace(said, **_removed(s, said, sum(taken), max(taken), target, remove))


def _what_moves(s: State, from_: Space, to: Space) -> str:
    """Guards and their fortress go by the same way."""
    stacks = s.pennies.get(from_, ())
    guards = sum(stacks)
    ways: list[Action] = [FortressBombard(from_, guards, to), Assault(from_, guards, to)]
    if guards:
        ways.insert(0, Bombard(from_, stacks, to, _only_way(s, from_, stacks, to)))
    lines = [f"“{write(way)}”" for way in ways if objection(s, s.turn, way) is None]
    return f"say what moves from {from_}, guards alone or the fortress with them{f': {which_of(lines)}' if lines else ''}"


def _march(s: State, kind: str, from_: Space, to: Space, guards: str | None, target: str | None, remove: str | None) -> Assault | FortressBombard:
    shape = Assault if kind.startswith("a") else FortressBombard
    said = shape(from_, 0, to)
    if guards:
        said = shape(from_, _guards(s, from_, guards), to)
    elif (from_, to) in marches(s, s.turn):
        possible = [shape(from_, number, to) for number in range(most_guards(s, from_, to) + 1)]
        said = _only({write(one): one for one in possible}, said)
    return replace(said, **_removed(s, said, said.guards + 1, max(said.guards, 1), target, remove))


def _capture(s: State, from_: Space, to: Space, guards: str | None, fortress: str | None, put: str | None) -> Capture:
    numbers = [_guards(s, from_, guards)] if guards else range(most_guards(s, from_, to) + 1)
    possible = [
        Capture(from_, number, to, taken, place)
        for number in (numbers if (from_, to) in marches(s, s.turn) else ())
        for taken in ([fortress] if fortress else capturable(s, to))
        for place in ([put] if put else shelters(s, from_, to))
    ]
    beside = next((at for at in ORTHOGONAL[to] if at in s.fortresses), ORTHOGONAL[to][0])
    return _only({write(one): one for one in possible}, Capture(from_, next(iter(numbers), 0), to, fortress or beside, put or from_))


def _fortify(s: State, at: Space, stacks: str | None) -> Fortify:
    before = s.pennies.get(at, ())
    if stacks:
        return Fortify(at, (sum(before),) if stacks == "all" else _sorted(stacks))
    possible = [Fortify(at, one) for one in configurations(sum(before)) if one != before] if at in fortifiable(s, s.turn) else []
    return _only({write(one): one for one in possible}, Fortify(at, before or (1,)))


def _removed(
    s: State, said: Bombard | FortressBombard | Assault, strength: int, reach: int, target: str | None, remove: str | None
) -> dict[str, Any]:
    """Nothing, or from where and how many."""
    if target is None:
        return {}
    stacks = s.pennies.get(target, ())
    if remove:
        return {"target": target, "remove": _aligned(stacks, remove)}
    possible = portions(stacks, strength, reach) if target in targets(s, said.to, reach) else ()
    return {"target": target, "remove": _only({f"{write(said)} x {target} {joined(one)}": one for one in possible}, stacks or (1,))}


def _only_way(s: State, from_: Space, take: Stacks, to: Space) -> Stacks | UnsetType:
    """How the pennies stand where they end, if they can only stand in one way."""
    made = stacks_made(s, to, take)
    if not made or not is_portion(take, s.pennies.get(from_, ()), room(s, to)):
        return UNSET
    possible = arrangements(sum(take) + sum(s.pennies.get(to, ())), made)
    return possible[0] if len(possible) == 1 else UNSET


# Numbers


def _guards(s: State, at: Space, said: str) -> int:
    return sum(s.pennies.get(at, ())) if said == "all" else int(said)


def _sorted(said: str) -> Stacks:
    return tuple(sorted(map(int, re.findall("[0-9]+", said)), reverse=True))


def _aligned(stacks: Stacks, said: str) -> Stacks:
    """Numbers off the stacks of a space, as they are written: among equal stacks the larger number first."""
    if said == "all":
        return stacks or (1,)
    portion = tuple(map(int, re.findall("[0-9]+", said)))
    return in_order(portion, stacks) if len(portion) == len(stacks) else portion
