"""Positions of Penny Ante put up by hand, and lines played in them."""

from typing import Any

from domain.games.penny_ante import GAME
from domain.games.penny_ante.notation import read, write
from domain.games.penny_ante.state import Options, State

START = GAME.setup(Options(), GAME.seats)


def position(spaces: str, *, turn: Any = "dark", pool: int = 20, out: int = 0, options: dict[str, Any] | None = None, **more: Any) -> State:
    """A position in play: `d4 F5, e5 F, c3 5.3`, where F is a fortress with its guard; those not named stand unguarded in corners of the centre."""
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
