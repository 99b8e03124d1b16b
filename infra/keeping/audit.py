"""The tip audit: after a restart or fail-over of Redis, and before the first write, every match's head is held to its stream and to its witness."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from logging import getLogger
from secrets import token_hex
from socket import gethostname
from time import monotonic, sleep
from typing import Any

from redis import Redis

from domain.ports import LogUnavailable
from infra.keeping.witness import Seen, Witness
from infra.redis_log.census import Census, Head
from infra.redis_log.gate import epoch
from infra.redis_log.readonly import ReadOnly
from infra.redis_log.unavailable import in_words

log = getLogger(__name__)

AUDITS = "{ops}:audits"  # hash: witness → epoch (infra/redis_log/gate.py) of the servers that were audited against it
LONGEST = 20_000  # ms that an audit has to itself: whoever died at it holds the others up no longer, and two at once do no harm
PATIENCE = 5.0  # seconds that a process waits for another one's audit
STATUSES = ("waiting", "live")  # those of matches whose stream is asked where it ends


class Audit:
    """What a crash or fail-over has lost is found here, and never repaired: the matches become read-only. All methods raise LogUnavailable.

    It compares ends, which takes a moment; whether every event is unchanged is for `inspection` to say.
    """

    def __init__(self, client: Redis, partitions: int, witness: Witness) -> None:
        self._client, self._witness = client, witness
        self._census, self._readonly = Census(client), ReadOnly(client, partitions)

    def after_start(self, at: str) -> None:
        """Return when this epoch (`at`) of the server was audited against our witness, by us or by another process."""
        name = f"{gethostname()}:{self._witness.place}" if self._witness.place.exists() else "no witness"
        until = monotonic() + PATIENCE
        while not self._audited(name, at):
            with self._alone(name) as alone:
                if alone:
                    self.run()
                    with in_words(writing=True):
                        self._client.hset(AUDITS, name, at)
                    return
            if monotonic() > until:
                raise LogUnavailable("nothing was written: after its restart, Redis is still compared with what we know of it; try again in a moment")
            sleep(0.05)

    def catch_up(self) -> None:
        """The same for the server as it runs now; nothing is done where it was audited already."""
        with in_words():
            at = epoch(self._client)
        self.after_start(at)

    def run(self) -> dict[str, str]:
        """Make every match read-only that contradicts itself or its witness; which, and why."""
        found = self.contradictions()
        for match, why in found.items():
            self._readonly.mark(match, why)
        return found

    def contradictions(self) -> dict[str, str]:
        """The matches, not read-only yet, whose ends do not fit together, and why."""
        marked = self._readonly.marked()
        heads = self._census.heads(sorted(self._census.matches()))
        asked = [match for match, head in heads.items() if head is None or head.status in STATUSES]
        tips, witnessed = self._census.tips(asked), self._witness.newest()
        found: dict[str, str] = {}
        for match in sorted(heads.keys() | witnessed.keys()):
            head, seen = heads.get(match), witnessed.get(match)
            why = _torn(head, tips[match]) if match in tips else ""
            if not why and seen and (why := _older(head, seen)) and not self._witness.vouches(seen):
                log.warning("the witness of match %s was not signed with a key that we have; it is passed over (%s)", match, why)
                why = ""
            if why and match not in marked:
                found[match] = why
        return found

    def _audited(self, name: str, at: str) -> bool:
        with in_words():
            said: Any = self._client.hget(AUDITS, name)
        return bool(said == at.encode())

    @contextmanager
    def _alone(self, name: str) -> Iterator[bool]:
        """Whether nobody else is at it; sent twice after a lost reply, the claim is still one."""
        key, ours = f"{{ops}}:auditing:{name}", token_hex(8).encode()
        with in_words(writing=True):
            self._client.set(key, ours, nx=True, px=LONGEST)
            held: Any = self._client.get(key)
        try:
            yield held == ours
        finally:
            if held == ours:
                with in_words(writing=True):
                    self._client.delete(key)


def _torn(head: Head | None, tip: int | None) -> str:
    """Head against stream."""
    if tip is None:
        return "BAD-TYPE: its events are no stream"
    if head is None:
        return f"HEAD: it has {tip} events and no head that can be read"
    return "" if head.version == tip else f"TIP: its head says version {head.version}, its stream ends at {tip}"


def _older(head: Head | None, seen: Seen) -> str:
    """Head against witness. A head beyond the witness is as it should be: the witness only lags."""
    if head is None:
        return f"GONE: version {seen.version} of it was signed, and nothing of it is there"
    if head.version < seen.version:
        return f"LOST: version {seen.version} of it was signed, and it ends at {head.version}"
    if head.version == seen.version and head.hash != seen.hash:
        return f"FORK: its version {head.version} is another one than the version {seen.version} that was signed"
    return ""
