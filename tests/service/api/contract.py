"""The committed openapi.yaml as a judge of answers."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from flask.testing import FlaskClient
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from openapi_core import Config, OpenAPI
from openapi_core.contrib.werkzeug import WerkzeugOpenAPIResponse
from openapi_core.datatypes import RequestParameters
from openapi_core.validation.response import V31ResponseValidator
from werkzeug.exceptions import MethodNotAllowed, NotFound
from werkzeug.test import TestResponse

from service.contract.operations import OPERATIONS
from service.door.headers import SAFE, SHARED
from service.problems import MEDIA

OF_ALL = {name.lower() for name in (*SAFE, *SHARED, "Content-Length", "Content-Type", "Strict-Transport-Security", "Vary", "X-Accel-Buffering")}
FILE = Path(__file__).parents[3] / "openapi.yaml"
READ: dict[str, Callable[[bytes], Any]] = {
    MEDIA: json.loads,
    "application/yaml": bytes.decode,
    "application/x-ndjson": bytes.decode,
    "image/svg+xml": bytes.decode,
}


@cache
def document() -> dict[str, Any]:
    """The file as it was committed."""
    read: dict[str, Any] = yaml.safe_load(FILE.read_text("utf-8"))
    return read


@cache
def operations() -> dict[str, dict[str, Any]]:
    """What it says of each operation, by its id."""
    return {said["operationId"]: said for methods in document()["paths"].values() for said in methods.values()}


@cache
def judge() -> OpenAPI:
    """Of answers: nothing may be in them that the file does not name."""
    strict = Config(response_validator_cls=V31ResponseValidator, additional_properties_default_policy="forbid", extra_media_type_deserializers=READ)
    return OpenAPI.from_dict(document(), config=strict)


@dataclass
class AskedFor:
    """What of a request decides which answers it may get; its body is read by now."""

    host_url: str
    path: str
    method: str
    parameters: RequestParameters = field(default_factory=RequestParameters)
    body: bytes = b""
    content_type: str = ""


class HeldClient(FlaskClient):
    """A test client whose every answer is held against the file."""

    def open(self, *args: Any, **kwargs: Any) -> TestResponse:
        response = super().open(*args, **kwargs)
        request = response.request
        try:
            endpoint, _ = self.application.url_map.bind("").match(request.path, method=request.method)
        except (NotFound, MethodNotAllowed):
            said = None
        else:
            said = OPERATIONS.get(endpoint)
        if said is not None and request.method == said.method:
            judge().validate_response(AskedFor(request.host_url, request.path, request.method.lower()), WerkzeugOpenAPIResponse(response))
            hold_headers(response, operations()[said.name])
            hold_view(response)
        if response.status_code >= 400 and request.method != "HEAD":
            hold_problem(response, operations()[said.name] if said else None)
        return response


def hold_view(response: TestResponse) -> None:
    """Fail if it shows a match whose position is not as the file has it for its game; that of a match itself fits every game."""
    body = response.get_json() if response.mimetype == "application/json" else None
    match = body.get("match", body) if isinstance(body, dict) else None
    if isinstance(match, dict) and match.get("view") and "ply" in match:
        view_judge(match["game"]).validate(match["view"])


@cache
def view_judge(game: str) -> Any:
    """Of the positions of a game."""
    shapes = document()["components"]
    return Draft202012Validator({**shapes["schemas"]["Match"]["properties"]["view"]["x-views"][game], "components": shapes})


def hold_headers(response: TestResponse, operation: dict[str, Any]) -> None:
    """Fail if it has a header that the file does not name for this answer, and that not every answer may have."""
    said = operation["responses"][str(response.status_code)]
    if ref := said.get("$ref"):
        said = document()["components"]["responses"][ref.rpartition("/")[2]]
    named = {name.lower() for name in said.get("headers", {})} | OF_ALL
    unnamed = [name for name in response.headers.keys() if name.lower() not in named]  # noqa: SIM118 a header list, not a mapping
    assert unnamed == [], (operation["operationId"], response.status_code)


def hold_problem(response: TestResponse, operation: dict[str, Any] | None) -> None:
    """Fail unless it is a problem, and of a type that the operation names."""
    assert response.mimetype == MEDIA
    problem = response.get_json()
    assert {"type", "title", "status", "detail"} <= set(problem)
    assert problem["status"] == response.status_code
    if operation is not None:
        said = operation["responses"][str(response.status_code)]
        if "$ref" in said:
            said = document()["components"]["responses"][said["$ref"].rpartition("/")[2]]
        assert problem["type"] in said["x-problem-types"]
