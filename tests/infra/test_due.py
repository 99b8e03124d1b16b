"""Deadlines as sweepers ask for them: by the same millisecond as the append script, and never taken away by asking."""

from __future__ import annotations

import pytest
from redis import Redis

from domain.ports import Appended, Early
from infra.clock import now
from infra.redis_log.due import Dues
from infra.redis_log.log import RedisLog
from tests.infra.batches import batch

ANN, BOB, CAT = "07-0000000001", "07-0000000002", "03-0000000001"


@pytest.fixture
def dues(redis: Redis) -> Dues:
    return Dues(redis, 16)


def test_a_deadline_is_due_one_millisecond_after_it(log: RedisLog, dues: Dues):
    log.append(batch(due=1_795_953_600_000))
    assert dues.due(7, 1_795_953_600_000, 10) == []
    assert dues.due(7, 1_795_953_600_001, 10) == [(ANN, 1_795_953_600_000)]


def test_what_is_due_is_exactly_what_a_time_out_may_be_written_for(log: RedisLog, dues: Dues):
    moment = now()
    first = batch(due=moment)
    log.append(first)
    assert dues.due(7, moment, 10) == []
    assert log.append(batch("b", onto=first, now=moment, mode="timeout")) == Early(moment)
    assert dues.due(7, moment + 1, 10) == [(ANN, moment)]
    assert log.append(batch("b", onto=first, now=moment + 1, mode="timeout")) == Appended()
    assert dues.due(7, moment + 1, 10) == []


def test_the_longest_overdue_come_first_and_no_more_than_asked_for(log: RedisLog, dues: Dues):
    log.append(batch(match=ANN, due=2000))
    log.append(batch(match=BOB, due=1000))
    assert dues.due(7, 9000, 10) == [(BOB, 1000), (ANN, 2000)]
    assert dues.due(7, 9000, 1) == [(BOB, 1000)]
    assert dues.due(3, 9000, 10) == []


def test_asking_takes_nothing(log: RedisLog, dues: Dues):
    log.append(batch(due=1000))
    assert dues.due(7, 2000, 10) == dues.due(7, 2000, 10) == [(ANN, 1000)]


def test_one_question_names_every_partition_with_something_overdue(log: RedisLog, dues: Dues):
    log.append(batch(match=ANN, due=2000))
    log.append(batch(match=BOB, due=1000))
    log.append(batch(match=CAT, due=5000))
    assert dues.overdue(1000) == {}
    assert dues.overdue(5000) == {7: 1000}
    assert dues.overdue(5001) == {3: 5000, 7: 1000}


def test_a_move_puts_the_deadline_off(log: RedisLog, dues: Dues):
    moment = now()
    first = batch(due=moment + 1000)
    log.append(first)
    log.append(batch("b", onto=first, due=moment + 5000))
    assert dues.due(7, moment + 9000, 10) == [(ANN, moment + 5000)]
