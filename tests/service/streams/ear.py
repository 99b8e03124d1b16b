"""A client of a stream: reads server-sent events as their standard has it, and keeps what it heard."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException, HTTPResponse
from threading import Event
from typing import Any

from tests.web import Web


@dataclass
class Heard:
    """One event as it was dispatched."""

    id: str
    type: str
    data: Any


@dataclass
class Ear:
    """Listens to a match; comes back to where it was with `listen`."""

    web: Web
    match: str
    token: str = ""
    asked: str = ""  # what stands behind the question mark, and the question mark
    last: str = ""  # the last event id, as EventSource keeps it
    heard: list[Heard] = field(default_factory=list)
    beats: int = 0
    retry: int = 0
    _connection: HTTPConnection | None = None
    _answer: HTTPResponse | None = None

    def listen(self, buffer: int | None = None) -> HTTPResponse:
        """Connect, naming what came last; the answer's status and headers."""
        self._connection = HTTPConnection("127.0.0.1", self.web.port)
        self._connection.sock = self.web.opened(buffer=buffer)
        headers = {**({"Authorization": f"Bearer {self.token}"} if self.token else {}), **({"Last-Event-ID": self.last} if self.last else {})}
        self._connection.request("GET", f"/api/v1/matches/{self.match}/stream{self.asked}", headers=headers)
        self._answer = self._connection.getresponse()
        return self._answer

    @property
    def place(self) -> tuple[object, ...]:
        """This end of the connection."""
        assert self._connection is not None
        assert self._connection.sock is not None
        return tuple(self._connection.sock.getsockname())

    def sip(self, over: Event) -> None:
        """Read a byte now and then, until the connection is closed or somebody says so."""
        assert self._connection is not None
        while not over.wait(0.2):
            try:
                if not self._connection.sock.recv(1):
                    return
            except ConnectionError:
                return

    def block(self) -> bool:
        """Take the next block of lines up to an empty one; False when the connection ends before that."""
        assert self._answer is not None
        fields: dict[str, str] = {}
        while True:
            try:
                line = self._answer.readline().decode()
            except (HTTPException, ConnectionError):
                return False
            if not line.endswith("\n"):
                return False
            name, _, value = line.rstrip("\n").partition(":")
            if line == "\n":
                break
            self.beats += not name
            fields[name] = value.removeprefix(" ")
        self.last = fields.get("id", self.last)
        self.retry = int(fields.get("retry", self.retry))
        if "data" in fields:
            self.heard.append(Heard(self.last if "id" in fields else "", fields.get("event", "message"), json.loads(fields["data"])))
        return True

    def until(self, met: Callable[[], bool]) -> list[Heard]:
        """Listen until something is so; fails when the stream ends before."""
        while not met():
            assert self.block(), f"the stream ended after {len(self.heard)} events"
        return self.heard

    def to_the_end(self) -> list[Heard]:
        """Listen until the connection is closed."""
        while self.block():
            pass
        self.leave()
        return self.heard

    def leave(self) -> None:
        """Close the connection."""
        if self._answer:
            self._answer.close()
        if self._connection:
            self._connection.close()
        self._answer = self._connection = None
