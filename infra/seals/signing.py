"""What the site stands to: it signs heads and exports, and every public key that it ever signed with stays published."""

from __future__ import annotations

from typing import Any, cast

import msgspec
from redis import Redis

from domain.chain import canonical
from infra.redis_log.unavailable import in_words
from infra.seals.keys import Keys

SIGNERS = "signers"  # hash: key id → public key (JWK, canonical JSON); nothing is ever taken out


class Signing:
    """Signs with the current secret.

    Before the first signature of a process its public keys are published, so that a secret can be taken off the list without what it
    signed becoming unreadable.
    """

    def __init__(self, keys: Keys, redis: Redis) -> None:
        self._keys, self._redis = keys, redis
        self._published = False

    def sign_head(self, match: str, version: int, head: bytes) -> str:
        """A compact JWS over a match's version and its hash (32 bytes). Raises LogUnavailable."""
        self.publish()
        return self._keys.sign_head(match, version, head)

    def sign_export(self, match: str, version: int, head: bytes, header: bytes) -> str:
        """A compact JWS over a whole export (`header` is the SHA-256 of its header line). Raises LogUnavailable."""
        self.publish()
        return self._keys.sign_export(match, version, head, header)

    def public(self) -> tuple[dict[str, Any], ...]:
        """Every public key of the site, as JWKs: those of the listed secrets first, then the older ones by id. Raises LogUnavailable."""
        self.publish()
        listed = self._keys.public()
        known = {key["kid"] for key in listed}
        with in_words():
            ever = cast("dict[bytes, bytes]", self._redis.hgetall(SIGNERS))
        older = [msgspec.json.decode(jwk) for kid, jwk in sorted(ever.items()) if kid.decode() not in known]
        return *listed, *older

    def publish(self) -> None:
        """See to it, once in a process, that the keys of the listed secrets can be found for ever. Raises LogUnavailable."""
        if not self._published:
            self.keep_published()

    def keep_published(self) -> None:
        """The same, now and then: a Redis that has taken another one's place may not have them. Raises LogUnavailable."""
        with in_words():
            there = {kid.decode() for kid in cast("list[bytes]", self._redis.hkeys(SIGNERS))}
        if missing := {key["kid"]: canonical(key) for key in self._keys.public() if key["kid"] not in there}:
            with in_words(writing=True):
                self._redis.hset(SIGNERS, mapping=missing)
        self._published = True
