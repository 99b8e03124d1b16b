"""The porter: whose a token or a key is, and remembered for a moment."""

from __future__ import annotations

from contextlib import suppress
from hashlib import sha256

from domain.ports import Clock, LogUnavailable
from infra.people.player_keys import PlayerKeys
from infra.people.players import Grant, Players
from service.memory import Memory

NOTED = 60_000  # ms between two notes that a token was used
KEPT = 5_000  # ms that a process takes a token or a key for good without asking again: so long a revoked one may still open something


class Porter:
    """Knows for a few seconds whose a token or key is, so that the usual move needs no second trip to Redis; keeps hashes, no tokens."""

    def __init__(self, players: Players, keys: PlayerKeys, clock: Clock) -> None:
        self._players, self._keys, self._clock = players, keys, clock
        self._known: Memory[bytes, Grant] = Memory(clock, KEPT)
        self._noted: Memory[bytes, bool] = Memory(clock, NOTED)
        self._signers: Memory[str, str] = Memory(clock, KEPT)

    def grant(self, token: str) -> Grant | None:
        """Whose token this is and what it allows; None if it is none, or not any more. What is refused is asked anew each time."""
        name = sha256(token.encode()).digest()
        if known := self._known.get(name):
            return None if known.over(self._clock()) else known
        found = self._players.authenticate(token)
        if found is not None:
            self._known.keep(name, found)
            self._note(name, token)
        return found

    def forget(self) -> None:
        """Ask anew whose each token and key is: somebody has been erased."""
        self._known.clear()
        self._signers.clear()

    def signer(self, kid: str) -> str | None:
        """The player who signs with this key; None if nobody does, or does any more."""
        if known := self._signers.get(kid):
            return known
        found = self._keys.whose(kid)
        if found is not None:
            self._signers.keep(kid, found)
        return found

    def _note(self, name: bytes, token: str) -> None:
        """Write down now and then that the token is in use; a Redis that takes no writes is no reason to refuse a reader."""
        if not self._noted.get(name):
            with suppress(LogUnavailable):
                self._players.note_use(token)
            self._noted.keep(name, value=True)
