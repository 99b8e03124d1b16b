"""Positions of Four Forges laid out by hand, and lines played in them."""

from typing import Any

from msgspec.structs import replace

from domain.game import Seat
from domain.games.four_forges import GAME
from domain.games.four_forges.forges import AT, NONE, PLACE, SEATS
from domain.games.four_forges.notation import write
from domain.games.four_forges.reading import counts, read
from domain.games.four_forges.state import Deal, Dig, Options, Outcome, State, amount

FULL = """
    O1 -       O2 2b2s2g  O3 3b1s2g  O4 1b3s2g
    M1 2b1s3g  M2 1b4s1g  M3 -       M4 3b1s2g
    L1 1b2s3g  L2 3b2s1g  L3 2b2s2g  L4 -
    A1 2b3s1g  A2 -       A3 3b2s1g  A4 1b1s4g
"""


def position(stones: str, turn: Seat = "ochre", options: Options | None = None, **more: Any) -> State:
    """These stones on the anvils (`O1 2b1g M2 1s`, the others are empty), at the beginning of a turn unless `more` says otherwise."""
    names = stones.split()
    lies = {AT[name]: counts(said) or NONE for name, said in zip(names[::2], names[1::2], strict=True)}
    start = GAME.setup(options or Options(), GAME.seats)
    anvils = tuple(lies.get(at, NONE) for at in range(16))
    return replace(start, anvils=anvils, dealt=4, turn=PLACE[turn], **more)


def mined(stones: str, turn: Seat = "ochre", mine: tuple[int, int, int] = (2, 2, 2), **more: Any) -> State:
    """A position with a mine."""
    return position(stones, turn, Options(mining=True), mine=mine, **more)


def lot(line: str) -> Outcome:
    """A chance outcome from its line."""
    _, kind, name, *rest = line.split()
    if kind == "mine":
        return Dig(name, amount(counts(rest[0]) or NONE))  # type: ignore[arg-type]
    return Deal(name, {anvil: amount(counts(said) or NONE) for anvil, said in zip(rest[::2], rest[1::2], strict=True)})  # type: ignore[arg-type, misc]


def play(s: State, *lines: str) -> State:
    """The position after these lines, several actions with `;`, and lots; each must be what could happen."""
    for line in (part.strip() for whole in lines for part in whole.split(";")):
        if line.startswith("* "):
            assert GAME.chance_due(s), f"no lot is due: {line}"
            assert GAME.tell(lot(line)) == line
            s = GAME.apply_chance(s, lot(line))
        else:
            (seat,) = GAME.awaited(s)
            action = read(s, line)
            assert GAME.objection(s, seat, action) is None, GAME.objection(s, seat, action)
            s = GAME.apply(s, seat, action)
    return s


def legal(s: State) -> list[str]:
    """The lines that can be played, in their order."""
    return [write(action) for seat in GAME.awaited(s) for action in GAME.legal(s, seat)]


def refused(s: State, line: str, seat: Seat | None = None) -> str:
    """The words with which an action of whoever is to act, or of `seat`, is refused."""
    words = GAME.objection(s, seat or GAME.awaited(s)[0], read(s, line))
    assert words, f"{line} is legal"
    return words


def lies(s: State, *names: str) -> str:
    """What lies on the anvils, as it is written."""
    return " ".join(
        f"{name} {''.join(f'{count}{colour}' for count, colour in zip(s.anvils[AT[name]], 'bsg', strict=True) if count) or '-'}" for name in names
    )


def chest(s: State, seat: Seat) -> tuple[int, int, int]:
    """The stones in a chest: black, silver, grey."""
    return s.chests[PLACE[seat]]


def ended(s: State) -> str | None:
    """Why it is over, if it is."""
    result = GAME.result(s)
    return result.reason if result else None


def whole_round(s: State, *turns: str) -> State:
    """The position after these turns, one of each seat; `-` stands for three actions that come to nothing."""
    for turn in turns:
        s = play(s, idle(s) if turn == "-" else turn)
    return s


def idle(s: State) -> str:
    """A stone of the seat on turn goes to and fro between two of its anvils; with three actions it ends beside where it was."""
    forge = [name for name in AT if name[0] == SEATS[s.turn][0].upper()]
    start = next(name for name in forge if s.anvils[AT[name]] != NONE)
    colour = next(colour for colour, count in zip(("black", "silver", "grey"), s.anvils[AT[start]], strict=True) if count)
    beside = forge[1] if start == forge[0] else forge[forge.index(start) - 1]
    steps = [f"{start}>{beside} {colour}", f"{beside}>{start} {colour}"] * 2
    return "; ".join(steps[: s.options.actions_per_turn])
