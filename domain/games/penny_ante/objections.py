"""Why an action cannot be played now, in words for the player, naming the ruling and what would be legal."""

from __future__ import annotations

from typing import assert_never

from msgspec import UNSET, UnsetType

from domain.game import Seat
from domain.games.penny_ante.chessboard import COLOUR, DIAGONAL, ORTHOGONAL, Space
from domain.games.penny_ante.listing import bombarding_assaults, capturable, most_guards, placeable, reinforceable, shelters, targets
from domain.games.penny_ante.phrases import all_of, counted, joined, one_of, told, which_of
from domain.games.penny_ante.stacks import TALLEST, Stacks, arrangements, configurations, in_order, is_arrangement
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


def objection(s: State, seat: Seat, action: Action) -> str | None:
    """None where the action is legal."""
    if s.reason:
        return "the match is over"
    placing = phase(s) == "placement"
    if seat != s.turn:
        return f"it is not {seat}'s turn: {s.turn} {'places a penny' if placing else 'is to move'} (PA-1)"
    if placing and not isinstance(action, Place):
        return f"pennies are still being placed: {seat} places one, on {one_of(placeable(s, seat))} (PA-2)"
    match action:
        case Place(at):
            return _against_placing(s, seat, at) if placing else "all twenty pennies have been placed (PA-2)"
        case Bombard(from_, take, to, arrange, target, remove):
            return (
                _against_owning(seat, from_)
                or _against_taking(s, from_, take)
                or _against_going(from_, to)
                or _against_arranging(s, to, take, arrange)
                or _against_removing(s, to, sum(take), max(take), target, remove)
            )
        case FortressBombard(from_, guards, to, target, remove):
            return _against_marching(s, seat, from_, guards, to) or _against_removing(s, to, guards + 1, max(guards, 1), target, remove)
        case Fortify(at, stacks):
            return _against_owning(seat, at) or _against_fortifying(s, at, stacks)
        case Reinforce(at):
            return _against_owning(seat, at) or _against_reinforcing(s, seat, at)
        case Assault(from_, guards, to, target, remove):
            return _against_marching(s, seat, from_, guards, to) or _against_assaulting(s, to, guards, target, remove)
        case Capture(from_, guards, to, fortress, put):
            return _against_marching(s, seat, from_, guards, to) or _against_capturing(s, from_, to, fortress, put)
        case _:
            assert_never(action)


# Spaces and steps


def _against_owning(seat: Seat, at: Space) -> str | None:
    if at not in COLOUR:
        return f"there is no space {at}: they are a1 to h8"
    if COLOUR[at] != seat:
        return f"{at} is a {COLOUR[at]} space: {seat} has the spaces of its own colour (PA-3)"
    return None


def _against_going(from_: Space, to: Space) -> str | None:
    if to in DIAGONAL[from_]:
        return None
    return f"{from_} and {to} are not diagonal neighbours: from {from_} one moves to {one_of(DIAGONAL[from_])} (PA-3)"


def _against_placing(s: State, seat: Seat, at: Space) -> str | None:
    possible = tuple(placeable(s, seat))
    if at in possible:
        return None
    if at in s.pennies and COLOUR[at] == seat:
        full = "a fortress takes one guard" if at in s.fortresses else "a space takes four pennies"
        return f"no more pennies can be placed on {at}: {full}; possible: {one_of(possible)} (PA-2)"
    return f"{seat} cannot place a penny on {at}: one goes on a {seat} space of the own half, {one_of(possible)} (PA-2)"


# Pennies that are moved


def _against_taking(s: State, from_: Space, take: Stacks) -> str | None:
    if from_ not in s.pennies:
        return f"there are no pennies on {from_} to bombard with (PA-4)"
    return _against_portion("take", from_, s.pennies[from_], take, "PA-4")


def _against_portion(name: str, at: Space, stacks: Stacks, portion: Stacks, ruling: str) -> str | None:
    """Numbers that are to be one for each stack of a space, none larger than its stack."""
    if len(portion) != len(stacks):
        return f"`{name}` says how many come off each stack, and {at} holds {told(stacks)}: say {counted(len(stacks), 'number')} ({ruling})"
    for number, stack in zip(portion, stacks, strict=True):
        if not 0 <= number <= stack:
            return f"{number} cannot come off a stack of {stack}: {at} holds {told(stacks)} ({ruling})"
    if not any(portion):
        moved = "at least one penny moves" if name == "take" else "who removes nothing leaves `target` and `remove` out"
        return f"{joined(portion)} is no penny at all: {moved} ({ruling})"
    if portion != in_order(portion, stacks):
        return f"among equal stacks the larger number stands first: {joined(in_order(portion, stacks))} ({ruling})"
    return None


def _against_arranging(s: State, to: Space, take: Stacks, arrange: Stacks | UnsetType) -> str | None:
    stacks, free = s.pennies.get(to, ()), room(s, to)
    if sum(take) > free:
        full = f"the guard on {to} has {sum(stacks)} and" if to in s.fortresses else f"{to} holds {told(stacks)}, each of which"
        return f"{counted(sum(take), 'penny')} cannot come to {to}: {full} can grow to ten, so there is room for {free} (PA-5)"
    made, pennies = stacks_made(s, to, take), sum(take) + sum(stacks)
    if not made:
        return None if arrange is UNSET else f"pennies that come to the fortress on {to} join its guard: leave `arrange` (`=…`) out (PA-5)"
    if arrange is not UNSET and len(arrange) == made and sum(arrange) == pennies and is_arrangement(arrange):
        return None
    possible = which_of([f"={joined(one)}" for one in arrangements(pennies, made)])
    shape = f"exactly {counted(made, 'stack')} of one to ten, largest first: {possible} (PA-5)"
    said = f"say how the {pennies} pennies on {to} are arranged" if arrange is UNSET else f"{joined(arrange)} cannot stand on {to}: {pennies} pennies"
    return f"{said}, in {shape}" if arrange is UNSET else f"{said} make {shape}"


# Pennies that are removed


def _against_removing(s: State, to: Space, strength: int, reach: int, target: Space | UnsetType, remove: Stacks | UnsetType) -> str | None:
    if target is UNSET and remove is UNSET:
        return None
    if target is UNSET or remove is UNSET:
        return "`target` and `remove` belong together: both, or neither where nothing is removed (PA-6)"
    if target not in ORTHOGONAL[to]:
        return f"{target} is not beside {to}: what stands on {one_of(ORTHOGONAL[to])} can be bombarded from there (PA-3)"
    if target not in s.pennies:
        unguarded = f"the fortress on {target} has no guard to remove: it can only be captured (PA-9)"
        return unguarded if target in s.fortresses else f"there are no pennies on {target} to remove (PA-6)"
    if wrong := _against_portion("remove", target, s.pennies[target], remove, "PA-6"):
        return wrong
    if too_large := [stack for stack, number in zip(s.pennies[target], remove, strict=True) if number and stack > reach]:
        others = f"; there is something within reach on {all_of(targets(s, to, reach))}" if targets(s, to, reach) else ""
        return f"a stack of {too_large[0]} is too large: the reach of this bombardment is {reach}{others} (PA-6)"
    if sum(remove) > strength:
        return f"{joined(remove)} is more than the strength of this bombardment: at most {counted(strength, 'penny')} can be removed (PA-6)"
    return None


# Fortifying and reinforcing


def _against_fortifying(s: State, at: Space, stacks: Stacks) -> str | None:
    if at in s.fortresses:
        return f"on the fortress {at} there is nothing to arrange: its guard is one stack (PA-7)"
    if at not in s.pennies:
        return f"there are no pennies on {at} to arrange (PA-7)"
    before = s.pennies[at]
    if sum(stacks) != sum(before) or len(stacks) > 4 or not is_arrangement(stacks):
        shape = f"its {counted(sum(before), 'penny')} can make one to four stacks of one to ten, largest first"
        return f"{joined(stacks)} cannot stand on {at}: {shape} (PA-7)"
    if stacks == before:
        other = next((other for other in configurations(sum(before)) if other != before), None)
        return f"{at} holds {told(before)} already: fortifying changes something{f', such as {joined(other)}' if other else ''} (PA-7)"
    return None


def _against_reinforcing(s: State, seat: Seat, at: Space) -> str | None:
    if not s.pool:
        return "the pool is empty (PA-8)"
    possible = tuple(reinforceable(s, seat))
    if at in possible:
        return None
    why = f"all stacks on {at} have ten pennies" if at in s.pennies else f"there is no stack on {at} to reinforce"
    return f"{why}{f'; possible: {one_of(possible)}' if possible else ''} (PA-8)"


# Fortresses


def _against_marching(s: State, seat: Seat, from_: Space, guards: int, to: Space) -> str | None:
    if wrong := _against_owning(seat, from_):
        return wrong
    if from_ not in s.fortresses:
        return f"there is no fortress on {from_}: {seat} has {all_of([at for at in s.fortresses if COLOUR[at] == seat])} (PA-9)"
    if wrong := _against_going(from_, to):
        return wrong
    if to in s.fortresses:
        return f"on {to} stands a fortress already (PA-9)"
    there = sum(s.pennies.get(to, ()))
    if there > TALLEST:
        return f"the fortress cannot go to {to}: the {there} pennies there would join its guard, which has ten at most (PA-9)"
    most = most_guards(s, from_, to)
    if 0 <= guards <= most:
        return None
    joining = f" and the {counted(there, 'penny')} on {to} will join it, ten at most" if there else ""
    why = f"its guard is {sum(s.pennies.get(from_, ()))}{joining}, so {f'0 to {most}' if most else 'none'} can"
    return f"{counted(guards, 'guard')} cannot come along from {from_} to {to}: {why} (PA-9)"


def _against_assaulting(s: State, to: Space, guards: int, target: Space | UnsetType, remove: Stacks | UnsetType) -> str | None:
    if bombarding_assaults(s) or (target is UNSET and remove is UNSET):
        return _against_removing(s, to, guards + 1, max(guards, 1), target, remove)
    return "in this match an assault disperses and removes nothing: leave `target` and `remove` out, or write F for a fortress bombard (PA-9)"


def _against_capturing(s: State, from_: Space, to: Space, fortress: Space, put: Space) -> str | None:
    possible = capturable(s, to)
    if fortress not in possible:
        there = f"; {all_of(possible)} can be captured from there" if possible else ""
        if fortress in ORTHOGONAL[to] and fortress in s.fortresses:
            return f"the fortress on {fortress} cannot be captured: its guard is {sum(s.pennies[fortress])}{there} (PA-9)"
        return f"on {fortress} is no opposing fortress beside {to}{there} (PA-9)"
    places = shelters(s, from_, to)
    if put in places:
        return None
    return f"the captured fortress cannot be put on {put}: it goes to a space diagonally beside {to}, {one_of(places)} (PA-9)"
