"""The headers that browsers keep to: what a page may load and who may frame it, and that programs of any site may use the API, without cookies."""

from __future__ import annotations

from typing import Final

from flask import Response, request

from service.api.blueprints import api, outside

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
    "Access-Control-Expose-Headers": "Allow, ETag, Idempotent-Replayed, Link, Location, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate",
    "Cross-Origin-Resource-Policy": "cross-origin",
}
TAKEN: Final = "Authorization, Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID"
PREFLIGHT: Final = 86_400  # seconds that a browser need not ask again
HTTPS_ONLY: Final = "max-age=31536000"


def secured(response: Response, *, https: bool) -> None:
    """The headers of every response; one that has its own keeps it."""
    for name, value in SAFE.items():
        response.headers.setdefault(name, value)
    for name, value in (SHARED if for_programs() else OURS).items():
        response.headers[name] = value
    if request.method == "OPTIONS" and for_programs() and "Allow" in response.headers:
        response.headers["Access-Control-Allow-Methods"] = response.headers["Allow"]
        response.headers["Access-Control-Allow-Headers"] = TAKEN
        response.headers["Access-Control-Max-Age"] = str(PREFLIGHT)
    if https:
        response.headers["Strict-Transport-Security"] = HTTPS_ONLY


def for_programs() -> bool:
    """Whether the request is one of the API, also where there is nothing at its address."""
    return request.blueprint in (api.name, outside.name) or request.path.startswith("/api/")
