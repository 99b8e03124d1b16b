"""The board: four forges of four anvils in a ring, which anvils touch, and stones counted by colour."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from domain.game import Seat

Anvil: TypeAlias = int  # 0 … 15 in board order
Stones: TypeAlias = tuple[int, int, int]  # how many are black, silver, grey

AnvilName: TypeAlias = Literal["O1", "O2", "O3", "O4", "M1", "M2", "M3", "M4", "L1", "L2", "L3", "L4", "A1", "A2", "A3", "A4"]
SeatName: TypeAlias = Literal["ochre", "malachite", "lead", "azurite"]
Colour: TypeAlias = Literal["black", "silver", "grey"]

SEATS: Final[tuple[SeatName, ...]] = ("ochre", "malachite", "lead", "azurite")
COLOURS: Final[tuple[Colour, ...]] = ("black", "silver", "grey")
ANVILS: Final[tuple[AnvilName, ...]] = AnvilName.__args__  # type: ignore[attr-defined]  # the Literal's own names, once

AT: Final[dict[str, Anvil]] = {name: at for at, name in enumerate(ANVILS)}
OF: Final[dict[str, int]] = {colour: place for place, colour in enumerate(COLOURS)}
PLACE: Final[dict[Seat, int]] = {seat: place for place, seat in enumerate(SEATS)}
FORGES: Final = tuple(range(4 * place, 4 * place + 4) for place in range(4))  # each seat's own anvils


def _neighbours(at: Anvil) -> tuple[Anvil, ...]:
    """FF-3: beside it in the same forge, and the same-numbered anvil of the next forge either way round the ring."""
    beside = [other for other in (at - 1, at + 1) if other // 4 == at // 4]
    return tuple(sorted([*beside, (at - 4) % 16, (at + 4) % 16]))


NEIGHBOURS: Final[tuple[tuple[Anvil, ...], ...]] = tuple(map(_neighbours, range(16)))

NONE: Final[Stones] = (0, 0, 0)
CLEARED: Final = (NONE,) * 4  # a forge without a stone
SMELTABLE: Final[Stones] = (1, 1, 1)
FORGEABLE: Final[dict[Stones, int]] = {(3, 0, 0): 0, (0, 3, 0): 1, (0, 0, 3): 2}  # and of which colour


def plus(stones: Stones, more: Stones) -> Stones:
    """Both together."""
    return stones[0] + more[0], stones[1] + more[1], stones[2] + more[2]


def minus(stones: Stones, fewer: Stones) -> Stones:
    """What is left of them."""
    return stones[0] - fewer[0], stones[1] - fewer[1], stones[2] - fewer[2]


def some(count: int, colour: int) -> Stones:
    """So many of one colour."""
    return (count, 0, 0) if colour == 0 else (0, count, 0) if colour == 1 else (0, 0, count)


def compact(stones: Stones) -> str:
    """`2b1g`; a dash where there are none."""
    return "".join(f"{count}{colour[0]}" for count, colour in zip(stones, COLOURS, strict=True) if count) or "-"
