"""Stones as pictures: told apart by shape and letter as well as by colour, in rows that can be counted at a glance."""

from __future__ import annotations

from typing import Final

from domain.games.four_forges.forges import COLOURS, NONE, Stones
from domain.picture import Look, element, letters, polygon

SIZE: Final = 22  # how high a stone on an anvil is
ROW: Final = 6  # stones drawn side by side; of more only the number is said

# What the stones are called is how they look, whatever the colours of the page; an edge of the other brightness keeps them clear of any ground.
_FILL: Final = ("#1b1b1f", "#f2f4f7", "#858c94")
_EDGE: Final = ("#f4efe4", "#4d5863", "#2d3238")
_LETTER: Final = ("#ffffff", "#2d3238", "#ffffff")


def stone(colour: int, x: float, y: float, size: float, look: Look) -> str:
    """One stone: black is round, silver a diamond, grey a square; in large ones stands the colour's letter."""
    half, looks = size / 2, {"fill": _FILL[colour], "stroke": _EDGE[colour], "stroke_width": f"{max(size / 12, 1.2):g}"}
    if colour == 0:
        shape = element("circle", cx=f"{x:g}", cy=f"{y:g}", r=f"{half:g}", **looks)
    elif colour == 1:
        tip = half * 1.18
        shape = polygon([(x, y - tip), (x + tip, y), (x, y + tip), (x - tip, y)], **looks)
    else:
        side = half * 0.9
        box = {"x": f"{x - side:g}", "y": f"{y - side:g}", "width": f"{2 * side:g}", "height": f"{2 * side:g}", "rx": f"{size / 8:g}"}
        shape = element("rect", **box, **looks)
    return shape + (letters(COLOURS[colour][0], x, y, size * 0.64, look, fill=_LETTER[colour]) if size >= SIZE else "")


def heap(stones: Stones, x: float, y: float, width: float, look: Look) -> str:
    """The stones on an anvil, a row for each colour, from the left and from above; silver always in the middle row."""
    return "".join(_row(colour, count, x, y + colour * (SIZE + 5), width, look) for colour, count in enumerate(stones) if count)


def _row(colour: int, count: int, x: float, y: float, width: float, look: Look) -> str:
    if count > ROW:
        return stone(colour, x, y, SIZE, look) + letters(f"x {count}", x + SIZE * 0.9, y, 20, look, text_anchor="start")
    step = min(SIZE + 2, (width - SIZE) / max(count - 1, 1))
    return "".join(stone(colour, x + place * step, y, SIZE, look) for place in range(count))


def tally(stones: Stones, x: float, y: float, size: float, look: Look, fill: str) -> tuple[str, float]:
    """Small stones with their numbers, in a line that begins at `x`; and where it ends."""
    drawn = ""
    for colour, count in enumerate(stones):
        if count:
            said = str(count)
            drawn += stone(colour, x + size * 0.4, y, size * 0.78, look) + letters(
                said, x + size * 0.9, y, size, look, fill=fill, text_anchor="start"
            )
            x += size * (1.2 + 0.56 * len(said))
    return (drawn, x) if stones != NONE else (letters("none", x, y, size, look, fill=fill, text_anchor="start"), x + size * 2.2)
