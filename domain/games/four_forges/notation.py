"""Four Forges in one line of text: `O2>O1 grey`, `smelt O1`, `trade L4 2b1g for O3 1s`, `* mine O3 1b3s2g`."""

from __future__ import annotations

from typing import assert_never

from domain.games.four_forges.forges import compact
from domain.games.four_forges.state import (
    AcceptTrade,
    Action,
    Break,
    Deal,
    DeclareEnd,
    DeclineTrade,
    EndTurn,
    Forge,
    Mine,
    Move,
    OfferTrade,
    Outcome,
    Smelt,
)


def write(action: Action) -> str:
    """The canonical line."""
    match action:
        case Move(start, to, stone):
            return f"{start}>{to} {stone}"
        case Forge(anvil):
            return f"forge {anvil}"
        case Smelt(anvil):
            return f"smelt {anvil}"
        case Break(anvil, stone):
            return f"break {anvil} {stone}"
        case Mine(anvil):
            return f"mine {anvil}"
        case DeclareEnd():
            return "declare end"
        case EndTurn():
            return "end turn"
        case OfferTrade(start, give, to, take):
            return f"trade {start} {compact(give.stones)} for {to} {compact(take.stones)}"
        case AcceptTrade():
            return "accept"
        case DeclineTrade():
            return "decline"
        case _:
            assert_never(action)


def tell(outcome: Outcome) -> str:
    """What was drawn."""
    if isinstance(outcome, Deal):
        return f"* deal {outcome.seat} " + " ".join(f"{anvil} {compact(dealt.stones)}" for anvil, dealt in sorted(outcome.anvils.items()))
    return f"* mine {outcome.anvil} {compact(outcome.stones.stones)}"
