"""A position in words: what is going on, the board in letters that are all of one width, and what stands where as lists."""

from __future__ import annotations

from typing import Final

from domain.games.penny_ante.chessboard import COLOUR, COLUMNS, OWN, ROWS, SEATS, SeatName, Space
from domain.games.penny_ante.listing import kinds, placeable
from domain.games.penny_ante.notation import write
from domain.games.penny_ante.phrases import joined
from domain.games.penny_ante.rules import held
from domain.games.penny_ante.state import PLACED, State, out_of_play, phase

# Full-width forms are as wide as each other in every font that has them, proportional ones included.
_WIDE: Final = {ord(narrow): ord(narrow) + 0xFEE0 for narrow in "0123456789abcdefghDL*-"} | {ord(" "): 0x3000, ord("."): 0x30FB}
_KEY: Final = "D dark, L light, with the pennies on each space; * is a fortress with its guard; - and ・ are empty dark and light spaces."


def headline(s: State) -> tuple[str, str]:
    """How far the match is, and what happens now."""
    match phase(s):
        case "placement":
            return f"Placement: {s.ply} of {2 * PLACED} pennies placed", f"{s.turn} places a penny"
        case "play":
            return f"Ply {s.ply}", f"{s.turn} is to move"
        case "over":
            return f"Over at ply {s.ply}", _ending(s)


def text(s: State) -> str:
    """The board for a mail: row 8 above, column a on the left, then the position as lists."""
    title, doing = headline(s)
    return "\n".join(
        [f"{title}{';' if ':' in title else ':'} {doing}.", "", *_board(s), "", _KEY, "", *(_side(s, seat) for seat in SEATS), "", *_state(s)]
    )


def holding(s: State, seat: SeatName) -> str:
    """`2 fortresses, 31 pennies`."""
    pennies = sum(sum(stacks) for at, stacks in s.pennies.items() if COLOUR[at] == seat)
    fortresses = held(s.fortresses, seat)
    return f"{fortresses} {'fortress' if fortresses == 1 else 'fortresses'}, {pennies} {'penny' if pennies == 1 else 'pennies'}"


def reserves(s: State) -> str:
    """What is not on the board, and how near a draw is."""
    hands = "".join(f", {seat} has {number} to place" for seat, number in zip(SEATS, s.to_place, strict=True) if number)
    gone = f", {out} out of play" if (out := out_of_play(s)) else ""
    limit = s.options.no_progress_limit
    idle = f", {s.idle}{f' of {limit}' if limit else ''} plies without progress" if s.idle else ""
    return f"{s.pool} in the pool{hands}{gone}{idle}"


def _ending(s: State) -> str:
    match s.reason:
        case "fortresses":
            return f"{next(seat for seat in SEATS if held(s.fortresses, seat))} wins with all four fortresses"
        case "no-progress":
            return f"drawn after {s.idle} plies without progress"
        case "ply-limit":
            return f"drawn at the limit of {s.options.max_plies} plies"
        case "agreement":
            return "a draw was agreed"
        case _:
            return "it was ended as it stands"


def _board(s: State) -> list[str]:
    def line(edge: str, cells: list[str]) -> str:
        return f"{edge} {''.join(cell.ljust(4) for cell in cells)}{edge}".translate(_WIDE)

    letters = line(" ", list(COLUMNS)).rstrip("\u3000")
    return [letters, *(line(row, [_cell(s, column + row) for column in COLUMNS]) for row in reversed(ROWS)), letters]


def _cell(s: State, at: Space) -> str:
    """At most four letters, so that the board keeps its width."""
    pennies, letter = sum(s.pennies.get(at, ())), COLOUR[at][0].upper()
    if at in s.fortresses:
        return f"{letter}*{pennies or ''}"
    return f"{letter}{pennies}" if pennies else "-" if COLOUR[at] == "dark" else "."


def _side(s: State, seat: SeatName) -> str:
    places = [f"{at} {_standing(s, at)}" for at in OWN[seat] if at in s.fortresses or at in s.pennies]
    return f"{seat.capitalize()} ({holding(s, seat)}): {', '.join(places) or 'nothing'}"


def _standing(s: State, at: Space) -> str:
    stacks = s.pennies.get(at, ())
    if at in s.fortresses:
        return f"fortress with a guard of {stacks[0]}" if stacks else "fortress without a guard"
    return joined(stacks)


def _state(s: State) -> list[str]:
    lists = [f"Pennies: {reserves(s)}."]
    if phase(s) == "placement":
        lists.append(f"Now {s.turn} places a penny on {', '.join(placeable(s, s.turn))}")
    elif phase(s) == "play":
        examples = [write(action) for kind in kinds(s, s.turn).values() if (action := next(kind, None))]
        lists.append(f"Now {s.turn}, for example: {'; '.join(examples)}")
    return lists
