"""Who is signed in on the pages: a secret in a cookie, of which only the hash is kept, so that signing out ends it everywhere at once."""

from __future__ import annotations

from hashlib import sha256
from secrets import token_urlsafe
from typing import Final, cast

from redis import Redis

from domain.ports import Clock
from infra.redis_log.unavailable import in_words

LASTS: Final = 90 * 86_400  # seconds from signing in
LONGEST: Final = 64  # characters of a secret that are looked at


class Sessions:
    """Sessions in Redis, which drops them by itself when their time is over. Raises LogUnavailable."""

    def __init__(self, client: Redis, clock: Clock) -> None:
        self._redis, self._clock = client, clock

    @in_words(writing=True)
    def begin(self, player: str) -> str:
        """The secret of a new session."""
        secret = token_urlsafe(32)
        name = _digest(secret)
        self._redis.sadd(_of(player), name)  # listed first, so that none can be left out when all are ended
        self._redis.expire(_of(player), LASTS)
        self._redis.hset(_session(name), mapping={"player": player, "begun": str(self._clock())})
        self._redis.expire(_session(name), LASTS)
        return secret

    @in_words()
    def whose(self, secret: str) -> str | None:
        """The player who is signed in with it; None where nobody is, or not any more."""
        if not secret or len(secret) > LONGEST:
            return None
        held = cast("bytes | None", self._redis.hget(_session(_digest(secret)), "player"))
        return held.decode() if held else None

    @in_words(writing=True)
    def end(self, secret: str) -> None:
        """Sign out here."""
        player = self.whose(secret)
        self._redis.delete(_session(_digest(secret)))
        if player:
            self._redis.srem(_of(player), _digest(secret))

    @in_words(writing=True)
    def end_all(self, player: str) -> None:
        """Sign out everywhere."""
        names = [name.decode() for name in cast("set[bytes]", self._redis.smembers(_of(player)))]
        self._redis.delete(*map(_session, names), _of(player))

    @in_words()
    def begun(self, player: str) -> list[int]:
        """When (ms) each session that still lasts was begun, the newest first."""
        names = cast("set[bytes]", self._redis.smembers(_of(player)))
        with self._redis.pipeline(transaction=False) as pipe:
            for name in names:
                pipe.hget(_session(name.decode()), "begun")
            found = cast("list[bytes | None]", pipe.execute()) if names else []
        return sorted((int(at) for at in found if at), reverse=True)


def proof(secret: str) -> str:
    """What the forms of a session's pages carry, so that no other site can send them (CSRF): nobody can make it who does not know the secret."""
    return sha256(f"forgepost-form-v1\n{secret}".encode()).hexdigest()


def _digest(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()


def _session(name: str) -> str:
    return f"session:{name}"


def _of(player: str) -> str:
    return f"player:{player}:sessions"
