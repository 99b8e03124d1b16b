"""A child that dies is started again, not too eagerly, and stops when it is asked to."""

import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic, sleep

import pytest

from service.running.child import Child
from tests.servers import PATIENT

UP = "import time; print('up', flush=True); time.sleep(600)"
STUBBORN = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('up', flush=True); time.sleep(600)"


@pytest.fixture
def child(tmp_path: Path) -> Iterator[Callable[[str], Child]]:
    made: list[Child] = []

    def make(code: str) -> Child:
        made.append(Child("sleeper", [sys.executable, "-c", code], os.environ, tmp_path / "log" / "sleeper.log"))
        return made[-1]

    yield make
    for one in made:
        if one.pid:
            os.kill(one.pid, signal.SIGKILL)
            one.await_end(PATIENT, print)


def until(true: Callable[[], object], seconds: float = PATIENT) -> None:
    end = monotonic() + seconds
    while not true():
        assert monotonic() < end
        sleep(0.01)


def tend(child: Child, said: list[str], true: Callable[[], bool]) -> None:
    def tended() -> bool:
        child.tend(said.append)
        return true()

    until(tended)


def up(child: Child, times: int = 1) -> None:
    until(lambda: child.last_words(100).count("up") == times)


def test_a_child_that_is_killed_is_started_again_and_that_is_said(child: Callable[[str], Child]):
    one, said = child(UP), list[str]()
    one.start()
    up(one)
    first = one.pid
    assert first
    os.kill(first, signal.SIGKILL)
    tend(one, said, lambda: one.pid not in {None, first})
    assert said == [f"sleeper (process {first}) was ended by SIGKILL; it is started again in 0.2 s; its log is {one.log} and ends with: up"]
    up(one, 2)


def test_a_child_that_dies_at_once_is_started_again_later_and_later_and_spoken_of_no_more(
    child: Callable[[str], Child], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("service.running.child.LONGEST_PAUSE", 0.5)
    one, said = child("import time; print('no luck', time.time(), flush=True); raise SystemExit(3)"), list[str]()
    one.start()
    tend(one, said, lambda: one.last_words(100).count("no luck") == 5)
    told = [words.partition("ended with status 3; it ")[2].partition("; its log is ")[0] for words in said]
    assert told == ["is started again in 0.2 s", "is started again in 0.4 s", "keeps ending and is started again every 0.5 s"]
    assert " and ends with: no luck " in said[0]


def test_a_child_stops_when_asked(child: Callable[[str], Child]):
    one = child(UP)
    one.start()
    up(one)
    one.ask_to_stop()
    one.await_end(PATIENT, pytest.fail)
    assert one.pid is None


def test_a_child_that_does_not_listen_is_killed(child: Callable[[str], Child]):
    one, said = child(STUBBORN), list[str]()
    one.start()
    up(one)
    pid = one.pid
    one.ask_to_stop()
    one.await_end(0.3, said.append)
    assert one.pid is None
    assert said == [f"sleeper (process {pid}) did not stop by itself and is killed"]


def test_a_child_that_was_never_started_has_nothing_to_stop(child: Callable[[str], Child]):
    one = child(UP)
    one.ask_to_stop()
    one.await_end(1.0, pytest.fail)
    one.tend(pytest.fail)
    assert (one.pid, one.last_words()) == (None, "")


def test_a_log_that_grew_long_is_put_aside(child: Callable[[str], Child]):
    one = child(UP)
    one.log.parent.mkdir()
    one.log.write_bytes(b"x" * (1 << 21))
    one.start()
    up(one)
    assert one.log.with_name("sleeper.old.log").stat().st_size == 1 << 21
    assert one.last_words() == "up"
