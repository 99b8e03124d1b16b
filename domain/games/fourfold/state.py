"""A position of Fourfold, the options it is played with, what a seat can do in it and what chance can bring."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import UNSET, Meta, UnsetType

from domain import game
from domain.game import Record, Seat
from domain.games.fourfold.court import Cell

Runner: TypeAlias = str  # "N1": the team's initial and the running number of that team's deployments
Phase: TypeAlias = Literal["opening", "play", "over"]

CellName: TypeAlias = Annotated[str, Meta(pattern="^[a-e][1-5]$", max_length=2, description="a cell from a1 to e5")]
RunnerName: TypeAlias = Annotated[str, Meta(pattern="^[NESW][1-9][0-9]*$(?!\\n)", description="a runner by its name, such as N1")]
SeatName: TypeAlias = Literal["north", "east", "south", "west"]


class Options(game.Options, frozen=True):
    """How many runners, how many goals, and for how long."""

    max_runners: Annotated[int, Meta(ge=4, le=16, description="runners on the court at the end of the opening")] = 16
    goals_to_win: Annotated[int, Meta(ge=1, le=10, description="goals that end the match")] = 4
    max_turns: Annotated[int, Meta(ge=1, description="full turns after which the match ends")] | None = None


class Deploy(game.Action, frozen=True, tag="deploy"):
    """The team that was drawn puts a new runner on a free cell of its starting file."""

    at: CellName


class Advance(game.Action, frozen=True, tag="advance"):
    """The runner that is due goes one step towards its destination."""

    runner: RunnerName
    to: CellName


class Pass(game.Action, frozen=True, tag="pass"):
    """The runner that is due has no free cell ahead and stays where it is."""

    runner: RunnerName


Action: TypeAlias = Deploy | Advance | Pass


class Team(game.Outcome, frozen=True, tag="team", rename={"for_": "for"}):
    """Which team deploys; `blocked` is said of a replacement only: the drawn team has no free cell to start from (FO-6)."""

    seat: SeatName
    for_: Literal["opening", "replacement"]
    blocked: bool | UnsetType = UNSET

    def __post_init__(self) -> None:
        if (self.for_ == "opening") is not (self.blocked is UNSET):
            raise ValueError("`blocked` belongs to a replacement, never to the opening (FO-6)")


Outcome: TypeAlias = Team


class Due(Record, frozen=True):
    """What is asked of whom: to deploy, or to move `runner`; `first` where it has just stepped on to the court."""

    seat: Seat
    runner: Runner | None = None
    first: bool = False


class State(Record, frozen=True):
    """A position. Tuples by seat follow the seats' order; `due` is None while a team is being drawn and when all is over."""

    options: Options
    phase: Phase = "opening"
    turn: int = 0  # full turns from 1; 0 in the opening
    order: tuple[Runner, ...] = ()  # the runners on the court by appearance, earliest first
    cells: tuple[Cell, ...] = ()  # where they stand, in the same order
    goals: tuple[int, ...] = (0, 0, 0, 0)
    deployed: tuple[int, ...] = (0, 0, 0, 0)
    due: Due | None = None
    waiting: tuple[Runner, ...] = ()  # still due in this turn, after `due`
    moved: bool = False  # has a runner that was due in this turn moved? A first move does not count
    reason: str | None = None  # why it is over: goals, turn-limit, or what ended it from outside the rules


def occupant(s: State, cell: Cell) -> Runner | None:
    """Who stands there."""
    return s.order[s.cells.index(cell)] if cell in s.cells else None
