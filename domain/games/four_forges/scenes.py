"""The positions that the guide shows: how the stones lie, and the lines that are played there."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from domain.game import Record, Scene, Seat
from domain.games.four_forges.forges import AT, NONE, PLACE, SEATS, Stones
from domain.games.four_forges.reading import counts, read
from domain.games.four_forges.rules import apply, awaited, setup
from domain.games.four_forges.state import Action, Options, State

_DEALT: Final = """
    O1 -       O2 2b2s2g  O3 3b1s2g  O4 1b3s2g
    M1 2b1s3g  M2 1b4s1g  M3 -       M4 3b1s2g
    L1 1b2s3g  L2 3b2s1g  L3 2b2s2g  L4 -
    A1 2b3s1g  A2 -       A3 3b2s1g  A4 1b1s4g
"""
_LATER: Final = """
    O1 1g      O2 3s      O3 1b1s1g  O4 1b
    M1 2b      M2 3s1g    M3 -       M4 1b1s2g
    L1 1b2g    L2 1s      L3 2b2s    L4 2b1s
    A1 3s      A2 -       A3 1b1s1g  A4 2b1s1g
"""
_CHESTS: Final = ((2, 2, 4), (3, 1, 3), (2, 2, 4), (4, 2, 2))
_BAG: Final = (0, 0, 2)


class Telling(Record, frozen=True):
    """A position, what `turn` plays there, and who looks on."""

    position: State
    viewer: Seat
    lines: tuple[str, ...] = ()


def laid(stones: str, turn: Seat = "ochre", options: Options | None = None) -> State:
    """The position with these stones on the anvils (`O1 2b1g  O2 -`, anvils that are not named are empty) at the beginning of a turn."""
    names = stones.split()
    lies: dict[int, Stones] = {AT[name]: counts(said) or NONE for name, said in zip(names[::2], names[1::2], strict=True)}
    anvils = tuple(lies.get(at, NONE) for at in range(16))
    return replace(setup(options or Options(), SEATS), anvils=anvils, dealt=len(SEATS), turn=PLACE[turn])


def _later(turn: Seat, options: Options | None = None) -> State:
    return replace(laid(_LATER, turn, options), chests=_CHESTS, bag=_BAG, round=7)


TELLINGS: Final[dict[str, Telling]] = {
    "opening": Telling(laid(_DEALT), "ochre"),
    "move": Telling(laid(_DEALT), "malachite", ("O2>O1 black", "O2>O1 silver", "O2>O1 grey")),
    "smelt": Telling(_later("azurite"), "azurite", ("smelt A3", "break A4 black")),
    "trade": Telling(_later("lead", Options(trading=True)), "ochre", ("trade L4 2b for O4 1b",)),
}


def _scene(telling: Telling) -> Scene[State, Action]:
    s, last = telling.position, list[Action]()
    for line in telling.lines:
        last.append(read(s, line))
        s = apply(s, awaited(s)[0], last[-1])
    return Scene(s, telling.viewer, tuple(last))


SCENES: Final[dict[str, Scene[State, Action]]] = {name: _scene(telling) for name, telling in TELLINGS.items()}
