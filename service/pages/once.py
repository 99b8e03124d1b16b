"""Once is enough: what makes a second click, a second tab or a retry end where the first one did."""

from __future__ import annotations

from hashlib import sha256

from domain.ports import Key
from service.pages.opening import Opened


def once(opened: Opened, *wish: object) -> Key:
    """The idempotency key of a wish: whose it is, what for, and nothing of the token's spelling, so that two links of one turn count as one."""
    token = opened.token
    said = "\n".join(map(str, (token.subject, opened.seat, token.ask, *wish)))
    digest = sha256(f"forgepost-page-v1\n{said}".encode()).hexdigest()[:32]
    return Key(actor=opened.player or "", key=f"page-{digest}", fingerprint=digest)
