"""What waits to be told to webhooks: kept until it was told, given up or dropped, by whoever holds the claim of the webhook."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.resources import files
from secrets import token_hex
from typing import Final, cast

import msgspec
from redis import Redis

from domain.chain import canonical
from domain.game import Record
from infra.redis_log.unavailable import in_words
from infra.webhooks import keys
from infra.webhooks.webhooks import drop

REMEMBERED: Final = 100  # deliveries of a webhook in its journal

TAKE, FINISH = files("infra.redis_log").joinpath("take.lua").read_text(), files(__package__).joinpath("finish.lua").read_text()
CLAIM: Final = "redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) return redis.call('GET', KEYS[1]) == ARGV[1] and 1 or 0"

# The journal of a webhook that is gone must not come back; and sent twice, a try is still one.
NOTE: Final = (
    "if redis.call('EXISTS', KEYS[1]) == 0 or redis.call('LINDEX', KEYS[2], 0) == ARGV[1] then return 0 end "
    "redis.call('LPUSH', KEYS[2], ARGV[1]) redis.call('LTRIM', KEYS[2], 0, ARGV[2] - 1) return 1"
)


class Item(Record, frozen=True):
    """One thing to tell: an event of a match by its version, or, with no match, a test that was the owner's wish at a time (ms)."""

    match: str
    version: int

    @property
    def written(self) -> str:
        """As it lies in Redis: of one match, the earlier event sorts first."""
        return f"{self.match or 'test'} {self.version:014d}"

    def message(self, webhook: str) -> str:
        """The id of the message: the same at every try, and of no other message."""
        return f"msg_{webhook}_{self.match or 'test'}_{self.version}"


class Delivery(Record, frozen=True, omit_defaults=True):
    """One try, as the journal keeps it. `at` and `next` (0: none) in ms; `status` 0 where no answer came, of which `words` say why."""

    message: str
    type: str
    match: str
    version: int
    at: int
    tries: int
    ms: int
    status: int = 0
    answer: str = ""
    words: str = ""
    next: int = 0


_delivery = msgspec.json.Decoder(Delivery)


class Queue:
    """What waits, webhook by webhook. Every write may be sent twice. All methods raise LogUnavailable."""

    def __init__(self, client: Redis) -> None:
        self._redis = client
        self._take, self._finish, self._claim, self._note = (client.register_script(source) for source in (TAKE, FINISH, CLAIM, NOTE))

    @in_words(writing=True)
    def add(self, found: Iterable[tuple[str, Item, int]]) -> None:
        """Have these told: webhook, what, and from when (ms) on. What waits already keeps its time."""
        with self._redis.pipeline() as pipe:
            for name, item, at in found:
                pipe.zadd(keys.waiting(name), {item.written: at}, nx=True)
                pipe.zadd(keys.DUE, {name: at}, lt=True)
            pipe.execute()

    @in_words(writing=True)
    def again(self, name: str, item: Item, now: int) -> None:
        """Have it told now (ms), before all that waits, whatever had been planned and with all its tries."""
        with self._redis.pipeline() as pipe:
            pipe.hdel(keys.tries(name), item.written)
            pipe.zadd(keys.waiting(name), {item.written: 0})
            pipe.zadd(keys.DUE, {name: now}, lt=True)
            pipe.execute()

    @in_words(writing=True)
    def look(self, name: str, now: int) -> None:
        """Have what waits for it looked at now (ms)."""
        self._redis.zadd(keys.DUE, {name: now}, lt=True)

    @in_words(writing=True)
    def take(self, now: int, lease_ms: int, limit: int) -> list[str]:
        """Webhooks for which something may be due; they come back unless somebody finishes with them within the lease."""
        return [name.decode() for name in self._take(keys=[keys.DUE], args=[now, now + lease_ms, limit])]

    @in_words(writing=True)
    def claim(self, name: str, for_ms: int) -> str | None:
        """The word of the claim of whoever is to deliver there now; None while somebody else is."""
        word = token_hex(8)
        return word if self._claim(keys=[keys.busy(name)], args=[word, for_ms]) else None

    @in_words(writing=True)
    def finish(self, name: str, claim: str, rests: int) -> None:
        """Let go of it; it is looked at again when something is due, and not while it rests (ms)."""
        self._finish(keys=[keys.DUE, keys.waiting(name), keys.busy(name)], args=[name, rests, claim])

    @in_words()
    def first(self, name: str, now: int) -> Item | None:
        """What is to be told next, if anything is due."""
        found = cast("list[bytes]", self._redis.zrangebyscore(keys.waiting(name), "-inf", now, start=0, num=1))
        match, _, version = found[0].decode().rpartition(" ") if found else ("", "", "")
        return Item("" if match == "test" else match, int(version)) if found else None

    @in_words()
    def tries(self, name: str, item: Item) -> tuple[int, int]:
        """How often it was tried, and how many of these times it was refused, not met with silence."""
        tried, _, refused = cast("bytes", self._redis.hget(keys.tries(name), item.written) or b"0 0").decode().partition(" ")
        return int(tried), int(refused)

    @in_words(writing=True)
    def done(self, name: str, item: Item) -> None:
        """It was told, or will not be."""
        with self._redis.pipeline() as pipe:
            pipe.zrem(keys.waiting(name), item.written)
            pipe.hdel(keys.tries(name), item.written)
            pipe.execute()

    @in_words(writing=True)
    def drop(self, name: str) -> None:
        """The webhook is gone, and nothing waits for it any more."""
        with self._redis.pipeline() as pipe:
            drop(pipe, name)
            pipe.execute()

    @in_words(writing=True)
    def later(self, name: str, item: Item, tries: tuple[int, int], at: int | None) -> None:
        """It was tried and refused so often, and is to be tried again at a time (ms); None where it keeps its place in what waits."""
        with self._redis.pipeline() as pipe:
            if at is not None:
                pipe.zadd(keys.waiting(name), {item.written: at}, xx=True)
            pipe.hset(keys.tries(name), item.written, "{} {}".format(*tries))
            pipe.execute()

    @in_words(writing=True)
    def note(self, name: str, delivery: Delivery) -> None:
        """Put a try into the journal, which forgets the oldest."""
        self._note(keys=[keys.webhook(name), keys.journal(name)], args=[canonical(delivery), REMEMBERED])

    @in_words()
    def journal(self, name: str) -> list[Delivery]:
        """The last tries, the newest first."""
        return [_delivery.decode(said) for said in cast("list[bytes]", self._redis.lrange(keys.journal(name), 0, -1))]

    @in_words()
    def waiting(self, names: Iterable[str]) -> list[tuple[int, int | None]]:
        """For each webhook how much waits, and when (ms) the first of it is due."""
        with self._redis.pipeline(transaction=False) as pipe:
            for name in names:
                pipe.zcard(keys.waiting(name))
                pipe.zrange(keys.waiting(name), 0, 0, withscores=True)
            found = pipe.execute()
        return [(count, int(first[0][1]) if first else None) for count, first in zip(found[::2], found[1::2], strict=True)]
