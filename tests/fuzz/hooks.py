"""What schemathesis has to know about us: how a signed move is sent, and for which reasons a request of the right shape may be refused."""

from __future__ import annotations

import json
import os
import re
from itertools import count
from typing import Any, Final

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


WORLD: Final = json.loads(os.environ.get("FUZZ_WORLD", "{}"))  # the names of path parameters → ids that there are
SEATS: Final = ["north", "east", "dark", "light", "ochre"]
KEY: Final = re.compile(r"[!-~]{1,128}")
ASKED = count()


@schemathesis.hook
def before_load_schema(_ctx: Any, raw_schema: dict[str, Any]) -> None:
    """Addresses and seats are those that there are, and not those of the examples, where everything is 404."""
    for methods in raw_schema["paths"].values():
        for said in methods.values():
            for parameter in said.get("parameters", []):
                if parameter.get("in") == "path" and (known := WORLD.get(parameter["name"])):
                    if parameter["schema"]["type"] == "integer":
                        parameter["example"] = int(known[0])  # no list: other numbers may lead somewhere, too
                    else:
                        parameter["schema"] = parameter["schema"] | {"enum": known}
                        del parameter["example"]
                elif parameter.get("name") == "seat":
                    parameter["schema"] = parameter["schema"] | {"enum": SEATS}
    for shape in raw_schema["components"]["schemas"].values():
        if shape.get("additionalProperties") is False and "seat" in shape.get("properties", {}):
            shape["properties"]["seat"] = shape["properties"]["seat"] | {"enum": SEATS}


@schemathesis.hook
def before_call(_ctx: Any, case: Any, _kwargs: dict[str, Any]) -> None:
    """Three requests in four are new ones about a match of any version: else a key or a condition of the examples would refuse nearly all."""
    place = getattr(case.meta.phase.data, "parameter_location", None) if case.meta else None
    if case.headers is None or (place and place.name == "HEADER") or not next(ASKED) % 4:
        return
    case.headers.pop("If-Match", None)
    if KEY.fullmatch(str(case.headers.get("Idempotency-Key", ""))):
        case.headers["Idempotency-Key"] = f"request-{next(ASKED)}"


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
    if _has_a_point(case.body):
        return  # `2.0` is an integer to JSON Schema, and refused here: no whole number is written so
    if name == "not-json" and problem["detail"].endswith("is beyond 2^53"):
        return  # said once for all of the API, and not of every number in a game's schemas
    if name not in ABOUT_THE_WORLD and not (name == "invalid-request" and wrong and wrong <= BESIDE_THE_SHAPE | invited):
        raise AssertionError(f"openapi.yaml allows this, and the answer is {response.status_code} {name}: {problem['detail']}")


def _has_a_point(value: Any) -> bool:
    """Whether a number in it, however deep, is written as one with a decimal point."""
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return type(value) is float or any(map(_has_a_point, inside))
