"""Who asks: bearer tokens and what they allow."""

from __future__ import annotations

from contextlib import suppress
from hashlib import sha256
from typing import cast

from flask import current_app, request

from domain.ports import Clock, LogUnavailable
from infra.people.player_keys import PlayerKeys
from infra.people.players import Grant, Players, Scope
from service.memory import Memory
from service.problems import Problem

NOTED = 60_000  # ms between two notes that a token was used
KEPT = 5_000  # ms that a process takes a token or a key for good without asking again: so long a revoked one may still open something


class Porter:
    """Knows for a few seconds whose a token or key is, so that the usual move needs no second trip to Redis; keeps hashes, no tokens."""

    def __init__(self, players: Players, keys: PlayerKeys, clock: Clock) -> None:
        self._players, self._keys = players, keys
        self._known: Memory[bytes, Grant] = Memory(clock, KEPT)
        self._noted: Memory[bytes, bool] = Memory(clock, NOTED)
        self._signers: Memory[str, str] = Memory(clock, KEPT)

    def grant(self, token: str) -> Grant | None:
        """Whose token this is and what it allows; None if it is none, or not any more. What is refused is asked anew each time."""
        name = sha256(token.encode()).digest()
        if known := self._known.get(name):
            return known
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


def porter() -> Porter:
    """The one of the site at hand."""
    return cast("Porter", current_app.extensions["forgepost-porter"])


def who_asks(scope: Scope, *, optional: bool) -> Grant | None:
    """Whose token came with the request, and what it allows; None where none came and none is needed. Raises Problem."""
    said: str | None = request.environ.get("HTTP_AUTHORIZATION")
    if said is None:
        if optional:
            return None
        raise _unknown("this needs a token: send it as `Authorization: Bearer fp_…`", 'Bearer realm="forgepost"')
    kind, _, token = said.partition(" ")
    if kind.lower() != "bearer":
        raise _unknown("send a token as `Authorization: Bearer fp_…`; there is no other way to sign in here", 'Bearer realm="forgepost"')
    grant = porter().grant(token.strip())
    if grant is None:
        raise _unknown("this token is unknown, expired or revoked", 'Bearer realm="forgepost", error="invalid_token"')
    may(scope, grant.scopes)
    return grant


def may(scope: str, scopes: frozenset[str]) -> None:
    """Go on if the scope is among these. Raises Problem."""
    if scope not in scopes:
        raise Problem(
            "scope-missing",
            f"this token allows {', '.join(sorted(scopes))}, and this needs {scope}",
            headers={"WWW-Authenticate": f'Bearer realm="forgepost", error="insufficient_scope", scope="{scope}"'},
            scope=scope,
        )


def _unknown(words: str, challenge: str) -> Problem:
    return Problem("not-authenticated", words, headers={"WWW-Authenticate": challenge})
