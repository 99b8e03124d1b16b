"""openapi.yaml, made from the very things that serve the requests: routes, operations, schemas, problems and the domain's types."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from typing import Any, Final, cast

import yaml
from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin
from flask import Flask
from marshmallow import Schema, fields

from domain.match.signed import TYP
from service.contract.operations import JOSE, JSON, OPERATIONS, Gives, Operation
from service.contract.outgoing import outgoing
from service.contract.problem_samples import problem_samples
from service.contract.samples import samples, signed_sample
from service.contract.wording import ABOUT, BEARER, HEADERS, PARAMETERS, PATHS, TAGS, TITLE, VERSION
from service.problems import MEDIA, SORTS, TYPES
from service.schemas import from_types
from service.schemas.fields import Free
from service.schemas.from_types import ref
from service.schemas.play import SIGNED_MOVE
from service.schemas.site import PROBLEM
from service.schemas.strict import Either, OneOf, Shape

SHARED: Final = 2  # types of problems; sets of more than that are an operation's own
LIMITS: Final = ("RateLimit", "RateLimit-Policy")
JWS: Final = "^[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]{86}$"
CONVERTER: Final = re.compile(r"<(?:\w+:)?(\w+)>")


class _Plain(yaml.SafeDumper):
    """YAML for people: no anchors, and texts of several lines as they are."""

    def ignore_aliases(self, _data: Any) -> bool:
        return True


_Plain.add_representer(str, lambda dumper, text: dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None))


def described(app: Flask) -> str:
    """The YAML text: keys sorted, the same bytes whenever and wherever it is made."""
    return yaml.dump(Description(app).document(), Dumper=_Plain, sort_keys=True, allow_unicode=True, width=120)


class Description:
    """The document in the making."""

    def __init__(self, app: Flask) -> None:
        self._docs: dict[str, str] = {}
        plugin = MarshmallowPlugin(schema_name_resolver=self._name)
        info = {"description": ABOUT, "license": {"name": "MIT", "identifier": "MIT"}}
        self._spec = APISpec(TITLE, VERSION, "3.1.0", plugins=[plugin], info=info, servers=[{"url": "/"}])
        self._converter = cast("Any", plugin.converter)  # half typed
        self._converter.add_attribute_function(lambda _converter, field, **_: self._elsewhere(field))
        self._samples = samples()
        self._shared()
        for rule in sorted(app.url_map.iter_rules(), key=lambda rule: rule.rule):
            if (said := OPERATIONS.get(rule.endpoint)) is not None:
                self._spec.path(CONVERTER.sub(r"{\1}", rule.rule), operations={said.method.lower(): self._operation(said)})

    def document(self) -> dict[str, Any]:
        """The whole of it."""
        event = self._samples["read_history", 200]["the first three"]["events"][-1]
        webhooks = outgoing(self._schema, event)  # before the document is made, since it brings shapes of its own
        document = self._spec.to_dict() | {"webhooks": webhooks}
        document["tags"] = [{"name": name, "description": about} for name, about in TAGS.items()]
        for name, schema in document["components"]["schemas"].items():
            schema.pop("title", None)
            if about := schema.get("description") or self._docs.get(name):
                schema["description"] = about
        typed: dict[str, Any] = _typed(document)
        return typed

    def _shared(self) -> None:
        """What operations refer to."""
        for name, schema in from_types.components().items():
            self._spec.components.schema(name, schema)
        for name, header in HEADERS.items():
            self._spec.components.header(name, header)
        for name, parameter in PARAMETERS.items():
            self._spec.components.parameter(name, "header", dict(parameter))
        self._spec.components.security_scheme("bearer", BEARER)
        self._schema(PROBLEM)
        for name in sorted({name for said in OPERATIONS.values() for name in said.problems}):
            self._spec.components.example(name, {"value": problem_samples()[name]})

    def _operation(self, said: Operation) -> dict[str, Any]:
        made: dict[str, Any] = {
            "operationId": said.name,
            "summary": said.summary,
            "description": _unwrapped(said.about) or f"{said.summary}.",
            "tags": [said.tag],
            "parameters": self._parameters(said),
            "responses": self._responses(said),
            "security": [*([{}] if said.public or not said.scope else []), *([{"bearer": [said.scope]}] if said.scope else [])],
        }
        if said.body is not None:
            examples = {name: {"value": value} for name, value in said.examples.items()}
            content = {JSON: {"schema": self._schema(said.body), "examples": examples}}
            if said.signed:
                content[JOSE] = {"schema": self._jws(), "examples": {"signed": {"value": signed_sample()}}}
                made["security"].append({})
            made["requestBody"] = {"required": _needed(said.body), "content": content}
        return made

    def _jws(self) -> dict[str, Any]:
        """A reference to what a signed move looks like; its content is the payload, a `SignedMove`."""
        if "SignedMoveJws" not in self._spec.components.schemas:
            about = (
                "A compact JWS (RFC 7515) over a `SignedMove`, signed with an Ed25519 key of yours (RFC 8037, RFC 9864). Its protected header is "
                f'exactly `{{"alg":"Ed25519","kid":"…","typ":"{TYP}"}}`, where `kid` is the `x` of the key. Header and payload are canonical JSON '
                "(RFC 8785); base64url is without padding. Anything else is refused, `crit`, `b64`, `jwk` and other algorithms included."
            )
            payload = {"contentMediaType": JOSE, "contentSchema": self._schema(SIGNED_MOVE)}
            shape = {"type": "string", "pattern": JWS, "description": about, **payload}
            self._spec.components.schema("SignedMoveJws", shape)
        return ref("SignedMoveJws")

    def _parameters(self, said: Operation) -> list[Any]:
        named = [{"name": name, "in": "path", "required": True, **PATHS[name]} for name in CONVERTER.findall(said.rule)]
        asked = self._converter.schema2parameters(said.query, location="query") if said.query else []
        headers = ["Idempotency-Key"] * said.keyed + ["If-None-Match"] * (304 in said.gives) + ["Last-Event-ID"] * said.resumed
        headers += ["If-Match"] * said.guarded
        return [*named, *asked, *headers]  # apispec makes references of the headers' names

    def _responses(self, said: Operation) -> dict[str, Any]:
        made = {str(status): self._gives(said, status, gives) for status, gives in said.gives.items()}
        by_status: dict[int, list[str]] = defaultdict(list)
        for name in said.problems:
            by_status[SORTS[name].status].append(name)
        return made | {str(status): self._problems(status, names) for status, names in by_status.items()}

    def _problems(self, status: int, names: list[str]) -> Any:
        """One status and the types of problems that come with it; those that many operations have are written down once."""
        name = "-or-".join(names)
        if len(names) > SHARED:
            return _problems(status, names)
        if name not in self._spec.components.responses:
            self._spec.components.response(name, _problems(status, names))
        return name

    def _gives(self, said: Operation, status: int, gives: Gives) -> dict[str, Any]:
        made: dict[str, Any] = {"description": gives.about}
        if gives.forms:
            made["content"] = {media: {"schema": self._form(form)} for media, form in gives.forms.items()}
            if sample := self._samples.get((said.name, status)):
                media = next(iter(gives.forms))
                made["content"][media]["examples"] = {name: {"value": value} for name, value in sample.items()}
        told = gives.headers + ("ETag",) * (status == 304)
        if headers := told + LIMITS * (said.kind is not None):
            made["headers"] = {name: {"$ref": f"#/components/headers/{name}"} for name in headers}
        return made

    def _form(self, form: Any) -> dict[str, Any]:
        if isinstance(form, list):
            return {"oneOf": [self._schema(one) for one in form]}
        return self._schema(form) if isinstance(form, Schema | OneOf) else dict(form)

    def _schema(self, shape: Shape) -> dict[str, Any]:
        """A reference to the shape, which is written down with the first."""
        if isinstance(shape, Schema):
            found: dict[str, Any] = self._converter.resolve_nested_schema(shape)
            return found
        if shape.name not in self._spec.components.schemas:
            alternatives = [self._schema(one) for one in shape.shapes.values()]
            self._spec.components.schema(shape.name, {"description": shape.about, "oneOf": alternatives})
        return ref(shape.name)

    def _name(self, schema: Any) -> str:
        kind = type(schema)
        self._docs[kind.__name__] = (kind.__doc__ or "").strip()
        return kind.__name__

    def _elsewhere(self, field: fields.Field[Any]) -> Mapping[str, Any]:
        """Fields whose schema is none of marshmallow's."""
        if isinstance(field, Free):
            return field.schema
        return self._schema(field.shape) if isinstance(field, Either) else {}


def _unwrapped(text: str) -> str:
    """Each paragraph on one line."""
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in text.split("\n\n"))


def _needed(body: Shape) -> bool:
    """Whether a request must have a body."""
    return isinstance(body, OneOf) or any(field.required for field in body.fields.values())


def _problems(status: int, names: list[str]) -> dict[str, Any]:
    """One status and the types of problems that come with it."""
    listed = "\n".join(f"- `{TYPES}{name}`: {SORTS[name].title}. {SORTS[name].advice}" for name in names)
    headers = {401: ["WWW-Authenticate"], 403: ["WWW-Authenticate"] * ("scope-missing" in names), 415: ["Accept-Post"]}.get(status, [])
    headers += ["Retry-After"] * (status in (429, 503))
    return {
        "description": listed,
        "content": {MEDIA: {"schema": ref(type(PROBLEM).__name__), "examples": {name: {"$ref": f"#/components/examples/{name}"} for name in names}}},
        "x-problem-types": [f"{TYPES}{name}" for name in names],
        "headers": {name: {"$ref": f"#/components/headers/{name}"} for name in (*headers, *LIMITS)},  # which come wherever requests are counted
    }


def _typed(value: Any) -> Any:
    """Enumerations say their type as well: generators of clients want to know."""
    if isinstance(value, list):
        return [_typed(one) for one in value]
    if not isinstance(value, dict):
        return value
    made = {key: _typed(one) for key, one in value.items()}
    choices = made.get("enum")
    if isinstance(choices, list) and "type" not in made and all(isinstance(choice, str) for choice in choices):
        made["type"] = "string"
    return made
