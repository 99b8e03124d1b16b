"""Deadlines: the sorted sets that the append script keeps, asked for what has run out."""

from __future__ import annotations

from typing import Any

from redis import Redis

from infra.redis_log import keys
from infra.redis_log.unavailable import in_words


class Dues:
    """Any number of sweepers may ask, as often as they like: nothing is taken, only the append of a time-out or a move removes a deadline.

    A deadline is over when now > deadline, exactly as the append script judges it. All methods raise LogUnavailable.
    """

    def __init__(self, client: Redis, partitions: int) -> None:
        self._client, self._partitions = client, partitions

    def due(self, partition: int, now: int, limit: int) -> list[tuple[str, int]]:
        """Matches whose deadline (ms, beside it) is over, the longest overdue first."""
        with in_words():
            found: Any = self._client.zrangebyscore(keys.due(partition), "-inf", f"({now}", start=0, num=limit, withscores=True)
        return [(match.decode(), int(deadline)) for match, deadline in found]

    def late(self, now: int) -> int:
        """How many deadlines are over."""
        with in_words():
            pipe = self._client.pipeline(transaction=False)
            for of in range(self._partitions):
                pipe.zcount(keys.due(of), "-inf", f"({now}")
            return sum(pipe.execute())

    def overdue(self, now: int) -> dict[int, int]:
        """The partitions in which a deadline is over, with their longest overdue deadline (ms); one round trip for all."""
        with in_words():
            pipe = self._client.pipeline(transaction=False)
            for of in range(self._partitions):
                pipe.zrangebyscore(keys.due(of), "-inf", f"({now}", start=0, num=1, withscores=True)
            firsts: list[Any] = pipe.execute()
        return {of: int(found[0][1]) for of, found in enumerate(firsts) if found}
