"""The feed: what was appended, in order within a partition, for every group of readers until each has finished with it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib.resources import files
from itertools import groupby
from typing import Any, cast

from redis import Redis
from redis.exceptions import ResponseError

from domain.game import Record
from infra.redis_log import keys
from infra.redis_log.unavailable import in_words

TRIM = files(__package__).joinpath("trim.lua").read_text()
PAGE = 1000  # entries a round trip
LONGEST_WAIT = 2000  # ms; well below redis-py's socket time-out of 5 s, which would count a longer silence as a lost reply


class FeedEntry(Record, frozen=True):
    """One append: the match's version after it, and its notes (canonical JSON). `id` is the entry's place in its partition's feed."""

    partition: int
    id: str
    match: str
    version: int
    notes: bytes


class Feed:
    """The feeds of all partitions, read as one. Every entry reaches each group at least once and stays until the group has acknowledged it.

    One XREADGROUP waits for all partitions; on a cluster, which allows one slot a command, the client asks each in turn (`Cluster.xreadgroup`).
    All methods raise LogUnavailable.
    """

    def __init__(self, client: Redis, partitions: int) -> None:
        self._client = client
        self._partitions = {keys.feed(of).encode(): of for of in range(partitions)}
        self._behind: dict[tuple[str, str], dict[bytes, str]] = {}
        self._trim = client.register_script(TRIM)

    def ensure(self, group: str) -> None:
        """Make the group where it is missing; it starts with the oldest entry there is."""
        with in_words(writing=True):
            pipe = self._client.pipeline(transaction=False)
            for name in self._partitions:
                pipe.xgroup_create(name, group, "0", mkstream=True)
            for answer in pipe.execute(raise_on_error=False):
                if isinstance(answer, Exception) and "BUSYGROUP" not in str(answer):
                    raise answer

    def read(self, group: str, consumer: str, block_ms: int, count: int) -> list[FeedEntry]:
        """Entries for this consumer, at most `count` a partition: after a start what it was given before, then new ones.

        It waits for new ones up to `block_ms` (0: not at all; at most LONGEST_WAIT). What was given and is never acknowledged comes back once
        more at the first reads after a start, and through `claim_idle`.
        """
        behind = self._behind.setdefault((group, consumer), dict.fromkeys(self._partitions, "0"))
        while behind:
            rows = self._rows(group, consumer, behind, count, None)
            for name in list(behind):
                if rows.get(name):
                    behind[name] = rows[name][-1][0].decode()
                else:
                    del behind[name]
            if entries := self._entries(group, rows):
                return entries
        block = min(block_ms, LONGEST_WAIT) or None
        return self._entries(group, self._rows(group, consumer, dict.fromkeys(self._partitions, ">"), count, block))

    def claim_idle(self, group: str, consumer: str, idle_ms: int, count: int) -> list[FeedEntry]:
        """Entries that a consumer (this one or a dead one) was given at least `idle_ms` ago and never acknowledged; at most `count` a partition."""
        with in_words(writing=True):
            pipe = self._client.pipeline(transaction=False)
            for name in self._partitions:
                pipe.xautoclaim(name, group, consumer, idle_ms, count=count, justid=True)
            claimed = [(name, place) for name, places in zip(self._partitions, pipe.execute(), strict=True) for place in places]
            # The ids first and the entries after them: 6.2 gives nameless empty rows for entries that were deleted, and 7.0 gives none.
            for name, place in claimed:
                pipe.xrange(name, place, place)
            found = pipe.execute()
        rows: dict[bytes, list[Any]] = {name: [] for name in self._partitions}
        for (name, place), there in zip(claimed, found, strict=True):
            rows[name].append(there[0] if there else (place, {}))
        return self._entries(group, rows)

    def ack(self, group: str, entries: Iterable[FeedEntry]) -> None:
        """The group has finished with these."""
        with in_words(writing=True):
            pipe = self._client.pipeline(transaction=False)
            for of, same in groupby(sorted(entries, key=lambda entry: entry.partition), key=lambda entry: entry.partition):
                pipe.xack(keys.feed(of), group, *(entry.id for entry in same))
            pipe.execute()

    def trim(self, groups: Iterable[str]) -> int:
        """Drop what every group has finished with, these and any other; how many entries went.

        A feed that one of these does not read yet is left alone: a group that was lost, or is late, still has all of it to read.
        """
        awaited = sorted(groups)
        with in_words(writing=True):
            return sum(self._trim(keys=[name], args=awaited) for name in self._partitions)

    def unfinished(self, group: str) -> set[str]:
        """The matches of all entries from the first one on that the group has not finished with, in each partition."""
        found: set[str] = set()
        for name in self._partitions:
            with in_words():
                pipe = self._client.pipeline(transaction=False)
                pipe.xinfo_groups(name)
                pipe.xpending(name, group)
                groups, pending = pipe.execute(raise_on_error=False)
                if isinstance(groups, ResponseError) and "no such key" in str(groups):
                    continue
                if isinstance(groups, Exception):
                    raise groups
                read: bytes = next((each["last-delivered-id"] for each in groups if each["name"] == group.encode()), b"0-0")
                first: Any = pending["min"] if isinstance(pending, dict) and pending["pending"] else b"(" + read
                while rows := cast("list[Any]", self._client.xrange(name, first, "+", PAGE)):
                    found |= {fields[b"m"].decode() for _, fields in rows}
                    first = b"(" + rows[-1][0]
        return found

    def _rows(self, group: str, consumer: str, places: dict[Any, Any], count: int, block: int | None) -> dict[bytes, list[Any]]:
        """What XREADGROUP gives, by feed: redis-py makes lists of it in one protocol, a mapping to lists of lists in the other."""
        with in_words(writing=True):
            reply: Any = self._client.xreadgroup(group, consumer, places, count=count, block=block)
        if isinstance(reply, dict):
            return {name: [row for rows in pages for row in rows] for name, pages in reply.items()}
        return dict(reply or ())

    def _entries(self, group: str, rows: Mapping[bytes, list[Any]]) -> list[FeedEntry]:
        """The entries behind the rows. One that was deleted is empty, and is acknowledged at once: nobody could finish with it."""
        entries, gone = [], []
        for name, found in rows.items():
            of = self._partitions[name]
            for place, fields in found:
                if fields:
                    entries.append(FeedEntry(of, place.decode(), fields[b"m"].decode(), int(fields[b"v"]), fields[b"n"]))
                else:
                    gone.append(FeedEntry(of, place.decode(), "", 0, b""))
        if gone:
            self.ack(group, gone)
        return entries
