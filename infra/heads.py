"""What the site has signed (heads, exports), as somebody reads it who has nothing but the server's public keys."""

from __future__ import annotations

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable
from typing import Any

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from domain.chain import canonical
from domain.proof.export import HEAD

LONGEST = 4096  # characters; an export's seal takes about 500
PARTS = re.compile(r"([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{86})")


class _Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    alg: str
    kid: str
    typ: str


def signed(keys: Iterable[dict[str, Any]], jws: str, typ: str = HEAD) -> dict[str, Any] | None:
    """What a compact JWS of a type says, if one of these JWKs signed it; None for whatever is not exactly that."""
    parts = PARTS.fullmatch(jws[:LONGEST])
    if parts is None:
        return None
    try:
        header = msgspec.json.decode(_bytes(parts[1]), type=_Header)
        key = next(key for key in keys if (key.get("kid"), key.get("kty"), key.get("crv")) == (header.kid, "OKP", "Ed25519"))
        if (header.alg, header.typ) != ("Ed25519", typ) or canonical(header) != _bytes(parts[1]):
            return None
        Ed25519PublicKey.from_public_bytes(_bytes(key["x"])).verify(_bytes(parts[3]), f"{parts[1]}.{parts[2]}".encode())
        said = msgspec.json.decode(_bytes(parts[2]), type=dict[str, Any])
    except (InvalidSignature, KeyError, StopIteration, TypeError, ValueError, msgspec.MsgspecError):
        return None
    return said if canonical(said) == _bytes(parts[2]) else None


def _bytes(text: str) -> bytes:
    """Base64url without padding; ValueError for anything that would not be written so."""
    data = urlsafe_b64decode(text + "=" * (-len(text) % 4))
    if urlsafe_b64encode(data).rstrip(b"=").decode() != text:
        raise ValueError(text)
    return data
