"""The archive: matches that are over, one export a file, still read as if they were in the log."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from hashlib import sha256
from typing import Final

import msgspec

from domain.chain import ORIGIN, canonical, link
from domain.match.codec import Line
from domain.ports import Append, Appending, Conflict, Damaged, EventLog, Key, KeyReused, LogUnavailable, Replayed, Stored, Tip
from infra.keeping.shelves import Shelf, ShelfError
from infra.redis_log.census import Census, Head

REMEMBERED: Final = 32  # archived matches whose events a process keeps


class ArchiveUnavailable(LogUnavailable):
    """An archived match cannot be read just now; the words say why."""


class _Body(msgspec.Struct, frozen=True):
    """The part of a line that the chain covers as stored."""

    at: msgspec.Raw
    by: msgspec.Raw
    data: msgspec.Raw
    ply: msgspec.Raw


_line = msgspec.json.Decoder(Line)


class Archive:
    """One file a match: it is what anybody can download and verify, it needs no index, and a match is written, read and moved by itself."""

    def __init__(self, shelf: Shelf | None) -> None:
        self._shelf = shelf

    def place(self, match: str) -> str:
        """Where the bundle of a match is, or would be, for people. Raises ArchiveUnavailable."""
        return self._there().named(_name(match))

    def put(self, match: str, bundle: bytes) -> None:
        """Kept when this returns, whole or not at all. Raises ArchiveUnavailable."""
        try:
            self._there().put(_name(match), bundle)
        except ShelfError as gone:
            raise ArchiveUnavailable(str(gone)) from gone

    def get(self, match: str) -> bytes | None:
        """The bundle, None where there is none. Raises ArchiveUnavailable."""
        try:
            return self._there().get(_name(match))
        except ShelfError as gone:
            raise ArchiveUnavailable(str(gone)) from gone

    def _there(self) -> Shelf:
        if self._shelf is None:
            raise ArchiveUnavailable(
                "ARCHIVE_URL is not set: give it the place of the archive, as in file:///srv/forgepost/archive or s3://bucket/prefix"
            )
        return self._shelf


class KeptLog:
    """`domain.ports.EventLog`: the log in Redis, and behind it the archive, for matches whose head says so."""

    def __init__(self, live: EventLog, archive: Archive, census: Census) -> None:
        self._live, self._archive, self._census = live, archive, census
        self._read: OrderedDict[str, tuple[Stored, ...]] = OrderedDict()

    def append(self, batch: Append) -> Appending:
        """Write, or say why not; nothing is written to an archived match. Raises LogUnavailable."""
        return self._live.append(batch)

    def recall(self, match: str, key: Key) -> Replayed | KeyReused | None:
        """What an idempotency key was used for. Raises LogUnavailable."""
        return self._live.recall(match, key)

    def vouch(self, match: str, tip: Tip) -> Conflict | Damaged | None:
        """Whether the newest append left the match there; the head of an archived match still says so. Raises LogUnavailable."""
        return self._live.vouch(match, tip)

    def pending(self, match: str) -> bool:
        """Whether replicas have yet to say that they have all of the match. Raises LogUnavailable."""
        return self._live.pending(match)

    def read(self, match: str, after: int = 0, limit: int | None = None) -> Sequence[Stored]:
        """The events after a version, oldest first. Raises LogUnavailable, ArchiveUnavailable where the archive is asked and away."""
        found = self._live.read(match, after, limit)
        if found or limit == 0 or (after and limit is None):  # whoever asks for news of a match asks often, and an archived one has none
            return found
        head = self._census.heads([match])[match]
        if head is None or head.status != "archived":
            return found
        entries = self._read.get(match) or self._kept(match, head)
        return entries[after:] if limit is None else entries[after : after + limit]

    def _kept(self, match: str, head: Head) -> tuple[Stored, ...]:
        bundle = self._archive.get(match)
        if bundle is None:
            raise ArchiveUnavailable(f"match {match} was archived, and {self._archive.place(match)} is not there")
        entries = events_of(match, bundle, head.hash)
        self._read[match] = entries
        while len(self._read) > REMEMBERED:
            self._read.popitem(last=False)
        return entries


def events_of(match: str, bundle: bytes, chain_head: str) -> tuple[Stored, ...]:
    """The events in a bundle, byte for byte as they were stored. Raises ArchiveUnavailable unless they come to this chain head (hex)."""
    entries, tip = [], ORIGIN
    try:
        for raw in bundle.splitlines()[1:-1]:
            line = _line.decode(raw)
            stored = Stored(line.version, f"{line.type}.{line.schema}", canonical(_Body(line.at, line.by, line.data, line.ply)))
            tip = link(tip, match, stored.kind, stored.body)
            entries.append(stored)
    except msgspec.MsgspecError as wrong:
        raise ArchiveUnavailable(f"the bundle of match {match} cannot be read: {wrong}") from wrong
    if tip.hex() != chain_head:
        raise ArchiveUnavailable(f"the bundle of match {match} is not what was archived: its events come to another head")
    return tuple(entries)


def _name(match: str) -> str:
    return f"{match[:2]}/{match}.ndjson"


def digest(bundle: bytes) -> str:
    """What a head remembers of its bundle."""
    return sha256(bundle).hexdigest()
