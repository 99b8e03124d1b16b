"""Ann, who is signed in."""

from __future__ import annotations

import pytest
from flask import Flask

from infra.people.players import Player
from tests.service.pages.parlour import Parlour
from tests.service.pages.visitor import Visitor


@pytest.fixture
def ann(parlour: Parlour) -> Player:
    return parlour.person("Ann")


@pytest.fixture
def here(app: Flask, parlour: Parlour, ann: Player) -> Visitor:
    return Visitor(app, parlour.site).signs_in(ann)
