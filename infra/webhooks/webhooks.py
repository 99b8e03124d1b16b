"""Who wants to hear of what, and where: the webhooks of all players."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, Literal, TypeAlias, cast

import msgspec
from msgspec.structs import replace
from redis import Redis
from redis.client import Pipeline

from domain.game import Record
from domain.match.events import KINDS
from domain.ports import Clock
from infra.ids import crockford
from infra.redis_log.unavailable import in_words
from infra.webhooks import keys

Off: TypeAlias = Literal["", "owner", "gone", "failing"]

MOST: Final = 10  # webhooks of one player
TYPES: Final = tuple(kind.rpartition(".")[0] for kind in KINDS.values())  # of events
OVERLAP: Final = 86_400  # seconds that a secret holds after it was rotated, unless its owner says otherwise

# A webhook that is gone must not come back as half of one, so a change asks for it in the same breath.
CHANGE: Final = "if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end redis.call('HSET', KEYS[1], unpack(ARGV)) return 1"


class TooManyWebhooks(ValueError):
    """The player has as many as there is room for."""


class Wish(Record, frozen=True):
    """What its owner says of a webhook. `types`: of events, none for all; `match`: the only one to hear of, "" for all of theirs."""

    url: str
    name: str = ""
    types: tuple[str, ...] = ()
    match: str = ""


class Webhook(Record, frozen=True):
    """A webhook and how it fares. Times in ms, 0 for never.

    `number` of the secret; the one before it holds until `overlap`. `off`: by whom or what it was switched off, "" while it is on.
    `failures` since `failing`, one after the other; until `rests` nothing is tried.
    """

    id: str
    player: str
    created: int
    wish: Wish
    number: int = 1
    overlap: int = 0
    off: Off = ""
    failures: int = 0
    failing: int = 0
    rests: int = 0
    delivered: int = 0

    def wants(self, match: str, kind: str) -> bool:
        """Whether it is to hear of an event of this type in this match."""
        return not self.off and self.wish.match in ("", match) and (not self.wish.types or kind in self.wish.types)


class Webhooks:
    """The webhooks in Redis, all in one slot. Every write may be sent twice. All methods raise LogUnavailable."""

    def __init__(self, client: Redis, clock: Clock) -> None:
        self._redis, self._clock = client, clock
        self._change = client.register_script(CHANGE)

    @in_words(writing=True)
    def add(self, player: str, wish: Wish, number: int) -> Webhook:
        """A new one, of which the fifty bits of `number` are the id; the one there is where it was made before. Raises TooManyWebhooks."""
        name = f"w-{crockford(number, 10)}"
        while known := self.find(name):
            if known.player == player:
                return known
            number += 1  # somebody else's, whom it is not taken from
            name = f"w-{crockford(number, 10)}"
        if len(self.of(player)) >= MOST:
            raise TooManyWebhooks(f"a player has at most {MOST} webhooks: delete one that is not needed any more")
        made = Webhook(name, player, self._clock(), wish)
        with self._redis.pipeline() as pipe:
            pipe.hset(keys.webhook(name), items=[part for field in _fields(made).items() for part in field])
            pipe.sadd(keys.of(player), name)
            pipe.sadd(keys.EVERY, name)
            pipe.execute()
        return made

    @in_words()
    def get(self, player: str, name: str) -> Webhook | None:
        """One of the player's own."""
        found = self.find(name)
        return found if found and found.player == player else None

    @in_words()
    def find(self, name: str) -> Webhook | None:
        """Anybody's."""
        return _webhook(name, cast("dict[bytes, bytes]", self._redis.hgetall(keys.webhook(name))))

    @in_words()
    def of(self, player: str) -> list[Webhook]:
        """All of a player's, oldest first."""
        return self.of_all([player])

    @in_words()
    def of_all(self, players: Iterable[str]) -> list[Webhook]:
        """All of some players', oldest first; one round trip where they have none."""
        asked = list(players)
        with self._redis.pipeline(transaction=False) as pipe:
            for player in asked:
                pipe.smembers(keys.of(player))
            names = sorted(name.decode() for listed in cast("list[set[bytes]]", pipe.execute()) for name in listed) if asked else []
            for name in names:
                pipe.hgetall(keys.webhook(name))
            found = cast("list[dict[bytes, bytes]]", pipe.execute()) if names else []
        there = [hook for name, said in zip(names, found, strict=True) if (hook := _webhook(name, said))]
        return sorted(there, key=lambda hook: (hook.created, hook.id))

    @in_words()
    def count(self) -> int:
        """How many there are."""
        return int(self._redis.scard(keys.EVERY))

    @in_words()
    def every(self) -> list[Webhook]:
        """All there are, in no order."""
        names = [name.decode() for name in cast("set[bytes]", self._redis.smembers(keys.EVERY))]
        return [hook for name in names if (hook := self.find(name))]

    @in_words(writing=True)
    def keep(self, hook: Webhook, *changed: str) -> None:
        """Write down these fields of it; one that is gone stays gone."""
        said = _fields(hook)
        self._change(keys=[keys.webhook(hook.id)], args=[part for name in changed for part in (name, said[name])])

    def switch_off(self, hook: Webhook, why: Off) -> Webhook:
        """From now on nothing is told there, and what waited is dropped."""
        changed = replace(hook, off=why, rests=0)
        self.keep(changed, "off", "rests")
        with in_words(writing=True), self._redis.pipeline() as pipe:
            drop(pipe, hook.id)
            pipe.execute()
        return changed

    def rouse(self, hook: Webhook, *, on: bool = False) -> Webhook:
        """It need not rest any longer; `on`: nor stay off."""
        changed = replace(hook, rests=0, **({"off": "", "failures": 0, "failing": 0} if on else {}))
        self.keep(changed, "rests", *(("off", "failures", "failing") if on else ()))
        return changed

    @in_words(writing=True)
    def delete(self, hook: Webhook) -> None:
        """Remove it and all that waits for it."""
        with self._redis.pipeline() as pipe:
            pipe.delete(keys.webhook(hook.id), keys.journal(hook.id))
            drop(pipe, hook.id)
            pipe.srem(keys.of(hook.player), hook.id)
            pipe.srem(keys.EVERY, hook.id)
            pipe.execute()

    def forget(self, player: str) -> None:
        """The player is erased, and their webhooks with them; may be done again."""
        for hook in self.of(player):
            self.delete(hook)


def drop(pipe: Pipeline, name: str) -> None:
    """All that waits for a webhook."""
    pipe.delete(keys.waiting(name), keys.tries(name))
    pipe.zrem(keys.DUE, name)


def _fields(hook: Webhook) -> dict[str, str]:
    said = {name: str(getattr(hook, name)) for name in Webhook.__struct_fields__ if name not in ("id", "wish")}
    return {**said, "wish": msgspec.json.encode(hook.wish).decode()}


def _webhook(name: str, found: dict[bytes, bytes]) -> Webhook | None:
    if not found:
        return None
    said: dict[str, Any] = {field.decode(): value.decode() for field, value in found.items()}
    wish = msgspec.json.decode(said.pop("wish"), type=Wish)
    return msgspec.convert({"id": name, **said, "wish": wish}, Webhook, strict=False)
