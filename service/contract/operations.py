"""One operation of the API: its route, who may call it, what goes in, what comes out and what can go wrong, said once for Flask and openapi.yaml."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import wraps
from hashlib import sha256
from inspect import getdoc
from typing import Any, Literal, TypeAlias
from urllib.parse import urlencode

import msgspec
from flask import Blueprint, Response, request
from marshmallow import Schema

from domain.match.commands import Actor
from domain.match.signed import SignedMove
from domain.ports import Key
from infra.limits.quotas import Kind
from infra.people.players import Grant, Scope
from infra.wiring import Site
from service.door.auth import who_asks
from service.door.limits import hold_back, stranger
from service.here import site
from service.light import Ready
from service.problems import Problem
from service.schemas.strict import NOTHING, Shape, loaded
from service.signed_moves import moved, signer
from service.strict_json import NotJson, parse

JSON = "application/json"
JOSE = "application/jose"
PENDING = (
    "It was done and is stored, and the replicas that this site keeps of its log have not said within half a second that they have it: if its first "
    "copy were lost in the next moments, so would this be. The same request again tells whether they have it by now."
)
LARGEST_BODY = 32 * 1024  # bytes
TAKEN = "forgepost.body"  # in the environment: the bytes of a body that the front has read whole, or as much of it as makes it too large
IDEMPOTENCY_KEY = re.compile(r"[!-~]{1,128}")


@dataclass(frozen=True, kw_only=True)
class Call:
    """A request as its operation let it through. `player` is who asks: empty where nobody has to say; `move` what they signed, if they did."""

    site: Site
    player: str
    path: Mapping[str, Any]
    query: Mapping[str, Any]
    body: Mapping[str, Any]
    scopes: frozenset[str]  # what the token allows that came along
    key: Key | None
    move: SignedMove | None = None

    @property
    def actor(self) -> Actor:
        """Who asks, and by which way in."""
        return Actor(self.player, "jws" if self.move else "api")

    def knows(self, etag: str) -> bool:
        """Whether the client says that it has this very version."""
        return request.if_none_match.contains_weak(etag)

    @property
    def conditional(self) -> bool:
        """Whether it is to be done to certain versions only."""
        return "If-Match" in request.headers

    def wants(self, etag: str) -> bool:
        """Whether this is such a version."""
        return request.if_match.contains(etag)

    def next_link(self, **changed: str) -> str:
        """A `Link` to the same list with these parameters changed: the next page."""
        return f'<{self.site.settings.url}{request.path}?{urlencode(request.args.to_dict() | changed)}>; rel="next"'


@dataclass(frozen=True)
class Reply:
    """What an operation answers; a body that is not bytes goes out as JSON."""

    body: Any = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    media: str = JSON


@dataclass(frozen=True, kw_only=True)
class Gives:
    """A kind of answer: what it means, its forms with their schemas, and the headers that come with it."""

    about: str
    forms: Mapping[str, Any] = field(default_factory=dict)  # media type → marshmallow schema or JSON Schema
    headers: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Operation:
    """All that is promised about a route and a method; `name`, `summary` and `about` come from the view that it is tied to."""

    method: Literal["GET", "POST", "PATCH", "PUT", "DELETE"]
    rule: str
    tag: str
    gives: Mapping[int, Gives]
    scope: Scope | None = None
    public: bool = False  # also without a token
    query: Schema | None = NOTHING  # None: parameters are not looked at
    body: Shape | None = None
    limit: Kind | Literal["by method"] | None = "by method"  # which requests it counts among; None: it is not counted
    resumed: bool = False  # goes on after a `Last-Event-ID`
    guarded: bool = False  # is done only to the version that `If-Match` names, where it does
    signed: bool = False  # takes a signed move as well, which needs no token
    refuses: tuple[str, ...] = ()
    examples: Mapping[str, Any] = field(default_factory=dict)  # of bodies, by what they show
    name: str = ""
    summary: str = ""
    about: str = ""

    @property
    def keyed(self) -> bool:
        """Whether it takes an idempotency key: what else writes may be done again anyhow."""
        return self.method == "POST"

    @property
    def kind(self) -> Kind | None:
        """Which requests it counts among."""
        if self.limit == "by method":
            return "read" if self.method == "GET" else "write"
        return self.limit

    @property
    def problems(self) -> tuple[str, ...]:
        """Everything that can go wrong, by name: what the operation says, and what follows from what it asks for."""
        found = [*self.refuses, "internal-error"]
        if self.kind:
            found += ["too-many-requests"]
        if self.scope:
            found += ["not-authenticated", "scope-missing", "log-unavailable"]
        if self.query is not None or self.body:
            found += ["invalid-request"]
        if self.guarded:
            found += ["precondition-failed"]
        if self.keyed:
            found += ["key-reused", "busy"]
        if self.body:
            found += ["not-json", "too-large", "too-slow", "unsupported-media-type"]
        if self.signed:
            found += ["malformed-jws", "bad-signature", "unknown-key", "not-your-key"]
        if "<id>" in self.rule:
            found += ["no-such-match", "match-damaged"]
        return tuple(sorted(set(found)))


View: TypeAlias = Callable[[Call], Reply]

OPERATIONS: dict[str, Operation] = {}  # by Flask endpoint


def operation(blueprint: Blueprint, promise: Operation) -> Callable[[View], View]:
    """Tie a view to its route. The view's name is the operation's id, its docstring the operation's summary and description."""

    def tie(view: View) -> View:
        summary, _, about = (getdoc(view) or "").partition("\n\n")
        said = replace(promise, name=view.__name__, summary=summary.removesuffix("."), about=about)
        OPERATIONS[f"{blueprint.name}.{said.name}"] = said

        @wraps(view)
        def answer(**path: Any) -> Response:
            return sent(view(admitted(said, path)))

        blueprint.add_url_rule(said.rule, said.name, answer, methods=[said.method])
        return view

    return tie


def admitted(said: Operation, path: Mapping[str, Any]) -> Call:
    """The request at hand, held against what the operation asks for. Raises Problem."""
    if said.signed and not _is_json() and request.mimetype == JOSE:
        grant = _let_in(said, optional=True)
        move = moved(_whole(JOSE))
        player = signer(move, grant.player if grant else None)
        scopes = frozenset({said.scope} if said.scope else ())
        return Call(site=site(), player=player, path=path, query=_asked(said), body={}, scopes=scopes, key=None, move=move)
    grant = _let_in(said, optional=said.public)
    player = grant.player if grant else ""
    raw, body = _body(said) if said.body else (b"", {})
    return Call(
        site=site(),
        player=player,
        path=path,
        query=_asked(said),
        body=body,
        scopes=grant.scopes if grant else frozenset(),
        key=_key(player or stranger(), raw) if said.keyed else None,
    )


def _let_in(said: Operation, *, optional: bool) -> Grant | None:
    """Whoever asks, if there is room for what they ask. Raises Problem."""
    grant = None
    try:
        grant = who_asks(said.scope, optional=optional) if said.scope else None
    finally:  # also for whoever has no token that is good
        if said.kind:
            hold_back(said.kind, request.environ["HTTP_AUTHORIZATION"].partition(" ")[2].strip() if grant else None)
    return grant


def sent(reply: Reply) -> Response:
    """The answer as it goes out."""
    body = reply.body if isinstance(reply.body, bytes) else msgspec.json.encode(reply.body)
    response = Ready(None, 304) if reply.status == 304 else Ready(body, reply.status, mimetype=reply.media)
    for name, value in reply.headers.items():
        response.headers.add(name, value)
    return response


def _body(said: Operation) -> tuple[bytes, dict[str, Any]]:
    """The bytes of the body and what they say; no body at all is an object without fields."""
    assert said.body is not None
    raw = _whole(JSON)
    if not _is_json():
        if not raw and not request.mimetype:
            return raw, loaded(said.body, {}, "body")
        if request.mimetype != JSON:
            taken = (JSON, JOSE) if said.signed else (JSON,)
            raise _other_form(f"the body is {request.mimetype or 'of no stated type'}, and this takes {' or '.join(taken)}", *taken)
        if request.mimetype_params.get("charset", "utf-8").lower() not in ("utf-8", "utf8", "us-ascii"):
            raise _other_form(f"{JSON} is sent in UTF-8 and uncompressed", JSON)
    try:
        value = parse(raw)
    except NotJson as wrong:
        raise Problem("not-json", str(wrong)) from wrong
    return raw, loaded(said.body, value, "body")


def _whole(media: str) -> bytes:
    """The bytes of the body, as they were sent."""
    raw: bytes | None = request.environ.get(TAKEN)
    if raw is None:
        raw = request.get_data(cache=False)
    if len(raw) > LARGEST_BODY:
        raise Problem("too-large", "the body is larger than 32 KiB")
    if request.environ.get("HTTP_CONTENT_ENCODING", "identity") != "identity":
        raise _other_form(f"{media} is sent in UTF-8 and uncompressed", media)
    return raw


def _other_form(words: str, *taken: str) -> Problem:
    return Problem("unsupported-media-type", words, headers={"Accept-Post": ", ".join(taken)})


def _is_json() -> bool:
    """Whether the body is said to be JSON, in so many words: then nobody need read what else the type says."""
    return bool(request.environ.get("CONTENT_TYPE") == JSON)


def _asked(said: Operation) -> dict[str, Any]:
    """What the parameters say."""
    if said.query is None:
        return {}
    return loaded(said.query, _query() if request.environ.get("QUERY_STRING") else {}, "query")


def _query() -> dict[str, str]:
    """The parameters behind the question mark, each once."""
    for name, values in request.args.lists():
        if len(values) > 1:
            words = f"`{name}` is given {len(values)} times"
            raise Problem("invalid-request", words, errors=[{"detail": words, "parameter": name}])
    return request.args.to_dict()


def _key(player: str, raw: bytes) -> Key | None:
    """The idempotency key for exactly this request, scoped to who uses it."""
    said = request.environ.get("HTTP_IDEMPOTENCY_KEY")
    if said is None:
        return None
    if not IDEMPOTENCY_KEY.fullmatch(said):
        words = "`Idempotency-Key` must be 1 to 128 visible ASCII characters; a UUID will do"
        raise Problem("invalid-request", words, errors=[{"detail": words, "header": "Idempotency-Key"}])
    print_ = sha256(f"{request.method} {request.path}\n".encode() + raw).hexdigest()
    return Key(actor=player, key=said, fingerprint=print_)
