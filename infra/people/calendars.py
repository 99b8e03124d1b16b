"""The secret address of a player's calendar: which one counts, so that one that has become known can be put out of use."""

from __future__ import annotations

from typing import cast

from redis import Redis

from infra.redis_log.unavailable import in_words
from infra.seals.tokens import EPOCH, UNIT, WIDTHS, Token

FOR_EVER = EPOCH + ((1 << WIDTHS["expiry"]) - 1) * UNIT  # 2104: calendars are asked for years after they were subscribed to
MOST = 1 << WIDTHS["ask"]


class Calendars:
    """How often each player has changed the address. All methods raise LogUnavailable."""

    def __init__(self, client: Redis) -> None:
        self._redis = client

    @in_words()
    def token(self, player: str) -> Token:
        """What stands in the address that counts now."""
        changes = int(cast("bytes | None", self._redis.get(_changes(player))) or 0)
        return Token("feed", player, ask=changes % MOST, expires=FOR_EVER)

    def counts(self, token: Token) -> bool:
        """Whether an address still does."""
        return token.purpose == "feed" and token == self.token(token.subject)

    @in_words(writing=True)
    def change(self, player: str) -> None:
        """Every address from before is out of use."""
        self._redis.incr(_changes(player))

    @in_words(writing=True)
    def forget(self, player: str) -> None:
        """Nothing is known of the player's addresses."""
        self._redis.delete(_changes(player))


def _changes(player: str) -> str:
    return f"player:{player}:calendar"
