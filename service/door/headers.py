"""The headers that browsers keep to: what a page may load and who may frame it, and that programs of any site may use the API, without cookies."""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import Final

from flask import Request, Response

from service.blueprints import api, outside

FEATURES: Final = ("camera", "display-capture", "geolocation", "hid", "microphone", "midi", "payment", "serial", "usb")
SAFE: Final = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": ", ".join(f"{feature}=()" for feature in FEATURES),
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}
OURS: Final = {"Cross-Origin-Resource-Policy": "same-origin"}
SHARED: Final = {  # the API's: tokens are sent by whoever has them, no browser adds anything by itself
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": "Accept-Post, Allow, Content-Disposition, Deprecation, ETag, Idempotent-Replayed, Link, Location, RateLimit, "
    "RateLimit-Policy, Retry-After, Sunset, WWW-Authenticate",
    "Cross-Origin-Resource-Policy": "cross-origin",
}
ADDRESSES: Final = ("/api/", "/.well-known/", "/problems/", "/openapi.", "/healthz", "/readyz", "/metrics")  # of programs, whatever is asked there
FIGURES: Final = "/metrics"  # for whoever asks from this very machine, so a browser on it must not ask for pages of other sites
TAKEN: Final = "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID"
PREFLIGHT: Final = 86_400  # seconds that a browser need not ask again
HTTPS_ONLY: Final = "max-age=31536000"
FOR_PEOPLE: Final = tuple((name.lower(), name, value) for name, value in (SAFE | OURS).items())
FOR_PROGRAMS: Final = tuple((name.lower(), name, value) for name, value in (SAFE | SHARED).items())


def safe(response: Response, request: Request, *, https: bool) -> None:
    """Give a response what every response has; one that has its own keeps it."""
    headers, shared = response.headers, for_programs(request) and request.path != FIGURES
    said = {name.lower() for name, _ in headers}
    if "allow" in said:
        headers["Allow"] = ", ".join(sorted(headers["Allow"].split(", ")))  # Flask has them in another order in every process
    for name, value in lacking(said, shared=shared, https=https):
        headers.add(name, value)  # not `setdefault`, which looks through all of them for each: 25 µs of every request
    if request.method == "OPTIONS" and response.status_code == 200:
        del headers["Content-Type"]  # of nothing
    if request.method == "OPTIONS" and shared and "allow" in said:
        headers["Access-Control-Allow-Methods"] = headers["Allow"]
        headers["Access-Control-Allow-Headers"] = TAKEN
        headers["Access-Control-Max-Age"] = str(PREFLIGHT)


def lacking(said: Container[str], *, shared: bool, https: bool) -> Iterator[tuple[str, str]]:
    """The headers that every response has and this one does not, whose names are `said` in lower case; `shared`: pages of any site may read it."""
    for known, name, value in FOR_PROGRAMS if shared else FOR_PEOPLE:
        if known not in said:
            yield name, value
    if https:
        yield "Strict-Transport-Security", HTTPS_ONLY


def for_programs(request: Request) -> bool:
    """Whether the request is one of the API, also where there is nothing at its address."""
    return request.path.startswith(ADDRESSES) or request.blueprint in (api.name, outside.name)
