"""What a seat can do, one action after another in the canonical order. The list can have millions: take what you need."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from msgspec import UNSET, UnsetType

from domain.game import Seat
from domain.games.penny_ante.chessboard import COLOUR, DIAGONAL, HOME, ORTHOGONAL, OWN, Space
from domain.games.penny_ante.stacks import TALLEST, Stacks, arrangements, configurations, portions
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

_NOTHING: tuple[Space | UnsetType, Stacks | UnsetType] = (UNSET, UNSET)


def legal(s: State, seat: Seat) -> Iterator[Action]:
    """By type, then in the order of the words of the text line."""
    return chain.from_iterable(kinds(s, seat).values())


def legal_of(s: State, seat: Seat, kind: str) -> Iterator[Action]:
    """Those of one type, which begin at once however many stand before them."""
    return kinds(s, seat).get(kind, iter(()))


def kinds(s: State, seat: Seat) -> dict[str, Iterator[Action]]:
    """The legal actions by type."""
    if s.reason or seat != s.turn:
        return {}
    if phase(s) == "placement":
        return {"place": map(Place, placeable(s, seat))}
    return {
        "bombard": _bombards(s, seat),
        "fortress-bombard": _fortress_bombards(s, seat),
        "fortify": _fortifications(s, seat),
        "reinforce": _reinforcements(s, seat),
        "assault": _assaults(s, seat),
        "capture": _captures(s, seat),
    }


def first(s: State, seat: Seat) -> Action:
    """The first of them: what a caretaker would play, which a match of two seats never needs."""
    return next(legal(s, seat))


def _bombards(s: State, seat: Seat) -> Iterator[Bombard]:
    for from_, to in ways(s, seat):
        for take in portions(s.pennies[from_], room(s, to)):
            stacks = stacks_made(s, to, take)
            pennies = sum(take) + sum(s.pennies.get(to, ()))
            for arrange in arrangements(pennies, stacks) if stacks else (UNSET,):
                for target, remove in removals(s, to, sum(take), max(take)):
                    yield Bombard(from_, take, to, arrange, target, remove)


def _fortress_bombards(s: State, seat: Seat) -> Iterator[FortressBombard]:
    for from_, to in marches(s, seat):
        for guards in range(most_guards(s, from_, to) + 1):
            for target, remove in removals(s, to, guards + 1, max(guards, 1)):
                yield FortressBombard(from_, guards, to, target, remove)


def _fortifications(s: State, seat: Seat) -> Iterator[Fortify]:
    for at in fortifiable(s, seat):
        yield from (Fortify(at, stacks) for stacks in configurations(sum(s.pennies[at])) if stacks != s.pennies[at])


def _reinforcements(s: State, seat: Seat) -> Iterator[Reinforce]:
    return map(Reinforce, reinforceable(s, seat))


def _assaults(s: State, seat: Seat) -> Iterator[Assault]:
    for from_, to in marches(s, seat):
        for guards in range(most_guards(s, from_, to) + 1):
            for target, remove in removals(s, to, guards + 1, max(guards, 1)) if bombarding_assaults(s) else (_NOTHING,):
                yield Assault(from_, guards, to, target, remove)


def _captures(s: State, seat: Seat) -> Iterator[Capture]:
    for from_, to in marches(s, seat):
        for guards in range(most_guards(s, from_, to) + 1) if capturable(s, to) else ():
            for fortress in capturable(s, to):
                yield from (Capture(from_, guards, to, fortress, put) for put in shelters(s, from_, to))


# The parts of which actions are made, each in canonical order


def placeable(s: State, seat: Seat) -> Iterator[Space]:
    """Where a penny can be placed: at most four on a space, and one on a fortress (PA-2)."""
    return (at for at in HOME[seat] if len(s.pennies.get(at, ())) < (1 if at in s.fortresses else 4))


def ways(s: State, seat: Seat) -> Iterator[tuple[Space, Space]]:
    """From where to where pennies can move (PA-4, PA-5)."""
    return ((from_, to) for from_ in OWN[seat] if from_ in s.pennies for to in DIAGONAL[from_] if room(s, to))


def marches(s: State, seat: Seat) -> Iterator[tuple[Space, Space]]:
    """From where to where fortresses can move, if need be without any guard (PA-9)."""
    return (
        (from_, to)
        for from_ in s.fortresses
        if COLOUR[from_] == seat
        for to in DIAGONAL[from_]
        if to not in s.fortresses and sum(s.pennies.get(to, ())) <= TALLEST
    )


def most_guards(s: State, from_: Space, to: Space) -> int:
    """How many guards can come along (PA-9)."""
    return min(sum(s.pennies.get(from_, ())), TALLEST - sum(s.pennies.get(to, ())))


def removals(s: State, to: Space, strength: int, reach: int) -> Iterator[tuple[Space | UnsetType, Stacks | UnsetType]]:
    """What a bombardment can remove, nothing first (PA-6)."""
    yield _NOTHING
    for target in targets(s, to, reach):
        yield from ((target, remove) for remove in portions(s.pennies[target], strength, reach))


def targets(s: State, to: Space, reach: int) -> list[Space]:
    """The spaces beside this one that hold a stack within reach (PA-6)."""
    return [at for at in ORTHOGONAL[to] if at in s.pennies and s.pennies[at][-1] <= reach]


def bombarding_assaults(s: State) -> bool:
    """Whether an assault may remove pennies as well (PA-9)."""
    return s.options.assault == "disperse-and-bombard"


def fortifiable(s: State, seat: Seat) -> Iterator[Space]:
    """Ordinary spaces whose pennies can be arranged in another way (PA-7)."""
    return (at for at in OWN[seat] if at in s.pennies and at not in s.fortresses and len(configurations(sum(s.pennies[at]))) > 1)


def reinforceable(s: State, seat: Seat) -> Iterator[Space]:
    """Spaces that can get a penny at least (PA-8)."""
    return (at for at in OWN[seat] if s.pool and (s.pennies[at][-1] < TALLEST if at in s.pennies else at in s.fortresses))


def capturable(s: State, to: Space) -> list[Space]:
    """The unguarded opposing fortresses beside a space (PA-9)."""
    return [at for at in ORTHOGONAL[to] if at in s.fortresses and at not in s.pennies]


def shelters(s: State, from_: Space, to: Space) -> list[Space]:
    """Where a fortress can be put that is captured from this space, the space just left among them: what stayed there are ten at most (PA-9)."""
    return [at for at in DIAGONAL[to] if at == from_ or (at not in s.fortresses and sum(s.pennies.get(at, ())) <= TALLEST)]
