"""What is noted of every request: how it went, never whose it was."""

from __future__ import annotations

import logging
from typing import Final

from service.door.asking import Asking

log = logging.getLogger(__name__)

METHODS: Final = frozenset(["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"])


def record(asking: Asking, status: int, seconds: float) -> None:
    """In the figures and in the log. It has the route, never the path: a link is a secret."""
    method = asking.method if asking.method in METHODS else "other"
    asking.site.tally.request(method, asking.route, status, seconds)
    log.info("%s %s %d", method, asking.route, status)
