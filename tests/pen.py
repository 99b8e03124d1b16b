"""Somebody who signs moves, rightly or not: key pairs made here, and every part of a JWS as a test wants it."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from typing import Any

import rfc8785
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

TYP = "forgepost-move+jws"


def coded(data: bytes) -> str:
    """Base64url without padding."""
    return urlsafe_b64encode(data).rstrip(b"=").decode()


class Pen:
    """A key pair; the same for the same number."""

    def __init__(self, number: int = 1) -> None:
        self.key = Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32)
        self.kid = coded(self.key.public_key().public_bytes_raw())
        self.jwk = {"kty": "OKP", "crv": "Ed25519", "x": self.kid}

    @property
    def header(self) -> dict[str, Any]:
        """What a move's header must be."""
        return {"alg": "Ed25519", "kid": self.kid, "typ": TYP}

    def signs(self, said: Any, header: Any = None) -> str:
        """A compact JWS; `said` and `header` are values, written canonically, or bytes that are taken as they are."""
        first = self.header if header is None else header
        text = ".".join(coded(part if isinstance(part, bytes) else rfc8785.dumps(part)) for part in (first, said))
        return f"{text}.{coded(self.key.sign(text.encode()))}"


def move(match: dict[str, Any], seat: str, *actions: Any, **other: Any) -> dict[str, Any]:
    """The payload for the position that `match` shows."""
    return {"match": match["id"], "seat": seat, "ply": match["ply"], "actions": list(actions), "prev": match["head"]["hash"], **other}
