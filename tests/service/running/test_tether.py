"""A tied process goes when the one that started it goes, however that goes."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import psutil
import pytest

from tests.end_to_end.house import until
from tests.servers import PATIENT

SLEEPER = "import time; time.sleep(600)"


def parent(code: str, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", dedent(code), *arguments], stdout=subprocess.PIPE, text=True)


def gone(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


@pytest.fixture
def strays() -> Iterator[list[int]]:
    """Processes that a failed test would leave behind."""
    pids: list[int] = []
    yield pids
    for pid in pids:
        if psutil.pid_exists(pid):
            os.kill(pid, signal.SIGKILL)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_tied_process_goes_with_its_parent(number: signal.Signals, strays: list[int]):
    code = """
        import signal, subprocess, sys, time
        from service.running.tether import tied
        child = subprocess.Popen(tied([sys.executable, "-c", sys.argv[1]], signal.SIGKILL))
        print(child.pid, flush=True)
        time.sleep(600)
    """
    with parent(code, SLEEPER) as started:
        assert started.stdout is not None
        strays.append(int(started.stdout.readline()))
        until(lambda: psutil.Process(strays[0]).cmdline()[1:] == ["-c", SLEEPER])  # the tether has become the sleeper
        started.send_signal(number)
        until(lambda: gone(strays[0]))


def test_a_process_whose_parent_is_gone_before_it_was_tied_does_not_stay(tmp_path: Path):
    command = [sys.executable, "-m", "service.running.tether", "1", "SIGTERM", sys.executable, "-c", f"open({str(tmp_path / 'here')!r}, 'w')"]
    assert subprocess.run(command, check=False).returncode == -signal.SIGTERM
    assert not (tmp_path / "here").exists()


def test_where_the_kernel_does_not_tell_a_guard_looks(strays: list[int]):
    code = """
        import os, subprocess, sys, time
        guard = "import os, signal, sys; from service.running.tether import guard; guard(int(sys.argv[1]), signal.SIGTERM, sys.argv[2:])"
        child = subprocess.Popen([sys.executable, "-c", guard, str(os.getpid()), sys.executable, "-c", sys.argv[1]])
        print(child.pid, flush=True)
        time.sleep(600)
    """
    with parent(code, SLEEPER) as started:
        assert started.stdout is not None
        guard = psutil.Process(int(started.stdout.readline()))
        (sleeper,) = until(guard.children)
        strays += [guard.pid, sleeper.pid]
        started.kill()
        until(lambda: gone(sleeper.pid))
        until(lambda: gone(guard.pid))


def test_a_guard_passes_on_what_it_is_told_and_how_it_ended(strays: list[int]):
    code = """
        import os, signal, sys
        from service.running.tether import guard
        sys.exit(guard(os.getppid(), signal.SIGTERM, [sys.executable, "-c", sys.argv[1]]))
    """
    with parent(code, "import sys; sys.exit(7)") as started:
        assert started.wait(PATIENT) == 7
    with parent(code, "import time; print('up', flush=True); time.sleep(600)") as started:
        strays.append(started.pid)
        assert started.stdout is not None
        assert started.stdout.readline() == "up\n"
        started.terminate()
        assert started.wait(PATIENT) == 128 + signal.SIGTERM
