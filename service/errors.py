"""Whatever is raised becomes a problem, and a problem becomes JSON for programs or a page for people."""

from __future__ import annotations

import logging
from secrets import token_hex

from flask import Flask, Response, request
from redis.exceptions import RedisError
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response as AnyResponse

from domain.match.refusal import Refused
from domain.ports import LogUnavailable
from infra.keeping.archive import ArchiveUnavailable
from service.contract.operations import Reply
from service.door.asking import Asking, asking
from service.door.headers import for_programs
from service.pages import errors as pages
from service.problems import MEDIA, PATIENCE, Problem, refusal

log = logging.getLogger(__name__)

BY_STATUS = {
    404: "not-found",
    405: "method-not-allowed",
    406: "not-acceptable",
    408: "too-slow",
    413: "too-large",
    415: "unsupported-media-type",
    429: "too-many-requests",
    500: "internal-error",
    503: "log-unavailable",
}
KEPT = ("Allow", "Retry-After", "WWW-Authenticate")
WORDS = {
    "not-found": "there is nothing at this address",
    "too-large": "the body is larger than 32 KiB",
}


def register(app: Flask) -> None:
    """Answer every exception of the app."""
    app.register_error_handler(HTTPException, _http)
    app.register_error_handler(Exception, lambda error: answered(problem(error, asking())))


def answered(problem: Problem) -> Response:
    """The problem as JSON or as a page, as whoever asked can read it."""
    if not _a_program_asks():
        return pages.page(problem)
    reply = told(problem)
    return Response(reply.content, reply.status, reply.headers, mimetype=reply.media)


def told(problem: Problem) -> Reply:
    """The problem as JSON."""
    return Reply(problem.body(), problem.status, {"Cache-Control": "no-store", **problem.headers}, MEDIA)


def problem(error: Exception, asking: Asking) -> Problem:
    """What was raised, in words for whoever asked. Whatever tells more than they may know stands in the log."""
    match error:
        case Problem():
            return error
        case Refused():
            if error.kind == "match-damaged":
                log.error("ALARM: %s", error.words)
            return refusal(error)
        case LogUnavailable() | RedisError():
            return _unavailable(error, asking)
        case HTTPException():
            return _refused(error, asking)
        case _:
            return _fault(error, asking)


def _a_program_asks() -> bool:
    if for_programs(request):
        return True
    return request.accept_mimetypes.best_match(["text/html", "application/json", MEDIA], "text/html") != "text/html"


def _http(error: HTTPException) -> AnyResponse:
    """A page that leads elsewhere is none that went wrong."""
    return error.get_response() if error.code is None or error.code < 400 else answered(problem(error, asking()))


def _refused(error: HTTPException, asking: Asking) -> Problem:
    """What Flask and Werkzeug refuse by themselves, and what a page aborts."""
    code = error.code or 500
    name = BY_STATUS.get(code, "bad-request" if code < 500 else "internal-error")
    headers = {name: value for name, value in error.get_headers(asking.environ) if name in KEPT}
    ours = error.description if error.description != type(error).description else None
    if name == "method-not-allowed":
        ours = f"{asking.method} cannot be used here; what can be used is {', '.join(sorted(headers.get('Allow', 'nothing').split(', ')))}"
    return Problem(name, ours or WORDS.get(name) or f"this was refused: {error.name}", headers=headers)


def _unavailable(error: Exception, asking: Asking) -> Problem:
    """Redis is away or may not be written to. Why stands in the log: it names machines."""
    log.error("%s %s: %s", asking.method, asking.route, error)
    if isinstance(error, ArchiveUnavailable):
        return Problem(
            "log-unavailable",
            "this match was archived, and the archive cannot be read just now; other matches go on",
            headers={"Retry-After": str(PATIENCE)},
        )
    unsure = "it is not known whether this was written; to send it again with the same `Idempotency-Key` does no harm"
    said = unsure if "not known" in str(error) else "nothing was written"
    return Problem(
        "log-unavailable", f"the log of the matches cannot be reached or written to just now; {said}", headers={"Retry-After": str(PATIENCE)}
    )


def _fault(error: Exception, asking: Asking) -> Problem:
    """Our mistake. What it was stands in the log, under a number that gives nothing away."""
    incident = token_hex(6)
    log.error("incident %s: %s %s", incident, asking.method, asking.route, exc_info=error)
    return Problem("internal-error", f"something went wrong here, not with your request; in the log it is incident {incident}", incident=incident)
