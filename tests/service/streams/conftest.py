"""A web server, and matches that are played in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest

from tests.servers import RedisServer
from tests.web import Web


@pytest.fixture(scope="package")
def store(redis_server: Callable[..., RedisServer]) -> RedisServer:
    """The Redis of the web server."""
    return redis_server()


@pytest.fixture(scope="package")
def web(store: RedisServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    """The web server."""
    with Web(store, tmp_path_factory.mktemp("web")) as started:
        yield started


class Game:
    """A match of Fourfold whose seats are all Ann's, played by lot over HTTP."""

    def __init__(self, web: Web, token: str, options: dict[str, Any] | None = None, **settings: Any) -> None:
        self._web, self._token, self._chance = web, token, Random(7)
        terms = {"undo_seconds": 0, "several_seats": True, **settings}
        body = {"game": "fourfold", "options": options or {}, "settings": terms, "seats": [{"player": "me"}] * 4}
        status, self.now = web.ask("POST", "/api/v1/matches", body, token)
        assert status == 201, self.now
        self.now = self.now.get("match", self.now)
        self.id: str = self.now["id"]

    def play(self, plies: int = 1) -> None:
        """So many actions, or until it is over."""
        for _ in range(plies):
            if self.now["status"] != "live":
                return
            due = self.now["view"]["due"]
            cell = self._chance.choice(due["cells"])
            action = {"type": "deploy", "at": cell} if due["kind"] == "deploy" else {"type": "advance", "runner": due["runner"], "to": cell}
            body = {"seat": due["seat"], "ply": self.now["ply"], "actions": [action]}
            status, said = self._web.ask("POST", f"/api/v1/matches/{self.id}/submissions", body, self._token)
            assert status == 201, said
            self.now = said["match"]

    def history(self) -> list[dict[str, Any]]:
        """All its events."""
        found: list[dict[str, Any]] = []
        start: int | None = 1
        while start:
            _, page = self._web.ask("GET", f"/api/v1/matches/{self.id}/history?from={start}&limit=1000", token=self._token)
            found, start = found + page["events"], page["next"]
        return found


@pytest.fixture
def ann(web: Web, request: pytest.FixtureRequest) -> str:
    """The token of a player of this test's own."""
    return web.player(f"Ann{abs(hash(request.node.name)) % 10**8}")[1]


@pytest.fixture
def game(web: Web, ann: str) -> Game:
    """A public match."""
    return Game(web, ann, visibility="public")
