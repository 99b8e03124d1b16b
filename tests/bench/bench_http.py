"""Requests over HTTP to the real web server: whole moves against an endpoint that does nothing, side by side, and while a thousand listen."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from http.client import HTTPConnection
from itertools import cycle
from pathlib import Path
from random import Random
from threading import Thread
from time import monotonic
from typing import Any, Protocol

import psutil

from tests.bench.measure import Measure, at_most, middle
from tests.servers import BINARIES, RedisServer
from tests.web import Web

CONNECTIONS = 16
STOCK = 6  # matches of each connection that are created before a round, so that the round is of moves alone
ROUNDS, DURATION = 4, 1.5  # every kind of request has its turn so often, for so many seconds: what else the machine does falls on all
STREAMS = 1000


@dataclass
class Rate:
    """How requests of one kind went."""

    times: list[float] = field(default_factory=list)
    spent: float = 0.0
    worked: float = 0.0  # seconds of processor time of the web server

    @property
    def cost(self) -> float:
        """What one request costs the web server, in µs of processor time. Redis and whoever asks have theirs beside it."""
        return self.worked / len(self.times) * 1e6

    @property
    def each_second(self) -> float:
        """Requests a second, over all connections."""
        return len(self.times) / self.spent

    def slowest(self, share: float) -> float:
        """The time (ms) that this share of the requests took at most."""
        return sorted(self.times)[int(len(self.times) * share)] * 1000


def measures() -> Iterator[Measure]:
    """With every move on the disk before it is acknowledged, and with a disk that is written every second."""
    yield from moves("fsync always", 0.25)
    yield from moves("fsync every second", 0.30, appendfsync="everysec")


def moves(words: str, wanted: float, **settings: str) -> Iterator[Measure]:
    """On one server, one kind of request after the other, again and again."""
    with tempfile.TemporaryDirectory() as room, ExitStack() as stack:
        data = Path(room) / "redis"
        data.mkdir()
        redis = RedisServer(BINARIES[0], data, **settings)
        stack.callback(redis.kill)
        web = stack.enter_context(Web(redis, Path(room), ALLOW_LOSS_WINDOW="1"))
        player, token = web.player("Ann")
        seen = _Seen(web, token)
        bare, move, same = _rates(web, lambda _: _Nothing(), lambda number: _Moves(player, token, number), lambda _: seen)
        yield Measure(f"{words}: an endpoint that does nothing", f"{bare.each_second:,.0f} /s", f"middle {middle(bare.times) * 1000:.1f} ms")
        yield Measure(f"{words}: whole moves with a token", f"{move.each_second:,.0f} /s", f"middle {middle(move.times) * 1000:.1f} ms")
        yield _ratio(f"{words}: moves for one request that does nothing", move, bare, wanted)
        yield _ratio(f"{words}: looks at an unchanged match (ETag), likewise", same, bare, 0.6)
        costs = f"{bare.cost:,.0f}, {move.cost:,.0f}, {same.cost:,.0f} µs"
        yield Measure(f"{words}: what the three cost the web server, each", costs, "processor time")
        yield at_most(f"{words}: the slowest of 100 moves, in middle ones", move.slowest(0.99) / move.slowest(0.5), 5, "", 1)
        if not settings:
            yield from crowd(web, stack)


def crowd(web: Web, stack: ExitStack) -> Iterator[Measure]:
    """Whole moves while a thousand listen to a match in which nothing happens."""
    more_files()
    player, token = web.player("Bo")
    quiet = _Moves(player, token, 0)
    quiet.prepare(web)
    alone = _rates(web, lambda number: _Moves(player, token, 500 + number))[0]
    settled = sum(worker.memory_info().rss for worker in web.workers())
    tokens = cycle([web.player(f"Listener {number}")[1] for number in range(4)])
    streams = [
        web.opened(f"GET /api/v1/matches/{quiet.id}/stream HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {next(tokens)}\r\n\r\n".encode())
        for _ in range(STREAMS)
    ]
    for stream in streams:
        stack.callback(stream.close)
        said = stream.recv(4096)
        assert said.startswith(b"HTTP/1.1 200 "), said
    weight = (sum(worker.memory_info().rss for worker in web.workers()) - settled) / STREAMS / 1024
    among = _rates(web, lambda number: _Moves(player, token, 900 + number))[0]
    yield at_most(f"memory of one of {STREAMS} idle streams", weight, 64, "KiB")
    yield _ratio(f"moves while {STREAMS} streams are open, for one without", among, alone, 0.9)


def more_files() -> None:
    """Let this process have as many open files as a thousand connections need."""
    kind = psutil.RLIMIT_NOFILE
    soft, hard = psutil.Process().rlimit(kind)
    psutil.Process().rlimit(kind, (max(soft, min(4096, hard)), hard))


def _ratio(words: str, these: Rate, those: Rate, wanted: float) -> Measure:
    found = these.each_second / those.each_second
    return Measure(words, f"{found:.2f}", f"at least {wanted:.2f}", met=found >= wanted)


def _rates(web: Web, *kinds: Callable[[int], Work]) -> list[Rate]:
    """Each kind of request over all connections, in turns."""
    rates = [Rate() for _ in kinds]
    works = [[kind(number) for number in range(CONNECTIONS)] for kind in kinds]
    for _ in range(ROUNDS):
        for rate, each in zip(rates, works, strict=True):
            for work in each:
                work.prepare(web)
            begun, worked = monotonic(), _worked(web)
            threads = [Thread(target=_ask, args=(web, work, rate.times)) for work in each]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            rate.spent += monotonic() - begun
            rate.worked += _worked(web) - worked
    return rates


def _worked(web: Web) -> float:
    """Seconds of processor time that the web server's workers have used."""
    return sum(used.user + used.system for used in (worker.cpu_times() for worker in web.workers()))


def _ask(web: Web, work: Work, times: list[float]) -> None:
    """As fast as the answers come, over one connection."""
    with closing(HTTPConnection("127.0.0.1", web.port)) as connection:
        end = monotonic() + DURATION
        while (start := monotonic()) < end:
            if work.ask(connection):
                times.append(monotonic() - start)


class Work(Protocol):
    """One kind of request, over one connection after the other."""

    def prepare(self, web: Web) -> None:
        """What has to be there before time is taken."""

    def ask(self, connection: HTTPConnection) -> bool:
        """One request; whether it counts."""


class _Nothing:
    """An endpoint that does nothing."""

    def prepare(self, web: Web) -> None:
        pass

    def ask(self, connection: HTTPConnection) -> bool:
        connection.request("GET", "/healthz")
        answer = connection.getresponse()
        answer.read()
        assert answer.status == 200
        return True


class _Seen:
    """A match that is looked at again and again, with the ETag of what was seen."""

    def __init__(self, web: Web, token: str) -> None:
        body = {"game": "fourfold", "settings": {"several_seats": True}, "seats": [{"player": "me"}] * 4}
        _, made = web.ask("POST", "/api/v1/matches", body, token)
        match = made.get("match", made)
        self._path = f"/api/v1/matches/{match['id']}"
        self._headers = {"Authorization": f"Bearer {token}", "If-None-Match": f'"{match["version"]}-{match["head"]["hash"][:16]}"'}

    def prepare(self, web: Web) -> None:
        pass

    def ask(self, connection: HTTPConnection) -> bool:
        connection.request("GET", self._path, headers=self._headers)
        answer = connection.getresponse()
        answer.read()
        assert answer.status == 304
        return True


class _Moves:
    """Plays one match after the other, by lot, with all four seats; only moves are counted."""

    def __init__(self, player: str, token: str, number: int) -> None:
        self._player, self._token, self._chance = player, token, Random(number)
        self._matches: list[dict[str, Any]] = []

    @property
    def id(self) -> str:
        """The match that is played."""
        name: str = self._matches[-1]["id"]
        return name

    def prepare(self, web: Web) -> None:
        with closing(HTTPConnection("127.0.0.1", web.port)) as connection:
            while len(self._matches) < STOCK:
                self._create(connection)

    def ask(self, connection: HTTPConnection) -> bool:
        if not self._matches:
            self._create(connection)
            return False
        match = self._matches.pop()
        due = match["view"]["due"]
        cell = self._chance.choice(due["cells"])
        action = {"type": "deploy", "at": cell} if due["kind"] == "deploy" else {"type": "advance", "runner": due["runner"], "to": cell}
        body = {"seat": due["seat"], "ply": match["ply"], "actions": [action]}
        after = self._post(connection, f"/api/v1/matches/{match['id']}/submissions", body)["match"]
        if after["status"] == "live":
            self._matches.append(after)
        return True

    def _create(self, connection: HTTPConnection) -> None:
        body = {"game": "fourfold", "settings": {"undo_seconds": 0, "visibility": "public"}, "seats": [{"player": "me"}] * 4}
        self._matches.append(self._post(connection, "/api/v1/matches", body))

    def _post(self, connection: HTTPConnection, path: str, body: dict[str, Any]) -> dict[str, Any]:
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
        connection.request("POST", path, json.dumps(body), headers)
        answer = connection.getresponse()
        raw = answer.read()
        assert answer.status == 201, raw
        said: dict[str, Any] = json.loads(raw)
        return said
