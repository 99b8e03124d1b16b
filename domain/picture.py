"""What a board needs to be drawn: the colours and font it is given, and the few SVG words every game uses."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from math import hypot
from typing import Final
from unicodedata import normalize

import msgspec


class Paint(msgspec.Struct, frozen=True):
    """The colour of a seat: on `light` grounds, where white letters stand on it, and on `dark` ones, where dark letters do (each 4.5:1 at least)."""

    light: str
    dark: str


# What seats are painted in that are not called by their colours.
BY_PLACE: Final = (Paint("#1d4ed8", "#86abff"), Paint("#b91c1c", "#ff8f84"), Paint("#047857", "#5ecf9e"), Paint("#7e22ce", "#d2a4ff"))


class Look(msgspec.Struct, frozen=True):
    """Colours and font of a picture; the games name the parts, whoever shows the picture says how they look."""

    paper: str = "#ffffff"
    board: str = "#f3ead8"
    board_dark: str = "#d9c6a0"
    line: str = "#5b4a33"
    ink: str = "#1c1710"
    faint: str = "#7a6a52"
    mark: str = "#c2410c"  # the last move and what is due
    seats: tuple[str, ...] = tuple(paint.light for paint in BY_PLACE)  # fill of a seat's pieces, in seat order
    on_seat: str = "#ffffff"  # letters on them
    font: str = "Aileron, DejaVu Sans, Arial, sans-serif"
    labels: bool = True  # coordinates; without them a picture must differ, which the tests use


def element(tag: str, *children: str, **attributes: object) -> str:
    """One SVG element; `_` in an attribute's name stands for `-`, and a trailing one is dropped (`class_`)."""
    said = "".join(f' {name.rstrip("_").replace("_", "-")}="{escape(str(value))}"' for name, value in attributes.items())
    return f"<{tag}{said}>{''.join(children)}</{tag}>" if children else f"<{tag}{said}/>"


def letters(text: str, x: float, y: float, size: float, look: Look, **attributes: object) -> str:
    """Words centred on a point."""
    style: dict[str, object] = {"fill": look.ink, "text_anchor": "middle", "dominant_baseline": "central", **attributes}
    return element("text", escape(text), x=f"{x:g}", y=f"{y:g}", font_size=f"{size:g}", font_family=look.font, **style)


def polygon(points: Iterable[tuple[float, float]], **attributes: object) -> str:
    """A closed shape through these points."""
    return element("polygon", points=" ".join(f"{x:g},{y:g}" for x, y in points), **attributes)


def arrow(start: tuple[float, float], end: tuple[float, float], size: float, colour: str) -> str:
    """A line from start to end with a head `size` wide at the end."""
    (x1, y1), (x2, y2) = start, end
    length = hypot(x2 - x1, y2 - y1)
    east, south = (x2 - x1) / length, (y2 - y1) / length
    neck_x, neck_y = x2 - east * size, y2 - south * size
    line = element("line", x1=f"{x1:g}", y1=f"{y1:g}", x2=f"{neck_x:g}", y2=f"{neck_y:g}", stroke=colour, stroke_width=f"{size / 3:g}")
    half = size / 1.6
    head = [(x2, y2), (neck_x - south * half, neck_y + east * half), (neck_x + south * half, neck_y - east * half)]
    return line + polygon(head, fill=colour)


def corners(x: float, y: float, side: float, colour: str) -> str:
    """Four brackets around a square centred on a point: what the last action touched."""
    half, arm = side / 2, side / 4
    path = "".join(f"M{x + right * half:g} {y + down * (half - arm):g}v{down * arm:g}h{-right * arm:g}" for right in (-1, 1) for down in (-1, 1))
    return element("path", d=path, fill="none", stroke=colour, stroke_width=f"{max(side / 16, 2):g}")


def sheet(width: float, height: float, title: str, look: Look, *children: str) -> str:
    """A whole picture on opaque paper, with its title for those who cannot see it."""
    return element(
        "svg",
        element("title", escape(title)),
        element("rect", width=f"{width:g}", height=f"{height:g}", fill=look.paper),
        *children,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width:g} {height:g}",
        role="img",
    )


def narrow(text: str) -> str:
    """A board of full-width letters, which keep their columns in any font, in plain ones, for where the font is ours and has one width."""
    return normalize("NFKC", text).replace("\u30fb", ".")
