"""The links into a match, as tokens: whose each is, what it is good for, and for how long."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from domain.game import Seat
from domain.match.match import Ask, Match
from infra.seals.tokens import Purpose, Token

DAY: Final = 86_400_000  # ms
KEPT: Final = 30 * DAY  # a link to a turn opens something helpful for so long after the deadline
SEEN: Final = 400 * DAY  # a link to look at a match, or to what ends it
IN_TIME: Final = 30 * 60_000  # ms in which a link to sign in is to be used
NEXT_DAY: Final = DAY  # the same for a link that proves a new address
MINUTES: Final = 1 << 20  # a token has twenty bits for the minute in which it was asked for
# In the place of a choice of an address for replies, together or alone:
OUT_OF_TURN: Final = 1  # about no turn: where seats are drawn by lot, an ask is born with the event by which its player sits down
RESIGNING: Final = 2  # to the question whether somebody wants to resign, so that a bare yes answers it
STEPS: Final = 255  # so many plies after its ask a turn's link can still name an action: a token has eight bits for them


def to_turn(match: Match, ask: Ask, choice: int = 0) -> Token:
    """Where a seat plays as long as its ask stands; `choice` is 1 + an action's place in the legal list of now, 0 for none."""
    step = min(match.ply - ask.ply, STEPS)
    return Token("move", match.id, match.seats.index(ask.seat), ask.version, step, choice, ask.due + KEPT)


def to_reply(match: Match, ask: Ask, question: int = 0) -> Token:
    """Whom a reply to a turn's mail speaks for, about which ask, and which position its author saw; `question` is RESIGNING or none."""
    step = min(match.ply - ask.ply, STEPS)
    return Token("reply", match.id, match.seats.index(ask.seat), ask.version, step, question, ask.due + KEPT)


def to_reply_out_of_turn(match: Match, seat: Seat, now: int, question: int = 0) -> Token:
    """Whom a reply to any other mail about a match speaks for; `question` as above."""
    return replace(_held("reply", match, seat, now), choice=OUT_OF_TURN | question)


def to_match(match: Match, seat: Seat, now: int) -> Token:
    """Where the player in a seat sees the match."""
    return _held("view", match, seat, now)


def to_ending(match: Match, seat: Seat, now: int) -> Token:
    """Where the player in a seat offers or agrees to end the match, or leaves it, which takes a typed word."""
    return _held("resign", match, seat, now)


def to_invitation(match: Match, seat: Seat, now: int) -> Token:
    """Where whoever a seat is kept for says yes or no."""
    return _held("join", match, seat, now)


def to_unsubscribe(match: Match, seat: Seat, now: int) -> Token:
    """Where whoever holds a seat, or is invited to it, stops the mails about a match."""
    return _held("unsubscribe", match, seat, now)


def to_unsubscribe_all(player: str, now: int) -> Token:
    """Where a player stops all mails."""
    return Token("unsubscribe", player, expires=now + SEEN)


def to_sign_in(player: str, asked: int, now: int) -> Token:
    """Where a player signs in; `asked` is the minute (since 1970) in which somebody asked for it, by which it can be told from others."""
    return Token("sign-in", player, ask=asked % MINUTES, expires=now + IN_TIME)


def to_new_address(player: str, asked: int, now: int) -> Token:
    """Where a player proves that a new address is theirs."""
    return Token("address", player, ask=asked % MINUTES, expires=now + NEXT_DAY)


def _held(purpose: Purpose, match: Match, seat: Seat, now: int) -> Token:
    """Good for the seat as it is held now: it is dead when somebody else sits there."""
    return Token(purpose, match.id, match.seats.index(seat), match.chair(seat).since, expires=now + SEEN)
