"""Whoever follows a match is told of it, and what is played elsewhere meanwhile costs little."""

from __future__ import annotations

import asyncio
from time import monotonic

from msgspec import structs
from redis import Redis

from domain.chain import canonical, link, stamp
from domain.match.codec import Line
from domain.ports import Append, Appended, Tip
from infra.clock import now
from infra.redis_log.follower import BREATH, Follower
from infra.redis_log.log import RedisLog
from tests.infra.batches import MATCH, batch
from tests.loop import looped
from tests.servers import PATIENT, RedisServer
from tests.workers.office import until

ELSEWHERE = "08-0000000001"


def test_moves_elsewhere_are_heard_of_together_and_one_of_the_match_itself_is_told(shared_redis: RedisServer, redis: Redis):
    log = RedisLog(redis, 16)
    told: list[Line] = []
    mine = shown("forge O2")

    def play() -> float:
        """Seconds that it took until the one move that somebody waits for was told."""
        until(lambda: redis.info("clients")["blocked_clients"] == 1)
        redis.config_resetstat()
        begun, last = monotonic(), None
        for _ in range(300):
            last = batch("elsewhere", match=ELSEWHERE, onto=last)
            assert log.append(last) == Appended()
        assert log.append(mine) == Appended()
        until(lambda: told)
        return monotonic() - begun

    async def listen() -> float:
        follower = Follower(shared_redis.url, 16)
        follower.tell(lambda _match, lines: told.extend(lines or ()))
        follower.follow(MATCH, Tip())
        took = await asyncio.wait_for(asyncio.to_thread(play), PATIENT)
        follower.stop()
        return took

    took = looped(listen())
    assert [line.version for line in told] == [1]
    reads = redis.info("commandstats")["cmdstat_xread"]["calls"]
    assert reads <= 2 * (took / BREATH + 2)  # some servers count one that waited twice


def test_who_was_told_what_a_fail_over_lost_is_sent_away_rather_than_told_another_history(shared_redis: RedisServer, redis: Redis):
    """They come back, and see what there is now."""
    log = RedisLog(redis, 16)
    told: list[list[int] | None] = []

    def happen() -> None:
        assert log.append(shown("lost")) == Appended()
        until(lambda: told == [[1]])
        redis.flushall()
        other = shown("another")
        assert log.append(other) == Appended()
        assert log.append(shown("and one more", onto=other)) == Appended()
        until(lambda: len(told) > 1)

    async def listen() -> None:
        follower = Follower(shared_redis.url, 16)
        follower.tell(lambda _match, lines: told.append(None if lines is None else [line.version for line in lines]))
        follower.follow(MATCH, Tip())
        await asyncio.wait_for(asyncio.to_thread(happen), PATIENT)
        follower.stop()

    looped(listen())
    assert told == [[1], None]


def shown(word: str, onto: Append | None = None) -> Append:
    """An append of one event that can be told."""
    made = batch(word, onto=onto)
    entry = ("action.taken.1", canonical({"at": stamp(now()), "by": {}, "data": {"text": word}, "ply": 0}))
    return structs.replace(made, entries=(entry,), hash=link(made.expected.hash, MATCH, *entry))
