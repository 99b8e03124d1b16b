"""A site on a real Redis, people with tokens, and matches for them to play."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from flask import Flask

from domain.desk import Desk
from infra import wiring
from infra.lot import lots
from infra.players import Players
from infra.redis_log.log import RedisLog
from infra.settings import Settings
from infra.wiring import Site
from service.app import routed, serving
from tests.people import Watch
from tests.servers import RedisServer
from tests.service.api.contract import HeldClient
from tests.service.api.person import Person

ANY_SKEW = 1 << 50  # ms: the clock of these tests stands still, that of Redis does not


@pytest.fixture(scope="session")
def api_redis(redis_server: Callable[..., RedisServer]) -> RedisServer:
    """The best Redis there is, set up as the site wants it."""
    return redis_server()


@pytest.fixture
def watch() -> Watch:
    """The clock of the site."""
    return Watch()


@pytest.fixture
def site(api_redis: RedisServer, tmp_path: Path, watch: Watch) -> Iterator[Site]:
    """An empty site."""
    built = wiring.site(settings_of(api_redis, tmp_path))
    built.redis.flushall()
    log = RedisLog(built.redis, built.settings.partitions, skew_ms=ANY_SKEW)
    yield replace(built, clock=watch, log=log, desk=Desk(log, lots(built.keys), watch), players=Players(built.redis, watch))
    built.redis.close()
    built.rq_redis.close()


@pytest.fixture(scope="session")
def routes() -> Flask:
    """The application without a site."""
    return routed()


@pytest.fixture
def app(routes: Flask, site: Site) -> Flask:
    """The application, whose every answer in a test is held against openapi.yaml."""
    app = serving(routes, site)
    app.test_client_class = HeldClient
    return app


@pytest.fixture
def person(app: Flask, site: Site) -> Callable[..., Person]:
    """Makes people: `person("Ann")` has a token with all the scopes of a player, `person()` is anybody."""

    def person(name: str = "", *scopes: str) -> Person:
        if not name:
            return Person(app.test_client())
        player = site.players.add(name, f"{name.lower()}@example.org")
        token = site.players.new_token(player.id, scopes or ("matches:read", "matches:play", "matches:create", "player:read"), "tests")
        return Person(app.test_client(), player.id, token)

    return person


@pytest.fixture
def ann(person: Callable[..., Person]) -> Person:
    """A player."""
    return person("Ann")


@pytest.fixture
def bo(person: Callable[..., Person]) -> Person:
    """Another one."""
    return person("Bo")


@pytest.fixture
def anybody(person: Callable[..., Person]) -> Person:
    """Somebody without a token."""
    return person()


def settings_of(server: RedisServer, data: Path) -> Settings:
    """A development site on that Redis."""
    return Settings.from_env(
        {
            "FORGEPOST_DEV": "1",
            "FORGEPOST_DATA": str(data),
            "FORGEPOST_URL": "http://127.0.0.1:8000",
            "EVENTS_REDIS_URL": server.url,
            "SMTP_URL": "smtp://127.0.0.1:1",
        }
    )
