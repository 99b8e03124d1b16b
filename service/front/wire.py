"""The wire to a client: whoever does not take what is sent in time is cut off."""

from __future__ import annotations

import logging
import os
import socket
import struct
from asyncio import get_running_loop
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from service.front.shapes import Scope, Send

log = logging.getLogger(__name__)

PIECE = 1 << 16  # bytes that are sent at once
PATIENCE = 20.0  # seconds that a client has to take something of what was sent
AT_ONCE = struct.pack("ii", 1, 0)  # SO_LINGER: what was not sent is dropped


class CutOff(Exception):
    """The client did not take what was sent; its connection is closed."""


async def sent(scope: Scope, send: Send, data: bytes, *, more: bool) -> None:
    """Hand over a body, or a part of one. Raises CutOff."""
    if len(data) <= PIECE and not more:  # the server takes a whole small body as it is
        await send({"type": "http.response.body", "body": data})
        return
    for start in range(0, len(data), PIECE):
        message = {"type": "http.response.body", "body": data[start : start + PIECE], "more_body": more or start + PIECE < len(data)}
        cut = get_running_loop().call_later(PATIENCE, hang_up, scope["client"])
        await send(message)
        if cut.when() <= get_running_loop().time():
            raise CutOff
        cut.cancel()


def be_impatient() -> None:
    """From now on the system keeps little for a client that does not read, and ends a connection on which nothing is taken for long (Linux)."""
    for connection in _connections():  # those that it accepts inherit it; some have been accepted by now
        with suppress(AttributeError, OSError):  # elsewhere only whoever stops reading in the middle of a long answer is cut off
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(PATIENCE * 1000))
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, PIECE)


def hang_up(client: tuple[str, int]) -> None:
    """Close the connection from this address, with all that is still to be sent. By its other end's address it cannot be another's."""
    for connection in _connections():
        with suppress(OSError):
            if connection.getpeername()[:2] == tuple(client):
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, AT_ONCE)
                connection.shutdown(socket.SHUT_RDWR)
                log.warning("a client that did not read was cut off")


def _connections() -> Iterator[socket.socket]:
    """Every connection of this process in turn. The server has no word for them, so they are found among the open files."""
    for file in list(Path("/dev/fd").iterdir()):
        try:
            copy = os.dup(int(file.name))
        except OSError:
            continue
        try:
            connection = socket.socket(fileno=copy)
        except OSError:
            os.close(copy)
            continue
        with connection:
            yield connection
