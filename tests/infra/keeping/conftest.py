"""A site on a Redis server of its own, which these tests stop, start and damage."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.servers import BINARIES, RedisServer, name_of
from tests.workers.office import Office


@pytest.fixture(params=BINARIES, ids=name_of)
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[RedisServer]:
    """Each kind of server that was found."""
    server = RedisServer(request.param, tmp_path)
    yield server
    server.kill()


@pytest.fixture
def office(server: RedisServer, tmp_path: Path) -> Iterator[Office]:
    """A site with nothing in it."""
    office = Office(server, tmp_path)
    yield office
    office.end()
