"""The gate before the first write: a Redis that could lose an acknowledged move is refused, in a sentence that says what to set."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from freezegun import freeze_time
from redis import Redis
from redis.exceptions import ConnectionError as Disconnected

from domain.ports import Appended, LogUnavailable
from infra.clock import now
from infra.redis_log.gate import Gate, check
from infra.redis_log.log import RedisLog
from infra.settings import Settings
from tests.infra.batches import STILL, batch
from tests.servers import BINARIES, RedisServer, name_of

EVERYSEC = (
    "Redis answers before a move is on disk (appendfsync everysec): set `appendfsync always`, "
    "or ALLOW_LOSS_WINDOW=1 to accept that a crash loses the last second"
)
HIDDEN = (
    "Redis does not let us read its configuration (CONFIG GET): see to it that it keeps every write that it acknowledges, "
    "then set REDIS_DURABILITY_ATTESTED=1"
)
SAFE = {"appendonly": "yes", "appendfsync": "always", "maxmemory-policy": "noeviction", "no-appendfsync-on-rewrite": "no"}


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings.development(tmp_path)


@pytest.fixture(scope="module", params=BINARIES, ids=name_of)
def server(request: pytest.FixtureRequest, redis_server: Callable[..., RedisServer]) -> RedisServer:
    """A server of its own for each kind, since these tests turn its settings."""
    return redis_server(request.param)


@pytest.fixture
def redis(server: RedisServer) -> Iterator[Redis]:
    with server.client() as client:
        yield client
        client.execute_command("ACL SETUSER", "default", "+@all")
        client.replicaof("NO", "ONE")
        for name, value in SAFE.items():
            client.config_set(name, value)


def having(settings: Settings, **changes: str) -> Settings:
    return Settings.from_env({**settings.environ(), **changes})


def test_the_server_that_we_start_may_be_written_to(redis: Redis, settings: Settings):
    assert check(redis, settings) == []


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("appendonly", "no", "Redis keeps no append-only file, so a crash loses moves: set `appendonly yes`"),
        ("appendfsync", "everysec", EVERYSEC),
        ("appendfsync", "no", "Redis answers before a move is on disk (appendfsync no): set `appendfsync always`"),
        (
            "maxmemory-policy",
            "allkeys-lru",
            "Redis drops matches when its memory is full (maxmemory-policy allkeys-lru): set `maxmemory-policy noeviction`",
        ),
        (
            "no-appendfsync-on-rewrite",
            "yes",
            "Redis answers before a move is on disk while it rewrites its file: set `no-appendfsync-on-rewrite no`",
        ),
    ],
    ids=lambda value: value if " " not in value else "",
)
def test_a_setting_that_can_lose_moves_is_named_with_what_to_set(redis: Redis, settings: Settings, name: str, value: str, sentence: str):
    redis.config_set(name, value)
    assert check(redis, settings) == [sentence]


def test_every_reason_is_named(redis: Redis, settings: Settings):
    redis.config_set("appendfsync", "everysec")
    redis.config_set("maxmemory-policy", "allkeys-random")
    assert len(check(redis, settings)) == 2


def test_the_loss_of_a_second_can_be_accepted_and_nothing_more(redis: Redis, settings: Settings):
    settings = having(settings, ALLOW_LOSS_WINDOW="1")
    redis.config_set("appendfsync", "everysec")
    assert check(redis, settings) == []
    redis.config_set("appendfsync", "no")
    assert check(redis, settings) == ["Redis answers before a move is on disk (appendfsync no): set `appendfsync always`"]


def test_a_replica_is_not_written_to(redis: Redis, settings: Settings):
    redis.replicaof("127.0.0.1", "1")
    assert check(redis, settings) == ["Redis is a slave: give EVENTS_REDIS_URL the address of the master"]


def test_clocks_apart_are_noticed(redis: Redis, settings: Settings):
    with freeze_time("2020-01-01", real_asyncio=True):
        [sentence] = check(redis, settings)
    assert sentence.startswith("the clocks of this machine and of Redis differ by ")
    assert sentence.endswith(" s: set them right (ntp)")


def test_a_machine_that_stands_still_over_the_question_has_no_other_time(redis: Redis, settings: Settings, monkeypatch: pytest.MonkeyPatch):
    passed, ask = 0, redis.time

    def slowly() -> Any:
        nonlocal passed
        answer = ask()
        passed += 4_000
        return answer

    monkeypatch.setattr(redis, "time", slowly)
    monkeypatch.setattr("infra.clock.now", lambda: now() + passed)
    assert check(redis, settings) == []


def test_where_the_configuration_is_hidden_somebody_must_vouch_for_it(redis: Redis, settings: Settings, caplog: pytest.LogCaptureFixture):
    redis.execute_command("ACL SETUSER", "default", "-config")
    assert check(redis, settings) == [HIDDEN]
    assert check(redis, having(settings, REDIS_DURABILITY_ATTESTED="1")) == []
    assert "REDIS_DURABILITY_ATTESTED vouches that it keeps what it acknowledges" in caplog.text


def test_a_log_behind_the_gate_writes_nothing_until_the_server_is_safe(redis: Redis, settings: Settings):
    redis.flushall()
    redis.config_set("appendfsync", "everysec")
    log = RedisLog(redis, 16, STILL, gate=Gate(redis, settings))
    with pytest.raises(LogUnavailable, match=r"nothing was written, for this Redis could lose it\. Redis answers before a move is on disk"):
        log.append(batch())
    assert redis.dbsize() == 0
    redis.config_set("appendfsync", "always")
    assert log.append(batch()) == Appended()


def test_behind_the_gate_the_usual_move_is_still_one_command(server: RedisServer, redis: Redis, settings: Settings):
    redis.flushall()
    log = RedisLog(redis, 16, STILL, gate=Gate(redis, settings))
    first = batch("a")
    second = batch("b", onto=first)
    assert log.append(first) == Appended()
    with server.client() as watcher, watcher.monitor() as monitor:
        log.append(second)
        log.append(batch("c", onto=second))
        redis.echo("enough")
        heard: list[str] = []
        while not (heard and heard[-1] == "ECHO"):
            said = monitor.next_command()
            if said["client_type"] != "lua":
                heard.append(str(said["command"]).split()[0])
    assert heard == ["EVALSHA", "EVALSHA", "ECHO"]


@pytest.mark.parametrize("binary", BINARIES, ids=name_of)
def test_a_server_that_comes_back_with_other_settings_is_checked_anew(redis_server: Callable[..., RedisServer], settings: Settings, binary: str):
    server = redis_server(binary)
    with server.client() as client:
        log = RedisLog(client, 16, STILL, gate=Gate(client, settings))
        first = batch("a")
        second = batch("b", onto=first)
        assert log.append(first) == Appended()
        server.kill()
        server.start(appendfsync="no")
        with suppress(Disconnected):
            client.ping()  # a reader notices the restart first; the append must notice it all the same
        with pytest.raises(LogUnavailable, match=r"set `appendfsync always`"):
            log.append(second)
        server.kill()
        server.start()
        assert log.append(second) == Appended()
    server.kill()
