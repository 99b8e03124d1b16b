"""Once is enough: what makes a second click, a second tab or a retry end where the first one did.

To play needs no key: an action that is sent again for a ply that is past is found there (recap.py).
"""

from __future__ import annotations

from hashlib import sha256

from domain.ports import Key
from service.pages.opening import Opened


def once(opened: Opened, *wish: object) -> Key:
    """The idempotency key of a wish: whose it is, what for, and nothing of the token's spelling, so that two links of one turn count as one."""
    token = opened.token
    name = short(token.subject, opened.seat, token.ask, *wish)
    return Key(opened.player or "", name, name)


def short(*words: object) -> str:
    """Sixteen characters for these words and no others; keys are kept for days, and by the thousand."""
    return sha256("\n".join(("forgepost-page-v1", *map(str, words))).encode()).hexdigest()[:16]
