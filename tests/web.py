"""The real web server on a real Redis, as `forgepost web` starts it, and clients that are slow on purpose."""

from __future__ import annotations

import json
import os
import signal
import socket
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from subprocess import STDOUT, Popen
from time import sleep
from types import TracebackType
from typing import Any, Self

import psutil

from infra.settings import Settings
from infra.wiring import Site, site
from service.running.tether import tied
from tests.end_to_end.house import PROJECT, forgepost, until
from tests.servers import PATIENT, RedisServer, free_port


class Web:
    """`forgepost web` on a port of its own, from `with` to its end; `variables` are laid over its environment."""

    def __init__(self, redis: RedisServer, data: Path, **variables: str) -> None:
        self.port, self.log, self._variables = free_port(), data / "web.log", variables
        self.settings = Settings.from_env(
            {
                "FORGEPOST_DEV": "1",
                "FORGEPOST_DATA": str(data),
                "FORGEPOST_URL": f"http://127.0.0.1:{self.port}",
                "EVENTS_REDIS_URL": redis.url,
                "SMTP_URL": "smtp://127.0.0.1:1",
                **variables,
            }
        )
        self.site: Site = site(self.settings)
        self._process: Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None) -> None:
        self.stop()
        self.site.redis.close()
        self.site.rq_redis.close()

    def start(self) -> None:
        """Start it and wait until it answers."""
        environ = {**os.environ, **self.settings.environ(), **self._variables}
        with self.log.open("ab") as paper:
            command = tied(forgepost("web", "--port", str(self.port)), signal.SIGTERM)
            self._process = Popen(command, stdout=paper, stderr=STDOUT, cwd=PROJECT, env=environ)
        until(self._answers)

    def stop(self) -> None:
        """As a service manager does."""
        if self._process and self._process.poll() is None:
            self._process.terminate()
            self._process.wait(PATIENT)

    def kill(self) -> None:
        """As `kill -9`, and its workers with it."""
        assert self._process is not None
        workers = self.workers()
        self._process.kill()
        self._process.wait()
        psutil.wait_procs(workers, PATIENT)

    def workers(self) -> list[psutil.Process]:
        """Its worker processes."""
        assert self._process is not None
        return psutil.Process(self._process.pid).children()

    def ask(self, method: str, path: str, body: Any = None, token: str = "", **headers: str) -> tuple[int, Any]:
        """One request on a connection of its own; its status and what the answer says."""
        sent = {**({"Authorization": f"Bearer {token}"} if token else {}), **({"Content-Type": "application/json"} if body is not None else {})}
        with closing(HTTPConnection("127.0.0.1", self.port, timeout=PATIENT)) as connection:
            connection.request(method, path, None if body is None else json.dumps(body), sent | headers)
            answer = connection.getresponse()
            raw = answer.read()
            return answer.status, json.loads(raw) if raw and "json" in answer.headers.get("Content-Type", "") else raw

    def opened(self, said: bytes = b"", buffer: int | None = None) -> socket.socket:
        """A bare connection on which this was sent; `buffer`: how many bytes the system may keep for a client that does not read."""
        client = socket.socket()
        if buffer is not None:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        client.settimeout(PATIENT)
        client.connect(("127.0.0.1", self.port))
        client.sendall(said)
        return client

    def player(self, name: str) -> tuple[str, str]:
        """A player's id and a token with all scopes."""
        player = self.site.players.add(name, f"{name.lower().replace(' ', '-')}@example.org")
        scopes = ("matches:read", "matches:play", "matches:create", "player:read", "player:write")
        return player.id, self.site.players.new_token(player.id, scopes, "tests")

    def _answers(self) -> bool:
        assert self._process is not None
        assert self._process.poll() is None, self.log.read_text()
        try:
            return self.ask("GET", "/healthz")[0] == 200
        except OSError:
            sleep(0.02)
            return False


def known(web: Web) -> set[tuple[object, ...]]:
    """The other ends of the connections that the web server has."""
    return {tuple(link.raddr) for worker in web.workers() for link in worker.net_connections("tcp") if link.raddr and link.status == "ESTABLISHED"}


def heard(client: socket.socket) -> bytes:
    """Everything until the server closes the connection."""
    said = b""
    while piece := client.recv(65536):
        said += piece
    return said
