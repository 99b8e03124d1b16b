"""What a link opens: whose seat it speaks for, and whether it still may."""

from __future__ import annotations

from typing import Literal, TypeAlias

from domain.desk import Sight
from domain.game import Record, Seat
from domain.match.events import MatchCreated
from domain.match.match import Ask, Match
from domain.match.refusal import Refused
from infra.tokens import LENGTH, Token
from service.here import site

Opens: TypeAlias = Literal["move", "view", "resign", "join"]  # what the other purposes are good for is not seen here
Validity: TypeAlias = Literal["holds", "expired", "changed-hands"]


class Opened(Record, frozen=True):
    """A link that is ours: `text` is the token as it stands in addresses, `player` whoever it was mailed to, as far as that can be told."""

    text: str
    token: Token
    purpose: Opens
    sight: Sight
    seat: Seat | None
    player: str | None
    validity: Validity

    @property
    def match(self) -> Match:
        """The match as it is now."""
        return self.sight.match

    @property
    def ask(self) -> Ask | None:
        """The ask that a move link was mailed for, if it still stands."""
        return self.ask_in(self.match)

    def ask_in(self, match: Match) -> Ask | None:
        """The same, if it stands in the match at another moment."""
        ask = match.ask(self.seat) if self.seat and self.purpose == "move" else None
        return ask if ask and ask.version == self.token.ask and self.seat not in match.vacated else None

    def anew(self) -> Opened:
        """The same link with the match as it is by now."""
        return open_link(self.text) or self


def open_link(text: str, *, remembered: bool = False) -> Opened | None:
    """What a token opens; None where it is damaged, not ours, or leads to no match. `remembered`: with the match as it was last seen here."""
    token = site().tokens.unseal(text)
    if token is None or token.purpose not in ("move", "view", "resign", "join"):
        return None
    try:
        sight = site().desk.glance(token.subject) if remembered else site().desk.look(token.subject)
    except Refused as refused:
        if refused.kind == "no-such-match":
            return None
        raise
    match, index = sight.match, token.seat_index
    if index is not None and index >= len(match.seats):
        return None
    seat = None if index is None else match.seats[index]
    player = _invited(match, seat) if token.purpose == "join" else match.chair(seat).player if seat else None
    if player is not None and not remembered and site().players.get(player) is None:
        return None  # whoever was erased has no links
    return Opened(text[:LENGTH], token, token.purpose, sight, seat, player, _validity(token, match, seat))


def _validity(token: Token, match: Match, seat: Seat | None) -> Validity:
    if token.expires < site().clock():
        return "expired"
    if seat is None or token.purpose == "join":
        return "holds"
    since = match.chair(seat).since
    held = since <= token.ask if token.purpose == "move" else since == token.ask
    return "holds" if held else "changed-hands"


def _invited(match: Match, seat: Seat | None) -> str | None:
    """Whom the seat was kept for when the match was opened; the seats may have been drawn by lot since."""
    opened = site().desk.events(match, 1)[0].fact
    return opened.invited.get(seat) if seat and isinstance(opened, MatchCreated) and opened.invited else None
