"""A site whose Redis is found through Sentinel: matches go on after a fail-over, and what it has lost is missed before anything is written."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from domain.desk import Sight
from domain.match.refusal import Refused
from domain.ports import LogUnavailable
from infra.redis_log.gate import epoch
from infra.settings import Settings
from tests.infra.keeping.tables import anew, follow, match, play
from tests.sentinel import Sentinel
from tests.servers import RedisServer
from tests.workers.office import Office, until


@pytest.fixture
def master(redis_server: Callable[..., RedisServer]) -> RedisServer:
    return redis_server(repl_diskless_sync_delay="0")


@pytest.fixture
def replica(redis_server: Callable[..., RedisServer], master: RedisServer) -> RedisServer:
    replica = redis_server(repl_diskless_sync_delay="0")
    replica.follow(master)
    return replica


@pytest.fixture
def sentinel(master: RedisServer, replica: RedisServer, tmp_path: Path) -> Iterator[Sentinel]:
    assert replica.port != master.port
    sentinel = Sentinel(master, tmp_path)
    until(lambda: sentinel.says(replicas=1))
    yield sentinel
    sentinel.kill()
    master.kill()
    replica.kill()


@pytest.fixture
def office(sentinel: Sentinel, master: RedisServer, tmp_path: Path) -> Iterator[Office]:
    """A site that knows nothing but the sentinel's address."""
    office = Office(master, tmp_path)
    office.settings = Settings.from_env({**office.settings.environ(), "EVENTS_REDIS_URL": sentinel.url, "RQ_REDIS_URL": sentinel.url})
    yield office
    office.end()


def played(office: Office, name: str) -> Sight:
    """The next action, as soon as there is a Redis that takes it."""

    def tried() -> Sight | None:
        try:
            return play(office, name)
        except LogUnavailable:
            return None

    sight: Sight = until(tried)
    return sight


def test_a_match_goes_on_after_a_fail_over_and_has_every_acknowledged_move(
    office: Office, sentinel: Sentinel, master: RedisServer, replica: RedisServer
):
    office.settings = Settings.from_env({**office.settings.environ(), "REPLICAS": "1"})
    for server in (master, replica):
        with server.client() as client:
            client.config_set("min-replicas-to-write", 1)
    name = match(office)
    before = play(office, name, 3).tip
    until(lambda: not office.site.log.pending(name))
    follow(office)
    master.kill()
    with pytest.raises(LogUnavailable):
        play(office, name)
    sentinel.await_master(replica)
    master.start(min_replicas_to_write="1")  # as whatever keeps it running does; the sentinel makes it a replica
    after = played(office, name)
    assert after.tip.version > before.version
    assert office.site.desk.history(name)[before.version - 1].hash == before.hash.hex()
    assert anew(office).readonly.marked() == {}


def test_moves_that_a_fail_over_lost_are_missed_by_the_witness_and_only_their_match_stands_still(
    office: Office, sentinel: Sentinel, master: RedisServer, replica: RedisServer
):
    torn, whole = match(office), match(office)
    earlier = play(office, torn, 2).tip.version
    play(office, whole)
    until(lambda: same(master, replica))
    replica.pause()
    with master.client() as client:
        client.client_kill_filter(_type="replica")  # or the wire would keep for it what it has yet to hear
    lost = play(office, torn).tip.version
    follow(office)  # the moves are acknowledged, and their signed heads told to the world
    master.kill()
    replica.resume()
    sentinel.await_master(replica)
    with pytest.raises(Refused, match=f"LOST: version {lost} of it was signed, and it ends at {earlier}"):
        played(office, torn)
    assert played(office, whole).match.ply == 2
    assert list(anew(office).readonly.marked()) == [torn]


def same(master: RedisServer, replica: RedisServer) -> bool:
    """Whether the replica has everything."""
    with master.client() as here, replica.client() as there:
        ours: Any = here.info("replication")
        theirs: Any = there.info("replication")
        return bool(ours["master_repl_offset"] == theirs["slave_repl_offset"])


def anns_turn(office: Office, name: str) -> bool:
    """Whether Ann is asked; not as long as the bots think, or nobody knows."""
    try:
        now = office.site.desk.look(name).match
    except LogUnavailable:
        return False
    return any(now.chair(ask.seat).bot is None for ask in now.asks)


def turn_played(office: Office, name: str) -> None:
    """Ann plays until a bot is asked: her own seats may come one after the other."""
    now = played(office, name).match
    while any(now.chair(ask.seat).bot is None for ask in now.asks):
        now = played(office, name).match


def test_house_bots_play_on_after_a_fail_over_that_their_jobs_went_through_as_well(
    office: Office, sentinel: Sentinel, master: RedisServer, replica: RedisServer
):
    office.start("worker", "bots")
    office.start("clock")
    long = {"goals_to_win": 10}  # and two seats: of one alone now and then the lots call for less than three turns
    name = office.match("Ann", "Ann", "bot1", "bot2", options=long, undo_seconds=0).match.id
    until(lambda: anns_turn(office, name))
    turn_played(office, name)
    until(lambda: anns_turn(office, name))
    until(lambda: same(master, replica))  # nothing happens in the match meanwhile: it is Ann whom it waits for
    master.kill()
    sentinel.await_master(replica)
    office.start("worker", "bots")  # as whatever keeps it running does: a worker that loses Redis while it puts a job away ends
    turn_played(office, name)
    until(lambda: anns_turn(office, name))


def test_a_server_that_is_made_the_master_again_is_another_one_though_it_never_stopped(master: RedisServer, replica: RedisServer):
    """Its `run_id` stays, and what it did not have when it took over is gone all the same."""
    with master.client() as client, replica.client() as other:
        first = epoch(client)
        other.replicaof("NO", "ONE")
        client.replicaof("127.0.0.1", str(replica.port))
        until(lambda: client.info("replication")["master_link_status"] == "up")
        client.replicaof("NO", "ONE")
        again = epoch(client)
    assert first.split(":")[0] == again.split(":")[0]
    assert first != again
