"""A position of Penny Ante, the options it is played with, and what a seat can do in it."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import UNSET, Meta, UnsetType

from domain import game
from domain.game import Record
from domain.games.penny_ante.chessboard import CENTRE, SeatName, Space
from domain.games.penny_ante.stacks import Stacks

Phase: TypeAlias = Literal["placement", "play", "over"]

SpaceName: TypeAlias = Annotated[str, Meta(pattern="^[a-h][1-8]$", max_length=2, description="a square from a1 to h8")]
Guards: TypeAlias = Annotated[int, Meta(ge=0, le=10)]
Portion: TypeAlias = Annotated[tuple[Annotated[int, Meta(ge=0, le=10)], ...], Meta(min_length=1, max_length=4)]
Arrangement: TypeAlias = Annotated[tuple[Annotated[int, Meta(ge=1, le=10)], ...], Meta(min_length=1, max_length=4)]

PLACED: int = 10  # pennies that each seat places (PA-2)


class Options(game.Options, frozen=True):
    """How many pennies, how the game opens, what an assault does, and how long a match can last."""

    pennies: Annotated[int, Meta(ge=40, le=400, description="pennies in all, the twenty that are placed included")] = 100
    placement: Annotated[Literal["alternate", "batch"], Meta(description="one penny each in turn, or dark all ten and then light")] = "alternate"
    assault: Annotated[
        Literal["disperse", "disperse-and-bombard"], Meta(description="an assault disperses, or first removes pennies as well (PA-9)")
    ] = "disperse"
    no_progress_limit: Annotated[int, Meta(ge=20, description="plies in a row without progress after which the match is drawn (PA-12)")] | None = 100
    max_plies: Annotated[int, Meta(ge=200, description="plies after which the match is drawn")] | None = 2000


class Place(game.Action, frozen=True, tag="place"):
    """One penny, a stack of its own, on a space of the own colour in the own half (PA-2)."""

    at: SpaceName


class Bombard(game.Action, frozen=True, tag="bombard", rename={"from_": "from"}):
    """Pennies, or guards alone, move and may remove pennies beside where they end (PA-4, PA-5, PA-6)."""

    from_: SpaceName
    take: Portion
    to: SpaceName
    arrange: Arrangement | UnsetType = UNSET
    target: SpaceName | UnsetType = UNSET
    remove: Portion | UnsetType = UNSET


class FortressBombard(game.Action, frozen=True, tag="fortress-bombard", rename={"from_": "from"}):
    """A fortress moves with some of its guard and may remove pennies beside where it ends (PA-9)."""

    from_: SpaceName
    guards: Guards
    to: SpaceName
    target: SpaceName | UnsetType = UNSET
    remove: Portion | UnsetType = UNSET


class Fortify(game.Action, frozen=True, tag="fortify"):
    """All pennies of a space are arranged anew (PA-7)."""

    at: SpaceName
    stacks: Arrangement


class Reinforce(game.Action, frozen=True, tag="reinforce"):
    """Every stack of a space gets a penny from the pool (PA-8)."""

    at: SpaceName


class Assault(game.Action, frozen=True, tag="assault", rename={"from_": "from"}):
    """A fortress moves and disperses what stands beside where it ends (PA-9); `target` and `remove` only where the option allows them."""

    from_: SpaceName
    guards: Guards
    to: SpaceName
    target: SpaceName | UnsetType = UNSET
    remove: Portion | UnsetType = UNSET


class Capture(game.Action, frozen=True, tag="capture", rename={"from_": "from"}):
    """A fortress moves beside an unguarded opposing one, which changes sides (PA-9)."""

    from_: SpaceName
    guards: Guards
    to: SpaceName
    fortress: SpaceName
    put: SpaceName


Action: TypeAlias = Place | Bombard | FortressBombard | Fortify | Reinforce | Assault | Capture


class State(Record, frozen=True):
    """A position. `pennies` holds no empty space and is never changed; a fortress without a guard is only in `fortresses`."""

    options: Options
    pool: int
    turn: SeatName = "dark"  # PA-1
    pennies: dict[Space, Stacks] = {}  # noqa: RUF012 - msgspec gives each position its own
    fortresses: tuple[Space, ...] = CENTRE  # in canonical order; they belong to the seat whose colour they stand on
    to_place: tuple[int, int] = (PLACED, PLACED)  # in seat order
    ply: int = 0  # actions so far, placement included
    idle: int = 0  # plies in a row without progress (PA-12)
    reason: str | None = None  # why it is over: fortresses, no-progress, ply-limit, or what ended it from outside the rules


def phase(s: State) -> Phase:
    """Pennies are placed, then played with, until it is over."""
    return "over" if s.reason else "placement" if any(s.to_place) else "play"


def room(s: State, at: Space) -> int:
    """How many pennies more can come to a space: its stacks stay as many as they are, an empty space takes any (PA-5)."""
    stacks = s.pennies.get(at, ())
    if at in s.fortresses:
        return 10 - sum(stacks)
    return 10 * len(stacks) - sum(stacks) if stacks else 40


def out_of_play(s: State) -> int:
    """Pennies that were removed or left play (PA-11)."""
    return s.options.pennies - s.pool - sum(s.to_place) - sum(map(sum, s.pennies.values()))


def stacks_made(s: State, to: Space, take: Stacks) -> int:
    """How many stacks pennies make where they end (PA-5); 0 on a fortress, whose guard they join."""
    if to in s.fortresses:
        return 0
    return len(s.pennies.get(to, ())) or sum([number > 0 for number in take])
