"""The addresses that go into mails: each a token that says whose it is and what it is good for."""

from __future__ import annotations

from typing import Final

from domain.game import Seat
from domain.match.match import Ask, Match
from infra.tokens import Purpose, Token, Tokens

DAY: Final = 86_400_000  # ms
KEPT: Final = 30 * DAY  # a link to a turn opens something helpful for so long after the deadline
SEEN: Final = 400 * DAY  # a link to look at a match


class Links:
    """Makes the links of one site."""

    def __init__(self, tokens: Tokens, url: str) -> None:
        self._tokens, self._url = tokens, url

    def turn(self, match: Match, ask: Ask, choice: int = 0) -> str:
        """Where a seat plays as long as its ask stands; `choice` is 1 + an action's place in the legal list of now, 0 for none."""
        seat = match.seats.index(ask.seat)
        return self._sealed(Token("move", match.id, seat, ask.version, match.ply - ask.ply, choice, ask.due + KEPT))

    def view(self, match: Match, seat: Seat, now: int) -> str:
        """Where the player in a seat sees the match."""
        return self._seated("view", match, seat, now + SEEN)

    def ending(self, match: Match, seat: Seat, now: int) -> str:
        """Where the player in a seat agrees to end the match, or leaves it; no longer than the turn lasts, with which every offer ends."""
        return self._seated("resign", match, seat, match.due or now)

    def join(self, match: Match, seat: Seat, now: int) -> str:
        """Where whoever a seat is kept for says yes or no."""
        return self._seated("join", match, seat, now + SEEN)

    def guide(self, game: str) -> str:
        """How to play, for everybody."""
        return f"{self._url}/games/{game}"

    def _seated(self, purpose: Purpose, match: Match, seat: Seat, expires: int) -> str:
        return self._sealed(Token(purpose, match.id, match.seats.index(seat), match.chair(seat).since, expires=expires))

    def _sealed(self, token: Token) -> str:
        return f"{self._url}/m/{self._tokens.seal(token)}"
