"""What every link, answer and signed move costs beside the move itself: sealing and opening a token, signing a head, checking a signature."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from infra.seals.jws import key_of, read
from infra.seals.keys import Keys
from infra.seals.tokens import EPOCH, Token, Tokens
from infra.settings import Settings
from tests.bench.measure import seconds
from tests.pen import TYP, Pen

TIMES = 1_000  # in a round


def measures() -> dict[str, float]:
    """Microseconds each, in the best of several rounds. Good: at most 20 for a token, at most 100 for a head, at most 200 for a signed move."""
    keys = Keys(
        Settings.from_env(
            {
                "FORGEPOST_URL": "https://turns.example.org",
                "FORGEPOST_SECRETS": f"a:{bytes(range(32)).hex()}",
                "FORGEPOST_SEED_SECRET": bytes(range(32, 64)).hex(),
                "EVENTS_REDIS_URL": "redis://127.0.0.1",
                "SMTP_URL": "smtp://127.0.0.1",
                "FORGEPOST_DATA": str(Path("/nowhere")),
            }
        )
    )
    tokens = Tokens(keys)
    token = Token("move", "07-0123456789", seat_index=2, ask=17, step=1, choice=24, expires=EPOCH)
    sealed = tokens.seal(token)
    pen = Pen()
    move = {"match": "07-0123456789", "seat": "south", "ply": 3, "actions": [{"type": "deploy", "at": "c1"}], "prev": "ab" * 32}
    jws, key = pen.signs(move), key_of(pen.kid)
    return {
        "reading a signed move and checking its signature": _microseconds(lambda: read(jws, TYP).holds(key)),
        "sealing a token": _microseconds(lambda: tokens.seal(token)),
        "opening a token": _microseconds(lambda: tokens.unseal(sealed)),
        "signing a head": _microseconds(lambda: keys.sign_head("07-0123456789", 17, bytes(32))),
    }


def _microseconds(work: Callable[[], object]) -> float:
    def often() -> None:
        for _ in range(TIMES):
            work()

    return seconds(often) / TIMES * 1e6
