"""How many matches may be started in somebody's name: few, as long as the address has not answered."""

from __future__ import annotations

from typing import cast

from domain.match.refusal import Refused
from infra.players import Player
from service.here import site

ANSWERED, UNANSWERED = 25, 5  # matches that wait or run at once, started from the start page
KEPT = 7 * 86_400  # seconds


def answered(player: str) -> None:
    """The player has acted on a link from a mail, so the address is theirs."""
    known = site().players.get(player)
    if known is not None and (known.suppressed or not known.confirmed):
        site().players.confirm(player)


def room(player: Player, match: str) -> bool:
    """Claim room for one more match; False where it would be one too many. Claimed before it is counted, so that a hundred at once are not let in."""
    redis, key = site().redis, _key(player.id)
    redis.sadd(key, match)
    redis.expire(key, KEPT)
    claimed = {name.decode() for name in cast("set[bytes]", redis.smembers(key))} - {match}
    closed = [name for name in claimed if not _open(name)]
    if closed:
        redis.srem(key, *closed)
    if len(claimed) - len(closed) < (ANSWERED if player.confirmed else UNANSWERED):
        return True
    release(player, match)
    return False


def release(player: Player, match: str) -> None:
    """Give the claimed room back."""
    site().redis.srem(_key(player.id), match)


def _key(player: str) -> str:
    return f"player:{player}:started"


def _open(match: str) -> bool:
    """Whether the match waits or runs; one that is just being created does, too."""
    try:
        return site().desk.look(match).match.status in ("waiting", "live")
    except Refused as refused:
        return refused.kind == "no-such-match"
