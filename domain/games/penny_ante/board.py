"""The chessboard as a picture: turned for the seat that looks at it, stacks as piles, fortresses as towers, the last actions marked."""

from __future__ import annotations

from typing import Final, assert_never

from msgspec import UNSET

from domain.game import Seat
from domain.games.penny_ante.chessboard import COLOUR, COLUMNS, OTHER, ROWS, SPACES, SeatName, Space
from domain.games.penny_ante.notation import write
from domain.games.penny_ante.piles import SQUARE, Point, fortress, stacks
from domain.games.penny_ante.state import Action, Assault, Bombard, Capture, Fortify, FortressBombard, Place, Reinforce, State
from domain.games.penny_ante.telling import headline, holding, reserves
from domain.picture import Look, arrow, corners, element, letters, sheet

WIDTH: Final = 600
LEFT: Final = (WIDTH - 8 * SQUARE) / 2
TOP: Final = 126
BOTTOM: Final = TOP + 8 * SQUARE


def svg(s: State, look: Look, seat: Seat | None, last: tuple[Action, ...]) -> str:
    """The position for `seat`, whose half lies at the bottom (dark's does, where it is nobody's), with the last actions marked."""
    below: SeatName = "light" if seat == "light" else "dark"
    title, doing = headline(s)
    said = last[-2:]
    return sheet(
        WIDTH,
        BOTTOM + 118 + 30 * len(said),
        f"Penny Ante. {title}: {doing}",
        look,
        letters(title, WIDTH / 2, 26, 26, look),
        letters(doing[0].upper() + doing[1:], WIDTH / 2, 56, 22, look, fill=look.mark),
        *(_square(look, at, below) for at in SPACES),
        *(_coordinates(look, below) if look.labels else ()),
        *(corners(*_middle(at, below), SQUARE - 4, look.mark) for at in _touched(said)),
        *(_standing(s, look, at, below) for at in SPACES),
        *(_arrow(look, from_, to, below) for from_, to in _ways(said)),
        _side(s, look, OTHER[below], TOP - 40, mine=False),
        _side(s, look, below, BOTTOM + 52, mine=below == seat),
        letters(_capital(reserves(s)), WIDTH / 2, BOTTOM + 92, 18, look, fill=look.faint),
        *(_said(look, action, BOTTOM + 126 + 30 * line, first=line == 0) for line, action in enumerate(said)),
    )


# The board


def _middle(at: Space, below: SeatName) -> Point:
    """A space's centre."""
    column, row = COLUMNS.index(at[0]), ROWS.index(at[1])
    x, y = (column, 7 - row) if below == "dark" else (7 - column, row)
    return LEFT + (x + 0.5) * SQUARE, TOP + (y + 0.5) * SQUARE


def _square(look: Look, at: Space, below: SeatName) -> str:
    x, y = _middle(at, below)
    fill = look.board_dark if COLOUR[at] == "dark" else look.board
    corner = {"x": f"{x - SQUARE / 2:g}", "y": f"{y - SQUARE / 2:g}"}
    return element("rect", **corner, width=SQUARE, height=SQUARE, fill=fill, stroke=look.line)


def _coordinates(look: Look, below: SeatName) -> list[str]:
    """Columns below and above, rows on both sides."""
    return [
        *(letters(name, _middle(f"{name}1", below)[0], y, 18, look, fill=look.faint) for name in COLUMNS for y in (TOP - 14, BOTTOM + 15)),
        *(letters(name, x, _middle(f"a{name}", below)[1], 18, look, fill=look.faint) for name in ROWS for x in (LEFT - 18, WIDTH - LEFT + 18)),
    ]


def _standing(s: State, look: Look, at: Space, below: SeatName) -> str:
    """What stands on a space, if anything does."""
    standing, middle, seat = s.pennies.get(at, ()), _middle(at, below), COLOUR[at]
    if at in s.fortresses:
        return fortress(look, seat, sum(standing), middle)
    return stacks(look, seat, standing, middle) if standing else ""


# Around the board


def _side(s: State, look: Look, seat: SeatName, y: float, *, mine: bool) -> str:
    """A penny of the seat's, its name and what it holds."""
    words = f"{_capital(seat)}{' (you)' if mine else ''}: {holding(s, seat)}"
    wide = len(words) * 9.6 + 34  # about as wide as the letters are, so that the penny stands before them
    x = (WIDTH - wide) / 2
    return stacks(look, seat, (1,), (x, y)) + letters(words, x + 34, y, 20, look, text_anchor="start")


def _capital(words: str) -> str:
    return words[0].upper() + words[1:]


# The last actions


def _touched(last: tuple[Action, ...]) -> list[Space]:
    """The spaces that the last actions named."""
    touched: set[Space] = set()
    for action in last:
        match action:
            case Place(at) | Fortify(at) | Reinforce(at):
                touched |= {at}
            case Bombard(from_, _, to, _, target) | FortressBombard(from_, _, to, target) | Assault(from_, _, to, target):
                touched |= {from_, to} if target is UNSET else {from_, to, target}
            case Capture(from_, _, to, taken, put):
                touched |= {from_, to, taken, put}
            case _:
                assert_never(action)
    return sorted(touched)


def _ways(last: tuple[Action, ...]) -> list[tuple[Space, Space]]:
    """From where to where something moved, or struck; a captured fortress is lifted."""
    ways: list[tuple[Space, Space]] = []
    for action in last:
        match action:
            case Bombard(from_, _, to, _, target) | FortressBombard(from_, _, to, target) | Assault(from_, _, to, target):
                ways += [(from_, to)] if target is UNSET else [(from_, to), (to, target)]
            case Capture(from_, _, to):
                ways += [(from_, to)]
            case _:
                continue
    return ways


def _arrow(look: Look, from_: Space, to: Space, below: SeatName) -> str:
    (x1, y1), (x2, y2) = _middle(from_, below), _middle(to, below)
    return arrow((x1 + 0.3 * (x2 - x1), y1 + 0.3 * (y2 - y1)), (x1 + 0.7 * (x2 - x1), y1 + 0.7 * (y2 - y1)), 14, look.mark)


def _said(look: Look, action: Action, y: float, *, first: bool) -> str:
    """One of the last actions as it is written; the first line begins with the bracket that marks spaces above."""
    mark = corners(28, y, 24, look.mark) if first else ""
    return mark + letters(f"Last: {write(action)}" if first else f"then {write(action)}", 52, y, 20, look, text_anchor="start")
