"""Secrets and signatures of webhooks, as Standard Webhooks has them."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from hmac import digest


def written(key: bytes) -> str:
    """The secret as its owner is given it, and as the libraries for receivers take it."""
    return f"whsec_{b64encode(key).decode()}"


def signed(keys: list[bytes], message: str, at: int, body: bytes) -> dict[str, str]:
    """The three headers: message id, time (`at` in seconds), and a signature by each of the keys."""
    said = f"{message}.{at}.".encode() + body
    signatures = " ".join(f"v1,{b64encode(digest(key, said, sha256)).decode()}" for key in keys)
    return {"webhook-id": message, "webhook-timestamp": str(at), "webhook-signature": signatures}
