"""Matches that are read-only because their log contradicts itself: marked by whoever finds that out, lifted by a person alone."""

from __future__ import annotations

from importlib.resources import files
from logging import getLogger
from typing import Any

from redis import Redis

from infra.ids import partition
from infra.redis_log import keys
from infra.redis_log.unavailable import in_words

log = getLogger(__name__)

MARK, LIFT = (files(__package__).joinpath(f"{name}.lua").read_text() for name in ("readonly", "lift"))


class ReadOnly:
    """The mark stands in the head of the match, where the append script sees it without asking further. All methods raise LogUnavailable."""

    def __init__(self, client: Redis, partitions: int) -> None:
        self._client, self._partitions = client, partitions
        self._mark, self._lift = client.register_script(MARK), client.register_script(LIFT)

    def mark(self, match: str, why: str) -> None:
        """From now on nothing is written to the match; the alarm is given once."""
        of = partition(match)
        with in_words(writing=True):
            new = self._mark(keys=[keys.head(match), keys.readonly(of)], args=[match, why])
        if new:
            log.error("ALARM: match %s is read-only until somebody has looked: %s", match, why)

    def lift(self, match: str, version: int, chain_head: str, status: str, due: int | None, at: int) -> bool:
        """The match goes on from its stored events; False when they do not end at this version (any more), and then nothing is changed."""
        of = partition(match)
        with in_words(writing=True):
            return bool(
                self._lift(
                    keys=[keys.head(match), keys.readonly(of), keys.events(match), keys.due(of)],
                    args=[match, version, chain_head, status, "" if due is None else due, at],
                )
            )

    def forget(self, match: str) -> None:
        """Nobody waits any more for a match that is not there."""
        with in_words(writing=True):
            self._client.hdel(keys.readonly(partition(match)), match)

    def marked(self) -> dict[str, str]:
        """Every read-only match, and why."""
        with in_words():
            pipe = self._client.pipeline(transaction=False)
            for of in range(self._partitions):
                pipe.hgetall(keys.readonly(of))
            found: list[Any] = pipe.execute()
        return {match.decode(): why.decode() for page in found for match, why in sorted(page.items())}

    def count(self) -> int:
        """How many matches are read-only."""
        with in_words():
            pipe = self._client.pipeline(transaction=False)
            for of in range(self._partitions):
                pipe.hlen(keys.readonly(of))
            return sum(pipe.execute())
