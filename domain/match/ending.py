"""How a match ends: who is ranked where when seats were vacated, and the events that close it."""

from __future__ import annotations

from typing import Any

import msgspec

from domain.game import Result, Seat, Standing, ranked
from domain.match.events import SERVER, By, Event, MatchFinished, SeedRevealed
from domain.match.match import Match
from domain.ports import Lot


def outcome(match: Match, standing: Standing, reason: str) -> dict[str, Any]:
    """Ranks, scores and reason; vacated seats rank below all others, who left later ranks higher."""
    staying = {seat: -standing.ranks[seat] for seat in match.seats if seat not in match.vacated}
    left = {seat: place for place, seat in enumerate(reversed(match.vacated), start=len(staying) + 1)}
    ranks: dict[Seat, int] = ranked(staying) | left
    return msgspec.to_builtins(Result({seat: ranks[seat] for seat in match.seats}, standing.scores, reason))  # type: ignore[no-any-return]


def deserted(match: Match) -> bool:
    """Whether all seats that were not vacated belong to one player, or to house bots only."""
    staying = [chair for seat, chair in zip(match.seats, match.chairs, strict=True) if seat not in match.vacated]
    return len({chair.player for chair in staying}) <= 1 or all(chair.bot for chair in staying)


def closing(match: Match, result: dict[str, Any], lot: Lot | None, now: int, by: By = SERVER) -> list[Event]:
    """The last two events of every finished match."""
    return [Event(now, by, match.ply, MatchFinished(result)), *revealed(match, lot, now)]


def revealed(match: Match, lot: Lot | None, now: int) -> list[Event]:
    """The last event; nothing where the lot stays shut because the command is only being checked."""
    return [Event(now, SERVER, match.ply, SeedRevealed(lot.reveal()))] if lot else []
