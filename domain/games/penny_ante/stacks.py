"""Stacks of pennies on one space, and what can be done with them: taking some off, arranging, dispersing, reinforcing."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final, TypeAlias

Stacks: TypeAlias = tuple[int, ...]  # largest first; a guard is one stack

MOST_STACKS: Final = 4
TALLEST: Final = 10


# Some pennies of each stack: what is moved, and what is removed


def portions(stacks: Stacks, most: int, reach: int = TALLEST) -> Iterator[Stacks]:
    """All that can come off: 1 to `most` pennies, of stacks no larger than `reach`; ascending, each written one way only.

    Aligned with the stacks; among equal stacks the larger number stands first.
    """
    return (portion for portion in _portions(stacks, most, reach, TALLEST) if any(portion))


def _portions(stacks: Stacks, most: int, reach: int, before: int) -> Iterator[Stacks]:
    """Nothing included; `before` is what came off the stack before, which binds where the next one is equal to it."""
    if not stacks:
        yield ()
        return
    stack, rest = stacks[0], stacks[1:]
    for number in range((min(stack, most, before) if stack <= reach else 0) + 1):
        bound = number if rest and rest[0] == stack else TALLEST
        for others in _portions(rest, most - number, reach, bound):
            yield (number, *others)


def is_portion(portion: Stacks, stacks: Stacks, most: int, reach: int = TALLEST) -> bool:
    """Whether it is one of those portions."""
    return (
        len(portion) == len(stacks)
        and 0 < sum(portion) <= most
        and all(0 <= number <= (stack if stack <= reach else 0) for number, stack in zip(portion, stacks, strict=True))
        and portion == in_order(portion, stacks)
    )


def in_order(portion: Stacks, stacks: Stacks) -> Stacks:
    """The portion as it is written: among equal stacks the larger number first."""
    return tuple([number for _, number in sorted(zip(stacks, portion, strict=True), reverse=True)])


def without(stacks: Stacks, portion: Stacks) -> Stacks:
    """What is left; stacks emptied vanish."""
    return tuple(sorted([stack - number for stack, number in zip(stacks, portion, strict=True) if stack > number], reverse=True))


# So many pennies as stacks


@cache
def arrangements(pennies: int, stacks: int) -> tuple[Stacks, ...]:
    """All ways to make exactly so many stacks of one to ten pennies; ascending."""
    return tuple(_arranged(pennies, stacks, TALLEST))


def _arranged(pennies: int, stacks: int, tallest: int) -> Iterator[Stacks]:
    if stacks == 0:
        if pennies == 0:
            yield ()
        return
    for first in range(1, min(pennies, tallest) + 1):
        for others in _arranged(pennies - first, stacks - 1, first):
            yield (first, *others)


@cache
def configurations(pennies: int) -> tuple[Stacks, ...]:
    """All ways to make one to four stacks of them; ascending."""
    return tuple(sorted(stacks for number in range(1, MOST_STACKS + 1) for stacks in arrangements(pennies, number)))


def is_arrangement(stacks: Stacks) -> bool:
    """Whether each stack has one to ten pennies and the largest stands first."""
    return bool(stacks) and stacks[0] <= TALLEST and stacks[-1] >= 1 and all(stacks[at] >= stacks[at + 1] for at in range(len(stacks) - 1))


# What happens to all stacks of a space at once


def dispersed(stacks: Stacks, *, guard: bool) -> Stacks:
    """One penny comes off every stack; they form a new one, or leave play where a fourth stack or a fortress leaves no room (PA-10)."""
    left = [stack - 1 for stack in stacks if stack > 1]
    if not guard and len(stacks) < MOST_STACKS:
        left.append(len(stacks))
    return tuple(sorted(left, reverse=True))


def reinforced(stacks: Stacks, pool: int) -> Stacks:
    """One penny for every stack below ten; if the pool is short, smaller stacks first (PA-8)."""
    given, upwards = pool, []
    for stack in reversed(stacks):
        more = stack < TALLEST and given > 0
        given -= more
        upwards.append(stack + more)
    return tuple(sorted(upwards, reverse=True))
