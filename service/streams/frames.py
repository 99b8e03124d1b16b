"""Server-sent events, byte for byte (WHATWG HTML, section 9.2)."""

from __future__ import annotations

from secrets import randbelow
from typing import Final

from domain.chain import canonical
from domain.match.codec import Line

MEDIA: Final = "text/event-stream"
BEAT: Final = b": \n\n"  # a comment: keeps what lies between from closing a connection on which nothing happens
RETRY: Final = (1000, 4000)  # ms until a client comes back whose stream was interrupted; by lot, so that not all come at once
LAST: Final = "seed.revealed"  # the type of the last event of every match


def beginning(version: int, retry: int | None = None) -> bytes:
    """Sets when to come back, and what to name as `Last-Event-ID` then, also where nothing has happened yet."""
    return f"retry: {retry or RETRY[0] + randbelow(RETRY[1] - RETRY[0])}\nid: {version}\n\n".encode()


def frame(line: Line) -> bytes:
    """One event of the match."""
    return f"id: {line.version}\nevent: {line.type}\ndata: {canonical(line).decode()}\n\n".encode()


def ending(match: str, version: int) -> bytes:
    """Says that the match is over and nothing more will come. It is no event of the log and has no id."""
    return b'event: stream.ended\ndata: {"match":"%b","version":%d}\n\n' % (match.encode(), version)
