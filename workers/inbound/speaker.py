"""Whom a reply speaks for: by the address it came to or the mails it answers; and whether it came from the address we know."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from domain.desk import Sight
from domain.game import Record, Seat
from domain.match.match import Ask, Match
from domain.match.refusal import Refused
from infra.ids import is_match_id
from infra.mail.mailbox import Envelope
from infra.outbox import Notice
from infra.people.players import Player
from infra.people.spelling import Misspelled, address, same_box
from infra.seals.links import OUT_OF_TURN, RESIGNING
from infra.seals.tokens import LENGTH, Token
from infra.wiring import Site
from workers.inbound.opening import Opened
from workers.letters.envelope import Addresses

TOKEN: Final = re.compile(rf"\br\+([0-9a-z]{{{LENGTH}}})(?=@)", re.IGNORECASE)
ROOT: Final = re.compile(r"<match\.([0-9]{2}-[0-9a-z]{10})\.[0-9a-z]{19}@[^<>\s]{1,200}>")
BOXES: Final = ("x-gm-original-to", "x-original-to", "delivered-to", "envelope-to", "x-envelope-to", "to", "cc")
MOST: Final = 50  # addresses, or ids of mails, that are tried
RECENT: Final = 400  # versions of a match among which the mail that is answered is looked for
QUOTED_TEXT: Final = re.compile(r'"(?:[^"\\]|\\.){0,500}"')
REMARK: Final = re.compile(r"\([^()]{0,500}\)")
DMARC: Final = re.compile(r"\bdmarc\s{0,3}=\s{0,3}([a-z]{1,20})", re.IGNORECASE)


class Speaker(Record, frozen=True):
    """A seat, whoever holds it or is invited to it, and the turn that the answered mail was about, with the ply of the position that it showed.

    `ask` None: it was about no turn, or about one that is over; `about` is the version at which that turn's ask was born. `resigning`: the mail
    asked whether they want to resign.
    """

    sight: Sight
    seat: Seat
    player: Player
    ask: Ask | None
    ply: int
    about: int = 0
    invited: bool = False
    resigning: bool = False

    @property
    def match(self) -> Match:
        """The match as it is."""
        return self.sight.match


class Stray(ValueError):
    """It speaks for nobody; the message says why, for the record."""


def speaker(site: Site, mail: Opened, envelope: Envelope) -> Speaker:
    """Whom the mail speaks for, if it is theirs. Raises Stray and LogUnavailable."""
    for text in islice(_addressed(mail, envelope), MOST):
        token = site.tokens.unseal(text)
        if token is not None and token.purpose == "reply":
            return _by_token(site, token)
    found = _by_thread(site, mail)
    if found is None:
        raise Stray("it came to no address of a seat, and answers no mail of ours")
    return found


def _addressed(mail: Opened, envelope: Envelope) -> Iterator[str]:
    """The tokens in the addresses that the mail came to: first that of the envelope, then those that servers and writers name."""
    for box in (*envelope.to, *(value for name in BOXES for value in mail.all(name))):
        yield from (found[1] for found in TOKEN.finditer(box))


def _by_token(site: Site, token: Token) -> Speaker:
    sight = _look(site, token.subject)
    match, index = sight.match, token.seat_index
    if index is None or index >= len(match.seats):
        raise Stray("its address names no seat")
    seat = match.seats[index]
    chair = match.chair(seat)
    invited = chair.player is None and chair.invited is not None
    player = site.players.get(chair.player or chair.invited or "")
    if player is None or chair.bot is not None:
        raise Stray("nobody holds the seat")
    about_turn, resigning = not token.choice & OUT_OF_TURN, bool(token.choice & RESIGNING)
    if (about_turn and chair.since > token.ask) or (not about_turn and token.ask != chair.since):
        raise Stray("the seat has changed hands since")
    if not about_turn:
        return Speaker(sight, seat, player, None, match.ply, invited=invited, resigning=resigning)
    ask = match.ask(seat)
    if ask is None or ask.version != token.ask or token.expires < site.clock():
        return Speaker(sight, seat, player, None, match.ply, token.ask, resigning=resigning)
    return Speaker(sight, seat, player, ask, ask.ply + token.step, token.ask, resigning=resigning)


def _by_thread(site: Site, mail: Opened) -> Speaker | None:
    """By the ids that the mail answers: the one that all our mails of a match to one player answer, and the one of the very mail."""
    ids = " ".join((*mail.all("in-reply-to"), *mail.all("references")))
    addresses = Addresses(site.keys, site.settings.mail_domain)
    for found in islice(ROOT.finditer(ids), MOST):
        if not is_match_id(found[1]):
            continue
        sight = _look(site, found[1])
        match = sight.match
        for seat, chair in zip(match.seats, match.chairs, strict=True):
            if chair.player is None or chair.bot is not None or addresses.root_id(match.id, chair.player) != found[0]:
                continue
            if (player := site.players.get(chair.player)) is None:
                return None
            ask = next((ask for ask in match.asks if match.chair(ask.seat).player == chair.player), None)
            ply = _seen(site, match, ask, player.id, ids, addresses) if ask else None
            if ask is None or ply is None:
                return Speaker(sight, seat if ask is None else ask.seat, player, None, match.ply)
            return Speaker(sight, ask.seat, player, ask, ply, ask.version)
    return None


def _seen(site: Site, match: Match, ask: Ask, player: str, ids: str, addresses: Addresses) -> int | None:
    """The ply of the position in the mail about a turn that these ids name; None where they name none."""
    found = None
    history = site.desk.events(match)
    for version in range(ask.version, min(match.version, ask.version + RECENT) + 1):
        ply = history[version - 1].ply if version > ask.version else ask.ply
        kinds = ("turn", "reminder") if version == ask.version else ("turn",)
        for kind in kinds:
            if addresses.message_id(Notice(kind, match.id, player, ask.seat, ask.version, ply, version)) in ids:  # type: ignore[arg-type]
                found = ply
    return found


def _look(site: Site, match: str) -> Sight:
    try:
        return site.desk.look(match)
    except Refused as refused:
        raise Stray(refused.words) from refused


def author(mail: Opened) -> str:
    """The one address that the mail is from, as it is compared; empty where it names none, several, or nobody can tell."""
    named = mail.all("from")
    if len(named) != 1:
        return ""
    bare = REMARK.sub(" ", QUOTED_TEXT.sub(" ", named[0]))
    angled = re.findall(r"<([^<>]{1,320})>", bare)
    if len(angled) > 1 or any(sign in (re.sub(r"<[^<>]{1,320}>", "", bare) if angled else bare) for sign in ",;"):
        return ""
    try:
        return same_box(address(angled[0] if angled else bare))
    except Misspelled:
        return ""


def forged(mail: Opened, authserv_id: str) -> bool:
    """Whether our own mail server says that the domain of the address in From disowns the mail. What other servers say is anybody's word."""
    if not authserv_id:
        return False
    for said in mail.all("authentication-results"):
        server, _, rest = said.partition(";")
        if server.split(" ")[0].strip().lower() == authserv_id and any(found[1].lower() == "fail" for found in DMARC.finditer(rest)):
            return True
    return False
