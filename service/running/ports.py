"""Ports: whether one is free, and free ones for what only this machine's own processes talk to."""

from __future__ import annotations

import os
import socket
import sys
from collections import deque
from contextlib import suppress
from itertools import islice
from random import SystemRandom
from time import monotonic, sleep

# Below the ports that the system gives to outgoing connections (from 32768 on Linux, 49152 elsewhere): a client that knocks at a
# closed port among those can be given that very port to knock from, meets itself, and the server never gets it back.
INNER = range(20_000, 30_000)


HELD = 64  # ports at once in a process; whoever asks for more has long used the first

_held: deque[int] = deque()


class NoPort(Exception):
    """A port cannot be had; the message says why and what to do."""


def inner(count: int) -> list[int]:
    """So many different ports of the loopback that are free now, held so that nobody else who asks for some is given them meanwhile."""
    shuffled = SystemRandom().sample(INNER, len(INNER))
    found = list(islice(filter(_hold, shuffled), count))
    if len(found) < count:
        raise NoPort(f"there are no {count} free ports from {INNER.start} to {INNER.stop - 1} on 127.0.0.1")
    return found


def _hold(port: int) -> bool:
    """Whether nobody has a port of the loopback, nor holds it. Where the system allows, it is shared from then on with whoever is to listen there."""
    with socket.socket() as door:
        try:
            door.bind(("127.0.0.1", port))
        except OSError:
            return False
        if sys.platform == "linux":  # elsewhere nobody could listen at a port that is held
            door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            _held.append(door.detach())
    if len(_held) > HELD:
        os.close(_held.popleft())
    return True


def trouble(host: str, port: int) -> str | None:
    """Why nobody can listen there, in words; None when the port is free."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        with socket.socket(family, kind, protocol) as knock:
            knock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # connections that ended a moment ago do not count
            knock.bind(address)
    except OSError as error:
        return f"nothing can listen on {host} port {port}: {(error.strerror or str(error)).lower()}"
    return None


def await_free(host: str, port: int, patience: float) -> None:
    """Return when the port is free; whoever had it may be about to leave. Raises NoPort after so many seconds."""
    until = monotonic() + patience
    while (said := trouble(host, port)) is not None:
        if monotonic() > until:
            raise NoPort(f"{said}; end what listens there, or give another port with --port")
        sleep(0.05)


def address(host: str) -> str:
    """A host name as the address that a server binds."""
    with suppress(OSError):
        found: str = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0][4][0]  # type: ignore[assignment]
        return found
    raise NoPort(f"{host} is no address of this machine: give one with --host, as in 127.0.0.1 or 0.0.0.0")
