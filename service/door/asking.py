"""A request on its way in: what came over HTTP, and what it came to."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Flask, Request, current_app, request

from infra.wiring import Site
from service.door.callers import caller
from service.door.porter import Porter


@dataclass(frozen=True)
class Asking:
    """Said out loud instead of looked up in Flask's contexts: so the same rooms serve both roads to an operation (service/roads.py)."""

    request: Request
    site: Site
    porter: Porter

    @property
    def token(self) -> str:
        """What came along as a token, good or not; empty where nothing did."""
        said: str = self.request.environ.get("HTTP_AUTHORIZATION", "")
        return said.partition(" ")[2].strip()

    @property
    def whence(self) -> str:
        """The address of the client."""
        return caller(self.request.environ, self.site.settings.trusted_proxies)

    @property
    def stranger(self) -> str:
        """Whoever asks without a token, told from others by their address, and by nobody else."""
        return f"stranger {self.site.keys.lasting_mac('stranger', self.whence.encode()).hex()}"


def asked(app: Flask, what: Request) -> Asking:
    """A request to an application of ours."""
    return Asking(what, app.extensions["forgepost"], app.extensions["forgepost-porter"])


def asking() -> Asking:
    """The request that Flask has at hand."""
    return asked(current_app, request._get_current_object())  # type: ignore[attr-defined]  # noqa: SLF001 - Flask's documented way to the request itself
