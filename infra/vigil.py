"""The vigil over deadlines: until when somebody is known to have been there, so that an absence of the site costs nobody their time."""

from __future__ import annotations

from typing import Any, Final

from redis import Redis

from infra.redis_log.unavailable import in_words

WATCHED: Final = "{ops}:watched"  # ms until which deadlines were watched over; a restore sets it to when its backup was made


class Vigil:
    """All methods raise LogUnavailable."""

    def __init__(self, client: Redis) -> None:
        self._client = client

    def last(self) -> int | None:
        """When (ms) somebody last watched; None where nobody ever has."""
        with in_words():
            said: Any = self._client.get(WATCHED)
        return None if said is None else int(said)

    def keep(self, until: int) -> None:
        """Somebody has watched until then (ms), and time that was lost before was given back."""
        with in_words(writing=True):
            self._client.set(WATCHED, until)
