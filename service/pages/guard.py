"""Whose address has answered, and how many matches may be started in somebody's name: few, as long as it has not."""

from __future__ import annotations

from typing import cast

from flask import current_app

from domain.match.refusal import Refused
from domain.ports import Clock
from infra.people.players import Player, Players
from service.here import site
from service.memory import Memory

ANSWERED, UNANSWERED = 25, 5  # matches that wait or run at once, started from the start page
KEPT = 7 * 86_400  # seconds
LATELY = 600_000  # ms: as long as there is between seeing a page and acting on it, and no longer, for a mail may come back meanwhile


class Guard:
    """Confirms the addresses of players who act on links; whose record a page has shown lately, or who acted, needs no trip to Redis for that."""

    def __init__(self, players: Players, clock: Clock) -> None:
        self._players = players
        self._answered: Memory[str, bool] = Memory(clock, LATELY)

    def meet(self, player: Player) -> None:
        """A record that was just read."""
        if player.confirmed and not player.suppressed:
            self._answered.keep(player.id, value=True)

    def answered(self, player: str) -> None:
        """The player has acted on a link from a mail, so the address is theirs and reaches them."""
        if self._answered.get(player):
            return
        known = self._players.get(player)
        if known is None:
            return
        if known.suppressed or not known.confirmed:
            self._players.confirm(player)
        self._answered.keep(player, value=True)


def guard() -> Guard:
    """The guard of this process."""
    return cast("Guard", current_app.extensions["forgepost-guard"])


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
