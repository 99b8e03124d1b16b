"""The word to stop, as an event that a signal's handler may set."""

from __future__ import annotations

from queue import Empty, SimpleQueue
from threading import Event


class Stop(Event):
    """`threading.Event` has a lock, and whoever a signal interrupts may hold it: its handler would wait for itself, for ever. This one has none."""

    def __init__(self) -> None:
        super().__init__()
        self._said, self._news = False, SimpleQueue[None]()

    def set(self) -> None:
        self._said = True
        self._news.put(None)

    def is_set(self) -> bool:
        return self._said

    def wait(self, timeout: float | None = None) -> bool:
        if not self._said:
            try:
                self._news.get(timeout=timeout)
            except Empty:
                return self._said
            self._news.put(None)  # for the next who waits
        return self._said
