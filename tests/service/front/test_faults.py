"""What the front says where the application says nothing."""

from __future__ import annotations

import json
import logging
from typing import Any

import pytest

from infra.redis_log.follower import Follower
from infra.wiring import Site
from service.front.front import Front
from service.front.hands import Hands
from service.streams.audience import Audience
from tests.loop import looped

REQUEST = {
    "type": "http",
    "http_version": "1.1",
    "method": "GET",
    "scheme": "http",
    "path": "/api/v1/games",
    "query_string": b"",
    "headers": [],
    "server": ("127.0.0.1", 8000),
    "client": ("127.0.0.1", 50_000),
}


def test_an_application_that_breaks_is_told_as_a_problem_with_the_number_of_its_incident(site: Site, caplog: pytest.LogCaptureFixture):
    """Given an application that raises outside of all that answers for it, when somebody asks, then they get a problem, and the log has the cause."""

    def broken(*_: Any) -> Any:
        raise ZeroDivisionError

    said: list[Any] = []

    async def receive() -> Any:
        raise AssertionError  # a request without a body has nothing more to say

    async def send(message: Any) -> None:
        said.append(message)

    front = Front(broken, Hands(1), Audience(Follower("redis://unused", 16)), site.tally)
    front._first = False  # the sockets of this process are none of its clients
    with caplog.at_level(logging.ERROR):
        looped(front(dict(REQUEST), receive, send))
    head, body = said
    assert head["status"] == 500
    assert dict(head["headers"])[b"content-type"] == b"application/problem+json"
    assert dict(head["headers"])[b"access-control-allow-origin"] == b"*"
    problem = json.loads(body["body"])
    assert problem == {
        "type": "/problems/internal-error",
        "title": "A fault of this site",
        "status": 500,
        "detail": f"something went wrong here, not with your request; in the log it is incident {problem['incident']}",
        "incident": problem["incident"],
    }
    assert caplog.records[-1].getMessage() == f"incident {problem['incident']}: the application did not answer"
    assert caplog.records[-1].exc_info is not None
