"""A request held against what its operation asks for: who, how often, in what form, with which fields."""

from __future__ import annotations

import re
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from domain.ports import Key
from infra.people.players import Grant
from service.contract.operations import JOSE, JSON, LARGEST_BODY, TAKEN, Call, Operation
from service.door.asking import Asking
from service.door.auth import may, who_asks
from service.door.limits import hold_back
from service.problems import Problem
from service.schemas.strict import NOTHING, loaded
from service.signed_moves import moved, signer
from service.strict_json import NotJson, parse

IDEMPOTENCY_KEY = re.compile(r"[!-~]{1,128}")


def admitted(said: Operation, asking: Asking, path: Mapping[str, Any]) -> Call:
    """The request at hand, held against what the operation asks for. Raises Problem."""
    if said.signed and not _is_json(asking) and asking.request.mimetype == JOSE:
        grant = _let_in(said, asking, optional=True)
        if grant and said.scope:
            may(said.scope, grant.scopes)
        move = moved(_whole(asking, JOSE))
        player = signer(asking.porter, move, grant.player if grant else None)
        scopes = frozenset({said.scope} if said.scope else ())
        return Call(asking=asking, player=player, path=path, query=_asked(said, asking), body={}, scopes=scopes, key=None, move=move)
    grant = _let_in(said, asking, optional=said.public)
    lacks = said.scope if grant and said.scope and said.scope not in grant.scopes else ""
    player = grant.player if grant and not lacks else ""
    raw, body = _body(said, asking) if said.body else (b"", {})
    return Call(
        asking=asking,
        player=player,
        path=path,
        query=_asked(said, asking),
        body=body,
        scopes=grant.scopes if grant else frozenset(),
        key=_key(asking, player or asking.stranger, raw) if said.keyed else None,
        lacks=lacks,
    )


def _let_in(said: Operation, asking: Asking, *, optional: bool) -> Grant | None:
    """Whoever asks, if there is room for what they ask. Raises Problem."""
    grant = None
    try:
        grant = who_asks(asking, said.scope, optional=optional) if said.scope else None
    finally:  # also for whoever has no token that is good
        if said.kind:
            hold_back(asking, said.kind, known=grant is not None)
    return grant


def _body(said: Operation, asking: Asking) -> tuple[bytes, dict[str, Any]]:
    """The bytes of the body and what they say; no body at all is an object without fields."""
    assert said.body is not None
    raw = _whole(asking, JSON)
    if not _is_json(asking):
        if not raw and not asking.request.mimetype:
            return raw, loaded(said.body, {}, "body")
        if asking.request.mimetype != JSON:
            taken = (JSON, JOSE) if said.signed else (JSON,)
            raise _other_form(f"the body is {asking.request.mimetype or 'of no stated type'}, and this takes {' or '.join(taken)}", *taken)
        if asking.request.mimetype_params.get("charset", "utf-8").lower() not in ("utf-8", "utf8", "us-ascii"):
            raise _other_form(f"{JSON} is sent in UTF-8 and uncompressed", JSON)
    try:
        value = parse(raw)
    except NotJson as wrong:
        raise Problem("not-json", str(wrong)) from wrong
    return raw, loaded(said.body, value, "body")


def _whole(asking: Asking, media: str) -> bytes:
    """The bytes of the body, as they were sent."""
    raw: bytes | None = asking.environ.get(TAKEN)
    if raw is None:
        asking.request.max_content_length = LARGEST_BODY + 1  # what comes in chunks is cut there without a word
        raw = asking.request.get_data(cache=False)
    if len(raw) > LARGEST_BODY:
        raise Problem("too-large", "the body is larger than 32 KiB")
    if asking.environ.get("HTTP_CONTENT_ENCODING", "identity").strip().lower() != "identity":
        raise _other_form(f"{media} is sent in UTF-8 and uncompressed", media)
    return raw


def _other_form(words: str, *taken: str) -> Problem:
    return Problem("unsupported-media-type", words, headers={"Accept-Post": ", ".join(taken)})


def _is_json(asking: Asking) -> bool:
    """Whether the body is said to be JSON, in so many words: then nobody need read what else the type says."""
    return bool(asking.environ.get("CONTENT_TYPE") == JSON)


def _asked(said: Operation, asking: Asking) -> dict[str, Any]:
    """What the parameters say."""
    given = asking.environ.get("QUERY_STRING")
    if said.query is None or (said.query is NOTHING and not given):
        return {}
    return loaded(said.query, _query(asking) if given else {}, "query")


def _query(asking: Asking) -> dict[str, str]:
    """The parameters behind the question mark, each once."""
    for name, values in asking.request.args.lists():
        if len(values) > 1:
            words = f"`{name}` is given {len(values)} times"
            raise Problem("invalid-request", words, errors=[{"detail": words, "parameter": name}])
    return asking.request.args.to_dict()


def _key(asking: Asking, player: str, raw: bytes) -> Key | None:
    """The idempotency key for exactly this request, scoped to who uses it."""
    said = asking.environ.get("HTTP_IDEMPOTENCY_KEY")
    if said is None:
        return None
    if not IDEMPOTENCY_KEY.fullmatch(said):
        words = "`Idempotency-Key` must be 1 to 128 visible ASCII characters; a UUID will do"
        raise Problem("invalid-request", words, errors=[{"detail": words, "header": "Idempotency-Key"}])
    print_ = sha256(f"{asking.method} {asking.request.path}\n".encode() + raw).hexdigest()
    return Key(actor=player, key=said, fingerprint=print_)
