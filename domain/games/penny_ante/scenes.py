"""The positions that the guide shows, each as a position and the lines that were played from it."""

from __future__ import annotations

from typing import Final, NamedTuple

from domain.game import Scene
from domain.games.penny_ante.chessboard import SeatName, Space
from domain.games.penny_ante.reading import read
from domain.games.penny_ante.rules import apply, setup
from domain.games.penny_ante.stacks import Stacks
from domain.games.penny_ante.state import Action, Options, State


class Shot(NamedTuple):
    """Where a scene begins, what is played, and for whom it is shown."""

    before: State
    lines: tuple[str, ...]
    seat: SeatName


def _standing(**pennies: Stacks) -> State:
    """These pennies around the fortresses in the centre, and dark to move; none has left play."""
    everywhere: dict[Space, Stacks] = dict(sorted(pennies.items()))
    return State(Options(), 100 - sum(map(sum, pennies.values())), pennies=everywhere, to_place=(0, 0), ply=40)


SHOTS: Final[dict[str, Shot]] = {
    "placement": Shot(
        setup(Options(), ()),
        ("place d4", "place d5", "place c3", "place e6", "place c3", "place c6", "place c3", "place e6", "place e1"),
        "light",
    ),
    "bombard": Shot(
        _standing(c3=(2, 2, 2), b4=(1, 1), b5=(2, 2), a5=(3,), d4=(3,), d5=(4,), f6=(2, 1), g7=(5,), c7=(2,)),
        ("c3>b4 2.2.2 =5.3 x b5 2.0",),
        "dark",
    ),
    "march": Shot(
        _standing(d4=(5,), c5=(2, 2), c6=(5, 4), b5=(6, 1), d5=(2,), e5=(1,), c3=(4,), f7=(1,)),
        ("F d4>c5 5 x c6 4.2",),
        "dark",
    ),
    "capture": Shot(_standing(d4=(4,), b4=(2, 1), e4=(3,), e5=(1,), c2=(2, 2), d7=(3, 3)), ("capture d4>c5 2 d5>b4",), "dark"),
}


def _shown(shot: Shot) -> Scene[State, Action]:
    """The position after all lines, the last of which is marked."""
    state, last = shot.before, tuple[Action, ...]()
    for line in shot.lines:
        last = (read(state, line),)
        state = apply(state, state.turn, last[0])
    return Scene(state, shot.seat, last)


SCENES: Final[dict[str, Scene[State, Action]]] = {name: _shown(shot) for name, shot in SHOTS.items()}
