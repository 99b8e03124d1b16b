"""The restore: a backup put into an empty Redis, held to its hashes and chains before and after; nothing is enforced and nobody is told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any, Final

import msgspec
from redis import Redis

from domain.chain import ORIGIN, commitment, instant, link
from domain.game import Record
from domain.match.codec import decode
from domain.match.events import MatchCreated
from domain.ports import Stored
from infra.keeping.paper import MANIFEST, SIGNATURE, EventLine, KeyLine, Line, Manifest, MatchLine, read_line, read_manifest
from infra.keeping.projections import UNREADABLE, rebuild, tidy
from infra.keeping.values import put
from infra.redis_clients.client import once
from infra.redis_log import keys
from infra.redis_log.gate import RESTORING, check
from infra.redis_log.unavailable import in_words
from infra.seals.heads import signed
from infra.seals.jws import read
from infra.seals.keys import BACKUP
from infra.wiring import Site

PAGE: Final = 500  # lines a round trip
UNPROVEN: Final = "Whoever can write to its files can have made it up: restore it with --unproven if you know from elsewhere that it is yours"


class CannotRestore(Exception):
    """The words say why; nothing was written unless they say so."""


class Restored(Record, frozen=True):
    """What was put back; `late`: matches whose deadline has passed since the backup was made, with the deadline (ms)."""

    manifest: Manifest
    late: dict[str, int]
    unlisted: dict[str, str]  # matches that could not be listed, for their events cannot be read here (yet)
    behind: dict[str, str]  # matches that had gone on after the backup, as the witness knows


def restore(site: Site, source: Path, *, unproven: bool = False) -> Restored:
    """Put a backup into the site's Redis, which must be empty. Raises CannotRestore, LogUnavailable and OSError.

    `unproven`: also one that was not signed with a key of this site, which somebody knows from elsewhere.
    """
    manifest = _checked(site, source)
    if not unproven:
        signed_by(source, site.keys.public(), "FORGEPOST_SECRETS")
    if wrong := check(site.redis, site.settings):
        raise CannotRestore(f"this Redis could lose what is put into it: {'; '.join(wrong)}")
    with in_words():
        held: Any = site.redis.dbsize()
        some = b", ".join(islice(site.redis.scan_iter(), 3)).decode(errors="replace")
    if held:
        raise CannotRestore(
            f"the Redis at EVENTS_REDIS_URL is not empty ({held} keys: {some}, …): stop everything that uses it, and give an empty one; "
            "a restore overwrites nothing"
        )
    with in_words(writing=True), closing(once(site.settings.events_redis_url)) as single:
        single.set(RESTORING, manifest.at)
        for sheet in manifest.files:
            _fill(single, _lines(source / sheet.name))
    _after(site, manifest)
    for match, why in manifest.damaged.items():
        site.readonly.mark(match, why)
    mended = rebuild(site, sorted(site.census.matches() - manifest.damaged.keys()))
    unlisted = {match: words for match, words in mended if words.startswith(UNREADABLE)}
    tidy(site)
    site.vigil.keep(instant(manifest.at))
    with in_words(writing=True):
        site.redis.delete(RESTORING)
    now = site.clock()
    late = {match: due for of in range(site.settings.partitions) for match, due in site.dues.due(of, now, 1 << 30)}
    return Restored(manifest, late, unlisted, site.audit.contradictions())


def verify_backup(source: Path) -> Manifest:
    """Hold a backup to its own hashes and chains. Raises CannotRestore and OSError."""
    try:
        manifest = read_manifest((source / MANIFEST).read_bytes())
    except FileNotFoundError:
        raise CannotRestore(f"{source} is no backup: it has no {MANIFEST}") from None
    except msgspec.MsgspecError as wrong:
        raise CannotRestore(f"{source / MANIFEST} cannot be read: {wrong}") from wrong
    matches = events = 0
    for sheet in manifest.files:
        raw = (source / sheet.name).read_bytes() if (source / sheet.name).exists() else b""
        if sha256(raw).hexdigest() != sheet.sha256:
            raise CannotRestore(f"{source / sheet.name} is not the file that the backup was made with: its SHA-256 is another one")
        for head, stored in _matches(source / sheet.name):
            matches, events = matches + 1, events + len(stored)
            sound = head.head.get("st") == "archived" or _comes_to(head.match, stored) == (int(head.head.get("v", 0)), head.head.get("h"))
            if not sound and head.match not in manifest.damaged:
                raise CannotRestore(f"the events of match {head.match} in {source / sheet.name} do not come to its head")
    if (matches, events) != (manifest.matches, manifest.events):
        raise CannotRestore(f"{source} holds {matches} matches with {events} events, and its manifest says {manifest.matches} with {manifest.events}")
    return manifest


def signed_by(source: Path, keys: Sequence[dict[str, Any]], whose: str) -> str:
    """The id of the key with which a backup's manifest was signed, one of these; `whose` they are, in words. Raises CannotRestore and OSError."""
    try:
        jws = (source / SIGNATURE).read_text(errors="replace").strip()
        kid = read(jws, BACKUP).kid
    except FileNotFoundError:
        raise CannotRestore(f"{source} is not signed: it has no {SIGNATURE}. {UNPROVEN}") from None
    except ValueError as wrong:
        raise CannotRestore(f"{source / SIGNATURE} cannot be read: {wrong}. {UNPROVEN}") from wrong
    if kid not in {key["kid"] for key in keys}:
        raise CannotRestore(f"{source} was signed with the key {kid}, which is none of {whose}: give the secrets that the site had. {UNPROVEN}")
    if signed(keys, jws, BACKUP) != {"manifest": sha256((source / MANIFEST).read_bytes()).hexdigest()}:
        raise CannotRestore(f"the signature in {source / SIGNATURE} is not one of this manifest: one of the two was changed. {UNPROVEN}")
    return kid


def _checked(site: Site, source: Path) -> Manifest:
    """The backup against itself, and against the secrets that this site has."""
    manifest = verify_backup(source)
    if manifest.partitions > site.settings.partitions:
        raise CannotRestore(f"the backup has {manifest.partitions} partitions: set FORGEPOST_PARTITIONS={manifest.partitions}")
    for sheet in manifest.files:
        for head, stored in _matches(source / sheet.name):
            if head.head.get("st") in {"waiting", "live"} and head.match not in manifest.damaged:
                created = decode(None, stored[0]).fact
                if isinstance(created, MatchCreated) and created.commitment != commitment(site.keys.seed(head.match)):
                    raise CannotRestore(
                        f"match {head.match} was begun under another FORGEPOST_SEED_SECRET: set the one that the site had when the backup was made, "
                        "or no lot of its running matches can be drawn"
                    )
    return manifest


def _lines(file: Path) -> Iterator[Line]:
    with file.open("rb") as paper:
        for number, raw in enumerate(paper, start=1):
            try:
                yield read_line(raw)
            except msgspec.MsgspecError as wrong:
                raise CannotRestore(f"{file}, line {number}, cannot be read: {wrong}") from wrong


def _matches(file: Path) -> Iterator[tuple[MatchLine, list[Stored]]]:
    stored: list[Stored] = []
    for line in _lines(file):
        if isinstance(line, EventLine):
            stored.append(Stored(line.version, line.kind, line.body.encode()))
        elif isinstance(line, MatchLine):
            yield line, stored
            stored = []


def _comes_to(match: str, entries: list[Stored]) -> tuple[int, str]:
    tip = ORIGIN
    for version, entry in enumerate(entries, start=1):
        if entry.version != version:
            return 0, ""
        tip = link(tip, match, entry.kind, entry.body)
    return len(entries), tip.hex()


def _fill(client: Redis, lines: Iterator[Line]) -> None:
    """Nothing here may be sent twice, so the client repeats nothing by itself and the first trouble ends it."""
    while page := list(islice(lines, PAGE)):
        pipe = client.pipeline(transaction=False)
        for line in page:
            match line:
                case EventLine():
                    pipe.xadd(keys.events(line.match), {"t": line.kind, "d": line.body}, id=f"{line.version}-0")
                case MatchLine():
                    if line.head:
                        head: dict[Any, Any] = dict(line.head)
                        pipe.hset(keys.head(line.match), mapping=head)
                case KeyLine():
                    put(pipe, line)
        pipe.execute()


def _after(site: Site, manifest: Manifest) -> None:
    """What is in Redis now, read back."""
    heads = site.census.heads(sorted(site.census.matches()))
    if len(heads) != manifest.matches:
        raise CannotRestore(f"{manifest.matches} matches were to be put back, and {len(heads)} are there: empty this Redis and begin again")
    for match, head in heads.items():
        if match in manifest.damaged or head is None or head.status == "archived":
            continue
        if _comes_to(match, list(site.log.read(match))) != (head.version, head.hash):
            raise CannotRestore(f"match {match} did not come back as it was: empty this Redis and begin again")
