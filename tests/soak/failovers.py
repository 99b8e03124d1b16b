"""Redis fails over in the first seconds of a site or later, while its processes are started late, stopped and killed: nothing is left untold."""

from __future__ import annotations

import signal
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from random import Random
from subprocess import Popen
from time import monotonic, sleep
from typing import Final

from domain.match.match import Match
from domain.match.past import chosen_by
from domain.ports import LogUnavailable
from infra.listing import row
from infra.outbox import Notice
from infra.settings import Settings
from infra.webhooks.webhooks import Webhook, Wish
from infra.wiring import Site
from tests.infra.keeping.tables import anew
from tests.receiver import Receiver, receiving
from tests.sentinel import Sentinel
from tests.servers import BINARIES, RedisServer
from tests.workers.office import Office, opened, until
from workers.letters.envelope import Addresses

PROCESSES: Final = {"clock": ("clock",), **{queue: ("worker", queue) for queue in ("notices", "bots", "webhooks")}}
LONG: Final = {"goals_to_win": 10}
EVENING: Final = 10.0  # seconds in which things happen


def run(count: int, seed: int, say: Callable[[str], object]) -> Counter[str]:
    """So many fail-overs, each of a site of its own; what happened around them. Fails with the seed and what is missing at the end."""
    happened = Counter[str]()
    for number in range(seed, seed + count):
        with tempfile.TemporaryDirectory() as room, ExitStack() as closing:
            evening = Evening(Random(number), Path(room), closing)
            happened += evening.pass_by()
            say(f"seed {number}: {len(evening.matches)} matches, {len(evening.office.post.mails)} mails, {len(evening.receiver.got)} deliveries")
    return happened


class Evening:
    """One site on a master and its replica; Ann plays with house bots and has a webhook."""

    def __init__(self, chance: Random, room: Path, closing: ExitStack) -> None:
        self._chance, self._running = chance, dict[str, Popen[bytes]]()
        self._master, self._replica = (self._server(room / name, closing) for name in ("master", "replica"))
        self._replica.follow(self._master)
        for server in (self._master, self._replica):
            with server.client() as client:
                client.config_set("min-replicas-to-write", 1)
        self._sentinel = Sentinel(self._master, room)
        closing.callback(self._sentinel.kill)
        until(lambda: self._sentinel.says(replicas=1))
        self.office: Office = closing.enter_context(opened(self._master, room))
        there = {"EVENTS_REDIS_URL": self._sentinel.url, "RQ_REDIS_URL": self._sentinel.url, "REPLICAS": "1"}
        self.office.settings = Settings.from_env({**self.office.settings.environ(), **there})
        self.receiver: Receiver = closing.enter_context(receiving())
        self._hook = self.office.site.webhooks.add(self.office.player("Ann").id, Wish(self.receiver.url), 1)
        self.matches: list[str] = []

    def pass_by(self) -> Counter[str]:
        """Let it happen, and see that in the end everything was told."""
        chance = self._chance
        plan = [(chance.uniform(0, 4), name) for name in PROCESSES] + [(0.0, "match"), (chance.uniform(0, 6), "match")]
        plan += [(chance.uniform(1, 7), "fail over"), *((chance.uniform(2, 8), what) for what in chance.sample(["stop", "kill", "stop"], 2))]
        plan.sort()
        happened, began = Counter(what for _, what in plan if what not in PROCESSES), monotonic()
        while plan or monotonic() - began < EVENING:
            while plan and plan[0][0] <= monotonic() - began:
                self._do(plan.pop(0)[1])
            self._tend()
            with suppress(LogUnavailable):
                self._play()
            sleep(0.1)
        for process in self._running.values():
            process.send_signal(signal.SIGCONT)
        try:
            until(self._all_told)
        except AssertionError as late:
            raise AssertionError(self._missing()) from late
        assert anew(self.office).readonly.marked() == {}
        return happened

    def _server(self, room: Path, closing: ExitStack) -> RedisServer:
        room.mkdir()
        server = RedisServer(BINARIES[0], room, repl_diskless_sync_delay="0")
        closing.callback(server.kill)
        return server

    def _do(self, what: str) -> None:
        match what:
            case "match":
                self.matches.append(until(self._begun))
            case "fail over":
                self._master.kill()
                self._sentinel.await_master(self._replica)
                self._master.start(min_replicas_to_write="1")
            case "stop" | "kill":
                if self._running:
                    self._running[self._chance.choice(sorted(self._running))].send_signal(signal.SIGSTOP if what == "stop" else signal.SIGKILL)
            case _:
                self._running[what] = self.office.start(*PROCESSES[what])

    def _begun(self) -> str:
        with suppress(LogUnavailable):
            return self.office.match("Ann", "bot1", "bot2", "bot3", options=LONG, undo_seconds=0).match.id
        return ""

    def _tend(self) -> None:
        """As whatever keeps them running does."""
        for name, process in self._running.items():
            if process.poll() is not None:
                self._running[name] = self.office.start(*PROCESSES[name])

    def _play(self) -> None:
        """Ann's next action, wherever she is asked."""
        for name in self.matches:
            now = self.office.site.desk.look(name).match
            for ask in [ask for ask in now.asks if now.chair(ask.seat).bot is None][:1]:
                self.office.play(name, ask)

    def _all_told(self) -> bool:
        self._tend()
        return not self._missing()

    def _missing(self) -> list[str]:
        try:
            return [
                f"{name}: {words}" for name in self.matches for words in _missing(self.office, anew(self.office), name, self._hook, self.receiver)
            ]
        except LogUnavailable as gone:
            return [str(gone)]


def _missing(office: Office, site: Site, name: str, hook: Webhook, receiver: Receiver) -> Iterator[str]:
    """What of a match nobody was told, or nobody has done."""
    sight = site.desk.look(name)
    if any(sight.match.chair(ask.seat).bot is not None for ask in sight.match.asks):
        yield "a bot has not played"
    elif sight.match.asks and not _told(office, site, sight.match):
        yield f"there was no mail about the turn, and there is no notice of it: {sight.match.asks}"
    if [each for each in site.listing.find(viewer=hook.player, player=hook.player)[0] if each.match == name] != [row(sight.match)]:
        yield "it stands in the list as it was"
    seen = site.witness.newest().get(name)
    if seen is None or (seen.version, seen.hash) != (sight.tip.version, sight.tip.hash.hex()):
        yield f"the witness has seen {seen and seen.version} of {sight.tip.version}"
    heard = {got.id for got in receiver.got}
    if untold := [version for version in range(1, sight.tip.version + 1) if f"msg_{hook.id}_{name}_{version}" not in heard]:
        yield f"the webhook was not told of {untold}"


def _told(office: Office, site: Site, now: Match) -> bool:
    """Whether the turn of whoever is asked was mailed since they last played in it, or is about to be."""
    (ask,) = now.asks
    events = enumerate(site.desk.events(now), start=1)
    since = max((version for version, event in events if version > ask.version and chosen_by(event, (ask.seat,))), default=ask.version)
    player, mailed = now.chair(ask.seat).player or "", {str(mail["Message-ID"]) for _, _, mail in office.post.mails}
    addresses = Addresses(site.keys, site.settings.mail_domain)
    notices = [
        Notice("turn", now.id, player, ask.seat, ask.version, ply, version)
        for version in range(since, now.version + 1)
        for ply in range(ask.ply, now.ply + 1)
    ]
    return any(notice in office.outbox() or addresses.message_id(notice) in mailed for notice in notices)
