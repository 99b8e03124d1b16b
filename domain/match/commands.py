"""What can be asked of a match, in the imperative."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from msgspec import UNSET, UnsetType

from domain.game import Action, Record, Seat
from domain.match.events import Proposal, Via


class Actor(Record, frozen=True):
    """The player who asks, and by which way in the wish came."""

    player: str
    via: Via


class Hold(Record, frozen=True):
    """A seat for a player who sits down at once."""

    player: str


class Invite(Record, frozen=True):
    """A seat kept for a player who has yet to say yes."""

    player: str


class House(Record, frozen=True):
    """A seat for a house bot, which is a player of its own."""

    bot: str
    player: str


class Open(Record, frozen=True):
    """A seat for whoever comes."""


Place: TypeAlias = Hold | Invite | House | Open


class CreateMatch(Record, frozen=True):
    """Open a match. Options and settings are as they came (JSON); `places` says who sits where, in seat order. Newest edition if none is named."""

    actor: Actor
    game: str
    options: dict[str, Any]
    settings: dict[str, Any]
    places: tuple[Place, ...]
    entropy: str | UnsetType = UNSET
    edition: int | UnsetType = UNSET


class Join(Record, frozen=True):
    """Take a seat: a given one, else the one kept for the player, else the first that is free."""

    actor: Actor
    seat: Seat | None = None
    entropy: str | UnsetType = UNSET


class Leave(Record, frozen=True):
    """Give one's seats back before the start, or decline an invitation."""

    actor: Actor


class Fill(Record, frozen=True):
    """Give a seat that nobody has taken to a house bot, also one that is kept for somebody; for whoever opened the match."""

    actor: Actor
    seat: Seat
    house: House


class CallOff(Record, frozen=True):
    """Call a match off before its start; for whoever opened it."""

    actor: Actor


class Submit(Record, frozen=True):
    """Actions of one seat, in order, all or none, made for the position at `ply`.

    `jws` proves who wants it (a compact JWS), `prev` is the head (hex) that its author saw.
    """

    actor: Actor
    seat: Seat
    ply: int
    actions: tuple[Action, ...]
    nonce: str | UnsetType = UNSET
    jws: str | UnsetType = UNSET
    prev: str | UnsetType = UNSET


class TakeBack(Record, frozen=True):
    """Take back the turn just taken."""

    actor: Actor
    seat: Seat


class Resign(Record, frozen=True):
    """Leave a live match with all seats."""

    actor: Actor


class Offer(Record, frozen=True):
    """Offer to end the match as it stands, to take one's last turn back, or to let the clock stand still for so many seconds."""

    actor: Actor
    kind: Proposal = "end"
    seconds: int | UnsetType = UNSET


class Answer(Record, frozen=True):
    """Answer an offer, for all seats one holds."""

    actor: Actor
    offer: int
    answer: Literal["accept", "decline"]


class TimeOut(Record, frozen=True):
    """Do what becomes of the seats whose time has run out."""


class MakeUp(Record, frozen=True):
    """Give back the time since then (ms), in which the site was away."""

    since: int


Command: TypeAlias = CreateMatch | Join | Leave | Fill | CallOff | Submit | TakeBack | Resign | Offer | Answer | TimeOut | MakeUp
