"""A whole post office for tests: a site on a real Redis, a mail server that can say no, and the real processes, each on its own."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from email import message_from_bytes, policy
from email.message import EmailMessage
from functools import cached_property
from pathlib import Path
from subprocess import Popen
from threading import Event as Signal
from time import monotonic, sleep
from typing import Any

import msgspec
from aiosmtpd.controller import Controller

from domain.desk import Desk, Sight
from domain.match.commands import Actor, CreateMatch, Hold, House, Submit
from domain.match.match import Ask
from domain.ports import Clock
from infra.ids import bot_player_id, new_match_id
from infra.outbox import Notice
from infra.people.players import Player
from infra.redis_log import keys
from infra.redis_log.log import RedisLog
from infra.seals.lot import lots
from infra.settings import Settings
from infra.wiring import Site, site
from tests.servers import PATIENT, RedisServer, free_port
from workers.relay import NoticesRelay

PROJECT = Path(__file__).parents[2]


class MailServer:
    """A mail server that takes what it is given, unless told to say something else at RCPT or DATA, for all or for some mailboxes."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.mails: list[tuple[str, str, EmailMessage]] = []  # from, to and the mail, as they came
        self.says: dict[str, str] = {}  # mailbox → answer at RCPT
        self.data = "250 OK"
        self.hanging = False  # does it keep everybody waiting at RCPT?
        self.kept_waiting = 0
        self._controller: Any = None

    async def handle_RCPT(self, _server: Any, _session: Any, envelope: Any, address: str, _options: Any) -> str:  # noqa: N802 - aiosmtpd's name
        self.kept_waiting += self.hanging
        while self.hanging:  # noqa: ASYNC110 - the test that lets go runs in another thread
            await asyncio.sleep(0.02)
        answer = self.says.get(address, "250 OK")
        if answer.startswith("250"):
            envelope.rcpt_tos.append(address)
        return answer

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802 - the same
        if self.data.startswith("250"):
            mail = message_from_bytes(envelope.content, policy=policy.default)
            self.mails.append((envelope.mail_from, envelope.rcpt_tos[0], mail))
        return self.data

    def open(self) -> None:
        self._controller = Controller(self, "127.0.0.1", self.port, ready_timeout=PATIENT)
        self._controller.start()

    def close(self) -> None:
        if self._controller:
            self._controller.stop()
            self._controller = None

    def to(self, address: str, kind: str = "") -> list[EmailMessage]:
        """What came for a mailbox, of one kind of notice if asked for."""
        return [mail for _, to, mail in self.mails if to == address and f":{kind or ''}" in str(mail["Feedback-ID"])]


class Office:
    """One site with its mail server; what it started, it ends."""

    def __init__(self, redis: RedisServer, data: Path) -> None:
        self.redis = redis
        self.post = MailServer(free_port())
        self.settings = Settings.development(data, redis_port=redis.port, smtp_port=self.post.port)
        self._running: list[Popen[bytes]] = []

    @cached_property
    def site(self) -> Site:
        return site(self.settings)

    def start(self, *process: str) -> Popen[bytes]:
        """One of the processes, as `python -m workers …`."""
        environ = {**os.environ, **self.settings.environ()}
        self._running.append(Popen([sys.executable, "-W", "error", "-m", "workers", *process], env=environ, cwd=PROJECT))
        return self._running[-1]

    def start_all(self) -> dict[str, Popen[bytes]]:
        """A worker for each queue, and a clock."""
        workers = {queue: self.start("worker", queue) for queue in ("notices", "deadlines", "bots", "webhooks")}
        return {**workers, "clock": self.start("clock")}

    def end(self) -> None:
        for process in self._running:
            process.kill()
            process.wait()
        self.post.hanging = False
        self.post.close()
        if "site" in vars(self):
            self.site.redis.close()
            self.site.rq_redis.close()

    def relay(self) -> None:
        """Settle every entry of the feed, as the clock does."""
        relay = NoticesRelay(self.site, Signal())
        while self.site.redis.exists(*(keys.feed(of) for of in range(self.settings.partitions))) and self._behind():
            relay.read(Signal())

    def _behind(self) -> bool:
        """Whether the feed holds entries that were not settled."""
        for of in range(self.settings.partitions):
            groups: Any = self.site.redis.xinfo_groups(keys.feed(of)) if self.site.redis.exists(keys.feed(of)) else []
            newest: Any = self.site.redis.xrevrange(keys.feed(of), count=1)
            if newest and not any(
                group["name"] == b"notices" and group["last-delivered-id"] == newest[0][0] and not group["pending"] for group in groups
            ):
                return True
        return False

    def outbox(self) -> dict[Notice, int]:
        """The notices in the outbox, and when (ms) each is to go out."""
        found: list[tuple[bytes, float]] = []
        for of in range(self.settings.partitions):
            rows: Any = self.site.redis.zrange(keys.notices(of), 0, -1, withscores=True)
            found += rows
        return {msgspec.json.decode(notice, type=Notice): int(at) for notice, at in found}

    def player(self, name: str) -> Player:
        return self.site.players.add(name, f"{name.lower()}@example.org")

    def by(self, clock: Clock) -> Site:
        """The site as it is by another clock, however far that is from the one of Redis."""
        log = RedisLog(self.site.redis, self.settings.partitions, skew_ms=1 << 50)
        return replace(self.site, clock=clock, log=log, desk=Desk(log, lots(self.site.keys), clock))

    def match(self, *names: str, options: dict[str, Any] | None = None, began: int = 0, **settings: Any) -> Sight:
        """A match of Fourfold in the order of joining: a name that begins with `bot` is a house bot's, any other a person's.

        It begins now, or began at a time (ms).
        """
        site = self.by(lambda: began) if began else self.site
        match = new_match_id(self.settings.partitions)
        places = tuple(
            House("random", bot_player_id(match, seat)) if name.startswith("bot") else Hold(self.player(name).id) for seat, name in enumerate(names)
        )
        creator = next(place.player for place in places if isinstance(place, Hold))
        created = CreateMatch(Actor(creator, "web"), "fourfold", options or {}, {"seating": "joined", **settings}, places)
        return site.desk.do(match, created).sight

    def play(self, match: str, ask: Ask) -> Sight:
        """The asked seat plays its first legal action."""
        now = self.site.desk.look(match).match
        action = next(iter(now.game.legal(now.state, ask.seat)))
        return self.site.desk.do(match, Submit(Actor(now.chair(ask.seat).player or "", "link"), ask.seat, now.ply, (action,))).sight


def until(what: Callable[[], Any], seconds: float = PATIENT) -> Any:
    """The first true answer; fails when there is none in time."""
    end = monotonic() + seconds
    while monotonic() < end:
        if answer := what():
            return answer
        sleep(0.02)
    raise AssertionError(f"not within {seconds} s")


@contextmanager
def opened(redis: RedisServer, data: Path) -> Iterator[Office]:
    """An office, closed at the end."""
    office = Office(redis, data)
    office.post.open()
    try:
        yield office
    finally:
        office.end()
