"""A log in memory that answers as the real one does, for tests of what stands on a log and not of the log."""

from __future__ import annotations

from threading import Lock

from domain.ports import Append, Appended, Appending, Closed, Conflict, Damaged, Early, Key, KeyReused, Late, Replayed, Stored, Tip


class MemoryLog:
    """`domain.ports.EventLog` without a world: nothing is lost, because nothing can be."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._entries: dict[str, list[Stored]] = {}
        self._heads: dict[str, tuple[Tip, str, int | None]] = {}
        self._used: dict[tuple[str, str, str], tuple[str, Replayed]] = {}  # by partition, actor and key

    def append(self, batch: Append) -> Appending:
        """Write, or say why not, in the order in which the real log asks."""
        with self._lock:
            return self._append(batch)

    def _append(self, batch: Append) -> Appending:
        if batch.key and (used := self.recall(batch.match, batch.key)):
            return used
        tip, status, due = self._heads.get(batch.match, (Tip(), "", None))
        if tip.version < batch.expected.version:
            return Damaged(f"LOST: {batch.match} had {batch.expected.version} events, and its log has {tip.version}")
        if tip.version != batch.expected.version:
            return Conflict(tip.version)
        if tip.hash != batch.expected.hash:
            return Damaged(f"CHAIN: the head of {batch.match} is {tip.hash.hex()}, not {batch.expected.hash.hex()}")
        if status == "over":
            return Closed()
        if batch.mode == "move" and due is not None and batch.now > due:
            return Late(due)
        if batch.mode == "timeout" and (due is None or batch.now <= due):
            return Early(due)
        stored = self._entries.setdefault(batch.match, [])
        stored += [Stored(len(stored) + step, *entry) for step, entry in enumerate(batch.entries, start=1)]
        self._heads[batch.match] = Tip(len(stored), batch.hash), batch.status, batch.due
        if batch.key:
            self._used[batch.match[:2], batch.key.actor, batch.key.key] = batch.key.fingerprint, Replayed(tip.version, len(stored))
        return Appended()

    def read(self, match: str, after: int = 0, limit: int | None = None) -> list[Stored]:
        """The events after a version, oldest first."""
        entries = self._entries.get(match, [])[after:]
        return entries if limit is None else entries[:limit]

    def recall(self, match: str, key: Key) -> Replayed | KeyReused | None:
        """What an idempotency key was used for in the match's partition."""
        fingerprint, before = self._used.get((match[:2], key.actor, key.key), ("", None))
        return before if before is None or fingerprint == key.fingerprint else KeyReused()

    def vouch(self, match: str, tip: Tip) -> Conflict | Damaged | None:
        """Whether the newest append left the match there."""
        head = self._heads.get(match, (Tip(), "", None))[0]
        if head.version > tip.version:
            return Conflict(head.version)
        words = f"CHAIN: its {tip.version} events come to the hash {tip.hash.hex()}, and its head says {head.hash.hex()}: an event was changed"
        return None if head == tip else Damaged(words)

    def pending(self, _match: str) -> bool:
        """Never: nobody else is to have it."""
        return False
