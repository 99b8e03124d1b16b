"""The backup: all that a new installation needs, taken while the site runs, each partition as it was at one moment (README)."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from secrets import token_hex
from shutil import rmtree
from typing import Any

from domain.chain import ORIGIN, canonical, link, stamp
from infra.ids import is_match_id
from infra.keeping.paper import MANIFEST, SIGNATURE, SITE, EventLine, KeyLine, Line, Manifest, MatchLine, Sheet, written
from infra.keeping.values import Changed, asked, told
from infra.redis_log import keys
from infra.redis_log.unavailable import in_words
from infra.wiring import Site

# Made anew from the log (listing, deadlines), or of no use elsewhere (signs of life, claims, the queues of RQ).
LEFT_OUT = (b"{list}:", b"{ops}:", b"rq:")
PAGE = 500
TRIES = 20  # times that a moment is looked for in which no key of a partition comes or goes


class CannotBackUp(Exception):
    """The words say why."""


def back_up(site: Site, to: Path) -> Manifest:
    """Write everything to a new directory, or nothing. Raises CannotBackUp, LogUnavailable and OSError."""
    if to.exists():
        raise CannotBackUp(f"{to} is there already, and a backup overwrites nothing: name a directory that is not there yet")
    draft = to.parent / f".{to.name}.{token_hex(4)}"
    draft.mkdir(mode=0o700, parents=True)
    try:
        manifest = _Backup(site, draft).run()
        made = _sheet(draft, MANIFEST, [canonical(manifest) + b"\n"])
        _sheet(draft, SIGNATURE, [site.keys.sign_backup(bytes.fromhex(made.sha256)).encode() + b"\n"])
        _sync(draft)
        draft.rename(to)
        _sync(to.parent)
    except BaseException:
        rmtree(draft, ignore_errors=True)
        raise
    return manifest


class _Backup:
    """Idempotency keys first and people last: so none of the first speaks of an event that is missing, and nobody who plays is."""

    def __init__(self, site: Site, directory: Path) -> None:
        self._site, self._redis, self._directory = site, site.redis, directory
        self._matches = self._events = 0
        self._damaged: dict[str, str] = {}

    def run(self) -> Manifest:
        at = self._site.clock()
        sheets = [_sheet(self._directory, f"partition-{of:02d}.ndjson", self._partition(of)) for of in range(self._site.settings.partitions)]
        sheets.append(_sheet(self._directory, SITE, self._others()))
        public, server = self._site.signing.public(), self._site.settings.url
        counted = self._site.settings.partitions, self._matches, self._events
        return Manifest("backup", 1, stamp(at), server, *counted, dict(sorted(self._damaged.items())), public, tuple(sheets))

    def _partition(self, of: int) -> Iterator[bytes]:
        tag = f"{{p{of:02d}}}:"
        with in_words():
            found = sorted(self._redis.scan_iter(match=f"{tag}*", count=1000))
        matches = {name.decode().split(":")[2] for name in found if name.startswith(f"{tag}m:".encode())}
        yield from map(written, self._values([name for name in found if name.startswith(f"{tag}idem:".encode())]))
        derived = {keys.due(of).encode()}
        loose = {name for name in found if not name.startswith((f"{tag}m:".encode(), f"{tag}idem:".encode(), f"{tag}sending:".encode()))} - derived
        loose |= {name(of).encode() for name in (keys.feed, keys.notices, keys.parked, keys.readonly)}
        lines, heads = self._moment(of, sorted(loose), {match for match in matches if is_match_id(match)})
        yield from map(written, lines)
        for match in sorted(heads):
            yield from self._match(match, heads[match])

    def _moment(self, of: int, loose: list[bytes], matches: set[str]) -> tuple[list[KeyLine], dict[str, dict[str, str]]]:
        """The heads of all matches of a partition, and its feed and notices, as they were at one and the same moment."""
        for _ in range(TRIES):
            asking = sorted(matches)
            with in_words():
                values = asked(self._redis, loose)
                pipe = self._redis.pipeline(transaction=True)
                for value in values:
                    value.ask(pipe)
                for match in asking:
                    pipe.hgetall(keys.head(match))
                replies = pipe.execute(raise_on_error=False)
                rows: Any = self._redis.hkeys("{list}:rows")
            heads = dict(zip(asking, replies[len(replies) - len(asking) :], strict=True))
            try:
                lines = told(values, replies[: len(replies) - len(asking)], self._site.clock())
            except Changed:
                continue
            # A match that began meanwhile is in the feed until the listing has it.
            fed = {dict(pairs)["m"] for line in lines if line.key == keys.feed(of) for _, pairs in line.value.entries}
            fresh = {match for match in {row.decode() for row in rows} | fed if match.startswith(f"{of:02d}-")} - matches
            if not fresh:
                return lines, {match: _fields(head) for match, head in heads.items() if head}
            matches |= fresh
        raise CannotBackUp(f"partition {of} changed faster than it could be read; try again when less is going on")

    def _match(self, match: str, head: dict[str, str]) -> Iterator[bytes]:
        """Its events up to the head's version, then the head: what was appended since belongs to another moment."""
        last, tip, count = int(head.get("v", 0)), ORIGIN, 0
        with in_words():
            kind: Any = self._redis.type(keys.events(match))
        entries = self._site.log.read(match, 0, last) if kind == b"stream" else []
        if not entries and last and (newer := self._head(match)).get("st") == "archived":
            head = newer
        for entry in entries:
            count += entry.version == count + 1
            tip = link(tip, match, entry.kind, entry.body)
            yield written(EventLine(match, entry.version, entry.kind, entry.body.decode()))
        if head.get("st") != "archived" and (count, tip.hex()) != (last, head.get("h")):
            self._damaged[match] = f"its head says version {last} and {head.get('h')}, its {len(entries)} events come to {tip.hex()}"
        self._matches, self._events = self._matches + 1, self._events + len(entries)
        yield written(MatchLine(match, head))

    def _head(self, match: str) -> dict[str, str]:
        with in_words():
            return _fields(self._redis.hgetall(keys.head(match)))

    def _others(self) -> Iterator[bytes]:
        with in_words():
            found = sorted(name for name in self._redis.scan_iter(count=1000) if not name.startswith((b"{p", *LEFT_OUT)))
        yield from map(written, self._values(found))

    def _values(self, names: list[bytes]) -> Iterator[Line]:
        """Keys in pages; one that went meanwhile is left out."""
        for start in range(0, len(names), PAGE):
            wanted = names[start : start + PAGE]
            for _ in range(TRIES):
                with in_words():
                    values = asked(self._redis, wanted)
                    pipe = self._redis.pipeline(transaction=False)
                    for value in values:
                        value.ask(pipe)
                    replies = pipe.execute(raise_on_error=False)
                try:
                    yield from told(values, replies, self._site.clock())
                except Changed:
                    continue
                break


def _fields(head: Any) -> dict[str, str]:
    return {name.decode(): value.decode() for name, value in head.items()} if isinstance(head, dict) else {}


def _sheet(directory: Path, name: str, lines: Iterable[bytes]) -> Sheet:
    digest, count, length = sha256(), 0, 0
    with os.fdopen(os.open(directory / name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as paper:
        for line in lines:
            paper.write(line)
            digest.update(line)
            count, length = count + 1, length + len(line)
        paper.flush()
        os.fsync(paper.fileno())
    return Sheet(name, count, length, digest.hexdigest())


def _sync(directory: Path) -> None:
    fd = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
