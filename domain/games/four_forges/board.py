"""The four forges as a picture: each a painted row of anvils, the viewer's own at the bottom, chests beside them."""

from __future__ import annotations

from typing import Final, TypeAlias, assert_never

from domain.game import Seat
from domain.games.four_forges.forges import ANVILS, AT, FORGEABLE, FORGES, PLACE, SEATS, SMELTABLE, Anvil, Stones
from domain.games.four_forges.notation import write
from domain.games.four_forges.rules import chance_due
from domain.games.four_forges.state import (
    AcceptTrade,
    Action,
    Break,
    DeclareEnd,
    DeclineTrade,
    EndTurn,
    Forge,
    Mine,
    Move,
    OfferTrade,
    Smelt,
    State,
    Trade,
)
from domain.games.four_forges.stones import heap, tally
from domain.games.four_forges.telling import headline
from domain.picture import Look, arrow, corners, element, letters, polygon, sheet

WIDTH: Final = 600
LEFT: Final = 122  # of the anvils; to the left of them is what belongs to the seat
ACROSS: Final = 117
DOWN: Final = 110
TOP: Final = 106
BOTTOM: Final = TOP + 4 * DOWN
EDGE: Final = 24  # how high the strips are that say where the ring closes

IRON: Final = (  # the outline of an anvil
    *((-40, -20), (-22, -24), (34, -24), (34, -14), (14, -4), (10, 6), (24, 18)),
    *((24, 24), (-24, 24), (-24, 18), (-10, 6), (-14, -4), (-26, -10)),
)

Rows: TypeAlias = tuple[int, ...]  # the seats from the top to the bottom


def svg(s: State, look: Look, seat: Seat | None, last: tuple[Action, ...]) -> str:
    """The position for `seat`, whose forge is at the bottom (azurite's is, where it is nobody's), with the last actions marked."""
    lowest = PLACE[seat or "azurite"]
    rows = tuple((lowest + down) % 4 for down in range(1, 5))
    title, doing = headline(s)
    below, height = _below(s, look)
    return sheet(
        WIDTH,
        height + (38 if last else 0),
        f"Four Forges. {title}: {doing}",
        look,
        letters(title, WIDTH / 2, 26, 26, look),
        letters(doing[0].upper() + doing[1:], WIDTH / 2, 57, 22, look, fill=look.mark),
        *(_anvil(s, look, at, rows) for at in range(16)),
        *(_side(s, look, place, rows, mine=SEATS[place] == seat) for place in range(4)),
        _beyond(look, rows[-1], TOP - EDGE - 3, up=True),
        _beyond(look, rows[0], BOTTOM + 3, up=False),
        *_due(s, look, rows),
        *(_brackets(look, *_corner(at, rows)) for at in _touched(s, last)),
        *_ways(look, rows, last),
        below,
        _last(look, last, height + 10),
    )


def _corner(at: Anvil, rows: Rows) -> tuple[float, float]:
    """An anvil's upper left corner."""
    return LEFT + at % 4 * ACROSS, TOP + rows.index(at // 4) * DOWN


def _middle(at: Anvil, rows: Rows) -> tuple[float, float]:
    x, y = _corner(at, rows)
    return x + ACROSS / 2, y + DOWN / 2


# The anvils


def _anvil(s: State, look: Look, at: Anvil, rows: Rows) -> str:
    """A square of the forge's colour with an anvil on it, and the stones; what can be made of them at once is said."""
    x, y = _corner(at, rows)
    box = {"x": f"{x:g}", "y": f"{y:g}", "width": ACROSS, "height": DOWN}
    stones = s.anvils[at]
    ready = "forge" if stones in FORGEABLE else "smelt" if stones == SMELTABLE else ""
    return (
        element("rect", **box, fill=look.board)
        + element("rect", **box, fill=look.seats[at // 4], fill_opacity="0.3", stroke=look.line)
        + _iron(x + ACROSS / 2, y + DOWN / 2 + 8, look)
        + (letters(ANVILS[at], x + 11, y + 17, 18, look, text_anchor="start") if look.labels else "")
        + (letters(ready, x + ACROSS - 11, y + 17, 18, look, text_anchor="end") if ready else "")
        + heap(stones, x + 22, y + 41, ACROSS - 22, look)
    )


def _iron(x: float, y: float, look: Look) -> str:
    """An anvil, faint, around a point."""
    return polygon([(x + right, y + down) for right, down in IRON], fill=look.line, fill_opacity="0.16")


def _beyond(look: Look, place: int, y: float, *, up: bool) -> str:
    """The ring of forges is cut open between the lowest row and the highest: what lies beyond either edge."""
    drawn = ""
    for number, at in enumerate(FORGES[place]):
        x = LEFT + number * ACROSS
        box = {"x": x + 1, "y": f"{y:g}", "width": ACROSS - 2, "height": EDGE}
        drawn += element(
            "rect", **box, fill=look.seats[place], fill_opacity="0.3", stroke=look.seats[place], stroke_width=1.5, stroke_dasharray="6 4"
        )
        drawn += letters(ANVILS[at], x + 11, y + EDGE / 2, 17, look, text_anchor="start") if look.labels else ""
    start, end = (y + EDGE - 2, y + 2) if up else (y + 2, y + EDGE - 2)
    name = letters(SEATS[place].capitalize(), 34, y + EDGE / 2, 17, look, text_anchor="start")
    return drawn + arrow((22, start), (22, end), 13, look.seats[place]) + name


# The seats


def _side(s: State, look: Look, place: int, rows: Rows, *, mine: bool) -> str:
    """A seat's name and what it has in its chest."""
    y = TOP + rows.index(place) * DOWN
    gone = place in s.vacated
    name = SEATS[place].capitalize()
    said = "(left)" if gone else "(you)" if mine else ""
    chest = s.chests[place]
    score = f"chest {sum(chest)}"
    return (
        element("rect", x=6, y=f"{y + 1:g}", width=LEFT - 8, height=DOWN - 2, rx=7, fill=look.seats[place])
        + letters(name, 14, y + 20, 20, look, fill=look.on_seat, text_anchor="start")
        + letters(said, 14, y + 42, 17, look, fill=look.on_seat, text_anchor="start")
        + letters(score, 14, y + 68, 20, look, fill=look.on_seat, text_anchor="start")
        + (tally(chest, 12, y + 91, 16 if sum(chest) < 30 else 13.5, look, look.on_seat)[0] if any(chest) else "")
        + _actions(s, look, place, y)
    )


def _actions(s: State, look: Look, place: int, y: float) -> str:
    """The actions that the seat on turn has left, full, and those that it has taken, hollow."""
    if s.turn != place or s.reason or chance_due(s):
        return ""
    pips = [(LEFT - 16 - 13 * number, number < s.actions_left) for number in range(s.options.actions_per_turn)]
    return "".join(
        element("circle", cx=x, cy=f"{y + 43:g}", r=5, fill=look.on_seat if left else "none", stroke=look.on_seat, stroke_width=1.5)
        for x, left in pips
    )


# What is due, and what has happened


def _due(s: State, look: Look, rows: Rows) -> list[str]:
    """A frame around the forge of whoever is to act; and the two anvils of a trade that is on offer."""
    if s.reason or chance_due(s):
        return []
    y = TOP + rows.index(s.trade.partner if s.trade else s.turn) * DOWN
    frame = element("rect", x=3, y=f"{y - 1:g}", width=LEFT + 4 * ACROSS, height=DOWN + 2, rx=8, fill="none", stroke=look.mark, stroke_width=5)
    return [frame, *(_dashed(look, at, rows) for at in ((s.trade.from_, s.trade.to) if s.trade else ()))]


def _dashed(look: Look, at: Anvil, rows: Rows) -> str:
    x, y = _corner(at, rows)
    box = {"x": f"{x + 6:g}", "y": f"{y + 6:g}", "width": ACROSS - 12, "height": DOWN - 12, "rx": 8}
    return element("rect", **box, fill="none", stroke=look.mark, stroke_width=4, stroke_dasharray="9 6")


def _touched(s: State, last: tuple[Action, ...]) -> list[Anvil]:
    """The anvils of the last actions."""

    def touched(action: Action) -> tuple[str, ...]:
        match action:
            case Move(start, to, _):
                return start, to
            case Forge(anvil) | Smelt(anvil) | Break(anvil, _) | Mine(anvil):
                return (anvil,)
            case OfferTrade(start, _, to, _):
                return () if s.trade else (start, to)
            case AcceptTrade() | DeclineTrade() | DeclareEnd() | EndTurn():
                return ()
            case _:
                assert_never(action)

    return sorted({AT[name] for action in last for name in touched(action)})


def _brackets(look: Look, x: float, y: float) -> str:
    """What marks an anvil, in its corners."""
    path = "".join(
        f"M{x + ACROSS / 2 + right * (ACROSS / 2 - 3):g} {y + DOWN / 2 + down * (DOWN / 2 - 18):g}v{15 * down}h{-15 * right}"
        for right in (-1, 1)
        for down in (-1, 1)
    )
    return element("path", d=path, fill="none", stroke=look.mark, stroke_width=4)


def _ways(look: Look, rows: Rows, last: tuple[Action, ...]) -> list[str]:
    """Arrows over the edges that stones were moved across."""
    return [_way(look, rows, *step) for step in dict.fromkeys((AT[move.from_], AT[move.to]) for move in last if isinstance(move, Move))]


def _way(look: Look, rows: Rows, start: Anvil, to: Anvil) -> str:
    (x1, y1), (x2, y2) = _middle(start, rows), _middle(to, rows)
    if abs(y2 - y1) > DOWN:  # out at one edge of the picture and in at the other
        out = -1 if y2 > y1 else 1
        return _over(look, x1, y1 + out * DOWN / 2, 0, out) + _over(look, x2, y2 - out * DOWN / 2, 0, out)
    return _over(look, (x1 + x2) / 2, (y1 + y2) / 2, (x2 - x1) / ACROSS, (y2 - y1) / DOWN)


def _over(look: Look, x: float, y: float, right: float, down: float) -> str:
    return arrow((x - 16 * right, y - 16 * down), (x + 16 * right, y + 16 * down), 17, look.mark)


# Below the forges


def _below(s: State, look: Look) -> tuple[str, float]:
    """The broken stones and the mine, a trade that is on offer; and where that ends on the sheet."""
    y = BOTTOM + EDGE + 28.0
    drawn = _sentence(("Broken:", s.bag), 14, y, look)
    if s.mine is not None:
        drawn += _sentence(("Mine:", s.mine), WIDTH / 2, y, look)
    if s.trade:
        y += 36
        drawn += _sentence(_offered(s.trade), 14, y, look)
    return drawn, y + 22


def _offered(trade: Trade) -> tuple[str | Stones, ...]:
    return ("Offered:", trade.give, f"from {ANVILS[trade.from_]} for", trade.take, f"from {ANVILS[trade.to]}")


def _sentence(parts: tuple[str | Stones, ...], x: float, y: float, look: Look) -> str:
    """Words and stones in a line; what breadth the words take is estimated, since the font is the page's."""
    drawn = ""
    for part in parts:
        if isinstance(part, str):
            drawn += letters(part, x, y, 20, look, text_anchor="start")
            x += 12 + sum(6 if letter in " .:ilfr" else 15 if letter in "mMOA" else 11 for letter in part)
        else:
            said, x = tally(part, x, y, 20, look, look.ink)
            drawn += said
    return drawn


def _last(look: Look, last: tuple[Action, ...], y: float) -> str:
    """The bracket that marks anvils above, and the last actions as they are written, the latest three at most."""
    if not last:
        return ""
    said = ("... " if len(last) > 3 else "") + ", ".join(map(write, last[-3:]))
    return corners(28, y, 24, look.mark) + letters(f"Last: {said}", 52, y, 20, look, text_anchor="start")
