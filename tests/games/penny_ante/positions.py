"""Positions of Penny Ante put up by hand, and lines played in them."""

from random import Random
from typing import Any

from msgspec.structs import replace

from domain.games.penny_ante import GAME
from domain.games.penny_ante.chessboard import SPACES
from domain.games.penny_ante.notation import write
from domain.games.penny_ante.reading import read
from domain.games.penny_ante.state import Options, State

START = GAME.setup(Options(), GAME.seats)
DARK = ("a1", "a3", "b2", "b4", "c1", "c3", "d2", "d4", "e1", "e3", "f2", "f4", "g1", "g3", "h2", "h4")  # dark spaces of rows 1 to 4
LIGHT = ("a6", "a8", "b5", "b7", "c6", "c8", "d5", "d7", "e6", "e8", "f5", "f7", "g6", "g8", "h5", "h7")  # light spaces of rows 5 to 8


def position(spaces: str, *, turn: Any = "dark", pool: int = 20, out: int = 0, options: dict[str, Any] | None = None, **more: Any) -> State:
    """A position in play: `d4 F5, e5 F, c3 5.3`, where F is a fortress with its guard."""
    fortresses, pennies = [], {}
    for space in spaces.split(", "):
        at, stands = space.split()
        if stands[0] == "F":
            fortresses.append(at)
        if stacks := tuple(int(number) for number in stands.strip("F").split(".") if number):
            pennies[at] = stacks
    everything = sum(map(sum, pennies.values())) + pool + out
    chosen = Options(**{"pennies": everything, **(options or {})})
    return State(chosen, pool, turn, pennies, tuple(sorted(fortresses)), **{"to_place": (0, 0), "ply": 20, **more})


def play(s: State, *lines: str) -> State:
    """The position after these lines; each must be legal."""
    for line in lines:
        for said in line.split("; "):
            action = read(s, said)
            assert GAME.objection(s, s.turn, action) is None, f"{said}: {GAME.objection(s, s.turn, action)}"
            s = GAME.apply(s, s.turn, action)
    return s


def legal(s: State, beginning: str = "") -> list[str]:
    """The lines that can be played, in their order; only those that begin so."""
    return [line for action in GAME.legal(s, s.turn) if (line := write(action)).startswith(beginning)]


def refused(s: State, line: str, seat: str | None = None) -> str:
    """The words with which an action is refused."""
    words = GAME.objection(s, seat or s.turn, read(s, line))
    assert words, f"{line} is legal"
    return words


def standing(s: State) -> dict[str, str]:
    """What stands where, as `position` reads it."""
    seen = GAME.view(s)["spaces"]
    return {at: f"F{space['guard'] or ''}" if "fortress" in space else ".".join(map(str, space["stacks"])) for at, space in seen.items()}


def placed(options: Options | None = None) -> State:
    """All twenty pennies on the board, in alternation or in batches."""
    s = GAME.setup(options or Options(), GAME.seats)
    dark, light = [f"place {at}" for at in DARK[:10]], [f"place {at}" for at in LIGHT[:10]]
    return play(s, *(dark + light if s.options.placement == "batch" else [line for pair in zip(dark, light, strict=True) for line in pair]))


def crowded(chance: Random) -> State:
    """A position with many tall stacks on every second space."""
    s = GAME.setup(Options(pennies=400), GAME.seats)
    spaces = chance.sample([space for space in SPACES if space not in s.fortresses], 16)
    pennies = {at: tuple(sorted((chance.randint(1, 10) for _ in range(4)), reverse=True)) for at in spaces}
    return replace(s, pennies=pennies, to_place=(0, 0), ply=20, pool=20)
