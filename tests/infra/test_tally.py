"""What processes count: once each, also when Redis does not answer or answers twice."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import pytest
from redis import Redis

from domain.ports import LogUnavailable
from infra.redis_clients.client import client
from infra.tally import STANDING, Tally
from tests.servers import RedisServer


def test_the_counts_of_all_processes_are_added(redis: Redis):
    one, other = Tally(redis), Tally(redis)
    one.count("mails", "sent")
    one.count("mails", "sent", times=2)
    other.count("mails", "sent")
    one.say()
    other.say()
    one.say()
    assert one.totals() == {("mails", "sent"): 4}
    one.count("mails", "refused")
    one.say()
    assert other.totals() == {("mails", "sent"): 4, ("mails", "refused"): 1}


def test_what_there_is_just_now_is_added_too_and_forgotten_with_its_process(redis: Redis):
    one, other = Tally(redis), Tally(redis)
    one.show("streams", lambda: 3)
    other.show("streams", lambda: 4)
    one.say()
    other.say()
    one.say()
    assert one.standing() == {"streams": 7}
    (oldest, *_) = redis.hkeys(STANDING)
    redis.hset(STANDING, oldest, "3 1")  # as if its process had died long ago
    assert one.standing()["streams"] in (3, 4)
    assert redis.hlen(STANDING) == 1
    assert Tally(redis).standing()["mails"] == 0


def test_a_request_falls_into_the_bucket_that_it_just_fits_into(redis: Redis):
    tally = Tally(redis)
    tally.request("GET", "/games", 200, 0.005)
    tally.request("GET", "/games", 304, 0.0051)
    tally.request("GET", "/games", 200, 11.0)
    tally.say()
    assert tally.totals() == {
        ("requests", "GET", "/games", "200"): 2,
        ("requests", "GET", "/games", "304"): 1,
        ("seconds", "GET", "/games", "0.005"): 1,
        ("seconds", "GET", "/games", "0.01"): 1,
        ("seconds", "GET", "/games", "+Inf"): 1,
        ("microseconds", "GET", "/games"): 11_010_100,
    }


def test_a_report_that_was_heard_and_not_acknowledged_counts_once(redis: Redis):
    tally = Tally(redis)
    tally.count("mails", "sent")
    tally.say()
    tally._reports -= 1  # as if the answer had been lost,
    tally._saying = {("mails", "sent"): 1}
    tally._reports += 1  # and the same report is sent again
    tally.say()
    assert tally.totals() == {("mails", "sent"): 1}


def test_what_is_counted_while_redis_is_away_is_said_when_it_is_back(redis_server: Callable[..., RedisServer]):
    server = redis_server()
    with client(server.url) as link:
        tally = Tally(link)
        tally.count("mails", "sent")
        server.kill()
        with pytest.raises(LogUnavailable):
            tally.say()
        tally.count("mails", "sent")
        server.start()
        with suppress(LogUnavailable):
            tally.say()
        tally.say()
        tally.say()
        assert tally.totals() == {("mails", "sent"): 2}
