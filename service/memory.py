"""What a process found out a moment ago and need not ask Redis again."""

from __future__ import annotations

from typing import Generic, TypeVar

from domain.ports import Clock

MOST = 10_000  # things remembered at once

K = TypeVar("K")
V = TypeVar("V")


class Memory(Generic[K, V]):
    """Remembers each thing for so long (ms), and too many not at all. Threads share it: each step is atomic, and what is lost is asked anew."""

    def __init__(self, clock: Clock, kept: int) -> None:
        self._clock, self._kept = clock, kept
        self._known: dict[K, tuple[V, int]] = {}  # with the time (ms) until which it counts

    def get(self, key: K) -> V | None:
        """What is remembered, if it still counts."""
        known = self._known.get(key)
        return known[0] if known and known[1] > self._clock() else None

    def clear(self) -> None:
        """Nothing is remembered any more."""
        self._known.clear()

    def keep(self, key: K, value: V) -> None:
        """Remember from now on."""
        if len(self._known) >= MOST:
            self._known.clear()
        self._known[key] = value, self._clock() + self._kept
