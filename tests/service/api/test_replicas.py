"""A site with a replica: what the replica does not have in time is done, stored, and answered with 202."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from domain.desk import Desk
from infra.redis_log.log import RedisLog
from infra.redis_log.replicas import Replicas
from infra.seals.lot import lots
from infra.wiring import Site
from tests.people import Watch
from tests.servers import RedisServer
from tests.service.api.person import ALL_MINE, Person, answered
from tests.service.conftest import ANY_SKEW

PATIENCE = 60_000  # ms: a busy machine's replica has everything by then,
HASTE = 300  # and one that stands still has nothing


@pytest.fixture
def replicas() -> Replicas:
    """How the site waits for its replica."""
    return Replicas(1, PATIENCE)


@pytest.fixture
def replica(site_redis: RedisServer, redis_server: Callable[..., RedisServer]) -> Iterator[RedisServer]:
    """A replica of the site's Redis."""
    replica = redis_server()
    with site_redis.client() as client:
        client.config_set("repl-diskless-sync-delay", 0)
    replica.follow(site_redis)
    yield replica
    replica.kill()


@pytest.fixture
def site(site: Site, replica: RedisServer, replicas: Replicas, watch: Watch) -> Site:
    """The site, which waits for it."""
    log = RedisLog(site.redis, site.settings.partitions, skew_ms=ANY_SKEW, replicas=replicas)
    return replace(site, log=log, desk=Desk(log, lots(site.keys), watch))


def test_what_the_replica_does_not_have_in_time_is_stored_and_pending(
    ann: Person, replica: RedisServer, replicas: Replicas, monkeypatch: pytest.MonkeyPatch
):
    match = ann.creates(*ALL_MINE)
    seat = match["to_act"][0]["seat"]
    action = ann.may(match["id"], seat)[0]["action"]
    replica.pause()
    with monkeypatch.context() as hasty:
        hasty.setattr(replicas, "_patience", HASTE)
        pending = ann.submits(match, seat, action, key="one")
        done = answered(pending, 202)
        assert "Idempotent-Replayed" not in pending.headers
        assert done["match"] == ann.sees(match["id"])
        assert done["match"]["ply"] == match["ply"] + 1
        again = ann.submits(match, seat, action, key="one")
        assert answered(again, 202) == done
        assert again.headers["Idempotent-Replayed"] == "true"
    replica.resume()
    assert answered(ann.submits(match, seat, action, key="one"), 200) == done
    assert ann.sees(match["id"]) == done["match"]
    assert ann.plays(done["match"])["ply"] > done["match"]["ply"]


def test_a_match_that_the_replica_does_not_have_yet_is_there_all_the_same(
    ann: Person, replica: RedisServer, replicas: Replicas, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(replicas, "_patience", HASTE)
    replica.pause()
    said = {"game": "fourfold", "seats": list(ALL_MINE)}
    created = ann.post("/matches", said, key="new")
    match = answered(created, 202)
    assert created.headers["Location"].endswith(f"/api/v1/matches/{match['id']}")
    assert ann.sees(match["id"]) == match
