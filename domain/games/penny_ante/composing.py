"""A line word by word: the long list is entered at what was said so far, which is judged by itself and never looked for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, TypeAlias

from domain.game import Seat
from domain.games.penny_ante.chessboard import Space
from domain.games.penny_ante.listing import (
    bombarding_assaults,
    capturable,
    fortifiable,
    marches,
    most_guards,
    placeable,
    reinforceable,
    shelters,
    targets,
    ways,
)
from domain.games.penny_ante.phrases import joined
from domain.games.penny_ante.stacks import Stacks, arrangements, configurations, is_portion, portions
from domain.games.penny_ante.state import State, phase, room, stacks_made

Words: TypeAlias = Iterator[tuple[str, bool]]  # each with whether the line may end there
Said: TypeAlias = tuple[str, ...]

_NUMBERS: Final = re.compile(r"(?:0|[1-9][0-9]?)(?:\.(?:0|[1-9][0-9]?))*")


def words(s: State, seat: Seat, said: Said) -> Words:
    """The words that may follow, in the order of the legal actions; none after words that no legal action begins with."""
    if s.reason or seat != s.turn:
        return iter(())
    match tuple(word.casefold() for word in said):
        case ():
            return _first(s, seat)
        case ("place", *rest):
            return _alone(placeable(s, seat), rest) if phase(s) == "placement" else iter(())
        case _ if phase(s) == "placement":
            return iter(())
        case ("f", *rest):
            return _fortress_bombarding(s, seat, tuple(rest))
        case ("fortify", *rest):
            return _fortifying(s, seat, tuple(rest))
        case ("reinforce", *rest):
            return _alone(reinforceable(s, seat), rest)
        case ("assault", *rest):
            return _assaulting(s, seat, tuple(rest))
        case ("capture", *rest):
            return _capturing(s, seat, tuple(rest))
        case (way, *rest):
            return _bombarding(s, seat, way, tuple(rest))
    raise AssertionError(said)


def _first(s: State, seat: Seat) -> Words:
    if phase(s) == "placement":
        yield "place", False
        return
    yield from ((f"{from_}>{to}", False) for from_, to in ways(s, seat))
    marching = list(marches(s, seat))
    kinds = {
        "F": marching,
        "fortify": fortifiable(s, seat),
        "reinforce": reinforceable(s, seat),
        "assault": marching,
        "capture": [to for _, to in marching if capturable(s, to)],
    }
    yield from ((kind, False) for kind, some in kinds.items() if next(iter(some), None))


def _alone(spaces: Iterator[Space], said: list[str]) -> Words:
    """A space that ends the line."""
    return iter(()) if said else ((at, True) for at in spaces)


def _bombarding(s: State, seat: Seat, way: str, said: Said) -> Words:
    from_, _, to = way.partition(">")
    if (from_, to) not in ways(s, seat):
        return
    stacks = s.pennies[from_]
    if not said:
        yield from ((joined(take), to in s.fortresses) for take in portions(stacks, room(s, to)))
        return
    take, said = _numbers(said[0]), said[1:]
    if not is_portion(take, stacks, room(s, to)):
        return
    if made := stacks_made(s, to, take):
        possible = arrangements(sum(take) + sum(s.pennies.get(to, ())), made)
        if not said:
            yield from ((f"={joined(arrange)}", True) for arrange in possible)
            return
        if not said[0].startswith("=") or _numbers(said[0][1:]) not in possible:
            return
        said = said[1:]
    yield from _removing(s, to, sum(take), max(take), said)


def _removing(s: State, to: Space, strength: int, reach: int, said: Said) -> Words:
    """What may follow where the line could end."""
    beside = targets(s, to, reach)
    match said:
        case () if beside:
            yield "x", False
        case ("x",):
            yield from ((target, False) for target in beside)
        case ("x", target) if target in beside:
            yield from ((joined(remove), True) for remove in portions(s.pennies[target], strength, reach))
        case _:
            return


def _fortress_bombarding(s: State, seat: Seat, said: Said) -> Words:
    if len(said) < 2:
        yield from _marching(s, said, marches(s, seat), ends=True)
    elif march := _march(s, seat, said):
        to, guards = march
        yield from _removing(s, to, guards + 1, max(guards, 1), said[2:])


def _assaulting(s: State, seat: Seat, said: Said) -> Words:
    if len(said) < 2 or bombarding_assaults(s):
        yield from _fortress_bombarding(s, seat, said)


def _capturing(s: State, seat: Seat, said: Said) -> Words:
    if len(said) < 2:
        capturing = ((from_, to) for from_, to in marches(s, seat) if capturable(s, to))
        yield from _marching(s, said, capturing, ends=False)
    elif len(said) == 2 and (march := _march(s, seat, said)):
        to, _ = march
        yield from ((f"{fortress}>{put}", True) for fortress in capturable(s, to) for put in shelters(s, said[0][:2], to))


def _marching(s: State, said: Said, possible: Iterator[tuple[Space, Space]], *, ends: bool) -> Words:
    """From where to where a fortress moves, and then with how many guards."""
    for from_, to in possible:
        way = f"{from_}>{to}"
        if not said:
            yield way, False
        elif said == (way,):
            yield from ((str(guards), ends) for guards in range(most_guards(s, from_, to) + 1))


def _march(s: State, seat: Seat, said: Said) -> tuple[Space, int] | None:
    """Where a fortress moves with how many guards, if it can."""
    from_, _, to = said[0].partition(">")
    guards = _numbers(said[1])
    if len(guards) != 1 or (from_, to) not in marches(s, seat) or guards[0] > most_guards(s, from_, to):
        return None
    return to, guards[0]


def _fortifying(s: State, seat: Seat, said: Said) -> Words:
    match said:
        case ():
            yield from ((at, False) for at in fortifiable(s, seat))
        case (at,) if at in fortifiable(s, seat):
            yield from ((joined(stacks), True) for stacks in configurations(sum(s.pennies[at])) if stacks != s.pennies[at])
        case _:
            return


def _numbers(word: str) -> Stacks:
    """`2.2.0` as numbers; none where it is not written like that."""
    return tuple(map(int, word.split("."))) if _NUMBERS.fullmatch(word) else ()
