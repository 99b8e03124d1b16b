"""Signed moves: what their author signs, which heads it may name, and where a log has it."""

from __future__ import annotations

from base64 import urlsafe_b64decode
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

import msgspec
from msgspec import UNSET

from domain.game import Record
from domain.match.events import (
    KINDS,
    ActionTaken,
    ChanceDrawn,
    Event,
    MatchFinished,
    MatchStarted,
    OfferLapsed,
    SeatVacated,
    SeedRevealed,
    TurnTakenBack,
)

TYP = "forgepost-move+jws"  # the JWS's `typ`: a signature for anything else is none for a move

MOVING: tuple[type[Record], ...] = (MatchStarted, ActionTaken, ChanceDrawn, TurnTakenBack, SeatVacated)
MOVERS = frozenset(KINDS[fact].rpartition(".")[0] for fact in MOVING)  # types of events after which the position is another one


class SignedMove(Record, frozen=True):
    """The payload of a signed move: actions as they stand in the log, `prev` the head (hex) its author saw; `kid` is whose key signed it."""

    kid: str
    match: str
    seat: str
    ply: int
    actions: tuple[Any, ...]
    prev: str
    nonce: str | None
    jws: str


class _Header(msgspec.Struct, frozen=True):
    kid: str


@lru_cache(1024)
def key_named(jws: str) -> str:
    """The key id in a header: a player's key names itself. Whether the header is as it must be, whoever checks the signature says."""
    first = jws.partition(".")[0]
    try:
        return msgspec.json.decode(urlsafe_b64decode(first + "=" * (-len(first) % 4)), type=_Header).kid
    except (ValueError, msgspec.MsgspecError, RecursionError):
        return ""


def still_stands(prev: str, past: Iterable[tuple[str, str]]) -> bool:
    """Whether the position is the one that was there at the head `prev`; `past` are type and hash (hex) of the events, the newest first.

    Actions, lots, take-backs and seats that were vacated make another position. Offers and answers do not.
    """
    for kind, made in past:
        if made == prev:
            return True
        if kind in MOVERS:
            break
    return False


def place_of(jws: str, happened: Sequence[Event]) -> tuple[int, int] | None:
    """The version before a signed move's events and that after them, if the log (from its first event on) has this very one."""
    at = next((place for place, event in enumerate(happened) if isinstance(event.fact, ActionTaken) and event.fact.jws == jws), None)
    if at is None:
        return None
    after = at - 1 if at and isinstance(happened[at - 1].fact, OfferLapsed) else at
    end = at + 1
    while end < len(happened) and _follows(happened[end]):
        end += 1
    return after, end


def _follows(event: Event) -> bool:
    """Whether it belongs to the same submission: another action of it, or what came by itself."""
    fact = event.fact
    if isinstance(fact, ActionTaken):
        return fact.forced or (event.by.via == "jws" and fact.jws is UNSET)
    return isinstance(fact, ChanceDrawn | MatchFinished | SeedRevealed)
