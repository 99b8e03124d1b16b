"""A position of Four Forges, the options it is played with, what a seat can do in it and what chance can bring."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta

from domain import game
from domain.game import Record
from domain.games.four_forges.forges import ANVILS, FORGES, NONE, PLACE, Anvil, AnvilName, Colour, SeatName, Stones, plus


class Options(game.Options, frozen=True):
    """Which of the optional rules are in use, how long a turn is, and how long the match may take."""

    mining: Annotated[bool, Meta(description="an empty anvil can be filled from the mine, and the match ends when somebody says so")] = False
    trading: Annotated[bool, Meta(description="instead of the actions of a turn, stones can be traded with another seat")] = False
    actions_per_turn: Annotated[int, Meta(ge=3, le=4, description="actions in every turn")] = 3
    trade_offers_per_turn: Annotated[int, Meta(ge=1, le=10, description="offers that a seat can make in its turn; only with trading")] = 3
    no_progress_rounds: Annotated[int, Meta(ge=3, description="full rounds without progress after which the match ends")] | None = 20
    max_rounds: Annotated[int, Meta(ge=1, description="full rounds after which the match ends")] | None = None


class Amount(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Stones as JSON."""

    black: Annotated[int, Meta(ge=0)]
    silver: Annotated[int, Meta(ge=0)]
    grey: Annotated[int, Meta(ge=0)]

    @property
    def stones(self) -> Stones:
        """The same as a triple."""
        return self.black, self.silver, self.grey


@lru_cache(2048)
def amount(stones: Stones) -> Amount:
    """A triple as JSON has it."""
    return Amount(*stones)


class Move(game.Action, frozen=True, tag="move", rename={"from_": "from"}):
    """One stone goes from an own anvil to an adjacent one, of any forge."""

    from_: AnvilName
    to: AnvilName
    stone: Colour


class Forge(game.Action, frozen=True, tag="forge"):
    """Of three stones that are all alike two go to the chest, and one stays."""

    anvil: AnvilName


class Smelt(game.Action, frozen=True, tag="smelt"):
    """Three stones that are all different go to the chest."""

    anvil: AnvilName


class Break(game.Action, frozen=True, tag="break"):
    """One stone of an own anvil goes to the bag."""

    anvil: AnvilName
    stone: Colour


class Mine(game.Action, frozen=True, tag="mine"):
    """Six stones from the mine come on to an empty own anvil."""

    anvil: AnvilName


class DeclareEnd(game.Action, frozen=True, tag="declare-end"):
    """The seat on turn, its forge empty, ends the match."""


class EndTurn(game.Action, frozen=True, tag="end-turn"):
    """The seat on turn, its forge empty after its last action, lets the match go on."""


class OfferTrade(game.Action, frozen=True, tag="offer-trade", rename={"from_": "from"}):
    """Stones of one own anvil for stones of another seat's anvil, instead of the actions of the turn."""

    from_: AnvilName
    give: Amount
    to: AnvilName
    take: Amount


class AcceptTrade(game.Action, frozen=True, tag="accept-trade"):
    """The stones change anvils."""


class DeclineTrade(game.Action, frozen=True, tag="decline-trade"):
    """The offer comes to nothing."""


Action: TypeAlias = Move | Forge | Smelt | Break | Mine | DeclareEnd | EndTurn | OfferTrade | AcceptTrade | DeclineTrade


class Deal(game.Outcome, frozen=True, tag="deal"):
    """How a seat's 18 stones have fallen on three of its four anvils (FF-2)."""

    seat: SeatName
    anvils: dict[AnvilName, Amount]

    def __post_init__(self) -> None:
        dealt = [amount.stones for amount in self.anvils.values()]
        if set(self.anvils) != {ANVILS[at] for at in FORGES[PLACE[self.seat]]} or sorted(map(sum, dealt)) != [0, 6, 6, 6]:
            raise ValueError("a deal is for a seat's four anvils, one of them empty, the others with six stones each (FF-2)")
        if any(sum(colour) != 6 for colour in zip(*dealt, strict=True)):
            raise ValueError("a deal has six stones of each colour (FF-2)")


class Dig(game.Outcome, frozen=True, tag="mine"):
    """What has come from the mine."""

    anvil: AnvilName
    stones: Amount

    def __post_init__(self) -> None:
        if sum(self.stones.stones) != 6:
            raise ValueError("six stones come from the mine at a time (FF-7)")


Outcome: TypeAlias = Deal | Dig


class Trade(Record, frozen=True):
    """An offer that waits for its answer: these stones of `from_` for those of `to`, which is the seat `partner`'s."""

    from_: Anvil
    give: Stones
    to: Anvil
    take: Stones

    @property
    def partner(self) -> int:
        """The place of the seat that is to answer."""
        return self.to // 4


class State(Record, frozen=True):
    """A position. Seats go by their place in turn order, anvils by their place in board order."""

    options: Options
    actions_left: int
    mine: Stones | None  # what is left in it; None where there is none
    anvils: tuple[Stones, ...] = (NONE,) * 16
    chests: tuple[Stones, ...] = (NONE,) * 4
    bag: Stones = NONE
    round: int = 1
    idle: int = 0  # full rounds without progress (FF-13)
    progress: bool = False  # has a stone left the board in this round, or come from the mine?
    dealt: int = 0  # seats that have their stones
    turn: int = 0  # whose turn it is, or was when it ended
    offered: int = 0  # trades in this turn
    digging: Anvil | None = None  # the empty anvil that stones from the mine are to come to
    trade: Trade | None = None
    vacated: tuple[int, ...] = ()
    holders: tuple[int, ...] = (0, 1, 2, 3)  # for each seat, the first seat of the same player (FF-9)
    reason: str | None = None  # why it is over


def offers_left(s: State) -> int:
    """How many trades the seat on turn can still offer: none after the first action of its turn (FF-9)."""
    if not s.options.trading or s.actions_left < s.options.actions_per_turn:
        return 0
    return s.options.trade_offers_per_turn - s.offered


def on_board(s: State, place: int) -> Stones:
    """All stones of a seat's forge."""
    first, second, third, fourth = s.anvils[4 * place : 4 * place + 4]
    return plus(plus(first, second), plus(third, fourth))
