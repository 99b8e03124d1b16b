"""A data directory belongs to one run at a time; `run.json` in it tells other commands where that run can be reached."""

from __future__ import annotations

import os
from dataclasses import replace
from fcntl import LOCK_EX, LOCK_NB, flock
from pathlib import Path
from time import monotonic, sleep
from types import TracebackType
from typing import Self

import msgspec

from infra.settings import Settings

LEAVING = 5.0  # seconds that what is left of an ended run has to let go


class Run(msgspec.Struct, frozen=True):
    """Where a run can be reached; `pid` is the supervisor's."""

    pid: int
    url: str
    host: str
    port: int
    redis_port: int
    queues_port: int
    smtp_port: int
    mail_in_port: int

    def settings(self, data: Path) -> Settings:
        """The settings of its processes."""
        settings = Settings.development(
            data, host=self.host, port=self.port, redis_port=self.redis_port, smtp_port=self.smtp_port, mail_in_port=self.mail_in_port
        )
        return replace(settings, url=self.url, rq_redis_url=f"redis://127.0.0.1:{self.queues_port}/0")


class InUse(Exception):
    """Another run has the directory."""


class NotRunning(Exception):
    """Nothing runs on the directory."""


class Lease:
    """Holds a data directory for as long as the context lasts, and for as long as a process lives that inherited `fd`."""

    def __init__(self, data: Path) -> None:
        self._data = data
        self.fd = -1

    def __enter__(self) -> Self:
        """Raises InUse, and OSError for a directory that cannot be written to."""
        self._data.mkdir(parents=True, exist_ok=True)
        self.fd = os.open(self._data / "run.lock", os.O_RDWR | os.O_CREAT, 0o600)
        until = monotonic() + LEAVING
        while not _lock(self.fd):
            said = _read(self._data)
            if said and _alive(said.pid):
                os.close(self.fd)
                raise InUse(f"{self._data} is in use by process {said.pid}, at {said.url}: stop that one, or give another directory with --data")
            if monotonic() > until:
                os.close(self.fd)
                raise InUse(f"{self._data} is in use, by a run that just starts or by what is left of one that ended: try again in a moment")
            sleep(0.05)
        (self._data / "run.json").unlink(missing_ok=True)
        return self

    def __exit__(self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None) -> None:
        (self._data / "run.json").unlink(missing_ok=True)
        os.close(self.fd)

    def tell(self, run: Run) -> None:
        """Let other commands find this run."""
        draft = self._data / "run.json.new"
        draft.write_bytes(msgspec.json.encode(run))
        draft.replace(self._data / "run.json")


def running(data: Path) -> Run:
    """The run that has this directory. Raises NotRunning, in words that say what to do."""
    start = f"start it with: forgepost run --data {data}"
    said = _read(data)
    if said is None:
        raise NotRunning(f"no Forgepost runs on {data}; {start}")
    if _free(data):
        raise NotRunning(f"no Forgepost runs on {data} any more: its run.json was left behind by process {said.pid}, which has ended; {start}")
    return said


def _free(data: Path) -> bool:
    fd = os.open(data / "run.lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        return _lock(fd)
    finally:
        os.close(fd)


def _lock(fd: int) -> bool:
    try:
        flock(fd, LOCK_EX | LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _read(data: Path) -> Run | None:
    try:
        return msgspec.json.decode((data / "run.json").read_bytes(), type=Run)
    except (OSError, msgspec.MsgspecError):
        return None


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
