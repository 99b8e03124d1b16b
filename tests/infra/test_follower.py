"""Whoever follows a match is told of it, and what is played elsewhere meanwhile costs little."""

from __future__ import annotations

import asyncio
from time import monotonic

from msgspec import structs
from redis import Redis

from domain.chain import canonical, stamp
from domain.match.codec import Line
from domain.ports import Appended, Tip
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
    body = canonical({"at": stamp(now()), "by": {}, "data": {}, "ply": 0})
    mine = structs.replace(batch(), entries=(("action.taken.1", body),))

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
