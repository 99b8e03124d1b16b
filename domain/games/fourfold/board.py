"""The court as a picture: turned for the seat that looks at it, runners pointing where they run, the order of movement below."""

from __future__ import annotations

from math import hypot
from typing import Final, TypeAlias, assert_never

from domain.game import Seat
from domain.games.fourfold.court import CELLS, COLUMNS, ROWS, SEATS, SIDES, TEAM, Cell, Side
from domain.games.fourfold.notation import write
from domain.games.fourfold.rules import possible
from domain.games.fourfold.state import Action, Advance, Deploy, Pass, Runner, State
from domain.games.fourfold.telling import counted, headline
from domain.picture import Look, arrow, corners, element, letters, polygon, sheet

Point: TypeAlias = tuple[float, float]

WIDTH: Final = 600
SQUARE: Final = 76
LEFT: Final = 110
RIGHT: Final = LEFT + 5 * SQUARE
TOP: Final = 140
BOTTOM: Final = TOP + 5 * SQUARE
MIDDLE: Final = (WIDTH / 2, (TOP + BOTTOM) / 2)

ROUND: Final = ("west", "south", "east", "north")  # how the sides lie around the court, from the left counter-clockwise
AHEAD: Final = (90, 0, 270, 180)  # where a team runs that starts on the left, at the bottom, …, in degrees clockwise from up
NAMED: Final[dict[int, Point]] = {
    0: (0, 7),
    90: (-2, 0),
    180: (0, -7),
    270: (2, 0),
}  # where a runner's name stands, from its middle, by where it runs


def svg(s: State, look: Look, seat: Seat | None, last: tuple[Action, ...]) -> str:
    """The position for `seat`, which starts at the bottom (south does, where it is nobody's), with the last actions marked."""
    turns = (1 - ROUND.index(seat or "south")) % 4
    title, doing = headline(s)
    order, height = _order(s, look)
    return sheet(
        WIDTH,
        height + (34 if last else 0),
        f"Fourfold. {title}: {doing}",
        look,
        letters(title, WIDTH / 2, 26, 26, look),
        letters(doing[0].upper() + doing[1:], WIDTH / 2, 56, 22, look, fill=look.mark),
        *(_square(look, cell, turns) for cell in CELLS),
        *(_coordinates(look, turns) if look.labels else ()),
        *(_side(s, look, side, turns, mine=side.seat == seat) for side in SIDES.values()),
        *(corners(*_middle(cell, turns), SQUARE - 8, look.mark) for cell in _touched(s, last)),
        *(_runner(look, runner, _middle(cell, turns), turns) for runner, cell in zip(s.order, s.cells, strict=True)),
        *_due(s, look, turns),
        order,
        _last(look, last, height + 8),
    )


# Where things lie when the court is turned so many quarters, each bringing the left side to the bottom


def _middle(cell: Cell, turns: int) -> Point:
    """A cell's centre."""
    x, y = COLUMNS.index(cell[0]), 4 - ROWS.index(cell[1])
    for _ in range(turns):
        x, y = y, 4 - x
    return LEFT + (x + 0.5) * SQUARE, TOP + (y + 0.5) * SQUARE


def _lies(seat: Seat, turns: int) -> int:
    """The place in ROUND's order where a team starts."""
    return (ROUND.index(seat) + turns) % 4


def _colour(look: Look, seat: Seat) -> str:
    return look.seats[SEATS.index(seat)]


# The court and its four sides


def _square(look: Look, cell: Cell, turns: int) -> str:
    x, y = _middle(cell, turns)
    dark = (COLUMNS.index(cell[0]) + ROWS.index(cell[1])) % 2
    return element(
        "rect",
        x=f"{x - SQUARE / 2:g}",
        y=f"{y - SQUARE / 2:g}",
        width=SQUARE,
        height=SQUARE,
        fill=look.board_dark if dark else look.board,
        stroke=look.line,
    )


def _coordinates(look: Look, turns: int) -> list[str]:
    """Columns and rows, each named on both of its ends."""
    upright = turns % 2 == 0
    across, down = (COLUMNS, ROWS) if upright else (ROWS, COLUMNS)
    at = {name: _middle(name + "1" if name in COLUMNS else "a" + name, turns) for name in COLUMNS + ROWS}
    return [
        *(letters(name, at[name][0], y, 20, look, fill=look.faint) for name in across for y in (TOP - 21, BOTTOM + 21)),
        *(letters(name, x, at[name][1], 20, look, fill=look.faint) for name in down for x in (LEFT - 21, RIGHT + 21)),
    ]


def _side(s: State, look: Look, side: Side, turns: int, *, mine: bool) -> str:
    """A team's bar along its starting file, its name, the way it runs and its goals."""
    lies, colour = _lies(side.seat, turns), _colour(look, side.seat)
    x, y = MIDDLE
    bar = element("rect", x=LEFT, y=BOTTOM, width=RIGHT - LEFT, height=9, fill=colour, transform=f"rotate({AHEAD[lies]} {x:g} {y:g})")
    name = side.seat.capitalize() + (" (you)" if mine else "")
    made, (needed, word) = s.goals[SEATS.index(side.seat)], counted(s.options.goals_to_win).split()
    if lies in (1, 3):
        y, up = (BOTTOM + 48, 1) if lies == 1 else (TOP - 46, -1)
        return (
            bar
            + letters(name, x - 24, y, 22, look, fill=colour, text_anchor="end")
            + arrow((x, y + up * 13), (x, y - up * 13), 15, colour)
            + letters(f"{made} of {needed} {word}", x + 24, y, 22, look, fill=colour, text_anchor="start")
        )
    x, right = (40, 1) if lies == 0 else (WIDTH - 40, -1)
    return (
        bar
        + letters(name, x, y - 48, 22, look, fill=colour)
        + arrow((x - right * 22, y - 18), (x + right * 22, y - 18), 15, colour)
        + letters(f"{made} of {needed}", x, y + 14, 22, look, fill=colour)
        + letters(word, x, y + 40, 22, look, fill=colour)
    )


# The runners, and what is asked


def _pentagon(at: Point, ahead: int, **attributes: object) -> str:
    """The shape of a runner: its tip shows where it runs."""
    x, y = at
    outline = [(x, y - 33), (x + 25, y - 8), (x + 25, y + 27), (x - 25, y + 27), (x - 25, y - 8)]
    return polygon(outline, transform=f"rotate({ahead} {x:g} {y:g})", **attributes)


def _runner(look: Look, runner: Runner, at: Point, turns: int) -> str:
    seat = TEAM[runner[0]].seat
    ahead = AHEAD[_lies(seat, turns)]
    right, down = NAMED[ahead]
    size = {2: 25, 3: 20}.get(len(runner), 16)
    shape = _pentagon(at, ahead, fill=_colour(look, seat), stroke=look.paper, stroke_width=2)
    return shape + letters(runner, at[0] + right, at[1] + down, size, look, fill=look.on_seat)


def _due(s: State, look: Look, turns: int) -> list[str]:
    """A ring around the runner that is due and arrows to where it can go; where a team deploys, runners to be."""
    if s.due is None:
        return []
    cells = [_middle(cell, turns) for cell in possible(s)]
    if s.due.runner is None:
        dashes = {"fill": "none", "stroke": look.mark, "stroke_width": 3, "stroke_dasharray": "7 5"}
        return [_pentagon(at, AHEAD[_lies(s.due.seat, turns)], **dashes) for at in cells]
    x, y = _middle(s.cells[s.order.index(s.due.runner)], turns)
    ring = element("circle", cx=f"{x:g}", cy=f"{y:g}", r=35, fill="none", stroke=look.mark, stroke_width=4)
    return [ring, *(_way((x, y), at, look) for at in cells)]


def _way(start: Point, end: Point, look: Look) -> str:
    """An arrow from the ring of the runner to a small ring in the cell where it can go."""
    (x1, y1), (x2, y2) = start, end
    length = hypot(x2 - x1, y2 - y1)
    east, south = (x2 - x1) / length, (y2 - y1) / length
    there = element("circle", cx=f"{x2:g}", cy=f"{y2:g}", r=9, fill="none", stroke=look.mark, stroke_width=4)
    return there + arrow((x1 + 37 * east, y1 + 37 * south), (x2 - 13 * east, y2 - 13 * south), 16, look.mark)


# Below the court


def _order(s: State, look: Look) -> tuple[str, float]:
    """Rows of chips by order of appearance, those first that are still to move in this turn; and where they end on the sheet."""
    due = s.due.runner if s.due else None
    to_move = tuple(runner for runner in s.order if runner == due or runner in s.waiting)
    groups = {"To move": to_move, "Moved": tuple(runner for runner in s.order if runner not in to_move)} if s.phase == "play" else {"Order": s.order}
    drawn, y = "", BOTTOM + 96.0
    for name, runners in groups.items():
        for first in range(0, len(runners), 8):
            if first == 0:
                drawn += letters(name, 16, y, 22, look, text_anchor="start")
            for place, runner in enumerate(runners[first : first + 8]):
                drawn += _chip(look, runner, (112 + 60 * place, y), solid=name != "Moved", due=runner == due)
            y += 42
    return drawn, y


def _chip(look: Look, runner: Runner, at: Point, *, solid: bool, due: bool) -> str:
    x, y = at
    colour = _colour(look, TEAM[runner[0]].seat)
    box = {"x": f"{x:g}", "y": f"{y - 16:g}", "width": 54, "height": 32, "rx": 6}
    ring = element("rect", **{**box, "x": f"{x - 4:g}", "y": f"{y - 20:g}", "width": 62, "height": 40, "rx": 9}, fill=look.mark) if due else ""
    return (
        ring
        + element("rect", **box, fill=colour if solid else look.paper, stroke=look.paper if due else colour, stroke_width=2)
        + letters(runner, x + 27, y, 20, look, fill=look.on_seat if solid else colour)
    )


def _touched(s: State, last: tuple[Action, ...]) -> list[Cell]:
    """The cells of the last actions: where a runner has been deployed, where it stands now, or where it scored."""
    stands = dict(zip(s.order, s.cells, strict=True))

    def touched(action: Action) -> Cell | None:
        match action:
            case Deploy(at):
                return at
            case Advance(runner, to):
                return stands.get(runner, to)
            case Pass(runner):
                return stands.get(runner)
            case _:
                assert_never(action)

    return sorted({cell for action in last if (cell := touched(action))})


def _said(action: Action) -> str:
    goal = isinstance(action, Advance) and action.to in TEAM[action.runner[0]].destination
    return f"{write(action)} (goal)" if goal else write(action)


def _last(look: Look, last: tuple[Action, ...], y: float) -> str:
    """The bracket that marks cells above, and the last actions as they are written, the latest three at most."""
    if not last:
        return ""
    said = ("... " if len(last) > 3 else "") + ", ".join(map(_said, last[-3:]))
    return corners(28, y, 24, look.mark) + letters(f"Last: {said}", 52, y, 22, look, text_anchor="start")
