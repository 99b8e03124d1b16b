"""What every link, answer and signed move costs beside the move itself: sealing and opening a token, signing a head, checking a signature."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from infra.seals.jws import key_of, read
from infra.seals.keys import Keys
from infra.seals.tokens import EPOCH, Token, Tokens
from infra.settings import Settings
from tests.bench.measure import Measure, at_most, seconds
from tests.pen import TYP, Pen

TIMES = 1_000  # in a round


def measures() -> Iterator[Measure]:
    """Microseconds each, in the best of several rounds; a signature, and still more to check one, is most of what it stands in."""
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
    yield _costs("reading a signed move and checking its signature", 200, lambda: read(jws, TYP).holds(key))
    yield _costs("sealing a token", 20, lambda: tokens.seal(token))
    yield _costs("opening a token", 20, lambda: tokens.unseal(sealed))
    yield _costs("signing a head", 100, lambda: keys.sign_head("07-0123456789", 17, bytes(32)))


def _costs(words: str, most: float, work: Callable[[], object]) -> Measure:
    def often() -> None:
        for _ in range(TIMES):
            work()

    return at_most(words, seconds(often) / TIMES * 1e6, most, "µs", 1)
