"""Signals that mean stop, as an event that the rest of the run waits for."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event
from types import FrameType

from infra.stop import Stop

STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextmanager
def hearing() -> Iterator[Event]:
    """An event that is set by the first signal that means stop.

    A hangup that was ignored before (nohup) stays ignored; an interrupt does not: shells let whatever a script starts in the background ignore
    it, and yet whoever sends one to this very process means it.
    """
    stop = Stop()

    def heard(_number: int, _frame: FrameType | None) -> None:
        stop.set()

    before = {number: signal.getsignal(number) for number in STOPS}
    for number, handler in before.items():
        if number != signal.SIGHUP or handler is not signal.SIG_IGN:
            signal.signal(number, heard)
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
