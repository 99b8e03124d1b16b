"""What schemathesis has to know about us: how a signed move is sent, and for which reasons a request of the right shape may be refused."""

from __future__ import annotations

import json
from typing import Any

import schemathesis
from schemathesis.generation import GenerationMode

from service.problems import TYPES

ABOUT_THE_WORLD = {  # what only the match or the site can know
    "illegal-action", "unreadable-text", "invalid-match", "invalid-offer", "key-reused", "malformed-jws", "no-such-seat",
}  # fmt: skip
BESIDE_THE_SHAPE = {  # fields whose values are of the right shape, and yet may be none
    "#/email", "#/erase", "#/name", "#/zone", "#/jwk/x", "#/expires_at", "#/url", "#/match", "#/quiet/to", "#/mail/quiet/to",
    "cursor", "prefix", "seat", "type",
}  # fmt: skip


@schemathesis.serializer("application/jose")
def _jose(_ctx: Any, value: Any) -> bytes:
    return value.encode() if isinstance(value, str) else json.dumps(value).encode()


@schemathesis.check
def refused_for_a_reason(_ctx: Any, response: Any, case: Any) -> None:
    """A request of the right shape is taken, or refused for what no shape can say."""
    mode = case.meta and case.meta.generation.mode
    if mode is not GenerationMode.POSITIVE or response.status_code not in (400, 405, 406, 413, 415, 422):
        return
    problem = response.json()
    name = problem["type"].removeprefix(TYPES)
    wrong = {error.get("pointer") or error.get("parameter") or error.get("header") for error in problem.get("errors", [])}
    invited = {place for place in wrong if place and place.startswith("#/seats/") and place.endswith("/invite")}
    if isinstance(case.body, dict) and any(type(value) is float for value in case.body.values()):
        return  # `2.0` is an integer to JSON Schema, and refused here: no whole number is written so
    if name not in ABOUT_THE_WORLD and not (name == "invalid-request" and wrong and wrong <= BESIDE_THE_SHAPE | invited):
        raise AssertionError(f"openapi.yaml allows this, and the answer is {response.status_code} {name}: {problem['detail']}")
