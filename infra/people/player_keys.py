"""The public keys with which players sign their moves. A key's id is the key itself, so that what it signed can be checked for ever, by anybody."""

from __future__ import annotations

from typing import cast

import msgspec
from redis import Redis

from domain.chain import canonical
from domain.game import Record
from domain.ports import Clock
from infra.people.spelling import label
from infra.redis_log.unavailable import in_words
from infra.seals.jws import key_of

MOST = 20  # keys of one player

# Both scripts touch one key each, and bring the same when they are sent twice.
LIST = """
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then return 1 end
if redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[3]) then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
return 1
"""
DISCLAIM = "if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end return 1"


class KeyTaken(ValueError):
    """The key is another player's."""


class TooManyKeys(ValueError):
    """The player has as many keys as one may have."""


class PlayerKey(Record, frozen=True):
    """A public key as its owner named it. `kid` is the `x` of its JWK: 43 characters of base64url. `created` in ms."""

    kid: str
    name: str
    created: int

    @property
    def jwk(self) -> dict[str, str]:
        """The key as a JWK (RFC 8037)."""
        return {"kty": "OKP", "crv": "Ed25519", "x": self.kid}


class _Kept(msgspec.Struct, frozen=True):
    name: str
    created: int


class PlayerKeys:
    """The keys in Redis: a list for each player, and for each key whose it is. Every write may be sent twice. All methods raise LogUnavailable."""

    def __init__(self, client: Redis, clock: Clock) -> None:
        self._redis, self._clock = client, clock
        self._list, self._disclaim = client.register_script(LIST), client.register_script(DISCLAIM)

    @in_words(writing=True)
    def add(self, player: str, x: str, name: str) -> tuple[PlayerKey, bool]:
        """The key, and whether it is new to the player. Raises Malformed for what is no key, Misspelled, KeyTaken and TooManyKeys."""
        key_of(x)
        kept = _Kept(label(name), self._clock())
        if known := self._get(player, x):
            self._claim(player, x)  # heals what was cut off between list and claim
            return known, False
        if self.whose(x) not in (None, player):
            raise KeyTaken(x)
        # Listed first: what is listed and belongs to nobody does no harm, the reverse could not be revoked.
        if not self._list(keys=[_keys(player)], args=[x, canonical(kept), MOST]):
            raise TooManyKeys(player)
        self._claim(player, x)
        return PlayerKey(x, kept.name, kept.created), True

    @in_words()
    def of(self, player: str) -> list[PlayerKey]:
        """The player's keys, oldest first."""
        found = cast("dict[bytes, bytes]", self._redis.hgetall(_keys(player)))
        return sorted((_key(kid, kept) for kid, kept in found.items()), key=lambda key: (key.created, key.kid))

    @in_words()
    def whose(self, kid: str) -> str | None:
        """The player who signs with this key, in one round trip; None where nobody does, or does any more."""
        found = cast("bytes | None", self._redis.get(_owner(kid)))
        return found.decode() if found else None

    @in_words(writing=True)
    def revoke(self, player: str, kid: str) -> bool:
        """From now on no move is taken that this key signed; False if the player has no such key."""
        if self._get(player, kid) is None:
            return False
        self._disclaim(keys=[_owner(kid)], args=[player])
        self._redis.hdel(_keys(player), kid)
        return True

    @in_words(writing=True)
    def forget(self, player: str) -> None:
        """The player is erased, and their keys with them. What they signed stays provable: the moves name the key itself."""
        for key in self.of(player):
            self._disclaim(keys=[_owner(key.kid)], args=[player])
        self._redis.delete(_keys(player))

    def _claim(self, player: str, kid: str) -> None:
        """The key is this player's, unless it became another's in the meantime. Raises KeyTaken."""
        self._redis.set(_owner(kid), player, nx=True)
        if self.whose(kid) not in (None, player):
            self._redis.hdel(_keys(player), kid)
            raise KeyTaken(kid)

    def _get(self, player: str, kid: str) -> PlayerKey | None:
        kept = cast("bytes | None", self._redis.hget(_keys(player), kid))
        return _key(kid.encode(), kept) if kept else None


def _key(kid: bytes, kept: bytes) -> PlayerKey:
    said = msgspec.json.decode(kept, type=_Kept)
    return PlayerKey(kid.decode(), said.name, said.created)


def _keys(player: str) -> str:
    return f"player:{player}:keys"


def _owner(kid: str) -> str:
    return f"movekey:{kid}"
