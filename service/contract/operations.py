"""One operation of the API: its route, who may call it, what goes in, what comes out and what can go wrong, said once for Flask and openapi.yaml."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from inspect import getdoc
from typing import Any, Literal, TypeAlias
from urllib.parse import urlencode

import msgspec
from flask import Blueprint, Request
from marshmallow import Schema
from werkzeug.datastructures import MIMEAccept

from domain.match.commands import Actor
from domain.match.signed import SignedMove
from domain.ports import Key
from infra.limits.quotas import Kind
from infra.people.players import Scope
from infra.wiring import Site
from service.door.asking import Asking
from service.schemas.strict import NOTHING, Shape

JSON = "application/json"
JOSE = "application/jose"
PENDING = (
    "It was done and is stored, and the replicas that this site keeps of its log have not said within half a second that they have it: if its first "
    "copy were lost in the next moments, so would this be. The same request again tells whether they have it by now."
)
LARGEST_BODY = 32 * 1024  # bytes
TAKEN = "forgepost.body"  # in the environment: the bytes of a body that the front has read whole, or as much of it as makes it too large


@dataclass(frozen=True, kw_only=True)
class Call:
    """A request as its operation let it through. `player` is who asks: empty where nobody has to say; `move` what they signed, if they did."""

    asking: Asking
    player: str
    path: Mapping[str, Any]
    query: Mapping[str, Any]
    body: Mapping[str, Any]
    scopes: frozenset[str]  # what the token allows that came along
    key: Key | None
    move: SignedMove | None = None
    lacks: str = ""  # the scope that the token does not have which came along where none is needed: it is taken for nobody's

    @property
    def site(self) -> Site:
        """The site that is asked."""
        return self.asking.site

    @property
    def request(self) -> Request:
        """What came over HTTP."""
        return self.asking.request

    @property
    def actor(self) -> Actor:
        """Who asks, and by which way in."""
        return Actor(self.player, "jws" if self.move else "api")

    def knows(self, etag: str) -> bool:
        """Whether the client says that it has this very version."""
        return self.request.if_none_match.contains_weak(etag)

    @property
    def conditional(self) -> bool:
        """Whether it is to be done to certain versions only."""
        return "HTTP_IF_MATCH" in self.asking.environ

    def wants(self, etag: str) -> bool:
        """Whether this is such a version."""
        return self.request.if_match.contains(etag)

    def form(self, *offered: str) -> str | None:
        """Which of these media types the client would rather have, the first where it does not care; None where it takes none of them.

        What else it says of a type is not looked at: some libraries add a `charset` to each.
        """
        wanted = [(said.partition(";")[0].strip(), quality) for said, quality in self.request.accept_mimetypes]
        return MIMEAccept(wanted).best_match(offered) if wanted else offered[0]

    def next_link(self, **changed: str) -> str:
        """A `Link` to the same list with these parameters changed: the next page."""
        return f'<{self.site.settings.url}{self.request.path}?{urlencode(self.request.args.to_dict() | changed)}>; rel="next"'


@dataclass(frozen=True)
class Reply:
    """What an operation answers; a body that is not bytes goes out as JSON, and of one that is None nobody knows yet how long it will be."""

    body: Any = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    media: str = JSON

    @property
    def content(self) -> bytes:
        """The body as it is sent."""
        return self.body if isinstance(self.body, bytes) else msgspec.json.encode(self.body)


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
    short: bool = False  # asked for all the time, so it is answered without Flask (service/roads.py)
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
            found += ["bad-request", "not-json", "too-large", "too-slow", "unsupported-media-type"]
        if self.signed:
            found += ["malformed-jws", "bad-signature", "unknown-key", "not-your-key"]
        if "<id>" in self.rule:
            found += ["no-such-match", "match-damaged"]
        if "<int:" in self.rule:
            found += ["not-found"]
        return tuple(sorted(set(found)))


View: TypeAlias = Callable[[Call], Reply]

OPERATIONS: dict[str, Operation] = {}  # by Flask endpoint
VIEWS: dict[str, View] = {}  # likewise


def operation(blueprint: Blueprint, promise: Operation) -> Callable[[View], View]:
    """Give a view its route. The view's name is the operation's id, its docstring the operation's summary and description."""

    def tie(view: View) -> View:
        summary, _, about = (getdoc(view) or "").partition("\n\n")
        said = replace(promise, name=view.__name__, summary=summary.removesuffix("."), about=about)
        endpoint = f"{blueprint.name}.{said.name}"
        OPERATIONS[endpoint], VIEWS[endpoint] = said, view
        blueprint.add_url_rule(said.rule, said.name, methods=[said.method])
        return view

    return tie
