"""What can have happened in a match: facts in the past tense. Class names and fields are the wire format: types are only ever added."""

from __future__ import annotations

from typing import Any, Generic, Literal, TypeAlias, TypeVar

from msgspec import UNSET, UnsetType

from domain.game import Action, Record, Seat

A = TypeVar("A", bound=Action)

Via: TypeAlias = Literal["link", "reply", "web", "api", "jws", "bot", "clock", "caretaker", "server"]
Proposal: TypeAlias = Literal["end", "take-back", "pause"]  # what only all who are in the match can do together


class By(Record, frozen=True):
    """Who did it, and by which way in. Players are named by id only, so that one can be erased without breaking a chain."""

    kind: Literal["seat", "player", "nature", "clock", "server"]
    seat: Seat | UnsetType = UNSET
    player: str | UnsetType = UNSET
    via: Via | UnsetType = UNSET


NATURE = By(kind="nature")
SERVER = By(kind="server")
CLOCK = By(kind="clock", via="clock")


class MatchCreated(Record, frozen=True):
    """The first event; `seats` are the names in order, `invited` the seats kept for somebody."""

    game: str
    edition: int
    options: dict[str, Any]
    settings: dict[str, Any]
    seats: tuple[Seat, ...]
    commitment: str
    invited: dict[Seat, str] | UnsetType = UNSET
    components: str | UnsetType = UNSET  # SHA-256 (hex) of the game's cards, for games that have some


class SeatTaken(Record, frozen=True):
    """Somebody sat down; where seats are given at random, the seat is a chair to wait on until the match starts."""

    seat: Seat
    player: str
    bot: str | UnsetType = UNSET
    entropy: str | UnsetType = UNSET


class SeatLeft(Record, frozen=True):
    """A seat became free again before the start; also an invitation that was declined."""

    seat: Seat


class MatchStarted(Record, frozen=True):
    """The last seat was taken."""


class MatchAborted(Record, frozen=True):
    """The match will not start."""

    reason: str


class ActionTaken(Record, Generic[A], frozen=True):
    """One action; `forced` where nobody chose it, `timeout` where the clock answered for the seat.

    `jws`: the signed move (compact JWS) that it is the first action of; those after it in the same submission are covered by it.
    """

    action: A  # of the match's game
    text: str
    forced: bool
    timeout: bool | UnsetType = UNSET
    nonce: str | UnsetType = UNSET
    jws: str | UnsetType = UNSET


class ChanceDrawn(Record, frozen=True):
    """One chance outcome; `index` is how many single draws the match had made before."""

    kind: str
    outcome: dict[str, Any]
    text: str
    index: int


class TurnTakenBack(Record, frozen=True):
    """The position is again what it was at `to_ply`: by the seat that had played then, or by the server, on which all had agreed."""

    to_ply: int


class OfferMade(Record, frozen=True):
    """Whoever offers agrees. `seconds` is how long a pause is to last."""

    offer: int
    kind: Proposal
    seconds: int | UnsetType = UNSET


class OfferAnswered(Record, frozen=True):
    """A player's answer, for all seats the player holds. One `decline` ends the offer."""

    offer: int
    answer: Literal["accept", "decline"]


class OfferLapsed(Record, frozen=True):
    """Offers die with the position they were made for."""

    offer: int


class ClockChanged(Record, frozen=True):
    """Nobody's time runs before `paused_until` (RFC 3339); what was left of a turn is left then.

    `since`: the time from which on the site was away and nobody's time ran; left out where all had agreed to a pause, which begins at once.
    """

    paused_until: str
    since: str | UnsetType = UNSET


class SeatVacated(Record, frozen=True):
    """A player left with this seat; one event a seat."""

    seat: Seat
    reason: Literal["resignation", "timeout"]


class MatchFinished(Record, frozen=True):
    """`outcome` holds ranks, scores and the reason."""

    outcome: dict[str, Any]


class SeedRevealed(Record, frozen=True):
    """The last event: from the seed (hex) everybody can draw all lots again."""

    seed: str


Fact: TypeAlias = (
    ActionTaken[Any]
    | ChanceDrawn
    | MatchCreated
    | SeatTaken
    | SeatLeft
    | MatchStarted
    | MatchAborted
    | TurnTakenBack
    | OfferMade
    | OfferAnswered
    | OfferLapsed
    | ClockChanged
    | SeatVacated
    | MatchFinished
    | SeedRevealed
)


class Event(Record, frozen=True):
    """A fact, when (ms) it happened, by whom, and the ply after it."""

    at: int
    by: By
    ply: int
    fact: Fact


KINDS: dict[type[Record], str] = {  # type and schema; a schema rises when the shape of its data changes, with an upcaster in codec.py
    MatchCreated: "match.created.1",
    SeatTaken: "seat.taken.1",
    SeatLeft: "seat.left.1",
    MatchStarted: "match.started.1",
    MatchAborted: "match.aborted.1",
    ActionTaken: "action.taken.1",
    ChanceDrawn: "chance.drawn.1",
    TurnTakenBack: "turn.taken-back.1",
    OfferMade: "offer.made.1",
    OfferAnswered: "offer.answered.1",
    OfferLapsed: "offer.lapsed.1",
    ClockChanged: "clock.changed.1",
    SeatVacated: "seat.vacated.1",
    MatchFinished: "match.finished.1",
    SeedRevealed: "seed.revealed.1",
}


def name_of(event: Event) -> str:
    """The event's type without its schema, as it is shown: `action.taken`."""
    return KINDS[type(event.fact)].rpartition(".")[0]
