"""The word to stop is heard wherever a signal strikes, by all who wait for it."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Thread, get_ident
from time import monotonic, sleep
from types import FrameType
from typing import Any

import pytest

from infra.stop import Stop


@pytest.fixture
def stop() -> Iterator[Stop]:
    """Set by SIGALRM."""
    stop = Stop()
    before = signal.signal(signal.SIGALRM, lambda *_: stop.set())
    yield stop
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


def test_it_is_not_set_before_it_is_said(stop: Stop):
    assert not stop.wait(0.01)
    assert not stop.is_set()


def test_all_who_wait_hear_it(stop: Stop):
    with ThreadPoolExecutor(4) as waiting:
        heard = [waiting.submit(stop.wait, 60) for _ in range(4)]
        os.kill(os.getpid(), signal.SIGALRM)
        assert [each.result() for each in heard] == [True] * 4
    assert stop.wait(0)


def test_a_signal_that_the_system_gives_to_another_thread_is_heard(stop: Stop):
    """Python does not wake the main thread then, in which handlers run."""

    def struck() -> None:
        sleep(0.2)
        signal.pthread_kill(get_ident(), signal.SIGALRM)

    begun = monotonic()
    elsewhere = Thread(target=struck)
    elsewhere.start()
    assert stop.wait(120)
    assert monotonic() - begun < 60
    elsewhere.join()


def test_a_signal_that_strikes_at_any_line_of_waiting_is_heard(stop: Stop, monkeypatch: pytest.MonkeyPatch):
    """Step by step of the interpreter, as far as waiting goes: at each one a signal comes."""

    def struck(at: int) -> bool:
        """Whether waiting has so many steps; where it has, it has heard the signal."""
        fresh, passed = Stop(), 0
        signal.signal(signal.SIGALRM, lambda *_: fresh.set())

        def trace(frame: FrameType, _event: str, _arg: Any) -> Any:
            nonlocal passed
            frame.f_trace_opcodes = True
            passed += 1
            if passed == at:
                os.kill(os.getpid(), signal.SIGALRM)
            return trace

        before = sys.gettrace()
        sys.settrace(trace)
        try:
            fresh.wait(0.001)
        finally:
            sys.settrace(before)
        assert fresh.is_set() == (passed >= at)
        return passed >= at

    assert struck(1)
    at = 2
    while struck(at):
        at += 1
    assert at > 10
