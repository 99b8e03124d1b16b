"""The outbox: no notice is forgotten, and none is sent twice, whoever dies in between."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from msgspec.structs import replace
from redis import Redis

from domain.ports import LogUnavailable
from infra.outbox import Held, Notice, Outbox
from infra.redis_log.feed import Feed, FeedEntry
from infra.redis_log.log import RedisLog
from tests.infra.batches import batch
from tests.infra.lossy_wire import LossyWire
from tests.servers import RedisServer
from tests.workers.office import until

TURN = Notice(kind="turn", match="07-0000000001", player="p-ann0000000", seat="ochre", ask=3, ply=0, version=6)
REMINDER = replace(TURN, kind="reminder")
OVER = Notice(kind="over", match="03-0000000001", player="p-bob0000000", seat="", ask=0, ply=60, version=80)


@pytest.fixture
def outbox(redis: Redis) -> Outbox:
    return Outbox(redis, 16)


@pytest.fixture
def entry(log: RedisLog, feed: Feed) -> FeedEntry:
    """A feed entry that was read and waits to be settled."""
    log.append(batch())
    [entry] = feed.read("notices", "me", 0, 10)
    return entry


def test_a_notice_lies_in_its_partition_as_canonical_json_by_its_time(outbox: Outbox, redis: Redis):
    outbox.schedule(7, [(TURN, 1000)])
    member = b'{"ask":3,"kind":"turn","match":"07-0000000001","player":"p-ann0000000","ply":0,"seat":"ochre","version":6}'
    assert redis.zrange("{p07}:notices", 0, -1, withscores=True) == [(member, 1000)]


def test_a_notice_that_is_asked_for_once_more_is_another_one_and_the_first_looks_as_it_always_did(outbox: Outbox, redis: Redis):
    again = replace(TURN, again=29_932_560)
    outbox.schedule(7, [(TURN, 1000), (again, 2000)])
    assert outbox.take(2000, 100, 10) == [TURN, again]
    outbox.done(TURN)
    assert redis.zrange("{p07}:notices", 0, -1) == [
        b'{"again":29932560,"ask":3,"kind":"turn","match":"07-0000000001","player":"p-ann0000000","ply":0,"seat":"ochre","version":6}'
    ]


def test_a_notice_is_taken_when_its_time_has_come(outbox: Outbox):
    outbox.schedule(7, [(TURN, 1000), (REMINDER, 5000)])
    outbox.schedule(3, [(OVER, 1000)])
    assert outbox.take(999, 100, 10) == []
    assert outbox.take(1000, 100, 10) == [OVER, TURN]
    assert outbox.waiting() == 3


def test_a_notice_that_is_scheduled_again_keeps_its_time(outbox: Outbox):
    outbox.schedule(7, [(TURN, 1000)])
    outbox.schedule(7, [(TURN, 9000)])
    assert outbox.take(1000, 100, 10) == [TURN]
    assert outbox.waiting() == 1


def test_what_was_taken_comes_back_only_when_the_lease_is_over(outbox: Outbox):
    outbox.schedule(7, [(TURN, 1000)])
    assert outbox.take(1000, 500, 10) == [TURN]
    assert outbox.take(1499, 500, 10) == []
    assert outbox.take(1500, 500, 10) == [TURN]


def test_what_is_done_does_not_come_back(outbox: Outbox, redis: Redis):
    outbox.schedule(7, [(TURN, 1000)])
    outbox.take(1000, 500, 10)
    assert outbox.claim(TURN, 60_000)
    outbox.done(TURN)
    assert outbox.take(9000, 500, 10) == []
    assert redis.dbsize() == 0


def test_at_most_so_many_of_a_partition_are_taken_the_oldest_first(outbox: Outbox):
    outbox.schedule(7, [(replace(TURN, version=at), at) for at in (3, 1, 2)])
    assert [notice.version for notice in outbox.take(10, 500, 2)] == [1, 2]
    assert [notice.version for notice in outbox.take(10, 500, 2)] == [3]


def test_of_many_who_take_at_once_one_gets_each_notice(outbox: Outbox):
    outbox.schedule(7, [(replace(TURN, version=version), 1) for version in range(50)])
    with ThreadPoolExecutor(8) as crowd:
        taken = [notice.version for notices in crowd.map(lambda _: outbox.take(10, 1000, 5), range(16)) for notice in notices]
    assert sorted(taken) == list(range(50))


def test_a_notice_that_was_taken_twice_is_sent_once(outbox: Outbox):
    """The first job is still sending when its lease runs out and a second one is given the same notice."""
    outbox.schedule(7, [(TURN, 1000)])
    outbox.take(1000, 500, 10)
    assert outbox.claim(TURN, 60_000)
    assert outbox.take(1500, 500, 10) == [TURN]
    assert not outbox.claim(TURN, 60_000)
    outbox.done(TURN)
    assert not outbox.claim(TURN, 60_000)


def test_of_many_who_claim_at_once_one_sends(outbox: Outbox):
    outbox.schedule(7, [(TURN, 1000)])
    with ThreadPoolExecutor(8) as crowd:
        assert sorted(crowd.map(lambda _: outbox.claim(TURN, 60_000), range(8))) == [False] * 7 + [True]


def test_a_sender_that_died_leaves_its_notice_to_another(outbox: Outbox):
    outbox.schedule(7, [(TURN, 1000), (REMINDER, 1000)])
    assert outbox.claim(TURN, 20)
    assert outbox.claim(REMINDER, 60_000)
    until(lambda: outbox.claim(TURN, 60_000))
    assert not outbox.claim(REMINDER, 60_000)


def test_a_claim_whose_reply_was_lost_is_still_ones_own(shared_redis: RedisServer, outbox: Outbox):
    outbox.schedule(7, [(TURN, 1000)])
    with LossyWire(shared_redis.port) as wire, Redis(port=wire.port) as client:
        other = Outbox(client, 16)
        assert not other.claim(OVER, 60_000)
        wire.losing = 1
        assert other.claim(TURN, 60_000)
        assert wire.lost == 1
    assert not outbox.claim(TURN, 60_000)


def test_a_notice_that_could_not_be_sent_is_tried_again_later(outbox: Outbox):
    outbox.schedule(7, [(TURN, 1000)])
    outbox.take(1000, 500, 10)
    assert outbox.claim(TURN, 60_000)
    outbox.later(TURN, 8000)
    assert outbox.take(7999, 500, 10) == []
    assert outbox.take(8000, 500, 10) == [TURN]
    assert outbox.claim(TURN, 60_000)


def test_what_cannot_be_sent_is_kept_for_somebody_to_look_at(outbox: Outbox):
    outbox.schedule(7, [(TURN, 1000)])
    outbox.take(1000, 500, 10)
    assert outbox.claim(TURN, 60_000)
    outbox.park(TURN, 1001, "554 this looks like spam")
    assert outbox.parked() == [TURN]
    assert outbox.parked_with_cause() == [Held(TURN, 1001, "554 this looks like spam")]
    assert outbox.take(99_000, 500, 10) == []
    assert not outbox.claim(TURN, 60_000)


def test_what_was_looked_at_is_tried_again_once_or_dropped(outbox: Outbox):
    outbox.schedule(7, [(TURN, 1000), (REMINDER, 5000)])
    outbox.park(TURN, 1001, "554 this looks like spam")
    assert outbox.release(TURN, 2000)
    assert not outbox.release(TURN, 2000)
    assert outbox.queued() == [Held(TURN, 2000, "554 this looks like spam"), Held(REMINDER, 5000)]
    outbox.done(TURN)
    outbox.park(REMINDER, 6000, "no mail can be made of it")
    assert outbox.drop(REMINDER)
    assert not outbox.drop(REMINDER)
    assert (outbox.parked(), outbox.queued()) == ([], [])


def test_why_a_notice_was_put_off_is_remembered_until_it_is_done(outbox: Outbox):
    outbox.schedule(7, [(TURN, 1000)])
    outbox.later(TURN, 8000, "451 come back later")
    assert outbox.queued() == [Held(TURN, 8000, "451 come back later")]
    outbox.done(TURN)
    outbox.schedule(7, [(TURN, 9000)])
    assert outbox.queued() == [Held(TURN, 9000)]


def test_what_is_done_cannot_be_put_off(outbox: Outbox):
    outbox.later(TURN, 8000)
    assert outbox.waiting() == 0


def test_an_entry_is_settled_once(outbox: Outbox, feed: Feed, entry: FeedEntry):
    assert outbox.settle_entry(entry, "notices", [(TURN, 1000), (REMINDER, 5000)])
    assert outbox.take(9000, 500, 10) == [TURN, REMINDER]
    outbox.done(TURN)
    assert not outbox.settle_entry(entry, "notices", [(TURN, 1000)])
    assert outbox.waiting() == 1
    assert feed.claim_idle("notices", "you", 0, 10) == []


def test_an_entry_that_calls_for_nothing_is_settled_too(outbox: Outbox, feed: Feed, entry: FeedEntry):
    assert outbox.settle_entry(entry, "notices", [])
    assert feed.claim_idle("notices", "you", 0, 10) == []


def test_what_an_entry_made_idle_is_withdrawn_with_it(outbox: Outbox, entry: FeedEntry):
    outbox.schedule(7, [(REMINDER, 5000)])
    later = replace(REMINDER, ask=7, version=7)
    assert outbox.settle_entry(entry, "notices", [(later, 6000)], withdrawn=[REMINDER, TURN])
    assert outbox.take(9000, 500, 10) == [later]
    assert not outbox.claim(REMINDER, 60_000)


def test_an_entry_claimed_by_another_consumer_is_settled_by_the_faster_one(outbox: Outbox, feed: Feed, entry: FeedEntry):
    assert feed.claim_idle("notices", "you", 0, 10) == [entry]
    assert outbox.settle_entry(entry, "notices", [(TURN, 1000)])
    assert not outbox.settle_entry(entry, "notices", [(TURN, 1000)])


def test_settling_is_all_or_nothing(outbox: Outbox, feed: Feed, entry: FeedEntry, redis: Redis):
    redis.set("{p07}:notices", "something else")
    with pytest.raises(LogUnavailable, match="a key of the log holds something else"):
        outbox.settle_entry(entry, "notices", [(TURN, 1000)])
    redis.delete("{p07}:notices")
    assert feed.claim_idle("notices", "me", 0, 10) == [entry]


def test_settling_after_a_lost_reply_schedules_nothing_twice(shared_redis: RedisServer, redis: Redis, outbox: Outbox, entry: FeedEntry):
    """The reply is lost, the notice is sent and done in the meantime, and only then does the client repeat itself."""
    outbox.settle_entry(replace(entry, id="1-1"), "notices", [])
    with LossyWire(shared_redis.port) as wire, Redis(port=wire.port) as client:
        wire.losing = 1
        assert not Outbox(client, 16).settle_entry(entry, "notices", [(TURN, 1000)])
        assert wire.lost == 1
    outbox.done(TURN)
    assert not outbox.settle_entry(entry, "notices", [(TURN, 1000)])
    assert outbox.waiting() == 0
