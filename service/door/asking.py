"""A request on its way in: what came over HTTP, and what it came to."""

from __future__ import annotations

from functools import cached_property
from typing import Any, TypeAlias

from flask import Flask, Request, current_app, request

from infra.wiring import Site
from service.door.callers import caller
from service.door.porter import Porter

Environ: TypeAlias = dict[str, Any]  # as WSGI has it


class Asking:
    """Said out loud instead of looked up in Flask's contexts: so the same rooms serve both roads to an operation (service/roads.py).

    `route` is what it was taken for, as `/m/<token>`: what may be written down, which the path may not.
    """

    def __init__(self, app: Flask, environ: Environ, route: str) -> None:
        self.site: Site = app.extensions["forgepost"]
        self.porter: Porter = app.extensions["forgepost-porter"]
        self.environ, self.route = environ, route

    @cached_property
    def request(self) -> Request:
        """It taken apart, for whoever wants more than a header."""
        return Request(self.environ)

    @property
    def method(self) -> str:
        """As Flask has it: anything, in capitals."""
        said: str = self.environ["REQUEST_METHOD"]
        return said.upper()

    @property
    def token(self) -> str:
        """What came along as a token, good or not; empty where nothing did."""
        said: str = self.environ.get("HTTP_AUTHORIZATION", "")
        return said.partition(" ")[2].strip()

    @property
    def whence(self) -> str:
        """The address of the client."""
        return caller(self.environ, self.site.settings.trusted_proxies)

    @property
    def stranger(self) -> str:
        """Whoever asks without a token, told from others by their address, and by nobody else."""
        return f"stranger {self.site.keys.lasting_mac('stranger', self.whence.encode()).hex()}"


def asking() -> Asking:
    """The request that Flask has at hand."""
    return Asking(current_app, request.environ, str(request.url_rule or "none"))
