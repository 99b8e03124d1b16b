"""The household: a Redis for matches and one for queues, web, workers, clock and mailbox, each kept going until somebody says stop."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from contextlib import closing, suppress
from http.client import HTTPConnection
from pathlib import Path
from threading import Event
from time import monotonic

from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from domain.ports import LogUnavailable
from infra import embedded
from infra.redis_log.gate import check
from infra.settings import Settings
from service.running import ports
from service.running.child import Child, Say
from service.running.hearing import hearing
from service.running.lease import Lease, Run

QUEUES = ("notices", "deadlines", "bots", "webhooks", "inbound")
LOOK = 0.05  # seconds between looks at the children
SLOW = 10.0  # seconds after which a start that takes long is remarked on
PATIENCE = 8.0  # seconds that a process has to stop by itself,
REDIS_PATIENCE = 30.0  # and Redis, which may have to write


class CannotRun(Exception):
    """The household cannot be set up; the message says why and what to do."""


def keep_house(data: Path, host: str, port: int, url: str | None, say: Say) -> None:
    """Run everything until a signal says stop. Raises CannotRun, NoServer, NoPort, InUse and SettingsError, each with what to do."""
    with hearing() as stop, Lease(data) as lease:
        ports.await_free(ports.address(host), port, 1.0)
        near = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - who listens everywhere is reached here too
        here = url or f"http://{f'[{near}]' if ':' in near else near}:{port}"
        run = Run(os.getpid(), here, host, port, *ports.inner(4))
        Household(run.settings(data), run, lease, say, stop).live()


class Household:
    """The processes of one run."""

    def __init__(self, settings: Settings, run: Run, lease: Lease, say: Say, stop: Event) -> None:
        self._settings, self._run, self._lease, self._say, self._stop = settings, run, lease, say, stop
        self._logs = settings.data / "log"
        server = embedded.find(settings.data)
        self._redis = self._child("redis-server", *embedded.command(server, settings.data, run.redis_port), dies_by=signal.SIGTERM)
        self._queues = self._child("queues", *embedded.queue_command(server, settings.data, run.queues_port), dies_by=signal.SIGTERM)
        self._mailbox = self._ours("mailbox", "workers", "mailbox", "--port", str(run.smtp_port))
        self._mail_in = self._ours("mail-in", "workers", "mail-in")
        self._web = self._ours("web", "service.cli", "web", "--host", run.host, "--port", str(run.port))
        self._work = [self._ours(f"worker {queue}", "workers", "worker", queue) for queue in QUEUES]
        self._work.append(self._ours("clock", "workers", "clock"))

    def live(self) -> None:
        """From start to stop. Raises CannotRun."""
        try:
            self._redis.start(keep=[self._lease.fd])  # the directory is free again when both are gone, and not sooner
            self._queues.start(keep=[self._lease.fd])
            self._await_redis()
            self._lease.tell(self._run)
            for child in (self._mailbox, self._mail_in, self._web, *self._work):
                child.start()
            if self._await_web():
                self._say(f"ready {self._run.url}")
                self._say(
                    f"Every mail arrives at {self._run.url}/dev/mail; data and logs are in {_short(self._settings.data)}; Ctrl-C stops everything."
                )
            while not self._stop.wait(LOOK):
                self._tend()
            self._say("stopping …")
        finally:
            self._end()

    def _ours(self, name: str, *module: str) -> Child:
        return self._child(name, sys.executable, "-m", *module)

    def _child(self, name: str, *command: str, dies_by: signal.Signals = signal.SIGKILL) -> Child:
        environ = {**os.environ, **self._settings.environ(), "PYTHONUNBUFFERED": "1"}
        return Child(name, command, environ, self._logs / f"{name.replace(' ', '-')}.log", dies_by=dies_by)

    def _await_redis(self) -> None:
        """Return when it answers and may be written to."""
        remark = monotonic() + SLOW
        with closing(Redis(port=self._run.redis_port, socket_timeout=2.0, retry=Retry(NoBackoff(), 0))) as client:
            while not self._stop.wait(LOOK):
                if self._redis.pid is None:
                    raise CannotRun(f"Redis ended as soon as it was started; the end of {self._redis.log} says why:\n{self._redis.last_words()}")
                with suppress(RedisError, LogUnavailable):
                    client.ping()  # raises as long as it loads
                    if wrong := check(client, self._settings):
                        raise CannotRun(f"this Redis could lose moves: {'; '.join(wrong)}")
                    return
                if monotonic() > remark:
                    self._say("Redis is still loading what was played …")
                    remark = monotonic() + SLOW

    def _await_web(self) -> bool:
        """True when the pages are there; False when somebody says stop before."""
        remark = monotonic() + SLOW
        while not self._stop.wait(LOOK):
            self._tend()
            if _answers(ports.address(self._run.host), self._run.port):
                return True
            if monotonic() > remark:
                self._say(f"The web server does not answer yet; its log is {self._web.log}")
                remark = monotonic() + SLOW
        return False

    def _tend(self) -> None:
        for child in (self._redis, self._queues, self._mailbox, self._mail_in, self._web, *self._work):
            child.tend(self._say)

    def _end(self) -> None:
        """First whoever takes requests, then whoever works, then the mailbox and the queues that served them, and Redis last."""
        self._stop_all([self._web, self._mail_in], PATIENCE)
        self._stop_all(self._work, PATIENCE)
        self._stop_all([self._mailbox, self._queues], PATIENCE)
        self._stop_all([self._redis], REDIS_PATIENCE)

    def _stop_all(self, children: Sequence[Child], patience: float) -> None:
        for child in children:
            child.ask_to_stop()
        until = monotonic() + patience
        for child in children:
            child.await_end(until - monotonic(), self._say)


def _answers(host: str, port: int) -> bool:
    """The web server says that it is ready; where it knows no such question, that it is there."""
    for path in ("/readyz", "/healthz"):
        with suppress(OSError), closing(HTTPConnection(host, port, timeout=2.0)) as asked:
            asked.request("GET", path)
            if (status := asked.getresponse().status) != 404:
                return status == 200
    return False


def _short(path: Path) -> str:
    """As somebody would type it here."""
    return f"./{path.relative_to(Path.cwd())}" if path.is_relative_to(Path.cwd()) else str(path)
