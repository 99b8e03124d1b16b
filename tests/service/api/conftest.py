"""The API of a site, and people with tokens who play there."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flask import Flask

from infra.wiring import Site
from service.app import routed, serving
from tests.service.api.contract import HeldClient
from tests.service.api.person import Person


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
        token = site.players.new_token(
            player.id, scopes or ("matches:read", "matches:play", "matches:create", "player:read", "player:write"), "tests"
        )
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
