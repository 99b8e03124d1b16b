"""A site on a real Redis, with a clock that goes on when it is told to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from domain.desk import Desk
from infra import wiring
from infra.people.player_keys import PlayerKeys
from infra.people.players import Players
from infra.people.sessions import Sessions
from infra.redis_log.log import RedisLog
from infra.seals.lot import lots
from infra.settings import Settings
from infra.webhooks.webhooks import Webhooks
from infra.wiring import Site
from tests.people import Watch
from tests.servers import RedisServer

ANY_SKEW = 1 << 50  # ms: the clock of these tests stands still, that of Redis does not


@pytest.fixture(scope="session")
def site_redis(redis_server: Callable[..., RedisServer]) -> RedisServer:
    """The best Redis there is, set up as the site wants it."""
    return redis_server()


@pytest.fixture
def watch() -> Watch:
    """The clock of the site."""
    return Watch()


@pytest.fixture
def site(site_redis: RedisServer, tmp_path: Path, watch: Watch) -> Iterator[Site]:
    """An empty site."""
    built = wiring.site(settings_of(site_redis, tmp_path))
    built.redis.flushall()
    log = RedisLog(built.redis, built.settings.partitions, skew_ms=ANY_SKEW)
    yield replace(
        built,
        clock=watch,
        log=log,
        desk=Desk(log, lots(built.keys), watch),
        players=Players(built.redis, watch, built.settings.mail_domain),
        player_keys=PlayerKeys(built.redis, watch),
        sessions=Sessions(built.redis, watch),
        webhooks=Webhooks(built.redis, watch),
    )
    built.redis.close()
    built.rq_redis.close()


def settings_of(server: RedisServer, data: Path) -> Settings:
    """A development site on that Redis; with its secrets, a match of a given name has the same lots in every run."""
    return Settings.from_env(
        {
            "FORGEPOST_DEV": "1",
            "FORGEPOST_DATA": str(data),
            "FORGEPOST_URL": "http://127.0.0.1:8000",
            "EVENTS_REDIS_URL": server.url,
            "SMTP_URL": "smtp://127.0.0.1:1",
            "FORGEPOST_SECRETS": f"a:{bytes(range(32)).hex()}",
            "FORGEPOST_SEED_SECRET": bytes(range(32, 64)).hex(),
        }
    )
