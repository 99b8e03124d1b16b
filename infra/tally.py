"""What the processes count, each by itself and all together: requests, events, mails, deliveries, open streams; never whose."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable
from importlib.resources import files
from logging import getLogger
from secrets import token_hex
from threading import Event as Signal
from threading import Lock, Thread
from typing import Any, Final, Literal, TypeAlias

import msgspec
from redis import Redis

from domain.ports import LogUnavailable
from infra.clock import now
from infra.redis_log.unavailable import in_words

log = getLogger(__name__)

Counted: TypeAlias = Literal["requests", "seconds", "microseconds", "events", "mails", "deliveries", "turned-away", "streams"]

TOTALS: Final = "{ops}:totals"  # hash: JSON of what was counted and its labels → how often
STANDING: Final = "{ops}:standing"  # hash: JSON of what there is just now and the process that says so → how many, and when (ms)
PAUSE: Final = 5.0  # seconds between two reports
REMEMBERED: Final = 86_400  # seconds
BOUNDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)  # seconds a request may take; beyond the last: inf

STALE: Final = 20_000  # ms after which a process that has said nothing is gone, and with it what it had

_field = msgspec.json.Decoder(tuple[str, ...])


class Tally:
    """Counts in memory, and adds that to the totals in Redis now and then: what a process counted in its last seconds dies with it."""

    def __init__(self, client: Redis) -> None:
        self._redis = client
        self._add = client.register_script(files(__package__).joinpath("tally.lua").read_text())
        self._fresh: Counter[tuple[str, ...]] = Counter()
        self._saying: dict[tuple[str, ...], int] = {}  # what the report says that is not acknowledged yet
        self._reports, self._process = 0, token_hex(8)
        self._pen, self._mouth = Lock(), Lock()
        self._gauges: dict[str, Callable[[], int]] = {}

    def count(self, what: Counted, *labels: str, times: int = 1) -> None:
        """It happened once more. Labels come from few: routes, types and outcomes, never anything that somebody may choose."""
        with self._pen:
            self._fresh[what, *labels] += times

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        """A request was answered."""
        place = bisect_left(BOUNDS, seconds)
        bound = str(BOUNDS[place]) if place < len(BOUNDS) else "+Inf"
        with self._pen:
            self._fresh["requests", method, route, str(status)] += 1
            self._fresh["seconds", method, route, bound] += 1
            self._fresh["microseconds", method, route] += round(seconds * 1e6)

    def show(self, what: str, how_many: Callable[[], int]) -> None:
        """From now on say how many there are of it just now, too."""
        self._gauges[what] = how_many

    def say(self) -> None:
        """Add it to the totals. Raises LogUnavailable: then the same report is sent again the next time, and counts once."""
        with self._mouth:
            if self._gauges:
                at = now()
                there: Any = {msgspec.json.encode((what, self._process)): f"{how_many()} {at}" for what, how_many in self._gauges.items()}
                with in_words(writing=True):
                    self._redis.hset(STANDING, mapping=there)
            if not self._saying:
                with self._pen:
                    self._saying, self._fresh = dict(self._fresh), Counter()
                self._reports += 1
            if not self._saying:
                return
            said: list[Any] = [self._reports, REMEMBERED]
            for field, times in self._saying.items():
                said += [msgspec.json.encode(field), times]
            with in_words(writing=True):
                self._add(keys=[TOTALS, f"{{ops}}:totals:{self._process}"], args=said)
            self._saying = {}

    def standing(self) -> Counter[str]:
        """How many there are just now in all processes that were heard of lately. Raises LogUnavailable."""
        with in_words():
            found: Any = self._redis.hgetall(STANDING)
        there: Counter[str] = Counter()
        gone = []
        for field, said in found.items():
            how_many, at = map(int, said.split())
            if now() - at < STALE:
                there[_field.decode(field)[0]] += how_many
            else:
                gone.append(field)
        if gone:
            with in_words(writing=True):
                self._redis.hdel(STANDING, *gone)
        return there

    def keep_saying(self) -> None:
        """Do so from now on, until the process ends."""
        Thread(target=self._keep_saying, args=(Signal(),), name="tally", daemon=True).start()

    def totals(self) -> dict[tuple[str, ...], int]:
        """What all processes have counted, by what it was and its labels. Raises LogUnavailable."""
        with in_words():
            found: Any = self._redis.hgetall(TOTALS)
        return {_field.decode(field): int(times) for field, times in found.items()}

    def _keep_saying(self, never: Signal) -> None:
        while not never.wait(PAUSE):
            try:
                self.say()
            except LogUnavailable as gone:
                log.debug("counts are kept for later: %s", gone)
