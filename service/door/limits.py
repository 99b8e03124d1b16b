"""Whether one more request is let through, and the headers that say how much is left (draft-ietf-httpapi-ratelimit-headers-10)."""

from __future__ import annotations

from hashlib import sha256
from typing import cast

from flask import Response, g, request

from domain import times
from infra.limits.limiter import Verdict
from infra.limits.quotas import Kind
from service.door.callers import Networks, caller
from service.here import site
from service.problems import Problem


def hold_back(kind: Kind, token: str | None = None) -> None:
    """Count one request of this kind for whoever sent it: for the token, which was found to be good, else for the address. Raises Problem."""
    who = f"token {sha256(token.encode()).hexdigest()}" if token else f"address {whence()}"
    verdict = site().limiter.ask(kind, who)
    g.verdict = verdict
    if verdict is not None and verdict.wait:
        raise Problem(
            "too-many-requests",
            f"more than {verdict.quota.requests} requests of this kind ({kind}) in {times.span(verdict.quota.seconds * 1000)}; "
            f"there is room for another in {verdict.wait} seconds",
            headers={"Retry-After": str(verdict.wait)},
            **{"violated-policies": [kind]},
        )


def whence() -> str:
    """The address of the client."""
    return caller(request.environ, cast("Networks", site().settings.trusted_proxies))


def stranger() -> str:
    """Whoever asks without a token, told from others by their address, and by nobody else."""
    return f"stranger {site().keys.lasting_mac('stranger', whence().encode()).hex()}"


def said(response: Response) -> None:
    """Say on a response how much is left."""
    verdict = cast("Verdict | None", g.get("verdict"))
    if verdict is not None:
        quota = verdict.quota
        response.headers.add("RateLimit-Policy", f'"{verdict.kind}";q={quota.requests};w={quota.seconds}')
        response.headers.add("RateLimit", f'"{verdict.kind}";r={verdict.left};t={verdict.whole}')
