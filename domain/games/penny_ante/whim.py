"""A house bot's whim: an action drawn part by part, any legal one at times, without a list of what there is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias, TypeVar

from msgspec import UNSET, UnsetType

from domain.game import Pick, Seat
from domain.games.penny_ante.chessboard import DIAGONAL, OWN, Space
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
)
from domain.games.penny_ante.stacks import TALLEST, Stacks, arrangements, configurations, in_order
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
Draw: TypeAlias = Callable[[State, Seat, Pick], Action | None]


def random(s: State, seat: Seat, pick: Pick) -> Action:
    """One of the kinds of action, then its parts one after the other."""
    if phase(s) == "placement":
        return Place(_one(list(placeable(s, seat)), pick))
    kinds = list(KINDS)
    while True:  # one kind is always possible (PA-13)
        kind = _one(kinds, pick)
        if action := kind(s, seat, pick):
            return action
        kinds = [other for other in kinds if other is not kind]


def _bombard(s: State, seat: Seat, pick: Pick) -> Bombard | None:
    held = [at for at in OWN[seat] if at in s.pennies]
    while held:
        from_ = _one(held, pick)
        if possible := [to for to in DIAGONAL[from_] if room(s, to)]:
            to = _one(possible, pick)
            take = _portion(s.pennies[from_], room(s, to), TALLEST, pick)
            made = stacks_made(s, to, take)
            arrange = _one(arrangements(sum(take) + sum(s.pennies.get(to, ())), made), pick) if made else UNSET
            return Bombard(from_, take, to, arrange, *_removed(s, to, sum(take), max(take), pick))
        held.remove(from_)
    return None


def _fortress_bombard(s: State, seat: Seat, pick: Pick) -> FortressBombard | None:
    march = _march(s, seat, pick)
    return march and FortressBombard(*march, *_removed(s, march[2], march[1] + 1, max(march[1], 1), pick))


def _fortify(s: State, seat: Seat, pick: Pick) -> Fortify | None:
    if not (possible := list(fortifiable(s, seat))):
        return None
    at = _one(possible, pick)
    return Fortify(at, _one([stacks for stacks in configurations(sum(s.pennies[at])) if stacks != s.pennies[at]], pick))


def _reinforce(s: State, seat: Seat, pick: Pick) -> Reinforce | None:
    possible = list(reinforceable(s, seat))
    return Reinforce(_one(possible, pick)) if possible else None


def _assault(s: State, seat: Seat, pick: Pick) -> Assault | None:
    march = _march(s, seat, pick)
    if not march or not bombarding_assaults(s):
        return march and Assault(*march)
    return Assault(*march, *_removed(s, march[2], march[1] + 1, max(march[1], 1), pick))


def _capture(s: State, seat: Seat, pick: Pick) -> Capture | None:
    possible = [(from_, to) for from_, to in marches(s, seat) if capturable(s, to)]
    if not possible:
        return None
    from_, to = _one(possible, pick)
    guards = pick(most_guards(s, from_, to) + 1)
    return Capture(from_, guards, to, _one(capturable(s, to), pick), _one(shelters(s, from_, to), pick))


KINDS: Final[tuple[Draw, ...]] = (_bombard, _bombard, _fortress_bombard, _fortify, _reinforce, _reinforce, _assault, _capture)


# The parts


def _march(s: State, seat: Seat, pick: Pick) -> tuple[Space, int, Space] | None:
    possible = list(marches(s, seat))
    if not possible:
        return None
    from_, to = _one(possible, pick)
    return from_, pick(most_guards(s, from_, to) + 1), to


def _removed(s: State, to: Space, strength: int, reach: int, pick: Pick) -> tuple[Space | UnsetType, Stacks | UnsetType]:
    """Nothing is removed as often as from each of the spaces that are within reach."""
    beside = targets(s, to, reach)
    place = pick(len(beside) + 1)
    return (beside[place], _portion(s.pennies[beside[place]], strength, reach, pick)) if place < len(beside) else (UNSET, UNSET)


def _portion(stacks: Stacks, most: int, reach: int, pick: Pick) -> Stacks:
    """Off each stack any number that is left; where that was none at all, off one of them one at least."""
    left, numbers = most, list[int]()
    for stack in stacks:
        numbers.append(pick(min(stack, left) + 1) if left and stack <= reach else 0)
        left -= numbers[-1]
    if left == most:
        place = _one([at for at, stack in enumerate(stacks) if stack <= reach], pick)
        numbers[place] = 1 + pick(min(stacks[place], most))
    return in_order(tuple(numbers), stacks)


def _one(candidates: Sequence[T], pick: Pick) -> T:
    return candidates[pick(len(candidates))]
