"""How a match was agreed and how it ended, in words: its options that are not the usual ones, and the verdict."""

from __future__ import annotations

import msgspec

from domain.match.match import Match
from domain.match.telling import Cast, listed


def terms(match: Match) -> tuple[tuple[str, str], ...]:
    """The options of a match that are not the usual ones, in words: (`Goals to win`, `2`)."""
    usual = msgspec.to_builtins(match.game.options())
    chosen = msgspec.to_builtins(match.options)
    return tuple((label(name), _said(value)) for name, value in chosen.items() if value != usual[name])


def label(name: str) -> str:
    """An option's name in words: `Goals to win`."""
    return name.replace("_", " ").capitalize()


def ending(match: Match) -> str:
    """Why a match ended: `by goals`, `by agreement`; empty as long as it has not."""
    reason = str((match.outcome or {}).get("reason", ""))
    return f"by {'time-out' if reason == 'timeout' else reason.replace('-', ' ')}" if reason else ""


def verdict(cast: Cast) -> str:
    """Who won a match that is over: `you won`, `North (Bo) won`, `you share the first place`, `East (Ann) and West share the first place`."""
    match, reader = cast.match, cast.reader
    ranks = (match.outcome or {}).get("ranks", {})
    first = [seat for seat, rank in ranks.items() if rank == 1]
    mine = [seat for seat in first if reader is not None and match.chair(seat).player == reader]
    if len(mine) == len(first):
        return "you won"
    if mine:
        return "you share the first place"
    names = listed([cast.seat(seat) for seat in first])
    return f"{names} won" if len(first) == 1 else f"{names} share the first place"


def _said(value: object) -> str:
    match value:
        case None:
            return "none"
        case True:
            return "yes"
        case False:
            return "no"
        case _:
            return str(value)
