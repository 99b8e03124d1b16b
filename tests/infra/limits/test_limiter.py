"""The count that all processes share, on a real Redis."""

import logging
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from time import monotonic

import pytest
from redis import Redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from infra.limits.limiter import SHARE, Limiter
from infra.limits.quotas import Kind, Quota
from tests.servers import RedisServer, free_port
from tests.workers.office import until

HOUR = 3600


@pytest.fixture
def few(redis: Redis) -> Limiter:
    """A process of a site that allows four mails in an hour."""
    return Limiter(redis, {"mail": Quota(4, HOUR)})


def passed(limiter: Limiter, kind: Kind, caller: str, times: int) -> int:
    """How many of so many requests are let through."""
    verdicts = [limiter.ask(kind, caller) for _ in range(times)]
    return sum(1 for verdict in verdicts if verdict is not None and not verdict.wait)


def test_as_many_as_the_quota_and_then_one_when_one_is_paid_off(few: Limiter):
    said = [few.ask("mail", "ann") for _ in range(5)]
    assert [verdict.left for verdict in said if verdict] == [3, 2, 1, 0, 0]
    assert [bool(verdict.wait) for verdict in said if verdict] == [False, False, False, False, True]
    assert said[4]
    assert HOUR // 4 - 100 < said[4].wait <= HOUR // 4
    whole = [verdict.whole for verdict in said if verdict]
    assert all(expected - 100 < seconds <= expected for seconds, expected in zip(whole, [900, 1800, 2700, 3600, 3600], strict=True)), whole


def test_everybody_has_a_quota_of_their_own_and_of_each_kind(redis: Redis):
    limiter = Limiter(redis, {"mail": Quota(2, HOUR), "create": Quota(3, HOUR)})
    assert passed(limiter, "mail", "ann", 9) == 2
    assert passed(limiter, "mail", "bo", 9) == 2
    assert passed(limiter, "create", "ann", 9) == 3


def test_what_has_no_quota_is_not_counted(few: Limiter, redis: Redis):
    assert few.ask("read", "ann") is None
    assert redis.dbsize() == 0


def test_a_small_quota_is_exact_over_all_processes_and_threads(redis: Redis):
    processes = [Limiter(redis, {"mail": Quota(10, HOUR)}) for _ in range(4)]
    with ThreadPoolExecutor(8) as threads:
        said = list(threads.map(lambda number: passed(processes[number % 4], "mail", "ann", 1), range(80)))
    assert sum(said) == 10


def test_a_large_one_is_exceeded_by_a_twentieth_for_each_process_at_most(redis: Redis):
    quota = Quota(1000, HOUR)
    processes = [Limiter(redis, {"read": quota}) for _ in range(4)]
    let_through = sum(passed(processes[number % 4], "read", "ann", 1) for number in range(3000))
    assert quota.requests <= let_through <= quota.requests + 4 * quota.requests // SHARE


def test_who_keeps_asking_gets_no_more_than_who_waits(redis: Redis):
    """What slips through before it is counted is paid off like the rest."""
    limiter, begun, let_through = Limiter(redis, {"read": Quota(100, 2)}), monotonic(), 0
    while let_through <= 180:
        let_through += passed(limiter, "read", "ann", 1)
    assert let_through <= 100 + 100 * (monotonic() - begun) / 2 + 100 // SHARE + 1


def test_when_it_is_paid_off_one_more_fits(redis: Redis):
    begun, limiter = monotonic(), Limiter(redis, {"mail": Quota(2, 1)})
    assert 2 <= passed(limiter, "mail", "ann", 5) <= 2 + (monotonic() - begun) / 0.5
    until(lambda: passed(limiter, "mail", "ann", 1))
    assert monotonic() - begun > 0.45


def test_an_account_is_gone_when_it_is_paid_off_and_names_nobody(redis: Redis):
    Limiter(redis, {"mail": Quota(2, HOUR)}).ask("mail", "address 192.0.2.7")
    (account,) = redis.scan_iter()
    assert b"192" not in account
    assert HOUR * 500 - 100_000 < redis.pttl(account) <= HOUR * 500 + 1  # to the next whole millisecond, and one more
    Limiter(redis, {"create": Quota(2, 1)}).ask("create", "address 192.0.2.7")
    until(lambda: list(redis.scan_iter()) == [account])


def test_the_usual_request_needs_no_trip(shared_redis: RedisServer, redis: Redis):
    limiter = Limiter(redis, {"read": Quota(600, 60)})
    assert shared_redis.commands_of(lambda: passed(limiter, "read", "ann", 29)) == []
    assert passed(limiter, "read", "ann", 1) == 1  # loads the script
    assert shared_redis.commands_of(lambda: passed(limiter, "read", "ann", 300)) == ["EVALSHA"] * 10


def test_a_flood_needs_none_either(few: Limiter, shared_redis: RedisServer):
    passed(few, "mail", "ann", 5)
    assert shared_redis.commands_of(lambda: passed(few, "mail", "ann", 500)) == []


@pytest.fixture
def lonely() -> Iterator[Limiter]:
    """A process whose Redis is away."""
    with Redis(port=free_port(), socket_connect_timeout=0.3, retry=Retry(NoBackoff(), 0)) as client:
        yield Limiter(client, {"mail": Quota(2, HOUR)})


def test_without_redis_nobody_is_stopped_and_it_is_said_once(lonely: Limiter, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("infra.limits.limiter.AWAY", 600.0)  # however long a busy machine needs for all of them
    caplog.set_level(logging.WARNING)
    begun = monotonic()
    assert passed(lonely, "mail", "ann", 200) == 200
    assert monotonic() - begun < 30  # who waited for it, waited a minute
    assert len(caplog.records) == 1
    assert caplog.records[0].getMessage().startswith("limits are not checked, for their Redis is away: ")
