"""The court: twenty-five cells, and for each team where it starts, where it runs to and which cells lie ahead."""

from __future__ import annotations

from typing import Final, TypeAlias

from domain.game import Record, Seat

Cell: TypeAlias = str  # "a1" … "e5": column west to east, row south to north

COLUMNS: Final = "abcde"
ROWS: Final = "12345"
CELLS: Final[tuple[Cell, ...]] = tuple(column + row for column in COLUMNS for row in ROWS)  # the canonical order


class Side(Record, frozen=True):
    """A team's view of the court; cells stand in canonical order."""

    seat: Seat
    initial: str  # of its runners' names
    starts_on: str  # its starting file in words
    runs_to: str  # its destination in words
    start: tuple[Cell, ...]
    destination: tuple[Cell, ...]
    ahead: dict[Cell, tuple[Cell, ...]]  # from each cell, one step towards the destination: straight or diagonally (FO-2)


def _file(name: str) -> tuple[Cell, ...]:
    """The five cells of a row ("row 1") or of a column ("column a")."""
    return tuple(cell for cell in CELLS if name[-1] in cell)


def _side(seat: Seat, starts_on: str, runs_to: str, east: int, north: int) -> Side:
    """A team that runs `east` and `north` with each step; one of them is 0, the other 1 or -1."""

    def step(cell: Cell, aside: int) -> Cell | None:
        column = COLUMNS.index(cell[0]) + (east or aside)
        row = ROWS.index(cell[1]) + (north or aside)
        return COLUMNS[column] + ROWS[row] if column in range(5) and row in range(5) else None

    ahead = {cell: tuple(sorted(to for aside in (-1, 0, 1) if (to := step(cell, aside)))) for cell in CELLS}
    return Side(seat, seat[0].upper(), starts_on, runs_to, _file(starts_on), _file(runs_to), ahead)


SIDES: Final[dict[Seat, Side]] = {
    side.seat: side
    for side in (
        _side("north", "row 5", "row 1", 0, -1),
        _side("east", "column e", "column a", -1, 0),
        _side("south", "row 1", "row 5", 0, 1),
        _side("west", "column a", "column e", 1, 0),
    )
}
SEATS: Final[tuple[Seat, ...]] = tuple(SIDES)
TEAM: Final[dict[str, Side]] = {side.initial: side for side in SIDES.values()}  # whose runner is "N1"? TEAM["N1"[0]]'s
