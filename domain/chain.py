"""Canonical bytes, the hash chain and honest draws: the same few lines serve the server and the verifier (DESIGN 5)."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import lru_cache
from hashlib import sha256
from hmac import new as mac
from typing import Any

import msgspec

ORIGIN = bytes(32)  # h_0

_encoder = msgspec.json.Encoder(order="sorted")


def canonical(value: Any) -> bytes:
    """RFC 8785 canonical JSON of a value without floats and with ASCII keys (where RFC 8785's order and ours are the same)."""
    return _encoder.encode(value)


@lru_cache(64)  # what is decided at once has one time
def stamp(at: int) -> str:
    """Milliseconds since 1970 as RFC 3339 in UTC, always three digits: `2026-11-29T10:00:00.123Z`."""
    return f"{_second(at // 1000)}.{at % 1000:03d}Z"


@lru_cache(64)  # much happens in one second, and is due in one
def _second(at: int) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat()[:19]


@lru_cache(64)
def instant(said: str) -> int:
    """The milliseconds that `stamp` wrote down; ValueError for anything else."""
    at = round(datetime.fromisoformat(said).timestamp() * 1000)
    if said[-1:] != "Z" or len(said) != 24:
        raise ValueError(f"{said} is not a time like 2026-11-29T10:00:00.123Z")
    return at


def link(prev: bytes, match: str, kind: str, body: bytes) -> bytes:
    """The hash of an event: `kind` is type and schema (`action.taken.1`), `body` the stored canonical bytes."""
    return sha256(b"forgepost-event-v1\n" + prev + f"{match}\n{kind}\n".encode() + body).digest()


def commitment(seed: bytes) -> str:
    """What the server publishes before the first draw and is held to by `seed.revealed`: SHA-256 (hex) of the 32 seed bytes."""
    return sha256(seed).hexdigest()


def blend(entropy: bytes) -> str:
    """The `mix` of a draw: SHA-256 (hex) of every piece of player entropy so far, each followed by LF."""
    return sha256(entropy).hexdigest()


class Draws:
    """Single draws numbered from `index`, all at one ply and with one mix; call it with n to draw from n candidates."""

    def __init__(self, seed: bytes, match: str, ply: int, index: int, mix: str) -> None:
        self._seed, self._match, self._ply, self._mix = seed, match, ply, mix
        self.index = index

    def __call__(self, n: int, /) -> int:
        bound = (1 << 256) // n * n
        tried = 0
        while True:
            words = f"forgepost-draw-v1\n{self._match}\n{self._ply}\n{self.index}\n{self._mix}\n{tried}"
            x = int.from_bytes(mac(self._seed, words.encode(), "sha256").digest())  # hmac.digest would let another thread go first, at each draw
            if x < bound:
                self.index += 1
                return x % n
            tried += 1


class SeedLot:
    """The lot of one match: every draw follows from its seed and from what players threw in."""

    def __init__(self, seed: bytes, match: str) -> None:
        self._seed, self._match = seed, match

    @property
    def commitment(self) -> str:
        """The hash of the seed, for the first event."""
        return commitment(self._seed)

    def at(self, ply: int, index: int, entropy: bytes) -> Draws:
        """The draws that come next at a ply, after `index` single draws and with the entropy given so far."""
        return Draws(self._seed, self._match, ply, index, blend(entropy))

    def reveal(self) -> str:
        """The seed (hex), for the last event."""
        return self._seed.hex()
