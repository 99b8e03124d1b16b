"""Connections are handed out again, one to one asker, and one that broke is made anew."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from redis import Redis
from redis.exceptions import ConnectionError as Disconnected

from infra.redis_clients.client import client, once
from infra.redis_clients.pool import Pool
from tests.servers import BINARIES, PATIENT, RedisServer
from tests.workers.office import until


@pytest.fixture
def server(tmp_path: Path):
    running = RedisServer(BINARIES[0], tmp_path)
    yield running
    running.kill()


def test_the_clients_of_a_site_have_it(server: RedisServer):
    with client(server.url) as redis:
        assert type(redis.connection_pool) is Pool
        assert redis.ping() is True


def test_a_connection_is_handed_out_again_and_never_to_two(server: RedisServer):
    with client(server.url) as redis:
        pool = redis.connection_pool
        first = pool.get_connection()
        second = pool.get_connection()
        assert first is not second
        pool.release(first)
        assert pool.get_connection() is first
        pool.release(first)
        pool.release(first)  # whoever gives it back twice makes no two of it
        assert pool.get_connection() is first
        assert pool.get_connection() not in (first, second)


def test_one_on_which_something_waits_to_be_read_is_made_anew(server: RedisServer):
    with client(server.url) as redis:
        pool = redis.connection_pool
        left = pool.get_connection()
        left.send_command("ECHO", "somebody else's answer")
        assert left.can_read(PATIENT)
        pool.release(left)
        assert redis.echo("mine") == b"mine"


def test_after_a_restart_of_redis_the_next_question_is_answered(server: RedisServer):
    with once(server.url) as redis:
        redis.ping()
        server.kill()
        with pytest.raises(Disconnected):
            redis.ping()
        server.start()
        assert redis.ping() is True


def test_a_process_that_was_forked_has_connections_of_its_own(server: RedisServer):
    with client(server.url) as redis:
        ours = redis.client_id()
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            os.write(write, str(redis.client_id()).encode())
            os._exit(0)
        os.waitpid(child, 0)
        theirs = int(os.read(read, 100))
        os.close(read)
        os.close(write)
        assert theirs != ours
        assert redis.client_id() == ours


def test_closing_the_client_closes_them(server: RedisServer):
    with Redis.from_url(server.url) as watch:
        redis = client(server.url)
        known = redis.client_id()
        assert known in {int(one["id"]) for one in watch.client_list()}
        redis.close()
        until(lambda: known not in {int(one["id"]) for one in watch.client_list()})
