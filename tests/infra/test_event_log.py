"""What every event log promises: the one in memory that other tests stand on, and the real one on each kind of Redis server."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import pytest
from msgspec.structs import replace

from domain.ports import Appended, Closed, Conflict, Damaged, Early, EventLog, Key, KeyReused, Late, Replayed, Tip
from infra.clock import now
from infra.redis_log.log import RedisLog
from tests.infra.batches import DAY, KEY, MATCH, STILL, batch, stored
from tests.memory_log import MemoryLog
from tests.servers import BINARIES, RedisServer, name_of

PLACES = ["memory", *BINARIES]


@dataclass
class Places:
    """Logs by where they are kept; each server is started once."""

    start: Callable[..., RedisServer]
    servers: dict[str, RedisServer]

    def log(self, place: str) -> EventLog:
        """An empty log."""
        if place == "memory":
            return MemoryLog()
        if place not in self.servers:
            self.servers[place] = self.start(place)
        client = self.servers[place].client()
        client.flushall()
        return RedisLog(client, 16, STILL)


@pytest.fixture(scope="module")
def places(redis_server: Callable[..., RedisServer]) -> Places:
    return Places(redis_server, {})


@pytest.fixture(params=PLACES, ids=lambda place: place if place == "memory" else name_of(place))
def log(request: pytest.FixtureRequest, places: Places) -> EventLog:
    return places.log(request.param)


def test_what_was_appended_can_be_read(log: EventLog):
    first = batch("forge O2", "forge O3")
    second = batch("pass", onto=first)
    assert log.append(first) == Appended()
    assert log.append(second) == Appended()
    assert list(log.read(MATCH)) == stored(first, second)


def test_bytes_are_given_back_as_they_were(log: EventLog):
    body = b'{"text":"\xe2\x86\x92 \\u0000 \xf0\x9f\x8e\xb2\\r\\n"}'
    log.append(replace(batch(), entries=(("action.taken.1", body),)))
    assert log.read(MATCH)[0].body == body


def test_reading_begins_after_a_version_and_ends_at_a_limit(log: EventLog):
    whole = batch("a", "b", "c", "d", "e")
    log.append(whole)
    assert [entry.version for entry in log.read(MATCH, 2)] == [3, 4, 5]
    assert [entry.version for entry in log.read(MATCH, 2, 2)] == [3, 4]
    assert list(log.read(MATCH, 5)) == []
    assert list(log.read(MATCH, 9)) == []
    assert list(log.read(MATCH, 0, 0)) == []


def test_an_unknown_match_has_no_events(log: EventLog):
    assert list(log.read("07-zzzzzzzzzz")) == []


@pytest.mark.parametrize("name", ["", "x", "07-", "{p07}:feed", "07-0000000001\n", "99-0000000001", "07-ILOU000000"])
def test_a_name_that_no_match_has_has_no_events(log: EventLog, name: str):
    log.append(batch())
    assert list(log.read(name)) == []
    assert log.recall(name, KEY) is None


def test_who_decided_on_an_older_version_is_told_where_the_match_stands(log: EventLog):
    first = batch("a", "b")
    log.append(first)
    assert log.append(batch("c")) == Conflict(2)
    assert list(log.read(MATCH)) == stored(first)


def test_a_version_that_is_yet_to_come_tells_that_events_were_lost(log: EventLog):
    ahead = batch("c", onto=batch("a", "b"))
    assert log.append(ahead) == Damaged("LOST: 07-0000000001 had 2 events, and its log has 0")
    assert list(log.read(MATCH)) == []


def test_another_head_at_the_same_version_is_damage(log: EventLog):
    first = batch("a")
    log.append(first)
    told = log.append(batch("c", onto=replace(first, hash=bytes(31) + b"\1")))
    assert isinstance(told, Damaged)
    assert told.what.startswith("CHAIN: ")
    assert first.hash.hex() in told.what
    assert list(log.read(MATCH)) == stored(first)


def test_a_key_used_again_for_the_same_request_is_answered_from_the_log(log: EventLog):
    first = batch("a", "b", key=KEY)
    second = batch("c", onto=first)
    log.append(first)
    log.append(second)
    assert log.append(batch("d", "e", onto=second, key=KEY)) == Replayed(after=0, version=2)
    assert log.recall(MATCH, KEY) == Replayed(after=0, version=2)
    assert list(log.read(MATCH)) == stored(first, second)


def test_the_replay_of_a_later_append_names_its_own_events(log: EventLog):
    first = batch("a", "b")
    second = batch("c", "d", "e", onto=first, key=KEY)
    log.append(first)
    log.append(second)
    assert log.append(second) == Replayed(after=2, version=5)


def test_a_key_used_for_another_request_is_refused(log: EventLog):
    first = batch("a", key=KEY)
    other = Key(KEY.actor, KEY.key, "POST /submissions forge O9")
    log.append(first)
    assert log.append(batch("b", onto=first, key=other)) == KeyReused()
    assert log.recall(MATCH, other) == KeyReused()
    assert list(log.read(MATCH)) == stored(first)


def test_a_key_belongs_to_who_uses_it_and_to_a_partition(log: EventLog):
    log.append(batch("a", key=KEY))
    assert log.recall(MATCH, Key("p-bob0000000", KEY.key, KEY.fingerprint)) is None
    assert log.recall("08-0000000001", KEY) is None
    assert log.append(batch("a", match="08-0000000001", key=KEY)) == Appended()


def test_a_refused_append_uses_up_no_key(log: EventLog):
    first = batch("a", due=now() - 1)
    log.append(first)
    assert log.append(batch("b", onto=first, key=KEY)) == Late(first.due or 0)
    assert log.recall(MATCH, KEY) is None


def test_nothing_is_written_to_a_match_that_is_over(log: EventLog):
    last = batch("a", status="over")
    log.append(last)
    for mode in ("move", "timeout", "admin"):
        assert log.append(batch("b", onto=last, mode=mode)) == Closed()
    assert list(log.read(MATCH)) == stored(last)


def test_the_answer_to_a_used_key_outlives_the_match(log: EventLog):
    last = batch("a", status="over", key=KEY)
    log.append(last)
    assert log.append(batch("b", onto=last, key=KEY)) == Replayed(after=0, version=1)


@pytest.mark.parametrize(("past", "told"), [(-1, Appended()), (0, Appended()), (1, None)], ids=["before", "at", "after"])
def test_a_move_is_in_time_until_the_millisecond_of_its_deadline(log: EventLog, past: int, told: Appended | None):
    moment = now()
    first = batch("a", due=moment)
    log.append(first)
    assert log.append(batch("b", onto=first, now=moment + past, due=moment + DAY)) == (told or Late(moment))


@pytest.mark.parametrize(("past", "told"), [(-1, None), (0, None), (1, Appended())], ids=["before", "at", "after"])
def test_time_has_run_out_one_millisecond_after_the_deadline(log: EventLog, past: int, told: Appended | None):
    moment = now()
    first = batch("a", due=moment)
    log.append(first)
    assert log.append(batch("b", onto=first, now=moment + past, mode="timeout")) == (told or Early(moment))


def test_nobody_is_late_in_a_match_without_a_deadline(log: EventLog):
    first = batch("a", due=None)
    log.append(first)
    assert log.append(batch("b", onto=first, mode="timeout")) == Early(None)
    assert log.append(batch("b", onto=first, mode="move")) == Appended()


def test_what_is_neither_move_nor_time_out_has_no_deadline(log: EventLog):
    moment = now()
    first = batch("a", due=moment - 1000)
    log.append(first)
    assert log.append(batch("resigns", onto=first, mode="admin")) == Appended()


def test_the_deadline_that_counts_is_the_one_of_the_last_append(log: EventLog):
    moment = now()
    first = batch("a", due=moment - 1000)
    second = batch("b", onto=first, mode="admin", due=moment + DAY)
    log.append(first)
    log.append(second)
    assert log.append(batch("c", onto=second)) == Appended()


def test_a_head_vouches_for_what_it_was_written_with_and_says_where_the_match_went_on(log: EventLog):
    first = batch("a", "b")
    second = batch("c", onto=first)
    log.append(first)
    tip = Tip(2, first.hash)
    assert log.vouch(MATCH, tip) is None
    log.append(second)
    assert log.vouch(MATCH, tip) == Conflict(3)
    assert log.vouch(MATCH, Tip(3, second.hash)) is None


def test_no_head_vouches_for_other_bytes(log: EventLog):
    first = batch("a", "b")
    log.append(first)
    assert log.vouch(MATCH, Tip(2, b"x" * 32)) == Damaged(
        f"CHAIN: its 2 events come to the hash {(b'x' * 32).hex()}, and its head says {first.hash.hex()}: an event was changed"
    )


def test_a_thousand_events_and_more_are_read_to_the_end(log: EventLog):
    first = batch(*("a" for _ in range(1000)))
    second = batch(*("b" for _ in range(1500)), onto=first)
    log.append(first)
    log.append(second)
    assert list(log.read(MATCH)) == stored(first, second)
    assert len(log.read(MATCH, 300, 1200)) == 1200


def test_of_twenty_who_append_at_once_one_wins_each_version(log: EventLog):
    moment = now()

    def play(name: int) -> list[int]:
        won = []
        while (version := len(log.read(MATCH))) < 10:
            tip = Tip(version, bytes([version] * 32))
            mine = replace(batch(f"by {name}", now=moment), expected=tip, hash=bytes([version + 1] * 32))
            match log.append(mine):
                case Appended():
                    won.append(version + 1)
                case told:
                    assert isinstance(told, Conflict)
        return won

    with ThreadPoolExecutor(20) as crowd:
        won = [version for versions in crowd.map(play, range(20)) for version in versions]
    assert sorted(won) == list(range(1, 11))
    assert [entry.version for entry in log.read(MATCH)] == list(range(1, 11))
