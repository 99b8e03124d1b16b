"""The word to stop, as an event that a signal's handler may set."""

from __future__ import annotations

from queue import Empty, SimpleQueue
from threading import Event
from time import monotonic
from typing import Final

GLANCE: Final = 1.0  # seconds after which a signal is noticed that did not wake whoever waits


class Stop(Event):
    """`threading.Event` has a lock, and whoever a signal interrupts may hold it: its handler would wait for itself, for ever. This one has none.

    Python runs handlers in the main thread alone, and does not wake it where the system gave the signal to another one, as it may to a process
    that was stopped: so nobody waits for longer than a glance without looking up.
    """

    def __init__(self) -> None:
        super().__init__()
        self._said, self._news = False, SimpleQueue[None]()

    def set(self) -> None:
        self._said = True
        self._news.put(None)

    def is_set(self) -> bool:
        return self._said

    def wait(self, timeout: float | None = None) -> bool:
        end = None if timeout is None else monotonic() + timeout
        while not self._said:
            left = GLANCE if end is None else min(GLANCE, end - monotonic())
            try:
                self._news.get(timeout=max(0.0, left))
            except Empty:
                if left <= 0:
                    break
            else:
                self._news.put(None)  # for the next who waits
        return self._said
