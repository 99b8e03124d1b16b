"""A site with replicas: a move counts as done when they have it, too; what they do not have yet is stored, and said to be pending."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from redis import Redis

from domain.ports import Appended, Conflict, LogUnavailable, Replayed
from infra.mail.inbox import Inbox
from infra.mail.mailbox import Envelope
from infra.redis_log.gate import Gate, check
from infra.redis_log.log import RedisLog
from infra.redis_log.replicas import Replicas
from infra.settings import Settings
from tests.infra.batches import KEY, MATCH, STILL, batch, stored
from tests.servers import PATIENT, REPLICATING, RedisServer, name_of
from tests.workers.office import until

WITHOUT = "REPLICAS is 1, and Redis takes moves also while it has no replica at all: set `min-replicas-to-write 1`, on its replicas too"


@pytest.fixture(scope="module", params=REPLICATING, ids=name_of)
def pair(request: pytest.FixtureRequest, redis_server: Callable[..., RedisServer]) -> tuple[RedisServer, RedisServer]:
    """A server and its replica, of each kind."""
    master, replica = (redis_server(request.param, repl_diskless_sync_delay="0") for _ in range(2))
    replica.follow(master)
    return master, replica


@pytest.fixture
def master(pair: tuple[RedisServer, RedisServer]) -> RedisServer:
    return pair[0]


@pytest.fixture
def replica(pair: tuple[RedisServer, RedisServer]) -> Iterator[RedisServer]:
    yield pair[1]
    pair[1].resume()


@pytest.fixture
def redis(master: RedisServer, replica: RedisServer) -> Iterator[Redis]:
    """A client of the master, which has nothing and a replica that has heard of it."""
    with master.client(socket_timeout=PATIENT) as client:
        client.config_set("min-replicas-to-write", 0)
        client.flushall()
        client.config_set("min-replicas-to-write", 1)
        until(lambda: in_step(master, replica))
        yield client


@pytest.fixture
def log(redis: Redis) -> RedisLog:
    """A log that waits for its replica, on a busy machine, too."""
    return RedisLog(redis, 16, STILL, replicas=Replicas(1, 60_000))


@pytest.fixture
def hasty(redis: Redis) -> RedisLog:
    """A log that waits as a site does."""
    return RedisLog(redis, 16, STILL, replicas=Replicas(1))


def in_step(master: RedisServer, replica: RedisServer) -> bool:
    """Whether the replica has all that the master has, and the master takes writes."""
    with master.client() as here, replica.client() as there:
        ours: Any = here.info("replication")
        theirs: Any = there.info("replication")
        return bool(ours["min_slaves_good_slaves"] == 1 and ours["master_repl_offset"] == theirs["slave_repl_offset"])


def kept(server: RedisServer) -> int:
    """How many events of the match a server has."""
    with server.client() as client:
        return int(client.xlen(f"{{p07}}:m:{MATCH}:ev"))


def test_what_is_acknowledged_is_on_the_replica_already(log: RedisLog, replica: RedisServer):
    last = batch("a", key=KEY)
    assert log.append(last) == Appended()
    for word in "bcdefgh":
        last = batch(word, onto=last)
        assert log.append(last) == Appended()
    assert kept(replica) == 8
    assert not log.pending(MATCH)


def test_the_question_goes_out_with_the_move_in_one_packet_on_its_connection(log: RedisLog, master: RedisServer):
    first = batch("a")
    log.append(first)  # it is known now which question the server understands
    asked = ["WAIT", "WAITAOF"] if "valkey" in master.binary else ["WAIT"]
    assert master.commands_of(lambda: log.append(batch("b", onto=first))) == ["EVALSHA", *asked]


def test_without_replicas_nothing_is_asked(redis: Redis, master: RedisServer):
    alone = RedisLog(redis, 16, STILL)
    first = batch("a")
    alone.append(first)
    assert master.commands_of(lambda: alone.append(batch("b", onto=first))) == ["EVALSHA"]
    assert master.commands_of(lambda: alone.pending(MATCH)) == []


def test_a_script_that_the_server_has_forgotten_is_handed_over_and_waited_for(log: RedisLog, hasty: RedisLog, redis: Redis, replica: RedisServer):
    first = batch("a")
    log.append(first)
    redis.script_flush()
    second = batch("b", onto=first)
    assert log.append(second) == Appended()
    assert kept(replica) == 2
    replica.pause()
    redis.script_flush()
    third = batch("c", onto=second)
    assert hasty.append(third) == Appended(pending=True)
    assert log.read(MATCH) == stored(first, second, third)


def test_a_replica_that_hangs_makes_a_move_pending_in_half_a_second_and_nothing_is_lost(log: RedisLog, hasty: RedisLog, replica: RedisServer):
    first = batch("a")
    assert log.append(first) == Appended()
    replica.pause()
    second = batch("b", onto=first, key=KEY)
    began = monotonic()
    assert hasty.append(second) == Appended(pending=True)
    assert monotonic() - began > 0.35
    assert log.read(MATCH) == stored(first, second)
    assert hasty.append(second) == Replayed(1, 2)
    assert hasty.pending(MATCH)
    replica.resume()
    assert not log.pending(MATCH)
    assert kept(replica) == 2
    assert log.append(second) == Replayed(1, 2)
    assert log.append(batch("c", onto=second)) == Appended()


def test_what_was_refused_is_refused_without_being_pending(log: RedisLog, hasty: RedisLog, replica: RedisServer):
    first = batch("a")
    log.append(first)
    replica.pause()
    assert hasty.append(batch("other")) == Conflict(1)


def test_a_move_without_the_replicas_that_redis_wants_is_not_written(
    log: RedisLog, hasty: RedisLog, redis: Redis, pair: tuple[RedisServer, RedisServer]
):
    master, replica = pair
    first = batch("a")
    log.append(first)
    with replica.client() as there:
        there.replicaof("NO", "ONE")
    try:
        until(lambda: not redis.info("replication")["connected_slaves"])
        with pytest.raises(LogUnavailable, match=r"it has fewer replicas than min-replicas-to-write asks for .*; nothing was written"):
            hasty.append(batch("b", onto=first))
        assert log.read(MATCH) == stored(first)
    finally:
        replica.follow(master)


def test_a_redis_that_takes_moves_without_replicas_is_not_written_to_where_they_are_counted_on(redis: Redis, tmp_path: Path):
    counting = Settings.from_env({**Settings.development(tmp_path).environ(), "REPLICAS": "1"})
    assert check(redis, counting) == []
    redis.config_set("min-replicas-to-write", 0)
    assert check(redis, counting) == [WITHOUT]
    assert check(redis, Settings.development(tmp_path)) == []
    gated = RedisLog(redis, 16, STILL, gate=Gate(redis, counting), replicas=Replicas(1))
    with pytest.raises(LogUnavailable, match=r"nothing was written, for this Redis could lose it\. REPLICAS is 1"):
        gated.append(batch("a"))


def test_a_mail_is_taken_in_when_the_replicas_have_it_and_handed_in_again_until_then(redis: Redis, replica: RedisServer):
    raw, envelope = b"Subject: a move\r\n\r\nd4\r\n", Envelope("ann@example.org", ("r+x@turns.example.org",), 1)
    replica.pause()
    with pytest.raises(LogUnavailable):
        Inbox(redis, Replicas(1)).keep(raw, envelope)
    replica.resume()
    inbox = Inbox(redis, Replicas(1, 60_000))
    until(lambda: taken(inbox, raw, envelope))
    assert inbox.waiting() == 1


def taken(inbox: Inbox, raw: bytes, envelope: Envelope) -> bool:
    """Whether a mail server would hear yes."""
    try:
        inbox.keep(raw, envelope)
    except LogUnavailable:
        return False
    return True
