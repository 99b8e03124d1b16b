"""The site's pages, and a parlour with matches to play in."""

from __future__ import annotations

import pytest
from flask import Flask
from flask.testing import FlaskClient

from infra.wiring import Site
from service.app import routed, serving
from tests.people import Watch
from tests.service.pages.parlour import Parlour


@pytest.fixture(scope="session")
def compiled() -> Flask:
    """The application without a site; its templates are compiled once for all tests."""
    return routed()


@pytest.fixture
def app(compiled: Flask, site: Site) -> Flask:
    """The application."""
    return serving(compiled, site)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """A browser without cookies or scripts."""
    return app.test_client(use_cookies=False)


@pytest.fixture
def parlour(site: Site, watch: Watch) -> Parlour:
    """Where matches are started and played."""
    return Parlour(site, watch)
