"""What a request with an idempotency key brought that is about no match: kept for whoever sends it again."""

from __future__ import annotations

from secrets import token_hex
from typing import Final

from redis import Redis

from domain.game import Record
from domain.match.refusal import Refused
from domain.ports import Key
from infra.redis_log.unavailable import in_words

KEPT: Final = 7 * 86_400  # seconds, as long as the log keeps its own
DOING: Final = 30  # seconds for which nobody else does it; whoever has not done it by then has died

# KEYS 1 the key's hash  ARGV 1 fingerprint of the request  2 a word by lot  3 seconds to keep it  4 seconds for which it is the caller's to do
# Gives whose request it was, its seed, whose it is to do, and what it brought, if it is done.
BEGIN: Final = """
local now = tonumber(redis.call('TIME')[1])
local fp = redis.call('HGET', KEYS[1], 'fp')
if not fp then
  redis.call('HSET', KEYS[1], 'fp', ARGV[1], 'seed', ARGV[2], 'by', ARGV[2], 'until', now + ARGV[4])
  redis.call('EXPIRE', KEYS[1], ARGV[3])
elseif fp == ARGV[1] and now > tonumber(redis.call('HGET', KEYS[1], 'until')) then
  redis.call('HSET', KEYS[1], 'by', ARGV[2], 'until', now + ARGV[4])
end
return redis.call('HMGET', KEYS[1], 'fp', 'seed', 'by', 'brought')
"""


class Begun(Record, frozen=True):
    """A request by its key. `seed` is by lot, and the same however often it is sent; `brought` is None where it is for the caller to do now."""

    seed: str
    brought: str | None = None


class Replies:
    """By whose key it was. Every write may be sent twice. Raises LogUnavailable."""

    def __init__(self, client: Redis) -> None:
        self._redis = client
        self._begin = client.register_script(BEGIN)

    @in_words(writing=True)
    def begin(self, key: Key) -> Begun:
        """What this very request brought, or leave to do it now, and then to `keep` or to `drop` it.

        Raises Refused: key-reused for another request with its key, busy while somebody else is at it.
        """
        word = token_hex(16)
        print_, seed, by, brought = (part and part.decode() for part in self._begin(keys=[_name(key)], args=[key.fingerprint, word, KEPT, DOING]))
        if print_ != key.fingerprint:
            raise Refused("key-reused", "this idempotency key was used for another request; give every request a key of its own")
        if brought is None and by != word:
            raise Refused("busy", "this very request is being done just now; send it again for its answer")
        return Begun(seed, brought)

    @in_words(writing=True)
    def keep(self, key: Key, brought: str) -> None:
        """Remember it."""
        self._redis.hset(_name(key), "brought", brought)

    @in_words(writing=True)
    def leave(self, key: Key) -> None:
        """It could not be done, or nobody knows; whoever sends it again may do it at once, with the same seed."""
        self._redis.hset(_name(key), "until", "0")

    @in_words(writing=True)
    def drop(self, key: Key) -> None:
        """It was refused, and may be asked for again."""
        self._redis.delete(_name(key))


def _name(key: Key) -> str:
    return f"idem:{key.actor}:{key.key}"
