"""Signs of life: when each loop of each clock process last got through, for whoever asks whether somebody is there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from redis import Redis

from infra.redis_log.unavailable import in_words

BEATS = "{ops}:beats"  # hash: loop and host → ms
FORGOTTEN = 86_400_000  # ms without a beat after which nobody expects another


class Beats:
    """All methods raise LogUnavailable."""

    def __init__(self, client: Redis) -> None:
        self._client = client

    def record(self, beats: Mapping[str, int]) -> None:
        """These loops got through at these times (ms)."""
        said: Any = dict(beats)
        if said:
            with in_words(writing=True):
                self._client.hset(BEATS, mapping=said)

    def heard(self, now: int) -> dict[str, int]:
        """The last beat (ms) of every loop heard of in the last day, as `deadlines@host`."""
        with in_words():
            found: Any = self._client.hgetall(BEATS)
        return {name.decode(): int(at) for name, at in found.items() if now - int(at) < FORGOTTEN}
