"""The positions that the guide shows, each as the lines of play that lead to it."""

from __future__ import annotations

from typing import Any, Final

from domain.game import Scene
from domain.games.steinnheimr.notation import read
from domain.games.steinnheimr.rules import apply, apply_chance, setup
from domain.games.steinnheimr.state import SEATS, Action, BonusInPlay, FirstPlayer, ItemShown, Options, State, TownShown, UpgradeShown

_START: Final = (
    *("* red begins", "* bonus-3 in play", "* bonus-8 in play"),
    *("* item-02 shown", "* item-36 shown", "* item-27 shown", "* item-44 shown"),
    *("* town-01 shown", "* town-13 shown", "* town-17 shown"),
    *("* upgrade-16 shown", "* upgrade-05 shown", "* upgrade-23 shown"),
)
_TURN: Final = (
    *_START,
    *("place iron, mine", "remove furnace, refine 3 iron"),
    *("place town, work", "remove silver, mine"),
    "place anvil, craft item-02",
    "* item-15 shown",
)
LINES: Final[dict[str, tuple[str, ...]]] = {"start": _START, "turn": _TURN}
_SHOWN: Final[dict[str, Any]] = {"item": ItemShown, "town": TownShown, "upgrade": UpgradeShown}


def after(*lines: str) -> State:
    """The position of two players after these lines, from the set-up on."""
    s = setup(Options(), SEATS[:2])
    for line in lines:
        match line.split():
            case ["*", seat, "begins"]:
                s = apply_chance(s, FirstPlayer(seat))  # type: ignore[arg-type]  # one of the SeatNames
            case ["*", card, "in", "play"]:
                s = apply_chance(s, BonusInPlay(card))
            case ["*", card, "shown"]:
                s = apply_chance(s, _SHOWN[s.due[0].deck](card, s.due[0].slot))
            case _:
                s = apply(s, s.seats[s.turn], read(s, line))
    return s


def _scene(name: str) -> Scene[State, Action]:
    """For whoever is on turn, with the last two actions marked."""
    lines = LINES[name]
    acted = [at for at, line in enumerate(lines) if not line.startswith("* ")][-2:]
    s = after(*lines)
    return Scene(s, s.seats[s.turn], tuple(read(after(*lines[:at]), lines[at]) for at in acted))


SCENES: Final[dict[str, Scene[State, Action]]] = {name: _scene(name) for name in LINES}
