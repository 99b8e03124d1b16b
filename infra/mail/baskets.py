"""What waits for a player's next mail, because they want fewer of them: notices that were due and have become one mail's worth together."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

import msgspec
from redis import Redis

from domain.chain import canonical
from infra.outbox import Notice
from infra.redis_log.unavailable import in_words

SECOND = 1_000  # ms

_notice = msgspec.json.Decoder(Notice)


class Baskets:
    """Notices by when they may go, and when each player's last mail about their matches went out. All methods raise LogUnavailable."""

    def __init__(self, client: Redis) -> None:
        self._redis = client

    @in_words(writing=True)
    def add(self, notice: Notice, at: int) -> None:
        """Put one in that may go from a time (ms) on; one that is in keeps its time."""
        self._redis.zadd(basket(notice.player), {canonical(notice): at}, nx=True)

    @in_words()
    def held(self, player: str) -> dict[Notice, int]:
        """What is in, and from when (ms) on it may go; the earliest first."""
        found = cast("list[tuple[bytes, float]]", self._redis.zrange(basket(player), 0, -1, withscores=True))
        return {_notice.decode(member): int(at) for member, at in found}

    @in_words(writing=True)
    def claim(self, player: str, for_ms: int) -> bool:
        """Whether the caller may empty it now, and nobody else until it is let go or `for_ms` have passed."""
        return bool(self._redis.set(_emptying(player), 1, nx=True, px=for_ms))

    @in_words(writing=True)
    def let_go(self, player: str) -> None:
        """The next may empty it."""
        self._redis.delete(_emptying(player))

    @in_words(writing=True)
    def take_out(self, player: str, notices: Iterable[Notice]) -> None:
        """They were told, or need not be any more."""
        if members := [canonical(notice) for notice in notices]:
            self._redis.zrem(basket(player), *members)

    @in_words()
    def last_mail(self, player: str) -> int:
        """When (ms) the last one went; 0: never."""
        return int(cast("bytes | None", self._redis.get(_mailed(player))) or 0)

    @in_words(writing=True)
    def note_mail(self, player: str, at: int) -> None:
        """One has just gone."""
        self._redis.set(_mailed(player), at)

    @in_words(writing=True)
    def forget(self, player: str) -> None:
        """Nothing waits for them any more."""
        self._redis.delete(basket(player), _mailed(player), _emptying(player))


def digest(player: str, at: int) -> Notice:
    """The notice by which a basket is mailed at a time (ms)."""
    return Notice("digest", "", player, "", 0, 0, 0, again=at // SECOND)


def _emptying(player: str) -> str:
    return f"player:{player}:emptying"


def basket(player: str) -> str:
    """The key of a player's: sorted set, notice (canonical JSON) → from when (ms) on it may go."""
    return f"player:{player}:basket"


def _mailed(player: str) -> str:
    return f"player:{player}:mailed"
