"""Compact JWS (RFC 7515) signed with Ed25519, read so strictly that nobody can read one in two ways.

What is left of the standard once algorithm, type and header are pinned is three texts and one signature, so a JOSE library would be asked
for nothing but to refuse what it could do; `verify` is libsodium's, which takes no key and no signature in a second form or of low order.
"""

from __future__ import annotations

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from functools import lru_cache
from typing import Any

import msgspec
from nacl.bindings import crypto_core_ed25519_is_valid_point
from nacl.exceptions import BadSignatureError
from nacl.signing import VerifyKey

from domain.chain import canonical
from domain.game import Record

FIELDS = ("alg", "kid", "typ")
BASE64URL = re.compile(r"[A-Za-z0-9_-]+")
CUT = 40  # characters of a stranger's word that are said back


class Malformed(ValueError):
    """It is no JWS of the kind that was expected, or could be read in two ways; the message says what is wrong and what would be right."""


class Jws(Record, frozen=True):
    """A JWS whose form is right; whether it was signed, `holds` says."""

    kid: str
    payload: bytes
    covered: bytes  # what the signature is over
    signature: bytes

    def holds(self, key: bytes) -> bool:
        """Whether this public key (32 bytes) signed it."""
        if not sound(key):
            return False
        try:
            VerifyKey(key).verify(self.covered, self.signature)
        except BadSignatureError:
            return False
        return True


def read(text: str, typ: str) -> Jws:
    """A compact JWS whose header is exactly `alg` Ed25519, `kid` and this `typ`, in canonical JSON. Raises Malformed."""
    parts = text.split(".")
    if len(parts) != 3:
        raise Malformed("it is no compact JWS, which is a header, a payload and a signature in base64url with a dot after the first two")
    header, payload, signature = (_decoded(part, name) for part, name in zip(parts, ("header", "payload", "signature"), strict=True))
    kid = _kid(header, typ)
    if len(signature) != 64:
        raise Malformed(f"its signature has {len(signature)} bytes, and one of Ed25519 has 64")
    return Jws(kid, payload, f"{parts[0]}.{parts[1]}".encode(), signature)


def key_of(x: str) -> bytes:
    """The 32 bytes behind the `x` of a public key that can sign. Raises Malformed."""
    key = _decoded(x, "`x`", "")
    if len(key) != 32:
        raise Malformed(f"`x` has {len(key)} bytes, and a public key of Ed25519 has 32")
    if not sound(key):
        raise Malformed("`x` is no public key of Ed25519: it is no point of the curve in its one form, or one whose signatures anybody could make")
    return key


@lru_cache(4096)
def sound(key: bytes) -> bool:
    """Whether these bytes are a point of prime order in canonical form: with any other key, one signature may fit many texts."""
    return len(key) == 32 and bool(crypto_core_ed25519_is_valid_point(key))


def coded(data: bytes) -> str:
    """Base64url without padding."""
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def _decoded(text: str, name: str, its: str = "its ") -> bytes:
    """The bytes behind base64url, if they are written in the one way there is."""
    if not BASE64URL.fullmatch(text):
        raise Malformed(f"{its}{name} is {'empty' if not text else 'not base64url without padding'}")
    try:
        data = urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except ValueError:
        data = b""
    if coded(data) != text:
        raise Malformed(f"{its}{name} is not base64url as it would be written: something stands after its end")
    return data


def _kid(raw: bytes, typ: str) -> str:
    """The key id in a header that is exactly what it must be."""
    try:
        header = msgspec.json.decode(raw, type=dict[str, Any])
    except (msgspec.MsgspecError, ValueError, RecursionError):
        raise Malformed("its header is no JSON object") from None
    if more := sorted(set(header) - set(FIELDS)):
        raise Malformed(f"its header has `{more[0][:CUT]}`: it must have `alg`, `kid` and `typ`, and nothing else")
    if missing := [name for name in FIELDS if name not in header]:
        raise Malformed(f"its header has no `{missing[0]}`: it must have `alg`, `kid` and `typ`")
    for name, wanted in (("alg", "Ed25519"), ("typ", typ)):
        if header[name] != wanted:
            raise Malformed(f"its `{name}` is {_said(header[name])}, and must be “{wanted}”")
    kid = header["kid"]
    if not isinstance(kid, str):
        raise Malformed("its `kid` must be text")
    if canonical(header) != raw:
        raise Malformed("its header is not canonical JSON (RFC 8785): each key once, in alphabetical order, without blanks")
    return kid


def _said(value: Any) -> str:
    return f"“{value[:CUT]}”" if isinstance(value, str) else "no text"
