"""A few dozen actions out of the many: those that use all they can, which is where a player would look first."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import UNSET, UnsetType

from domain.game import Seat
from domain.games.penny_ante.chessboard import Space
from domain.games.penny_ante.listing import capturable, first, fortifiable, marches, most_guards, reinforceable, shelters, targets, ways
from domain.games.penny_ante.stacks import TALLEST, Stacks, arrangements, configurations, in_order
from domain.games.penny_ante.state import Action, Assault, Bombard, Capture, Fortify, FortressBombard, Reinforce, State, room, stacks_made


def sound(s: State, seat: Seat) -> list[Action]:
    """One at least, even where all of these are impossible."""
    return list(_sound(s, seat)) or [first(s, seat)]


def _sound(s: State, seat: Seat) -> Iterator[Action]:
    """Captures with all guards or none, fortresses with all guards, spaces reinforced, piled up, or moved whole or by their top stack."""
    for from_, to in marches(s, seat):
        most = most_guards(s, from_, to)
        for guards in {most, 0} if (unguarded := capturable(s, to)) else ():
            yield from (Capture(from_, guards, to, fortress, put) for fortress in unguarded for put in shelters(s, from_, to))
        yield Assault(from_, most, to)
        yield from (FortressBombard(from_, most, to, *removal) for removal in _removals(s, to, most + 1, max(most, 1)))
    yield from map(Reinforce, reinforceable(s, seat))
    for at in fortifiable(s, seat):
        tall = configurations(sum(s.pennies[at]))[-1]
        if tall != s.pennies[at]:
            yield Fortify(at, tall)
    for from_, to in ways(s, seat):
        yield from _bombards(s, from_, to)


def _bombards(s: State, from_: Space, to: Space) -> Iterator[Bombard]:
    stacks, free = s.pennies[from_], room(s, to)
    whole, top = most_of(stacks, free, TALLEST), (min(stacks[0], free), *(0 for _ in stacks[1:]))
    for take in dict.fromkeys((whole, top)):
        made = stacks_made(s, to, take)
        arrange = arrangements(sum(take) + sum(s.pennies.get(to, ())), made)[-1] if made else UNSET
        yield from (Bombard(from_, take, to, arrange, *removal) for removal in _removals(s, to, sum(take), max(take)))


def _removals(s: State, to: Space, strength: int, reach: int) -> Iterator[tuple[Space | UnsetType, Stacks | UnsetType]]:
    """As much as possible from each space beside, and nothing only where there is nothing."""
    beside = targets(s, to, reach)
    if not beside:
        yield UNSET, UNSET
    yield from ((target, most_of(s.pennies[target], strength, reach)) for target in beside)


def most_of(stacks: Stacks, most: int, reach: int) -> Stacks:
    """As many pennies as can come off, off the largest stacks first."""
    numbers: list[int] = []
    for stack in stacks:
        numbers.append(min(stack, most) if stack <= reach else 0)
        most -= numbers[-1]
    return in_order(tuple(numbers), stacks)
