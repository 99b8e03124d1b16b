"""What the tests of the store find in place, on each kind of Redis server."""

from __future__ import annotations

import pytest
from redis import Redis

from infra.redis_log.feed import Feed
from infra.redis_log.log import RedisLog
from tests.infra.batches import STILL


@pytest.fixture
def log(redis: Redis) -> RedisLog:
    """An empty log."""
    return RedisLog(redis, 16, STILL)


@pytest.fixture
def feed(redis: Redis) -> Feed:
    """A feed with one group of readers."""
    feed = Feed(redis, 16)
    feed.ensure("notices")
    return feed
