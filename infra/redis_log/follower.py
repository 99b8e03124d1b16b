"""Follows the feeds for those who listen to matches as they are played: one waiting connection a process, however many listen."""

from __future__ import annotations

import logging
from asyncio import Event, Task, create_task, gather, get_running_loop, sleep
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

from redis.asyncio import Redis
from redis.exceptions import RedisError

from domain.match.codec import Damage, Line, lines
from domain.ports import Stored, Tip
from infra.redis_clients.client import waiting
from infra.redis_log import keys

log = logging.getLogger(__name__)

WAIT = 2000  # ms that one read waits for news; well below the socket's time-out
COUNT = 500  # feed entries a partition and read
PAGE = 100  # events a match and read
AT_ONCE = 100  # matches that are asked after in one round trip
BREATH = 0.02  # seconds between two reads that find something: without, each move anywhere wakes every process that has listeners
PAUSE = 0.5  # seconds after Redis was away
ROUND = 15.0  # seconds between two looks at all matches that are followed: what the feed told while nobody could read it is found then

Told = Callable[[str, list[Line] | None], None]


class Follower:
    """Tells the events of the matches that it follows, each once and in their order, as soon as they are appended by whatever process.

    `told` is called with a match and its new events, or with None when its log cannot be read: it is not followed any more. All of
    it happens in one event loop.
    """

    def __init__(self, url: str, partitions: int) -> None:
        self._url = url
        self._feeds = [keys.feed(of).encode() for of in range(partitions)]
        self._tips: dict[str, Tip] = {}
        self._stale: set[str] = set()
        self._news = Event()
        self._task: Task[None] | None = None
        self._told: Told = lambda _match, _lines: None

    def tell(self, told: Told) -> None:
        """Who is told."""
        self._told = told

    def follow(self, match: str, tip: Tip) -> int:
        """Tell its events from now on; the version after which they are told, which is the tip's where nobody followed it before."""
        tip = self._tips.setdefault(match, tip)
        self._look_at([match])
        if self._task is None:
            self._task = create_task(self._run())
        return tip.version

    def forget(self, match: str) -> None:
        """Tell nothing of it any more. Who follows nothing reads nothing."""
        self._tips.pop(match, None)
        self._stale.discard(match)
        if not self._tips:
            self.stop()

    def stop(self) -> None:
        """Read no more."""
        if self._task:
            self._task.cancel()
            self._task = None

    def _look_at(self, matches: Iterable[str]) -> None:
        self._stale.update(matches)
        self._news.set()

    async def _run(self) -> None:
        redis = waiting(self._url)
        try:
            await gather(self._forever(redis, self._watch), self._forever(redis, self._read))
        finally:
            with suppress(RedisError, OSError):
                await redis.aclose()

    async def _forever(self, redis: Redis, work: Callable[[Redis], Any]) -> None:
        """Do the work again and again; what Redis did not tell while it was away is asked for afterwards."""
        while True:
            try:
                await work(redis)
            except (RedisError, OSError) as error:
                log.warning("the feeds cannot be followed just now: %s", error)
            except Exception:
                log.exception("a fault of ours while following the feeds")
            else:
                continue
            await sleep(PAUSE)
            self._look_at(self._tips)

    async def _watch(self, redis: Redis) -> None:
        """See which matches have something new."""
        places = await self._ends(redis)
        self._look_at(self._tips)
        clock = get_running_loop().time
        again = clock() + ROUND
        while True:
            reply: Any = await redis.xread(places, count=COUNT, block=WAIT)
            found = {name: [row for rows in pages for row in rows] for name, pages in reply.items()} if isinstance(reply, dict) else dict(reply or ())
            for name, rows in found.items():
                places[name] = rows[-1][0]
                self._look_at(match for _, fields in rows if fields and (match := fields[b"m"].decode()) in self._tips)
            if clock() > again:
                self._look_at(self._tips)
                again = clock() + ROUND
            if found:
                await sleep(BREATH)

    async def _ends(self, redis: Redis) -> dict[Any, Any]:
        """Where each feed ends now."""
        async with redis.pipeline(transaction=False) as pipe:
            for name in self._feeds:
                pipe.xrevrange(name, count=1)
            newest = await pipe.execute()
        return {name: rows[0][0] if rows else b"0-0" for name, rows in zip(self._feeds, newest, strict=True)}

    async def _read(self, redis: Redis) -> None:
        """Read what is new, and tell it."""
        await self._news.wait()
        self._news.clear()
        while asked := [(match, self._tips[match]) for match in list(self._stale)[:AT_ONCE]]:
            async with redis.pipeline(transaction=False) as pipe:
                for match, tip in asked:
                    pipe.xrange(keys.events(match), f"{tip.version + 1}-0", "+", PAGE)
                    pipe.hmget(keys.head(match), "v", "h")
                said = await pipe.execute()
            for (match, tip), page, head in zip(asked, said[::2], said[1::2], strict=True):
                if len(page) < PAGE:
                    self._stale.discard(match)
                if self._tips.get(match) == tip:
                    self._tell(match, tip, page, head)

    def _tell(self, match: str, tip: Tip, page: list[Any], head: list[Any]) -> None:
        try:
            shown = _shown(match, tip, page, head)
        except (Damage, ValueError, KeyError):
            log.exception("match %s cannot be followed", match)
            self.forget(match)
            self._told(match, None)
            return
        if shown:
            self._tips[match] = Tip(shown[-1].version, bytes.fromhex(shown[-1].hash))
            self._told(match, shown)


def _shown(match: str, tip: Tip, page: list[Any], head: list[Any]) -> list[Line]:
    """What came after a tip. Raises Damage where the head (version and hash) of the match says that the log lost what was told: a fail-over may."""
    shown = lines(match, tip, [Stored(int(name.partition(b"-")[0]), fields[b"t"].decode(), fields[b"d"]) for name, fields in page])
    version, chain_head = (shown[-1].version, shown[-1].hash) if shown else (tip.version, tip.hash.hex())
    is_at = int(head[0] or 0)
    if is_at < version or (is_at == version > 0 and head[1] != chain_head.encode()):
        raise Damage(f"it was told up to version {version}, and its log has something else")
    return shown
