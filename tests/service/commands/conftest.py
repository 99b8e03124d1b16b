"""The `forgepost` command, on a site with a Redis server of its own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.servers import BINARIES, RedisServer
from tests.workers.office import Office


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RedisServer]:
    server = RedisServer(BINARIES[0], tmp_path)
    yield server
    server.kill()


@pytest.fixture
def office(server: RedisServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Office]:
    """A site with nothing in it, which the environment names."""
    office = Office(server, tmp_path)
    for name, value in office.settings.environ().items():
        monkeypatch.setenv(name, value)
    yield office
    office.end()
