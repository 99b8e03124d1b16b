"""The addresses that go into mails."""

from __future__ import annotations

from infra.seals.tokens import Token, Tokens


class Links:
    """Makes the links of one site."""

    def __init__(self, tokens: Tokens, url: str) -> None:
        self._tokens, self._url = tokens, url

    def link(self, token: Token) -> str:
        """Where a token leads."""
        return f"{self._url}/m/{self._tokens.seal(token)}"

    def history(self, token: Token) -> str:
        """The history of the match that a token leads to, in an address as short as those of all links."""
        return f"{self._url}/h/{self._tokens.seal(token)}"

    def settings(self) -> str:
        """Where a player says how much mail they want, and finds the address of their calendar; whoever is not signed in is asked to."""
        return f"{self._url}/me/settings"

    def verify(self) -> str:
        """Where anybody checks a history."""
        return f"{self._url}/verify"

    def mine(self) -> str:
        """Where a player's matches are, for whoever is signed in."""
        return f"{self._url}/me"

    def unsubscription(self, token: Token) -> str:
        """Where mails are stopped."""
        return f"{self._url}/u/{self._tokens.seal(token)}"

    def guide(self, game: str) -> str:
        """How to play, for everybody."""
        return f"{self._url}/games/{game}"
