"""What a request with an idempotency key brought that is about no match: kept for whoever sends it again."""

from __future__ import annotations

from typing import Final, cast

from redis import Redis

from domain.match.refusal import Refused
from domain.ports import Key
from infra.redis_log.unavailable import in_words

KEPT: Final = 7 * 86_400  # seconds, as long as the log keeps its own


class Replies:
    """By whose key it was. Raises LogUnavailable."""

    def __init__(self, client: Redis) -> None:
        self._redis = client

    @in_words()
    def before(self, key: Key) -> str | None:
        """What this very request brought; None where it has not been made. Raises Refused (key-reused) for another request with its key."""
        print_, brought = cast("list[bytes | None]", self._redis.hmget(_name(key), ["fp", "brought"]))
        if print_ is None or brought is None:
            return None
        if print_.decode() != key.fingerprint:
            raise Refused("key-reused", "this idempotency key was used for another request; give every request a key of its own")
        return brought.decode()

    @in_words(writing=True)
    def keep(self, key: Key, brought: str) -> None:
        """Remember it."""
        with self._redis.pipeline() as pipe:
            pipe.hset(_name(key), mapping={"fp": key.fingerprint, "brought": brought})
            pipe.expire(_name(key), KEPT)
            pipe.execute()


def _name(key: Key) -> str:
    return f"idem:{key.actor}:{key.key}"
