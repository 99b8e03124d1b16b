"""A site on a real Redis, its application, and a parlour with matches to play in."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from domain.desk import Desk
from infra import wiring
from infra.lot import lots
from infra.players import Players
from infra.redis_log.log import RedisLog
from infra.settings import Settings
from infra.wiring import Site
from service.app import routed
from tests.people import Watch
from tests.servers import RedisServer
from tests.service.pages.parlour import Parlour

ANY_SKEW = 1 << 50  # ms: the clock of these tests stands still, that of Redis does not


@pytest.fixture(scope="session")
def pages_redis(redis_server: Callable[..., RedisServer]) -> RedisServer:
    """The best Redis there is, set up as the site wants it."""
    return redis_server()


@pytest.fixture
def watch() -> Watch:
    """The clock of the site."""
    return Watch()


@pytest.fixture
def site(pages_redis: RedisServer, tmp_path: Path, watch: Watch) -> Iterator[Site]:
    """An empty site."""
    built = wiring.site(
        Settings.from_env(
            {
                "FORGEPOST_DEV": "1",
                "FORGEPOST_DATA": str(tmp_path),
                "FORGEPOST_URL": "http://127.0.0.1:8000",
                "EVENTS_REDIS_URL": pages_redis.url,
                "SMTP_URL": "smtp://127.0.0.1:1",
                "FORGEPOST_SECRETS": f"a:{bytes(range(32)).hex()}",
                "FORGEPOST_SEED_SECRET": bytes(range(32, 64)).hex(),  # with the parlour's names for matches: the same lots in every run
            }
        )
    )
    built.redis.flushall()
    log = RedisLog(built.redis, built.settings.partitions, skew_ms=ANY_SKEW)
    yield replace(built, clock=watch, log=log, desk=Desk(log, lots(built.keys), watch), players=Players(built.redis, watch))
    built.redis.close()
    built.rq_redis.close()


@pytest.fixture(scope="session")
def compiled() -> Flask:
    """The application without a site; its templates are compiled once for all tests."""
    return routed()


@pytest.fixture
def app(compiled: Flask, site: Site) -> Flask:
    """The application."""
    compiled.extensions["forgepost"] = site
    return compiled


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """A browser without cookies or scripts."""
    return app.test_client(use_cookies=False)


@pytest.fixture
def parlour(site: Site, watch: Watch) -> Parlour:
    """Where matches are started and played."""
    return Parlour(site, watch)
