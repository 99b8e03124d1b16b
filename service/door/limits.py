"""Whether one more request is let through, and the headers that say how much is left (draft-ietf-httpapi-ratelimit-headers-10)."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from domain import times
from infra.limits.limiter import Verdict
from infra.limits.quotas import Kind
from service.door.asking import Asking
from service.problems import Problem

VERDICT = "forgepost.verdict"  # in the environment of a request that was counted


def hold_back(asking: Asking, kind: Kind, *, known: bool = False) -> None:
    """Count one request of this kind for whoever sent it: for the token, where it was found to be good, else for the address. Raises Problem."""
    who = f"token {sha256(asking.token.encode()).hexdigest()}" if known else f"address {asking.whence}"
    verdict = asking.site.limiter.ask(kind, who)
    asking.environ[VERDICT] = verdict
    if verdict is not None and verdict.wait:
        raise Problem(
            "too-many-requests",
            f"more than {verdict.quota.requests} requests of this kind ({kind}) in {times.span(verdict.quota.seconds * 1000)}; "
            f"there is room for another in {verdict.wait} second{'s' if verdict.wait > 1 else ''}",
            headers={"Retry-After": str(verdict.wait)},
            **{"violated-policies": [kind]},
        )


def said(environ: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """The headers that say how much is left after a request."""
    verdict: Verdict | None = environ.get(VERDICT)
    if verdict is None:
        return ()
    quota = verdict.quota
    return (
        ("RateLimit-Policy", f'"{verdict.kind}";q={quota.requests};w={quota.seconds}'),
        ("RateLimit", f'"{verdict.kind}";r={verdict.left};t={verdict.whole}'),
    )
