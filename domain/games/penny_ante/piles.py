"""How pennies and fortresses are drawn: dark's solid, light's hollow, every pile as high as it has pennies and with its number."""

from __future__ import annotations

from typing import Final, TypeAlias

from domain.games.penny_ante.chessboard import SEATS, SeatName
from domain.games.penny_ante.stacks import Stacks
from domain.picture import Look, element, letters, polygon

Point: TypeAlias = tuple[float, float]

SQUARE: Final = 66

# By how many stacks stand on a space: where their middles lie, how wide a penny is and how much height it adds, and the size of the numbers.
_LAID: Final[dict[int, tuple[tuple[Point, ...], float, float, float]]] = {
    1: (((0, 0),), 21, 2.6, 23),
    2: (((-16, 0), (16, 0)), 14.5, 2.6, 18),
    3: (((-16, -16), (16, -16), (0, 16)), 14.5, 1.3, 16),
    4: (((-16, -16), (16, -16), (-16, 16), (16, 16)), 14.5, 1.3, 16),
}
_FLAT: Final = 0.62  # a penny seen from above and in front: its height to its width


def stacks(look: Look, seat: SeatName, standing: Stacks, at: Point) -> str:
    """All stacks of an ordinary space."""
    places, radius, thick, size = _LAID[len(standing)]
    drawn = zip(places, standing, strict=True)
    return "".join(_pile(look, seat, number, (at[0] + x, at[1] + y), radius, thick, size) for (x, y), number in drawn)


def fortress(look: Look, seat: SeatName, guard: int, at: Point) -> str:
    """A tower with its guard on it, or with an open gate and a nought."""
    fill, stroke = _inks(look, seat)
    x, y = at
    half = [(27, 29), (27, 21), (23, 17), (23, -12), (26, -15), (26, -28), (16, -28), (16, -20), (5, -20), (5, -28)]
    outline = [*half, *((-right, down) for right, down in reversed(half))]
    tower = polygon([(x + right, y + down) for right, down in outline], fill=fill, stroke=stroke, stroke_width=2, stroke_linejoin="round")
    if not guard:
        return tower + letters("0", x, y + 2, 24, look, fill=stroke)
    return tower + _pile(look, seat, guard, (x, y + 3), 18, 1.6, 20)


def _inks(look: Look, seat: SeatName) -> tuple[str, str]:
    """Fill and line of a seat's pieces: the other way round for light, so that no colour is needed to tell them apart."""
    colour = look.seats[SEATS.index(seat)]
    return (colour, look.on_seat) if seat == "dark" else (look.on_seat, colour)


def _pile(look: Look, seat: SeatName, number: int, middle: Point, radius: float, thick: float, size: float) -> str:
    """Pennies one on another, seen from above and in front; the number lies on the uppermost."""
    fill, stroke = _inks(look, seat)
    x, high = middle[0], radius * _FLAT
    top, height = middle[1] - (number - 1) * thick / 2, (number - 1) * thick
    arc = f"a{radius:g} {high:g} 0 0 0 {2 * radius:g} 0"
    side = f"M{x - radius:g} {top:g}v{height:g}{arc}v{-height:g}z"
    edges = "".join(f"M{x - radius:g} {top + edge * thick:g}{arc}" for edge in range(1, number - 1))
    line = {"stroke": stroke, "stroke_width": 1.6 if radius > 15 else 1.2}
    return (
        element("path", d=side, fill=fill, **line)
        + (element("path", d=edges, fill="none", **{**line, "stroke_width": 0.7}) if edges else "")
        + element("ellipse", cx=f"{x:g}", cy=f"{top:g}", rx=f"{radius:g}", ry=f"{high:g}", fill=fill, **line)
        + letters(str(number), x, top, size, look, fill=stroke, font_weight="bold")
    )
