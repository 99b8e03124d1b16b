"""The log in Redis: what lies where, and every trap of store.md, on each kind of server."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from time import sleep
from typing import Any

import pytest
from redis import Redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from domain.ports import Append, Appended, Conflict, Damaged, Key, LogUnavailable, Replayed, Tip
from infra.clock import now
from infra.redis_log import keys
from infra.redis_log.log import RedisLog
from infra.redis_log.readonly import ReadOnly
from tests.infra.batches import DAY, KEY, MATCH, STILL, batch, stored
from tests.infra.lossy_wire import LossyWire
from tests.servers import BINARIES, RedisServer, free_port, name_of

EVENTS, HEAD, IDEM, FEED, DUE = (
    "{p07}:m:07-0000000001:ev",
    "{p07}:m:07-0000000001:head",
    "{p07}:idem:p-ann0000000:a-key-of-anns",
    "{p07}:feed",
    "{p07}:due",
)


def everything(redis: Redis) -> dict[Any, Any]:
    """All that the server holds, as it would move it elsewhere."""
    return {name: redis.hgetall(name) if redis.type(name) == b"hash" else redis.dump(name) for name in redis.scan_iter()}


def test_an_append_lies_under_the_five_keys_of_the_contract(log: RedisLog, redis: Redis):
    moment = now()
    first = batch("a", "b", now=moment, due=moment + DAY, notes=b'{"after":0,"types":["action.taken.1"]}', key=KEY)
    assert log.append(first) == Appended()
    assert sorted(redis.keys()) == sorted(name.encode() for name in (EVENTS, HEAD, IDEM, FEED, DUE))
    assert redis.xrange(EVENTS) == [
        (b"1-0", {b"t": b"action.taken.1", b"d": first.entries[0][1]}),
        (b"2-0", {b"t": b"action.taken.1", b"d": first.entries[1][1]}),
    ]
    assert redis.hgetall(HEAD) == {
        b"v": b"2",
        b"h": first.hash.hex().encode(),
        b"st": b"live",
        b"at": b"%d" % moment,
        b"due": b"%d" % (moment + DAY),
    }
    assert redis.zrange(DUE, 0, -1, withscores=True) == [(b"07-0000000001", moment + DAY)]
    [(_, told)] = redis.xrange(FEED) or []
    assert told == {b"m": b"07-0000000001", b"v": b"2", b"n": b'{"after":0,"types":["action.taken.1"]}'}
    assert redis.hmget(IDEM, "v", "n") == [b"2", b"2"]
    assert 7 * DAY - 60_000 < redis.pttl(IDEM) <= 7 * DAY
    assert [redis.pttl(name) for name in (EVENTS, HEAD, FEED, DUE)] == [-1, -1, -1, -1]


def test_without_an_idempotency_key_nothing_is_kept_for_one(log: RedisLog, redis: Redis):
    log.append(batch())
    assert redis.keys("*idem*") == []


def test_a_match_without_a_deadline_leaves_the_sorted_set(log: RedisLog, redis: Redis):
    first = batch("a", due=now() + DAY)
    log.append(first)
    log.append(batch("b", onto=first, status="over"))
    assert redis.zcard(DUE) == 0
    assert sorted(redis.hkeys(HEAD)) == [b"at", b"h", b"st", b"v"]


def test_the_usual_move_is_one_command(log: RedisLog, shared_redis: RedisServer, redis: Redis):
    first = batch("a", due=now() + DAY)
    log.append(first)
    with shared_redis.client() as watcher, watcher.monitor() as monitor:
        for step in range(3):
            first = batch("b", "c", onto=first, key=Key("p-ann0000000", f"key-{step}", "x"), due=now() + DAY)
            assert log.append(first) == Appended()
        redis.echo("enough")
        heard: list[str] = []
        while not (heard and heard[-1].startswith("ECHO")):
            said = monitor.next_command()
            if said["client_type"] != "lua":
                heard.append(str(said["command"]))
    assert [words.split()[0] for words in heard] == ["EVALSHA", "EVALSHA", "EVALSHA", "ECHO"]


def marked(redis: Redis) -> dict[str, str]:
    """The matches that are read-only; their marks are taken away, so that nothing but these has changed."""
    found = ReadOnly(redis, 16).marked()
    redis.delete(keys.readonly(7))
    if redis.type(HEAD) == b"hash":
        assert redis.hdel(HEAD, "ro") == len(found)
    return found


@pytest.mark.parametrize("broken", [EVENTS, HEAD, IDEM, FEED, DUE], ids=["events", "head", "idem", "feed", "due"])
def test_a_key_of_another_type_stops_the_match_before_anything_is_written(log: RedisLog, redis: Redis, broken: str):
    redis.set(broken, "something else")
    before = everything(redis)
    told = log.append(batch("a", "b", due=now() + DAY, key=KEY))
    assert told == Damaged(f"BAD-TYPE: {broken} is a string, not a {'stream' if broken in {EVENTS, FEED} else 'zset' if broken == DUE else 'hash'}")
    assert marked(redis) == ({MATCH: told.what} if broken in {EVENTS, HEAD} else {})
    assert everything(redis) == before


@pytest.mark.parametrize("lost", [2, 1], ids=["last", "first"])
def test_a_stream_that_ends_elsewhere_than_the_head_says_stops_the_match(log: RedisLog, redis: Redis, lost: int):
    first = batch("a", "b")
    log.append(first)
    redis.xtrim(EVENTS, maxlen=0) if lost == 1 else redis.xdel(EVENTS, "2-0")
    before = everything(redis)
    told = log.append(batch("c", onto=first))
    assert isinstance(told, Damaged)
    assert told.what == f"TIP: the head of 07-0000000001 says version 2, its stream ends at {'0-0' if lost == 1 else '1-0'}"
    assert marked(redis) == {MATCH: told.what}
    assert everything(redis) == before


def test_an_event_too_many_in_the_stream_stops_the_match(log: RedisLog, redis: Redis):
    first = batch("a")
    log.append(first)
    redis.xadd(EVENTS, {"t": "action.taken.1", "d": "{}"}, id="2-0")
    told = log.append(batch("c", onto=first))
    assert told == Damaged("TIP: the head of 07-0000000001 says version 1, its stream ends at 2-0")


def test_a_stream_that_has_forgotten_its_last_event_stops_the_match(log: RedisLog, redis: Redis):
    first = batch("a")
    log.append(first)
    redis.xadd(EVENTS, {"t": "action.taken.1", "d": "{}"}, id="2-0")
    redis.xdel(EVENTS, "2-0")
    before = everything(redis)
    assert log.append(batch("c", onto=first)) == Damaged("TIP: the stream of 07-0000000001 has lost events after version 1")
    assert marked(redis) == {MATCH: "TIP: the stream of 07-0000000001 has lost events after version 1"}
    assert everything(redis) == before


@pytest.mark.parametrize("harm", ["changed", "cut", "longer", "headless", "typed"])
def test_who_reads_a_match_that_contradicts_itself_learns_it_and_it_is_read_only_from_then_on(log: RedisLog, redis: Redis, harm: str):
    first = batch("a", "b")
    log.append(first)
    match harm:
        case "changed":
            tip = Tip(2, bytes(32))
            said = f"CHAIN: its 2 events come to the hash {tip.hash.hex()}, and its head says {first.hash.hex()}: an event was changed"
        case "cut":
            redis.xdel(EVENTS, "2-0")
            tip, said = Tip(1, bytes(32)), "TIP: its head says version 2, its stream ends at 1"
        case "longer":
            redis.xadd(EVENTS, {"t": "action.taken.1", "d": "{}"}, id="3-0")
            tip, said = Tip(3, bytes(32)), "TIP: its head says version 2, its stream ends at 3"
        case "headless":
            redis.delete(HEAD)
            tip, said = Tip(2, first.hash), "HEAD: it has 2 events and no head that can be read"
        case _:
            redis.set(HEAD, "something else")
            tip, said = Tip(2, first.hash), f"BAD-TYPE: {HEAD} is no hash, or {EVENTS} no stream"
    assert log.vouch(MATCH, tip) == Damaged(said)
    assert marked(redis) == {MATCH: said}


def test_a_head_that_was_lost_stops_the_match(log: RedisLog, redis: Redis):
    log.append(batch("a"))
    redis.delete(HEAD)
    assert log.append(batch("b")) == Damaged("TIP: the head of 07-0000000001 says version 0, its stream ends at 1-0")


@pytest.mark.parametrize("apart", [-60_000, 60_000], ids=["slow", "fast"])
@pytest.mark.parametrize("mode", ["move", "timeout", "admin"])
def test_who_has_another_time_than_redis_writes_nothing(log: RedisLog, redis: Redis, apart: int, mode: str):
    first = batch("a", due=now())
    log.append(first)
    before = everything(redis)
    with pytest.raises(LogUnavailable, match=r"nothing was written: our clock and that of Redis differ by [56]\d\.\d s, or the request"):
        log.append(batch("b", onto=first, now=now() + apart, mode=mode))
    assert everything(redis) == before


def test_how_far_the_clocks_may_be_apart_is_said_when_the_log_is_made(redis: Redis):
    assert RedisLog(redis, 16).append(batch("a", now=now() + 1900)) == Appended()
    with pytest.raises(LogUnavailable, match="our clock and that of Redis differ by"):
        RedisLog(redis, 16).append(batch("a", match="08-0000000001", now=now() - 2100))
    assert RedisLog(redis, 16, skew_ms=60_000).append(batch("a", match="08-0000000001", now=now() - 2100)) == Appended()


def test_a_match_of_a_partition_that_nobody_sweeps_is_not_written(redis: Redis):
    with pytest.raises(ValueError, match="07-0000000001 is in none of the 4 partitions; FORGEPOST_PARTITIONS may grow and never shrink"):
        RedisLog(redis, 4).append(batch())


def test_the_script_is_handed_over_again_to_a_server_that_forgot_it(log: RedisLog, redis: Redis):
    first = batch("a")
    log.append(first)
    redis.script_flush()
    assert log.append(batch("b", onto=first)) == Appended()
    assert len(log.read(MATCH)) == 2


@pytest.mark.parametrize("protocol", [2, 3])
def test_both_protocols_will_do(shared_redis: RedisServer, redis: Redis, protocol: int):
    with shared_redis.client(protocol=protocol) as client:
        log = RedisLog(client, 16, STILL)
        first = batch("a", key=KEY)
        assert [log.append(first), log.append(first), log.append(batch("b"))] == [Appended(), Replayed(0, 1), Conflict(1)]
        assert list(log.read(MATCH)) == stored(first)
        assert log.recall(MATCH, KEY) == Replayed(0, 1)


@pytest.mark.parametrize("key", [None, KEY], ids=["without-key", "with-key"])
@pytest.mark.parametrize("losses", [1, 3])
def test_an_append_whose_reply_was_lost_is_written_once_and_acknowledged(shared_redis: RedisServer, redis: Redis, key: Key | None, losses: int):
    with LossyWire(shared_redis.port) as wire, Redis(port=wire.port) as client:
        log = RedisLog(client, 16, STILL)
        first = batch("a")
        assert log.append(first) == Appended()
        wire.losing = losses
        second = batch("b", "c", onto=first, key=key, due=now() + DAY)
        assert log.append(second) == Appended()
        assert wire.lost == losses
    assert redis.xlen(EVENTS) == 3
    assert redis.xlen(FEED) == 2
    assert redis.hget(HEAD, "v") == b"3"


def test_an_append_that_did_not_arrive_is_sent_again_and_written(shared_redis: RedisServer, redis: Redis):
    first = batch("a", "b")
    with LossyWire(shared_redis.port) as wire, Redis(port=wire.port) as client:
        wire.deaf = 1
        assert RedisLog(client, 16, STILL).append(first) == Appended()
        assert wire.lost == 1
    assert list(RedisLog(redis, 16, STILL).read(MATCH)) == stored(first)


def test_an_append_whose_reply_was_lost_and_that_was_followed_by_another_was_written_all_the_same(shared_redis: RedisServer, redis: Redis):
    """The answer is lost, the match goes on, and only then is the append sent once more."""
    second = batch("b", "c", onto=(first := batch("a")))
    with LossyWire(shared_redis.port) as wire, Redis(port=wire.port) as client:
        log = RedisLog(client, 16, STILL)
        log.append(first)
        wire.losing, lost = 1, Event()
        pool = client.connection_pool
        connect = pool.get_connection

        def connect_late(*args: Any, **more: Any) -> Any:
            if wire.lost and not lost.is_set():
                lost.set()
                assert RedisLog(redis, 16, STILL).append(batch("d", onto=second)) == Appended()
            return connect(*args, **more)

        pool.get_connection = connect_late
        assert log.append(second) == Appended()
        assert lost.is_set()
    assert [entry.version for entry in RedisLog(redis, 16, STILL).read(MATCH)] == [1, 2, 3, 4]


def test_a_reply_that_was_lost_does_not_make_a_conflict_an_append(shared_redis: RedisServer, redis: Redis):
    rival = batch("rival")
    with LossyWire(shared_redis.port) as wire, Redis(port=wire.port) as client:
        log = RedisLog(client, 16, STILL)
        RedisLog(redis, 16, STILL).append(rival)
        wire.losing = 1
        assert log.append(batch("mine")) == Conflict(1)
        assert wire.lost == 1
    assert list(RedisLog(redis, 16, STILL).read(MATCH)) == stored(rival)


def test_two_requests_alike_to_the_byte_are_two(log: RedisLog):
    """A double click in one millisecond: nothing was lost on the way, so the second was second."""
    same = batch("a")
    assert [log.append(same), log.append(same)] == [Appended(), Conflict(1)]


def test_when_every_reply_is_lost_nobody_claims_to_know(shared_redis: RedisServer, redis: Redis):
    with LossyWire(shared_redis.port) as wire, Redis(port=wire.port) as client:
        log = RedisLog(client, 16, STILL)
        wire.losing = 99
        with pytest.raises(LogUnavailable, match="it is not known whether this was written; asking the same again does no harm"):
            log.append(batch("a", key=KEY))
        wire.losing = 0
        assert log.append(batch("a", key=KEY)) == Replayed(0, 1)
    assert redis.xlen(EVENTS) == 1


def test_a_server_that_is_not_there_is_said_to_be_and_nothing_was_written():
    with Redis(port=free_port(), retry=Retry(NoBackoff(), 0)) as client:
        log = RedisLog(client, 16, STILL)
        for asked in (lambda: log.append(batch()), lambda: log.read(MATCH), lambda: log.recall(MATCH, KEY)):
            with pytest.raises(LogUnavailable, match=r"Redis does not serve the log: .*refused.*; nothing was written"):
                asked()


def test_a_server_that_does_not_answer_is_asked_twice(shared_redis: RedisServer, redis: Redis):
    first = batch("a")
    RedisLog(redis, 16, STILL).append(first)
    with shared_redis.client(socket_timeout=0.2) as client:
        log = RedisLog(client, 16, STILL)
        redis.client_pause(60_000, all=False)
        try:
            with pytest.raises(LogUnavailable, match=r"it did not answer in time .*; it is not known whether this was written"):
                log.append(batch("b", onto=first))
        finally:
            redis.client_unpause()


@pytest.mark.parametrize(
    ("break_it", "said"),
    [
        (lambda redis: redis.replicaof("127.0.0.1", "1"), "it is a read-only replica now, and the master must be asked"),
        (lambda redis: redis.config_set("maxmemory", "1"), r"its memory is full \(maxmemory\), so it takes no more events"),
        (lambda redis: redis.config_set("min-replicas-to-write", "1"), "it has fewer replicas than min-replicas-to-write asks for"),
        (lambda redis: redis.execute_command("ACL SETUSER", "default", "-xadd"), "our user there may not do this"),
        (lambda redis: redis.execute_command("ACL SETUSER", "default", "-hmget"), "our user there may not do this"),
    ],
    ids=["replica", "full", "no-replicas", "no-writing", "no-reading"],
)
def test_a_server_that_takes_no_writes_is_said_why(log: RedisLog, redis: Redis, break_it: Callable[[Redis], Any], said: str):
    first = batch("a")
    log.append(first)
    before = everything(redis)
    try:
        break_it(redis)
        with pytest.raises(LogUnavailable, match=rf"{said} \(.*\); {'it is not known' if 'user' in said else 'nothing was written'}"):
            log.append(batch("b", onto=first))
    finally:
        redis.execute_command("ACL SETUSER", "default", "+@all")
        redis.config_set("min-replicas-to-write", "0")
        redis.config_set("maxmemory", "0")
        redis.replicaof("NO", "ONE")
    assert everything(redis) == before
    assert log.append(batch("b", onto=first)) == Appended()


@pytest.mark.parametrize("binary", BINARIES, ids=name_of)
def test_no_acknowledged_append_is_lost_when_redis_is_killed(redis_server: Callable[..., RedisServer], binary: str):
    server = redis_server(binary)
    acknowledged: list[Append] = []

    def play(match: str) -> list[Append]:
        with server.client(retry=Retry(NoBackoff(), 0)) as client:
            log, done = RedisLog(client, 16, STILL), list[Append]()
            while True:
                mine = batch("a", "b", match=match, onto=done[-1] if done else None, due=now() + DAY)
                try:
                    assert log.append(mine) == Appended()
                except LogUnavailable:
                    return done
                done.append(mine)
                acknowledged.append(mine)

    matches = [f"{of:02d}-0000000001" for of in range(8)]
    with ThreadPoolExecutor(8) as crowd:
        playing = [crowd.submit(play, match) for match in matches]
        while len(acknowledged) < 400 and not all(each.done() for each in playing):
            sleep(0.01)
        server.kill()
        played = [each.result() for each in playing]
    assert len(acknowledged) >= 400
    server.start()
    with server.client() as client:
        log = RedisLog(client, 16, STILL)
        for match, done in zip(matches, played, strict=True):
            found = log.read(match)
            assert list(found[: 2 * len(done)]) == stored(*done)
            assert len(found) - 2 * len(done) in {0, 2}  # the append that nobody heard of is there as a whole or not at all
            assert client.hget(f"{{p{match[:2]}}}:m:{match}:head", "v") == b"%d" % len(found)
            assert client.xlen(f"{{p{match[:2]}}}:feed") == len(found) // 2
    server.kill()


@pytest.mark.parametrize("binary", BINARIES, ids=name_of)
def test_the_same_log_goes_on_after_a_restart_of_redis(redis_server: Callable[..., RedisServer], binary: str):
    server = redis_server(binary)
    with server.client() as client:
        log = RedisLog(client, 16, STILL)
        first = batch("a")
        log.append(first)
        server.kill()
        server.start()
        assert log.append(batch("b", onto=first)) == Appended()
    server.kill()
