"""What the tests of the post and clock face find in place."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.receiver import Receiver, receiving
from tests.servers import BINARIES, RedisServer
from tests.workers import office as offices
from tests.workers.hooks import Watch
from tests.workers.office import Office
from tests.workers.writing_desk import WritingDesk, opened


@pytest.fixture(scope="module")
def redis_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    """A Redis for the tests of one file."""
    server = RedisServer(BINARIES[0], tmp_path_factory.mktemp("redis"))
    yield server
    server.kill()


@pytest.fixture
def office(redis_server: RedisServer, tmp_path: Path) -> Iterator[Office]:
    """A post office with nothing in it."""
    with redis_server.client() as client:
        client.flushall()
    with offices.opened(redis_server, tmp_path) as office:
        yield office


@pytest.fixture
def desk(tmp_path: Path) -> WritingDesk:
    """Where the letters of a match are written whose first turn is Ann's (south)."""
    return WritingDesk(tmp_path, opened())


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """A server that takes what webhooks tell."""
    with receiving() as receiver:
        yield receiver


@pytest.fixture
def watch(office: Office) -> Watch:
    """The clock of the couriers."""
    watch = Watch(office)
    object.__setattr__(office.site, "clock", watch)
    return watch
