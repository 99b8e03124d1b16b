"""The things that lie on the board, as pictures: ore, ingots, coins, dwarves, points, and what sort of item a card is."""

from __future__ import annotations

from typing import Final, assert_never

from domain.games.steinnheimr.cards import ItemType
from domain.games.steinnheimr.goods import LEVEL, Resource
from domain.picture import Look, element, letters, polygon

METALS: Final = ("#b5aca3", "#e4ebf2", "#f2c14e", "#8fd6d2")  # iron, silver, gold and mithril are of their own colours, so no page chooses these
DARK: Final = "#1c1710"  # for what stands on them
SKIN: Final = "#f0d3ae"
BEARD: Final = "#f7f4ee"
CAP: Final = "#5b4a33"


def ore(look: Look, x: float, y: float, resource: Resource) -> str:
    """A lump with its resource's initial."""
    return _lump(x, y, resource) + _initial(look, x, y, resource)


def ingot(look: Look, x: float, y: float, resource: Resource) -> str:
    """A bar with its resource's initial."""
    outline = [(-13, 8), (-9, -8), (9, -8), (13, 8)]
    bar = polygon([(x + right, y + down) for right, down in outline], fill=METALS[LEVEL[resource]], stroke=DARK, stroke_width=1.5)
    return bar + _initial(look, x, y, resource)


def either(look: Look, x: float, y: float, resource: Resource) -> str:
    """A bar and a lump behind it: the resource, in whatever form."""
    return _lump(x - 4, y - 4, resource) + ingot(look, x + 3, y + 4, resource)


def coin(x: float, y: float) -> str:
    """A coin with a rim."""
    face = element("circle", cx=f"{x:g}", cy=f"{y:g}", r=12, fill=METALS[LEVEL["gold"]], stroke=DARK, stroke_width=1.5)
    return face + element("circle", cx=f"{x:g}", cy=f"{y:g}", r=9, fill="none", stroke=DARK, stroke_width=0.8)


def points(look: Look, x: float, y: float, number: int) -> str:
    """Points on a ribbon."""
    ribbon = polygon([(x - 17, y - 17), (x + 17, y - 17), (x + 17, y + 18), (x, y + 11), (x - 17, y + 18)], fill=look.ink)
    return ribbon + letters(str(number), x, y - 2, 19, look, fill=look.paper)


def dwarf(x: float, y: float) -> str:
    """Pointed cap, round face, long beard."""
    beard = element("path", d="M-13 1Q-12 18 0 25Q12 18 13 1Z", fill=BEARD)
    face = element("circle", cx=0, cy=-1, r=9, fill=SKIN)
    cap = element("path", d="M-13 -3Q-7 -9 0 -27Q7 -9 13 -3Q0 -9 -13 -3Z", fill=CAP)
    nose = element("circle", cx=0, cy=2, r=3.2, fill=SKIN)
    eyes = "".join(element("circle", cx=side, cy=-2.5, r=1.3, fill=DARK, stroke="none") for side in (-4, 4))
    outline = {"stroke": DARK, "stroke_width": 1.5, "stroke_linejoin": "round"}
    return element("g", beard, face, cap, eyes, nose, transform=f"translate({x:g} {y:g})", **outline)


def sort(look: Look, kind: ItemType) -> str:
    """Sword, shield, hammer or ring around the origin, about 22 wide."""
    line: dict[str, object] = {"fill": "none", "stroke": look.ink, "stroke_width": 2.6, "stroke_linecap": "round", "stroke_linejoin": "round"}
    match kind:
        case "weapon":
            return element("path", d="M-9 10L9 -9M-9 0L1 9", **line)
        case "armor":
            return element("path", d="M-9 -9H9V0Q8 7 0 11Q-8 7 -9 0Z", **line)
        case "tool":
            return element("rect", x=-9, y=-10, width=18, height=8, rx=1.5, fill=look.ink) + element("path", d="M0 -3V11", **line)
        case "jewelry":
            return polygon([(-6, -7), (0, -12), (6, -7), (0, -1)], fill=look.ink) + element("circle", cx=0, cy=5, r=6.5, **line)
        case _:
            assert_never(kind)


def house(look: Look) -> str:
    """A roof, and walls with a door, around the origin: a town card."""
    return element("path", d="M-12 -1L0 -12L12 -1ZM-8 0V10H-3V3H3V10H8V0Z", fill=look.ink)


# What they lie on


def card(look: Look, x: float, y: float, width: float, height: float, **attributes: object) -> str:
    """A rounded piece of board."""
    box: dict[str, object] = {"x": f"{x:g}", "y": f"{y:g}", "width": f"{width:g}", "height": f"{height:g}", "rx": 6}
    return element("rect", **{**box, "fill": look.board, **attributes})


def bracket(look: Look, x: float, y: float, width: float, height: float) -> str:
    """Corners around what the last actions touched."""
    arm = min(width, height) / 4
    path = "".join(
        f"M{x + right * width:g} {y + down * height + (1 - 2 * down) * arm:g}v{(2 * down - 1) * arm:g}h{(1 - 2 * right) * arm:g}"
        for right in (0, 1)
        for down in (0, 1)
    )
    return element("path", d=path, fill="none", stroke=look.mark, stroke_width=4)


def words(look: Look, said: str, x: float, y: float, size: float, **attributes: object) -> str:
    """Words from a point on."""
    return letters(said, x, y, size, look, text_anchor="start", **attributes)


def number(look: Look, count: int, x: float, y: float) -> str:
    """How many, beside a token."""
    return words(look, str(count), x, y, 18)


def _initial(look: Look, x: float, y: float, resource: Resource) -> str:
    return letters(resource[0].upper(), x, y + 0.5, 14, look, fill=DARK)


def _lump(x: float, y: float, resource: Resource) -> str:
    outline = [(-11, 3), (-8, -7), (-1, -11), (8, -8), (11, 1), (7, 10), (-5, 10)]
    return polygon([(x + right, y + down) for right, down in outline], fill=METALS[LEVEL[resource]], stroke=DARK, stroke_width=1.5)
