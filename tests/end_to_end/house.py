"""A real `forgepost run` on free ports with data of its own: its processes can be killed, and none is left behind."""

from __future__ import annotations

import re
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from subprocess import PIPE, STDOUT, Popen, run
from threading import Thread
from time import monotonic, sleep
from types import TracebackType
from typing import Any, Self

import psutil

from infra.wiring import Site, site
from service.running import ports
from service.running.lease import running
from service.running.tether import tied
from tests.servers import PATIENT

PROJECT = Path(__file__).parents[2]
KINDS = {
    "redis-server": "redis-server.*{0.redis_port}",
    "queues": "redis-server.*{0.queues_port}",
    "web": "service.cli web",
    "mailbox": "workers mailbox",
    "mail-in": "workers mail-in",
    "clock": "workers clock",
    "worker notices": "workers worker notices",
    "worker deadlines": "workers worker deadlines",
    "worker bots": "workers worker bots",
    "worker webhooks": "workers worker webhooks",
    "worker inbound": "workers worker inbound",
}


def forgepost(*arguments: str) -> list[str]:
    """The command line of the `forgepost` command in this environment."""
    return [sys.executable, "-m", "service.cli", *arguments]


def until(what: Callable[[], Any], seconds: float = PATIENT, pause: float = 0.02) -> Any:
    """The first true answer; fails when there is none in time."""
    end = monotonic() + seconds
    while not (answer := what()):
        assert monotonic() < end, f"not within {seconds} s"
        sleep(pause)
    return answer


class House:
    """Everything on one box, from `with` to its end."""

    def __init__(self, data: Path, port: int | None = None) -> None:
        self.data, self.port = data, port or ports.inner(1)[0]
        self.url = f"http://127.0.0.1:{self.port}"
        self.said: list[str] = []
        self.started = 0.0  # seconds until it was ready
        self.effort = 0.0  # seconds that processors were busy with it until it was ready
        self._process: Popen[str] | None = None

    def __enter__(self) -> Self:
        begun = monotonic()
        command = forgepost("run", "--data", str(self.data), "--port", str(self.port))
        self._process = Popen(tied(command, signal.SIGTERM), stdout=PIPE, stderr=STDOUT, text=True, cwd=PROJECT)
        Thread(target=self._listen, args=(self._process,), daemon=True).start()
        try:
            until(lambda: f"ready {self.url}" in self.said or self._process is None or self._process.poll() is not None)
        finally:
            assert f"ready {self.url}" in self.said, "\n".join(self.said)
        self.started = monotonic() - begun
        self.effort = sum(sum(process.cpu_times()[:4]) for process in (psutil.Process(self.pid), *self.everybody()))
        return self

    def __exit__(self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None) -> None:
        self.stop()

    @property
    def pid(self) -> int:
        """The supervisor."""
        assert self._process is not None
        return self._process.pid

    @contextmanager
    def site(self) -> Iterator[Site]:
        """The site as one of its own processes has it."""
        here = site(running(self.data).settings(self.data))
        with closing(here.redis), closing(here.rq_redis):
            yield here

    def find(self, kind: str) -> psutil.Process | None:
        """The process of a kind, if it runs just now."""
        for child in psutil.Process(self.pid).children():
            try:
                if re.search(KINDS[kind].format(running(self.data)), " ".join(child.cmdline())):
                    return child
            except psutil.NoSuchProcess:
                continue
        return None

    def kill(self, kind: str) -> int:
        """As `kill -9`; waits for the process to be there first. `web worker`: one of the web server's own processes."""

        def struck() -> int | None:
            found = self.find(kind.removesuffix(" worker"))
            try:
                victim = next(iter(found.children()), None) if found and kind == "web worker" else found
                if victim:
                    victim.kill()
            except psutil.NoSuchProcess:  # it was just about to go
                return None
            return victim.pid if victim else None

        pid: int = until(struck)
        return pid

    def everybody(self) -> list[psutil.Process]:
        """Every process that this run started."""
        return psutil.Process(self.pid).children(recursive=True)

    def stop(self) -> int:
        """Stop it as a service manager does; its exit status."""
        assert self._process is not None
        if self._process.poll() is None:
            self._process.terminate()
        return self.end()

    def end(self) -> int:
        """Its exit status, once it has ended."""
        assert self._process is not None
        return self._process.wait(PATIENT)

    def tell(self, *arguments: str) -> str:
        """What the `forgepost` command says about this run."""
        done = run([*forgepost(*arguments), "--data", str(self.data)], capture_output=True, text=True, check=False, cwd=PROJECT)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def doctor(self) -> str:
        """What the doctor finds in this run, well or not."""
        return run([*forgepost("doctor"), "--data", str(self.data)], capture_output=True, text=True, check=False, cwd=PROJECT).stdout

    def _listen(self, process: Popen[str]) -> None:
        assert process.stdout is not None
        with process.stdout:
            for line in process.stdout:
                self.said.append(line.rstrip("\n"))
