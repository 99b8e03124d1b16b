"""What a link opens: whose seat it speaks for, and whether it still may."""

from __future__ import annotations

from typing import Literal, TypeAlias, assert_never
from urllib.parse import urlencode

from flask import Response, make_response, redirect, url_for
from markupsafe import Markup
from msgspec.structs import replace

from domain.desk import Sight
from domain.game import Record, Seat
from domain.match.events import MatchCreated, Via
from domain.match.match import Ask, Match
from domain.match.refusal import Refused
from infra.seals.links import to_ending, to_invitation, to_match, to_turn
from infra.seals.tokens import LENGTH, Token
from service.here import site
from service.pages.session import PROOF, form_proof

Opens: TypeAlias = Literal["move", "view", "resign", "join"]  # what the other purposes are good for is not seen here
Validity: TypeAlias = Literal["holds", "expired", "changed-hands"]


class Opened(Record, frozen=True):
    """A link that is ours: `text` is the token as it stands in addresses, `player` whoever it was mailed to, as far as that can be told.

    Or, for whoever is signed in, what such a link would open: `text` is empty then, and the session is the proof.
    """

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

    @property
    def via(self) -> Via:
        """By which way in this is."""
        return "link" if self.text else "web"

    @property
    def home(self) -> str:
        """Where its page is, and where the forms of that page are sent."""
        if self.text:
            return url_for("pages.link", token=self.text)
        match self.purpose:
            case "move":
                return url_for("pages.seat_turn", match=self.match.id, seat=self.seat, ask=self.token.ask)
            case "resign":
                return url_for("pages.seat_ending", match=self.match.id)
            case "join":
                return url_for("pages.seat_invitation", match=self.match.id)
            case "view":
                return url_for("pages.public", match=self.match.id)
            case _ as never:
                assert_never(never)

    @property
    def about(self) -> str:
        """Where the match is seen, with its history and its board below."""
        return self.home if self.text else url_for("pages.public", match=self.match.id)

    @property
    def next(self) -> str:
        """Where a turn just played leads on to the next one."""
        return url_for("pages.link_next", token=self.text) if self.text else f"{self.home}/next"

    @property
    def proof(self) -> Markup:
        """The field by which a form shows that it stood on a page of ours; a link is proof enough."""
        return Markup() if self.text else Markup('<input type="hidden" name="{}" value="{}">').format(PROOF, form_proof())

    def turn(self, ask: Ask) -> str:
        """Where the same player plays another ask."""
        if self.text:
            return url_for("pages.link", token=site().tokens.seal(to_turn(self.match, ask)))
        return url_for("pages.seat_turn", match=self.match.id, seat=ask.seat, ask=ask.version)

    def back(self, **query: str) -> Response:
        """To its own page: the same for whoever clicks twice or goes back."""
        return make_response(redirect(f"{self.home}?{urlencode(query)}" if query else self.home, 303))

    def anew(self) -> Opened:
        """The same with the match as it is by now."""
        if self.text:
            return open_link(self.text) or self
        return replace(self, sight=site().desk.look(self.match.id))


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


def at_table(sight: Sight, player: str) -> Opened | None:
    """What a match has for a player who is signed in: a turn, an invitation, or to look on; None for whoever has nothing to do with it."""
    match = sight.match
    ask = next((ask for ask in match.asks if match.chair(ask.seat).player == player), None)
    if ask is not None:
        return Opened("", to_turn(match, ask), "move", sight, ask.seat, player, "holds")
    invited = at_invitation(sight, player)
    if invited is not None:
        return invited
    held = sorted(match.seats_of(player), key=lambda seat: seat in match.vacated)
    if held:
        return Opened("", to_match(match, held[0], site().clock()), "view", sight, held[0], player, "holds")
    return Opened("", Token("view", match.id), "view", sight, None, player, "holds") if match.creator == player else None


def at_turn(sight: Sight, player: str, seat: Seat, ask: int) -> Opened | None:
    """A turn of a seat that the player holds, whether it still stands or not."""
    match = sight.match
    if seat not in match.seats or match.chair(seat).player != player or not match.chair(seat).since <= ask <= match.version:
        return None
    return Opened("", Token("move", match.id, match.seats.index(seat), ask), "move", sight, seat, player, "holds")


def at_ending(sight: Sight, player: str) -> Opened | None:
    """Where a player offers to end the match, or leaves it."""
    match = sight.match
    held = sorted(match.seats_of(player), key=lambda seat: seat in match.vacated)
    return Opened("", to_ending(match, held[0], site().clock()), "resign", sight, held[0], player, "holds") if held else None


def at_invitation(sight: Sight, player: str) -> Opened | None:
    """Where a player says yes or no, and afterwards what came of it."""
    match = sight.match
    kept = next((seat for seat in match.seats if match.chair(seat).invited == player and match.chair(seat).player is None), None)
    if kept is None or match.status != "waiting":
        return None
    return Opened("", to_invitation(match, kept, site().clock()), "join", sight, kept, player, "holds")


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
