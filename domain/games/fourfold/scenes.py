"""The positions that the guide shows, each as the lines of play that lead to it."""

from __future__ import annotations

from typing import Final

from domain.game import Scene
from domain.games.fourfold.notation import read
from domain.games.fourfold.rules import apply, apply_chance, setup
from domain.games.fourfold.state import Action, Options, State, Team

_OPENING: Final = (
    *("* west deploys", "deploy a2", "W1>b2"),
    *("* north deploys", "deploy d5", "N1>d4"),
    *("* south deploys", "deploy b1", "S1>c2"),
)
_MOVE: Final = (
    *_OPENING,
    *("* east deploys", "deploy e3", "E1>d3"),
    *("* south deploys", "deploy d1", "S2>d2"),
    *("* west deploys", "deploy a4", "W2>b4"),
    *("W1>c1", "N1>e3", "S1>b3", "E1>c2", "S2>d3"),
)
LINES: Final[dict[str, tuple[Options, tuple[str, ...]]]] = {
    "opening": (Options(), (*_OPENING, "* south deploys")),
    "move": (Options(max_runners=6), _MOVE),
}


def after(options: Options, *lines: str) -> State:
    """The position after these lines, from the opening on."""
    state = setup(options, ())
    for line in lines:
        if line.startswith("* "):
            state = apply_chance(state, Team(seat=line.split()[1], for_="opening"))  # type: ignore[arg-type]  # one of the SeatNames
        elif state.due is not None:
            state = apply(state, state.due.seat, read(state, line))
    return state


def _scene(name: str) -> Scene[State, Action]:
    """For whoever is to act, with the last action marked where it was no draw."""
    options, lines = LINES[name]
    state = after(options, *lines)
    last = () if lines[-1].startswith("* ") else (read(after(options, *lines[:-1]), lines[-1]),)
    return Scene(state, state.due.seat if state.due else None, last)


SCENES: Final[dict[str, Scene[State, Action]]] = {name: _scene(name) for name in LINES}
