"""A position as JSON, and what each field of it says."""

from __future__ import annotations

from typing import Annotated, TypeAlias, TypedDict

from msgspec import Meta

from domain.game import Seat
from domain.games.four_forges.forges import ANVILS, SEATS, AnvilName, Stones
from domain.games.four_forges.state import State, offers_left

Count: TypeAlias = Annotated[int, Meta(ge=0)]


class StonesSeen(TypedDict):
    """Stones by colour."""

    black: Count
    silver: Count
    grey: Count


class TurnSeen(TypedDict):
    """Whose turn it is, and what is left of it."""

    seat: Annotated[Seat, Meta(description="whose turn it is, also while another seat owes the answer to an offer")]
    actions_left: Annotated[Count, Meta(description="actions it can still take")]
    offers_left: Annotated[Count, Meta(description="trades it can still offer; 0 without trading and after the first action of a turn")]


PendingTrade = TypedDict(
    "PendingTrade",
    {
        "by": Annotated[Seat, Meta(description="who offers")],
        "from": Annotated[AnvilName, Meta(description="the anvil that it gives from")],
        "give": Annotated[StonesSeen, Meta(description="what it gives")],
        "with": Annotated[Seat, Meta(description="whom it is offered to")],
        "to": Annotated[AnvilName, Meta(description="the anvil that it takes from")],
        "take": Annotated[StonesSeen, Meta(description="what it takes")],
    },
)
PendingTrade.__doc__ = "An offer to trade stones, which waits for its answer."


class View(TypedDict):
    """A position of Four Forges: `view` of a match."""

    anvils: Annotated[dict[AnvilName, StonesSeen], Meta(description="the stones on each of the sixteen anvils")]
    chests: Annotated[dict[Seat, StonesSeen], Meta(description="the stones that each seat has forged")]
    bag: Annotated[StonesSeen, Meta(description="the stones in the bag")]
    mine: Annotated[StonesSeen | None, Meta(description="the stones left in the mine; null where there is none")]
    round: Annotated[Count, Meta(description="the round; after the end the one in which it ended")]
    rounds_without_progress: Annotated[Count, Meta(description="full rounds without progress just now")]
    turn: Annotated[TurnSeen | None, Meta(description="whose turn it is; null after the end")]
    pending_trade: Annotated[PendingTrade | None, Meta(description="an offer that waits for its answer; null where there is none")]
    scores: Annotated[dict[Seat, int], Meta(description="stones in the chest, by seat")]


def view(s: State) -> View:
    """The position."""
    over, trade = s.reason is not None, s.trade
    return {
        "anvils": {name: _counted(stones) for name, stones in zip(ANVILS, s.anvils, strict=True)},
        "chests": {seat: _counted(chest) for seat, chest in zip(SEATS, s.chests, strict=True)},
        "bag": _counted(s.bag),
        "mine": None if s.mine is None else _counted(s.mine),
        "round": s.round,
        "rounds_without_progress": s.idle,
        "turn": None if over else {"seat": SEATS[s.turn], "actions_left": s.actions_left, "offers_left": offers_left(s)},
        "pending_trade": None
        if trade is None
        else {
            "by": SEATS[s.turn],
            "from": ANVILS[trade.from_],
            "give": _counted(trade.give),
            "with": SEATS[trade.partner],
            "to": ANVILS[trade.to],
            "take": _counted(trade.take),
        },
        "scores": dict(zip(SEATS, map(sum, s.chests), strict=True)),
    }


def _counted(stones: Stones) -> StonesSeen:
    black, silver, grey = stones
    return {"black": black, "silver": silver, "grey": grey}
