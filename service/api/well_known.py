"""What has its place outside `/api/v1`: the public keys, the description of all this, what each problem means, and how the site is."""

from __future__ import annotations

from flask import current_app

from domain.ports import LogUnavailable
from infra.redis_log.gate import check
from service.blueprints import outside
from service.contract.operations import JSON, Call, Gives, Operation, Reply, operation
from service.problems import PATIENCE, SORTS, Problem
from service.schemas.site import HEALTH, JWKS, READINESS

YAML = "application/yaml"
TEXT = "text/plain"


@operation(
    outside, Operation(method="GET", rule="/.well-known/jwks.json", tag="site", query=None, gives={200: Gives(about="The keys.", forms={JSON: JWKS})})
)
def jwks(call: Call) -> Reply:
    """Get the public keys that the site signs the heads of matches with."""
    return Reply({"keys": call.site.signing.public()}, headers={"Cache-Control": "public, max-age=3600"})


@operation(
    outside,
    Operation(method="GET", rule="/openapi.yaml", tag="site", query=None, gives={200: Gives(about="OpenAPI 3.1.", forms={YAML: {"type": "string"}})}),
)
def openapi(_call: Call) -> Reply:
    """Get this description.

    As pages to read it is at `/docs`.
    """
    return Reply(current_app.extensions["forgepost-openapi"](), headers={"Cache-Control": "public, max-age=300"}, media=YAML)


@operation(
    outside,
    Operation(
        method="GET",
        rule="/openapi.json",
        tag="site",
        query=None,
        gives={200: Gives(about="OpenAPI 3.1.", forms={JSON: {"type": "object", "additionalProperties": True}})},
    ),
)
def openapi_json(_call: Call) -> Reply:
    """Get this description as JSON, for tools that read no YAML."""
    return Reply(current_app.extensions["forgepost-document"](), headers={"Cache-Control": "public, max-age=300"})


@operation(
    outside,
    Operation(
        method="GET",
        rule="/problems/<name>",
        tag="site",
        query=None,
        gives={200: Gives(about="The explanation.", forms={TEXT: {"type": "string"}})},
        refuses=("not-found",),
    ),
)
def explain_problem(call: Call) -> Reply:
    """Read what a type of problem means, and what to do about it."""
    sort = SORTS.get(call.path["name"])
    if sort is None:
        raise Problem("not-found", f"there is no such type of problem; there are {', '.join(sorted(SORTS))}")
    return Reply(f"{sort.title} ({sort.status})\n\n{sort.advice}\n".encode(), headers={"Cache-Control": "public, max-age=300"}, media=TEXT)


@operation(
    outside, Operation(method="GET", rule="/healthz", tag="site", limit=None, query=None, gives={200: Gives(about="It does.", forms={JSON: HEALTH})})
)
def healthz(_call: Call) -> Reply:
    """Ask whether this process answers."""
    return Reply({"status": "ok"}, headers={"Cache-Control": "no-store"})


@operation(
    outside,
    Operation(
        method="GET",
        rule="/readyz",
        tag="site",
        limit=None,
        query=None,
        gives={200: Gives(about="It is.", forms={JSON: READINESS})},
        refuses=("not-ready",),
    ),
)
def readyz(call: Call) -> Reply:
    """Ask whether the site is ready to be played on: the log can be reached, and would keep what it acknowledges.

    It is ready also while some matches are read-only, for all others go on; how many are stands in the answer.
    """
    closed = 0
    try:
        if not (wrong := check(call.site.redis, call.site.settings)):
            call.site.audit.catch_up()
        closed = call.site.readonly.count()
    except LogUnavailable as unavailable:
        wrong = [str(unavailable)]
    if wrong:
        raise Problem("not-ready", "matches cannot be played now", headers={"Retry-After": str(PATIENCE)}, reasons=wrong)
    return Reply({"status": "ok", "read_only_matches": closed}, headers={"Cache-Control": "no-store"})
