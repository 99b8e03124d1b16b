"""A site whose matches lie on a Redis Cluster: everything is played, told, kept and forgotten there as on a single server."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from redis import Redis
from redis.exceptions import ClusterCrossSlotError

from domain.match.codec import Line
from domain.match.commands import Actor, Submit
from domain.ports import Appended, LogUnavailable
from infra import embedded
from infra.clock import now
from infra.keeping.backup import back_up
from infra.keeping.restore import restore
from infra.people import erasure
from infra.redis_clients.client import client
from infra.redis_clients.cluster import Cluster
from infra.redis_log.gate import Gate, check
from infra.redis_log.log import RedisLog
from infra.redis_log.replicas import Replicas
from infra.settings import Settings, SettingsError
from infra.webhooks.webhooks import Wish
from infra.wiring import site
from tests.cluster import BUS, RedisCluster
from tests.infra.batches import DAY, MATCH, STILL, batch, stored
from tests.infra.keeping.tables import anew, follow, match, play
from tests.loop import looped
from tests.servers import REPLICATING, RedisServer
from tests.workers.office import Office, until
from workers.relay import ListingRelay, WebhooksRelay

SEVENTH = 7  # the partition of MATCH


@pytest.fixture(scope="module")
def cluster(redis_server: Callable[..., RedisServer]) -> Iterator[RedisCluster]:
    able = [binary for binary in REPLICATING if embedded.version(binary) >= BUS]
    if not able:
        pytest.fail("a cluster wants Redis 7.0 or later, or Valkey, and neither is here: install one (Debian, Ubuntu: apt-get install redis-server)")
    cluster = RedisCluster(lambda **settings: redis_server(able[0], **settings))
    yield cluster
    cluster.kill()


@pytest.fixture(scope="module")
def queues(redis_server: Callable[..., RedisServer]) -> RedisServer:
    """The Redis of the jobs."""
    return redis_server()


@pytest.fixture
def redis(cluster: RedisCluster) -> Iterator[Cluster]:
    """A client of the cluster, which has nothing."""
    cluster.flush()
    with client(cluster.url) as made:
        assert isinstance(made, Cluster)
        yield made


@pytest.fixture
def office(redis: Cluster, cluster: RedisCluster, queues: RedisServer, tmp_path: Path) -> Iterator[Office]:
    """A site on it."""
    assert redis.dbsize() == 0
    office = Office(queues, tmp_path)
    office.settings = settings(cluster, queues, tmp_path, office)
    office.post.open()
    yield office
    office.end()


def settings(cluster: RedisCluster, queues: RedisServer, data: Path, office: Office | None = None) -> Settings:
    usual = office.settings if office else Settings.development(data)
    return Settings.from_env({**usual.environ(), "EVENTS_REDIS_URL": cluster.url, "RQ_REDIS_URL": queues.url})


def test_a_match_is_played_to_its_end_by_mail_and_house_bots_whose_workers_have_their_jobs_elsewhere(office: Office):
    for process in (("worker", "notices"), ("worker", "bots"), ("clock",)):
        office.start(*process)
    name = office.match("Ann", "bot1", "bot2", "bot3", options={"goals_to_win": 1}, undo_seconds=0).match.id
    chance = Random(7)

    def over() -> bool:
        now = office.site.desk.look(name).match
        ours = [ask.seat for ask in now.asks if now.chair(ask.seat).bot is None]
        if ours:
            action = chance.choice(list(now.game.legal(now.state, ours[0])))
            office.site.desk.do(name, Submit(Actor(now.chair(ours[0]).player or "", "link"), ours[0], now.ply, (action,)))
        return now.status == "over"

    until(over, seconds=240)
    until(lambda: office.post.to("ann@example.org", "over"), seconds=60)
    assert anew(office).readonly.marked() == {}
    ann = office.player("Ann").id
    until(lambda: [row.status for row in office.site.listing.find(player=ann, viewer=ann)[0]] == ["over"])


def test_what_comes_of_an_event_and_lies_on_another_server_is_settled_when_the_replicas_there_have_it(office: Office):
    """Or a fail-over of that server alone would leave the list behind for ever, and a webhook untold."""
    ann = office.player("Ann").id
    office.site.webhooks.add(ann, Wish("https://hooks.example.org/forgepost"), 1)
    name = match(office)
    without = replace(office.site, replicas=Replicas(1, 50))  # of the replicas that it waits for there is none
    for relay in (ListingRelay, WebhooksRelay):
        office.site.feed.ensure(relay.group)
        (entry,) = office.site.feed.read(relay.group, "me", 0, 10)
        with pytest.raises(LogUnavailable, match="replicas of its server have yet to say"):
            relay(without).settle(entry)
        assert office.site.feed.unfinished(relay.group) == {name}
        relay(office.site).settle(entry)
        assert office.site.feed.unfinished(relay.group) == set()


def port_of(office: Office, name: str) -> int:
    """The port of the server that a match lies on, as the site has found out."""
    redis: Any = office.site.redis
    port: int = redis.server_of(f"{{p{name[:2]}}}").get_connection_kwargs()["port"]
    return port


def test_matches_lie_on_every_server_and_deadlines_and_the_witness_find_them(office: Office, cluster: RedisCluster):
    names = {match(office) for _ in range(24)}
    while len({port_of(office, name) for name in names}) < len(cluster.servers):  # chance leaves one out now and then
        names.add(match(office))
    for name in names:
        play(office, name)
    follow(office)
    spread = []
    for server in cluster.servers:
        with server.client() as there:
            spread.append(len(list(there.scan_iter(match="*:head"))))
    assert sum(spread) == len(names)
    assert all(spread)
    assert office.site.census.matches() == names
    assert office.site.witness.newest().keys() == names
    assert office.site.audit.contradictions() == {}
    assert office.site.dues.late(office.site.clock() + 10 * 86_400_000) == len(names)
    ben = office.player("Ben")
    assert {row.match for row in office.site.listing.find(player=ben.id, viewer=ben.id, limit=50)[0]} == names


def test_whoever_follows_a_match_is_told_of_its_moves(office: Office):
    names = [match(office) for _ in range(6)]
    before = {name: office.site.desk.look(name).tip for name in names}
    heard: dict[str, list[int]] = {name: [] for name in names}

    def told(name: str, lines: list[Line] | None) -> None:
        heard[name] += [line.version for line in lines or ()]

    async def follow_them() -> dict[str, int]:
        office.site.follower.tell(told)
        for name in names:
            office.site.follower.follow(name, before[name])
        after = {name: (await asyncio.to_thread(play, office, name, 2)).tip.version for name in names}
        async with asyncio.timeout(60):
            while any(not heard[name] or heard[name][-1] < after[name] for name in names):  # noqa: ASYNC110 - the follower tells, and waits for nobody
                await asyncio.sleep(0.02)
        office.site.follower.stop()
        return after

    after = looped(follow_them())
    assert heard == {name: list(range(before[name].version + 1, after[name] + 1)) for name in names}


def test_a_backup_of_a_cluster_is_put_back_into_an_empty_one(office: Office, cluster: RedisCluster, tmp_path: Path):
    name = match(office)
    play(office, name, 3)
    follow(office)
    told = office.site.desk.history(name)
    back_up(office.site, tmp_path / "backup")
    cluster.flush()
    restored = restore(anew(office), tmp_path / "backup")
    assert restored.behind == {}
    assert anew(office).desk.history(name) == told
    assert play(office, name).tip.version > len(told)


def test_who_is_erased_is_gone_from_every_server(office: Office):
    name = match(office)
    ann = office.player("Ann")
    office.site.players.new_token(ann.id, ["matches:play"], "laptop")
    follow(office)
    erasure.erase(office.site, ann.id, "web")
    assert office.site.players.get(ann.id) is None
    assert not [key for key in office.site.redis.scan_iter() if ann.id.encode() in key and b"{list}" not in key]
    assert office.site.desk.look(name).match.vacated


def moved(cluster: RedisCluster, redis: Cluster, key: str) -> None:
    """The slot of a key, and all that lies in it, goes from its server to the next one; the client is not told."""
    slot = redis.slot(key)
    ports = [server.port for server in cluster.servers]
    here = redis.server_of(key).get_connection_kwargs()["port"]
    there = ports[(ports.index(here) + 1) % len(ports)]
    with Redis(port=here) as source, Redis(port=there) as target:
        ids = {port: said.execute_command("CLUSTER MYID").decode() for port, said in ((here, source), (there, target))}
        target.execute_command("CLUSTER SETSLOT", slot, "IMPORTING", ids[here])
        source.execute_command("CLUSTER SETSLOT", slot, "MIGRATING", ids[there])
        while keys := source.execute_command("CLUSTER GETKEYSINSLOT", slot, 100):
            source.execute_command("MIGRATE", "127.0.0.1", there, "", 0, 5000, "KEYS", *keys)
        for said in (target, source):
            said.execute_command("CLUSTER SETSLOT", slot, "NODE", ids[there])


def test_a_slot_that_moved_to_another_server_is_found_there(redis: Cluster, cluster: RedisCluster):
    log = RedisLog(redis, 16, STILL)
    first = batch("a", due=now() + DAY)
    assert log.append(first) == Appended()
    moved(cluster, redis, "{p07}")
    second = batch("b", onto=first)
    assert log.append(second) == Appended()
    moved(cluster, redis, "{p07}")
    assert log.read(MATCH) == stored(first, second)
    moved(cluster, redis, "{p07}")
    with redis.pipeline(transaction=False) as pipe:
        for of in range(16):
            pipe.xlen(f"{{p{of:02d}}}:feed")
        assert pipe.execute() == [2 if of == SEVENTH else 0 for of in range(16)]
    moved(cluster, redis, "{p07}")
    with redis.pipeline() as pipe:
        pipe.set("{p07}:one", 1)
        pipe.get("{p07}:one")
        assert pipe.execute() == [True, b"1"]


def test_a_transaction_across_slots_is_refused_before_anything_is_written(redis: Cluster):
    with redis.pipeline() as pipe:
        pipe.set("{p01}:a", 1)
        pipe.set("{p02}:a", 1)
        with pytest.raises(ClusterCrossSlotError):
            pipe.execute()
    assert redis.dbsize() == 0


def test_a_server_of_the_cluster_that_could_lose_moves_is_named(redis: Cluster, cluster: RedisCluster, queues: RedisServer, tmp_path: Path):
    here = settings(cluster, queues, tmp_path)
    assert check(redis, here) == []
    weak = cluster.servers[1]
    with weak.client() as there:
        there.config_set("appendfsync", "no")
        try:
            assert check(redis, here) == [f"127.0.0.1:{weak.port}: Redis answers before a move is on disk (appendfsync no): set `appendfsync always`"]
            with pytest.raises(LogUnavailable, match=f"127.0.0.1:{weak.port}: Redis answers before a move is on disk"):
                RedisLog(redis, 16, STILL, gate=Gate(redis, here)).append(batch("a"))
        finally:
            there.config_set("appendfsync", "always")


def test_one_server_of_a_cluster_is_no_single_server(cluster: RedisCluster, tmp_path: Path):
    alone = cluster.servers[0]
    with alone.client() as there:
        wrong = check(there, Settings.development(tmp_path, redis_port=alone.port))
    assert wrong == ["Redis is a part of a cluster: let EVENTS_REDIS_URL begin with redis+cluster://"]


def test_a_server_that_was_started_anew_is_audited_and_written_to_again(office: Office, cluster: RedisCluster):
    name = match(office)
    before = play(office, name).tip.version
    follow(office)
    server = next(one for one in cluster.servers if one.port == port_of(office, name))
    server.kill()
    with pytest.raises(LogUnavailable):
        play(office, name)
    server.start()

    def played() -> Any:
        try:
            return play(office, name)
        except LogUnavailable:
            return None

    assert until(played).tip.version > before
    assert anew(office).readonly.marked() == {}


def test_jobs_are_not_given_to_a_cluster(tmp_path: Path):
    usual = Settings.development(tmp_path).environ()
    with pytest.raises(SettingsError, match="RQ_REDIS_URL is a cluster, which cannot carry jobs: give it a Redis of its own"):
        Settings.from_env({**usual, "EVENTS_REDIS_URL": "redis+cluster://10.0.0.5:6379", "RQ_REDIS_URL": "redis+cluster://10.0.0.5:6379"})
    with pytest.raises(SettingsError, match="must name some servers of the cluster, which has no databases but one"):
        Settings.from_env({**usual, "EVENTS_REDIS_URL": "redis+cluster://10.0.0.5:6379/1"})


def test_a_site_is_put_together_before_its_cluster_is_there(tmp_path: Path, queues: RedisServer):
    usual = Settings.development(tmp_path).environ()
    made = site(Settings.from_env({**usual, "EVENTS_REDIS_URL": "redis+cluster://127.0.0.1:1", "RQ_REDIS_URL": queues.url}))
    with pytest.raises(LogUnavailable):
        made.census.matches()
