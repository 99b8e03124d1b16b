"""What was signed (heads and exports by the site, moves by players), as somebody reads it who has nothing but the public keys."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from domain.chain import canonical
from domain.proof.export import HEAD
from infra.seals.jws import key_of, read


def signed(keys: Iterable[dict[str, Any]], jws: str, typ: str = HEAD) -> dict[str, Any] | None:
    """What a compact JWS of a type says, if one of these JWKs signed it; None for whatever is not exactly that."""
    try:
        one = read(jws, typ)
        key = next(key for key in keys if (key.get("kid"), key.get("kty"), key.get("crv")) == (one.kid, "OKP", "Ed25519"))
        said = msgspec.json.decode(one.payload, type=dict[str, Any]) if one.holds(key_of(key["x"])) else None
    except (KeyError, StopIteration, TypeError, ValueError, RecursionError, msgspec.MsgspecError):
        return None
    return said if said is not None and canonical(said) == one.payload else None
