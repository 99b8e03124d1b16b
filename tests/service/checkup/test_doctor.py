"""The doctor finds what is wrong with a site, says what to do about it, and shows no secret."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from infra.beats import Beats
from infra.clock import now
from infra.redis_clients.client import client
from infra.settings import Settings
from infra.wiring import site
from service.checkup.doctor import examine
from service.running.ports import inner
from tests.servers import BINARIES, RedisServer


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RedisServer]:
    server = RedisServer(BINARIES[0], tmp_path)
    yield server
    server.kill()


def settings(data: Path, server: RedisServer) -> Settings:
    web, smtp = inner(2)
    return Settings.development(data, port=web, redis_port=server.port, smtp_port=smtp)


def examined(of: Settings) -> tuple[bool, str]:
    said: list[str] = []
    return examine(of, said.append), "\n".join(said)


def test_where_nothing_runs_but_redis_every_missing_part_is_named(tmp_path: Path, server: RedisServer):
    here = settings(tmp_path, server)
    healthy, said = examined(here)
    assert not healthy
    assert f"!!  {here.url} does not answer" in said
    assert "!!  no clock runs: no deadline is enforced and no mail is sent; start one with: forgepost clock" in said
    assert "!!  no worker for bots, so house bots do not play; start one with: forgepost worker bots" in said
    assert "cannot be used: " in said
    assert "ok  the log's Redis " in said
    assert said.endswith("Something must be done: see the lines that begin with !!")


def test_secrets_are_not_shown(tmp_path: Path, server: RedisServer):
    here = settings(tmp_path, server)
    _, said = examined(here)
    assert "FORGEPOST_SECRETS=a:…" in said
    assert here.secrets[0][1].hex() not in said
    assert here.seed_secret.hex() not in said


def test_a_redis_that_could_lose_moves_is_told_how_not_to(tmp_path: Path):
    server = RedisServer(BINARIES[0], tmp_path, appendfsync="no", maxmemory_policy="allkeys-lru")
    try:
        healthy, said = examined(settings(tmp_path, server))
    finally:
        server.kill()
    assert not healthy
    assert "!!  Redis answers before a move is on disk (appendfsync no): set `appendfsync always`" in said
    assert "!!  Redis drops matches when its memory is full (maxmemory-policy allkeys-lru)" in said


def test_a_redis_that_is_gone_is_named_and_the_rest_is_looked_at_all_the_same(tmp_path: Path, server: RedisServer):
    here = settings(tmp_path, server)
    server.kill()
    healthy, said = examined(here)
    assert not healthy
    assert said.count("cannot be looked at: ") == 5
    assert "\nMail\n" in said


def test_a_clock_of_which_a_part_is_stuck_is_named(tmp_path: Path, server: RedisServer):
    here = settings(tmp_path, server)
    with client(here.events_redis_url) as redis:
        Beats(redis).record({"deadlines@box": now() - 60_000, "outbox@box": now() - 500, "care@box": now() - 900})
        _, said = examined(here)
        assert "!!  the clock's deadlines did not get through for more than 30 s: see its log" in said
        Beats(redis).record({"deadlines@other": now() - 400})
        _, said = examined(here)
    assert re.search(r"ok  a clock runs; its last beat was \d+ s ago", said)


def test_what_would_not_survive_a_crash_is_said(tmp_path: Path, server: RedisServer):
    _, said = examined(settings(tmp_path, server))
    assert "--  the log is on one disk: when that is lost, so are the matches" in said


def test_replicas_that_a_move_waits_for_are_counted(tmp_path: Path, server: RedisServer, redis_server: Callable[..., RedisServer]):
    here = Settings.from_env({**settings(tmp_path, server).environ(), "REPLICAS": "1"})
    _, said = examined(here)
    assert "!!  REPLICAS is 1, and Redis takes moves also while it has no replica at all: set `min-replicas-to-write 1`, on its replicas too" in said
    assert "!!  0 of the 1 replicas that a move waits for (REPLICAS) follow: see to the others" in said
    replica = redis_server()
    replica.follow(server)
    _, said = examined(here)
    assert "ok  1 of the 1 replicas that a move waits for (REPLICAS) follow" in said
    replica.kill()


def test_a_match_that_is_read_only_is_named_with_how_to_look_at_it(tmp_path: Path, server: RedisServer):
    here = site(settings(tmp_path, server))
    _, said = examined(here.settings)
    assert "ok  the ends of all matches fit their heads and their witness" in said
    assert f"--  no head was written to {tmp_path}/witness/heads.ndjson yet: without, what Redis lost would not be missed" in said
    here.readonly.mark("07-0000000001", "LOST: version 40 of it was signed, and it ends at 37")
    here.witness.record([("07-0000000002", 3, bytes(32))])
    healthy, said = examined(here.settings)
    assert not healthy
    assert (
        "!!  match 07-0000000001 is read-only (LOST: version 40 of it was signed, and it ends at 37): look with forgepost match verify 07-0000000001"
    ) in said
    assert (
        "!!  match 07-0000000002 contradicts itself (GONE: version 3 of it was signed, and nothing of it is there), and can be written to: "
        "forgepost match verify 07-0000000002"
    ) in said
    here.redis.close()
    here.rq_redis.close()
