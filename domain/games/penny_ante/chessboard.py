"""The chessboard: sixty-four spaces, whose colour they have, and which of them touch."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

Space: TypeAlias = str  # "a1" … "h8": column, then row
SeatName: TypeAlias = Literal["dark", "light"]

COLUMNS: Final = "abcdefgh"
ROWS: Final = "12345678"
SPACES: Final[tuple[Space, ...]] = tuple(column + row for column in COLUMNS for row in ROWS)  # the canonical order
SEATS: Final[tuple[SeatName, SeatName]] = ("dark", "light")
OTHER: Final[dict[str, SeatName]] = {"dark": "light", "light": "dark"}
CENTRE: Final[tuple[Space, ...]] = ("d4", "d5", "e4", "e5")  # where the fortresses start


def _colour(space: Space) -> SeatName:
    return SEATS[(COLUMNS.index(space[0]) + ROWS.index(space[1])) % 2]


def _beside(space: Space, *steps: tuple[int, int]) -> tuple[Space, ...]:
    """The spaces so many columns and rows away that are on the board, in canonical order."""
    column, row = COLUMNS.index(space[0]), ROWS.index(space[1])
    return tuple(COLUMNS[column + east] + ROWS[row + north] for east, north in sorted(steps) if column + east in range(8) and row + north in range(8))


COLOUR: Final[dict[Space, SeatName]] = {space: _colour(space) for space in SPACES}
OWN: Final[dict[str, tuple[Space, ...]]] = {seat: tuple(space for space in SPACES if COLOUR[space] == seat) for seat in SEATS}
HOME: Final[dict[str, tuple[Space, ...]]] = {  # PA-2: the own spaces of the own half
    "dark": tuple(space for space in OWN["dark"] if space[1] in "1234"),
    "light": tuple(space for space in OWN["light"] if space[1] in "5678"),
}
DIAGONAL: Final[dict[Space, tuple[Space, ...]]] = {space: _beside(space, (1, 1), (1, -1), (-1, 1), (-1, -1)) for space in SPACES}  # PA-3
ORTHOGONAL: Final[dict[Space, tuple[Space, ...]]] = {space: _beside(space, (0, 1), (0, -1), (1, 0), (-1, 0)) for space in SPACES}  # PA-3
