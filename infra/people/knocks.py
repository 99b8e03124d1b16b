"""Mails that anybody can have sent to an address by typing it somewhere: a few an hour, so that nobody's mailbox is flooded through us."""

from __future__ import annotations

from hashlib import sha256
from typing import Final, cast

from redis import Redis

from infra.outbox import Kind, Notice, Outbox
from infra.people.spelling import same_box
from infra.redis_log.unavailable import in_words

MOST: Final = 5  # an hour, to one mailbox
HOUR: Final = 3600  # seconds
MINUTE: Final = 60_000  # ms


class Knocks:
    """Counts by mailbox, in Redis, and keeps no address. Raises LogUnavailable."""

    def __init__(self, client: Redis, outbox: Outbox) -> None:
        self._redis, self._outbox = client, outbox

    def ask(self, kind: Kind, player: str, address: str, now: int) -> bool:
        """Have a personal mail sent to this address; False where it has had enough of them. Asked twice within a minute, it is one mail."""
        if not self._room(address):
            return False
        self._outbox.schedule(0, [(Notice(kind, "", player, "", 0, 0, 0, again=now // MINUTE), now)])
        return True

    @in_words(writing=True)
    def _room(self, address: str) -> bool:
        key = f"knocks:{sha256(same_box(address).encode()).hexdigest()}"
        with self._redis.pipeline() as pipe:
            pipe.set(key, 0, nx=True, ex=HOUR)
            pipe.incr(key)
            _, knocks = cast("list[int]", pipe.execute())
        return knocks <= MOST
