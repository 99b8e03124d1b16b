"""What is noted of every request: how it went, never whose it was."""

from __future__ import annotations

import logging
from typing import Final

from flask import Request

from infra.wiring import Site

log = logging.getLogger(__name__)

METHODS: Final = frozenset(["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"])


def record(site: Site, request: Request, status: int, seconds: float) -> None:
    """In the figures and in the log. It has the route, never the path: a link is a secret."""
    method, route = request.method, str(request.url_rule or "none")
    site.tally.request(method if method in METHODS else "other", route, status, seconds)
    log.info("%s %s %d", method, route, status)
