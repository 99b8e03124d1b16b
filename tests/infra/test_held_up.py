"""A desk at the real log, whose wish was long on its way: longer than its clock and that of Redis may be apart."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest
from redis import Redis

from domain.chain import SeedLot, instant
from domain.desk import Desk
from domain.ports import LogUnavailable
from infra.clock import now
from infra.redis_log.log import RedisLog
from tests.table import MATCH, SEED, creation, four

APART = 60_000  # ms; a machine that is busy for so long is none that tests run on
HELD_UP = 90_000
WISH = creation(*four("ann", "bo", "cy", "di"))


class Watch:
    """A clock that was read so long before its time came to the log, once for each of these, and then just in time."""

    def __init__(self, *held_up: int) -> None:
        self.held_up, self.read = list(held_up), 0

    def __call__(self) -> int:
        self.read += 1
        return now() - (self.held_up.pop(0) if self.held_up else 0)


@pytest.fixture
def desk(redis: Redis) -> Callable[[Watch], Desk]:
    """Makes a desk that has this clock."""
    return lambda watch: Desk(RedisLog(redis, 16, skew_ms=APART), lambda match: SeedLot(SEED, match), watch)


def test_a_wish_that_was_held_up_is_done_at_the_time_that_it_is_by_then(desk: Callable[[Watch], Desk], redis: Redis):
    began, watch = now(), Watch(HELD_UP)
    answer = desk(watch).do(MATCH, WISH)
    assert {instant(msgspec.json.decode(line.at)) >= began for line in answer.lines} == {True}
    assert answer.sight.match.at >= began
    assert (watch.read, redis.xlen("{p07}:m:07-0000000001:ev")) == (2, len(answer.lines))


def test_where_a_clock_is_wrong_it_is_said_so_after_one_more_try_and_nothing_is_written(desk: Callable[[Watch], Desk], redis: Redis):
    watch = Watch(HELD_UP, HELD_UP)
    with pytest.raises(LogUnavailable, match=r"nothing was written: our clock and that of Redis differ by \d+\.\d s, or the request was so long on"):
        desk(watch).do(MATCH, WISH)
    assert (watch.read, redis.dbsize()) == (2, 0)
