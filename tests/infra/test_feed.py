"""The feed: every append reaches every group, comes back until it is acknowledged, and goes when all have finished with it."""

from __future__ import annotations

from time import sleep

import pytest
from redis import Redis

from domain.ports import LogUnavailable
from infra.redis_log.feed import Feed, FeedEntry
from infra.redis_log.log import RedisLog
from tests.infra.batches import batch
from tests.servers import RedisServer

ANN, BOB, CAT = "07-0000000001", "07-0000000002", "03-0000000001"


def told(entries: list[FeedEntry]) -> list[tuple[str, int]]:
    return [(entry.match, entry.version) for entry in entries]


def test_an_entry_says_which_match_and_to_which_version_it_went(log: RedisLog, feed: Feed):
    log.append(batch("a", "b", notes=b'{"after":0}'))
    [entry] = feed.read("notices", "me", 0, 10)
    assert (entry.partition, entry.match, entry.version, entry.notes) == (7, ANN, 2, b'{"after":0}')


def test_a_group_begins_with_the_oldest_entry_and_may_be_made_again(log: RedisLog, feed: Feed):
    log.append(batch("a"))
    feed.ensure("projections")
    feed.ensure("projections")
    assert told(feed.read("projections", "me", 0, 10)) == [(ANN, 1)]
    feed.ensure("projections")
    assert feed.read("projections", "me", 0, 10) == []


def test_appends_to_all_partitions_are_read_together_each_in_its_order(log: RedisLog, feed: Feed):
    first = batch("a", match=ANN)
    for each in (first, batch("b", match=CAT), batch("c", match=ANN, onto=first), batch("d", match=BOB)):
        log.append(each)
    entries = feed.read("notices", "me", 0, 10)
    assert [told([entry]) for entry in entries if entry.partition == 7] == [[(ANN, 1)], [(ANN, 2)], [(BOB, 1)]]
    assert [told([entry]) for entry in entries if entry.partition == 3] == [[(CAT, 1)]]


def test_each_entry_goes_to_one_consumer_of_a_group_and_to_every_group(log: RedisLog, feed: Feed):
    feed.ensure("projections")
    log.append(batch("a"))
    assert told(feed.read("notices", "me", 0, 10)) == [(ANN, 1)]
    assert feed.read("notices", "you", 0, 10) == []
    assert told(feed.read("projections", "you", 0, 10)) == [(ANN, 1)]


def test_at_most_so_many_of_a_partition_are_given_at_once(log: RedisLog, feed: Feed):
    last = None
    for _ in range(5):
        last = batch("a", onto=last)
        log.append(last)
    assert told(feed.read("notices", "me", 0, 2)) == [(ANN, 1), (ANN, 2)]
    assert told(feed.read("notices", "me", 0, 2)) == [(ANN, 3), (ANN, 4)]


def test_who_starts_again_first_gets_what_it_had_not_acknowledged(log: RedisLog, feed: Feed, redis: Redis):
    first = batch("a")
    log.append(first)
    log.append(batch("x", match=CAT))
    for entry in feed.read("notices", "me", 0, 10):
        if entry.match == CAT:
            feed.ack("notices", [entry])
    log.append(batch("b", onto=first))
    again = Feed(redis, 16)
    assert told(again.read("notices", "me", 0, 10)) == [(ANN, 1)]
    assert told(again.read("notices", "me", 0, 10)) == [(ANN, 2)]
    assert again.read("notices", "me", 0, 10) == []


def test_what_was_left_is_given_in_portions_too(log: RedisLog, feed: Feed, redis: Redis):
    last = None
    for _ in range(5):
        last = batch("a", onto=last)
        log.append(last)
    feed.read("notices", "me", 0, 10)
    again = Feed(redis, 16)
    assert [told(again.read("notices", "me", 0, 2)) for _ in range(4)] == [[(ANN, 1), (ANN, 2)], [(ANN, 3), (ANN, 4)], [(ANN, 5)], []]


def test_what_a_dead_consumer_left_is_claimed_when_it_was_idle_long_enough(log: RedisLog, feed: Feed):
    log.append(batch("a"))
    feed.read("notices", "dead", 0, 10)
    assert feed.claim_idle("notices", "me", 60_000, 10) == []
    sleep(0.02)
    claimed = feed.claim_idle("notices", "me", 10, 10)
    assert told(claimed) == [(ANN, 1)]
    assert feed.claim_idle("notices", "you", 60_000, 10) == []
    feed.ack("notices", claimed)
    assert feed.claim_idle("notices", "you", 0, 10) == []


def test_an_entry_that_was_deleted_is_neither_read_nor_claimed_nor_waited_for(log: RedisLog, feed: Feed, redis: Redis):
    """6.2 gives empty rows for it, 7.0 drops them: on both the others are given, and nothing hangs."""
    last = None
    for _ in range(3):
        last = batch("a", onto=last)
        log.append(last)
    first, second, third = feed.read("notices", "dead", 0, 10)
    redis.xdel("{p07}:feed", first.id, second.id)
    assert Feed(redis, 16).read("notices", "dead", 0, 1) == [third]
    log.append(batch("b", match=BOB))
    feed.read("notices", "dead", 0, 10)
    redis.xdel("{p07}:feed", third.id)
    assert told(feed.claim_idle("notices", "me", 0, 10)) == [(BOB, 1)]
    [waiting] = redis.xpending_range("{p07}:feed", "notices", "-", "+", 10)
    assert waiting["message_id"] not in {first.id.encode(), second.id.encode(), third.id.encode()}


def test_trimming_keeps_what_some_group_has_not_finished_with(log: RedisLog, feed: Feed, redis: Redis):
    feed.ensure("projections")
    last = None
    for _ in range(4):
        last = batch("a", onto=last)
        log.append(last)
    assert feed.trim({"notices", "projections"}) == 0  # nobody has read
    entries = feed.read("notices", "me", 0, 10)
    feed.ack("notices", entries)
    assert feed.trim({"notices", "projections"}) == 0  # the other group has not read
    feed.read("projections", "me", 0, 3)
    feed.ack("projections", [entries[0], entries[2]])
    assert feed.trim({"notices", "projections"}) == 1  # the second is not acknowledged, the fourth not read
    assert [place for place, _ in redis.xrange("{p07}:feed") or []] == [entry.id.encode() for entry in entries[1:]]
    feed.ack("projections", [entries[1]])
    assert feed.trim({"notices", "projections"}) == 2
    assert told(feed.read("projections", "me", 0, 10)) == [(ANN, 4)]
    feed.ack("projections", [entries[3]])
    assert feed.trim({"notices", "projections"}) == 1
    log.append(batch("b", onto=last))
    assert told(feed.read("projections", "me", 0, 10)) == [(ANN, 5)]
    assert told(feed.read("notices", "me", 0, 10)) == [(ANN, 5)]


def test_a_feed_that_nobody_reads_is_not_trimmed(log: RedisLog, redis: Redis):
    log.append(batch("a"))
    assert Feed(redis, 16).trim([]) == 0
    assert redis.xlen("{p07}:feed") == 1


def test_a_group_that_is_not_made_yet_finds_everything_however_far_the_others_are(log: RedisLog, feed: Feed):
    """After a fail-over, or a start in bad weather, the groups are made one by one; the turn mails hung on the one that came last."""
    log.append(batch("a"))
    feed.ack("notices", feed.read("notices", "me", 0, 10))
    assert feed.trim(["notices", "projections"]) == 0
    feed.ensure("projections")
    assert told(feed.read("projections", "me", 0, 10)) == [(ANN, 1)]


def test_what_a_group_has_not_finished_with_can_be_asked_for(log: RedisLog, redis: Redis):
    feed = Feed(redis, 16)
    assert feed.unfinished("projections") == set()
    other = "09-0000000001"
    for made in (batch("a"), batch("b", match=other)):
        log.append(made)
    assert feed.unfinished("projections") == {ANN, other}, "not even read by anybody"
    feed.ensure("projections")
    entries = feed.read("projections", "me", 0, 10)
    feed.ack("projections", [entry for entry in entries if entry.match == other])
    assert feed.unfinished("projections") == {ANN}
    feed.ack("projections", entries)
    assert feed.unfinished("projections") == set()


def test_waiting_ends_when_something_comes(log: RedisLog, feed: Feed):
    assert feed.read("notices", "me", 20, 10) == []
    log.append(batch("a"))
    assert told(feed.read("notices", "me", 60_000, 10)) == [(ANN, 1)]


@pytest.mark.parametrize("protocol", [2, 3])
def test_both_protocols_will_do(shared_redis: RedisServer, redis: Redis, log: RedisLog, protocol: int):
    with shared_redis.client(protocol=protocol) as client:
        feed = Feed(client, 16)
        feed.ensure("notices")
        log.append(batch("a"))
        assert told(feed.read("notices", "me", 0, 10)) == [(ANN, 1)]
        assert feed.read("notices", "me", 0, 10) == []
        feed = Feed(client, 16)
        [entry] = feed.read("notices", "me", 0, 10)
        assert feed.claim_idle("notices", "you", 0, 10) == [entry]
        feed.ack("notices", [entry])
        assert feed.trim(["notices"]) == 1


def test_a_feed_that_cannot_be_reached_says_so(redis: Redis):
    with pytest.raises(LogUnavailable, match=r"Redis does not serve the log: .*NOGROUP"):
        Feed(redis, 16).read("nobody", "me", 0, 10)
