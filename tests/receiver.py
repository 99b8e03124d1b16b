"""Receivers of webhooks for tests: a real HTTP server that says what it is told to, and servers that are up to no good."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event as Signal
from threading import Thread
from time import time
from typing import Any

import msgspec
from freezegun import freeze_time
from standardwebhooks import Webhook as Verifier


@dataclass(frozen=True)
class Got:
    """One request that came in."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def said(self) -> dict[str, Any]:
        """The body as JSON."""
        said: dict[str, Any] = msgspec.json.decode(self.body)
        return said

    @property
    def id(self) -> str:
        """The message's id."""
        return self.headers["webhook-id"]

    def verified(self, secret: str, now: int | None = None) -> dict[str, Any]:
        """What it says, once the official library has found the signature to hold; `now` (ms) where the sender's clock stands still."""
        with freeze_time(datetime.fromtimestamp((now or time() * 1000) / 1000, UTC)):
            said: dict[str, Any] = Verifier(secret).verify(self.body, self.headers)
        return said


class Receiver:
    """A server that notes what comes and answers 204, or whatever `answers` says to a request: status, headers, body."""

    def __init__(self, certificate: Any = None) -> None:
        self.got: list[Got] = []
        self.answers: Callable[[Got], tuple[int, dict[str, str], bytes]] = lambda _: (204, {}, b"")
        self.hold = Signal()
        self.hold.set()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                got = Got(self.path, {name.lower(): value for name, value in self.headers.items()}, body)
                outer.got.append(got)
                outer.hold.wait(20)
                status, headers, said = outer.answers(got)
                with suppress(OSError):
                    self.send_response(status)
                    for name, value in headers.items():
                        self.send_header(name, value)
                    self.send_header("Content-Length", str(len(said)))
                    self.end_headers()
                    self.wfile.write(said)

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        if certificate:
            context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
            context.load_cert_chain(certificate)
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        self.port: int = self._server.server_address[1]
        Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/hook"

    def always(self, status: int, body: bytes = b"", **headers: str) -> None:
        """From now on the same answer to all."""
        self.answers = lambda _: (status, {name.replace("_", "-"): value for name, value in headers.items()}, body)

    def close(self) -> None:
        self.hold.set()
        self._server.shutdown()
        self._server.server_close()


@contextmanager
def receiving(certificate: Any = None) -> Iterator[Receiver]:
    """A receiver, closed at the end."""
    receiver = Receiver(certificate)
    try:
        yield receiver
    finally:
        receiver.close()


@contextmanager
def behaving(behaviour: Callable[[socket.socket], None]) -> Iterator[int]:
    """The port of a server that does this with every connection; it may raise OSError when the other side has had enough."""
    with socket.create_server(("127.0.0.1", 0)) as door:

        def serve() -> None:
            while True:
                try:
                    visitor, _ = door.accept()
                except OSError:
                    return
                Thread(target=_host, args=(behaviour, visitor), daemon=True).start()

        Thread(target=serve, daemon=True).start()
        yield door.getsockname()[1]


def _host(behaviour: Callable[[socket.socket], None], visitor: socket.socket) -> None:
    with visitor, suppress(OSError):
        behaviour(visitor)
