"""Playing: what is possible, what is submitted, what came of it, and what has happened so far."""

from __future__ import annotations

from typing import Annotated, Any, TypedDict

from msgspec import Meta

from domain.match.offers import LONGEST as LONGEST_PAUSE
from domain.match.offers import SHORTEST
from domain.match.reading import LONGEST
from service.schemas.fields import Entropy, Free, Inside, Many, Number, Text, Whole, Yes
from service.schemas.from_types import any_game, ref
from service.schemas.matches import ID, Match
from service.schemas.strict import Asked, OneOf, Told
from service.strict_json import LARGEST

NONCE = "Your part in the chance that follows: any text; it goes into every later draw, and into the public log."


class _Actions(TypedDict):
    seat: Annotated[str, Meta(min_length=1, max_length=40)]
    ply: Annotated[int, Meta(ge=0, le=LARGEST)]
    actions: Annotated[list[Any], Meta(min_length=1, max_length=400)]


class _Lines(TypedDict):
    seat: Annotated[str, Meta(min_length=1, max_length=40)]
    ply: Annotated[int, Meta(ge=0, le=LARGEST)]
    text: Annotated[str, Meta(min_length=1, max_length=LONGEST)]


class ActionsSubmission(Asked):
    """Actions as JSON."""

    sure = _Actions
    seat = Text("Your seat.", "south", longest=40, required=True)
    ply = Whole("The `ply` of the position that you decided in.", 9, most=LARGEST, required=True)
    actions = Many(
        Free("An action of the match's game.", any_game("Action"), allow_none=True),
        "In order; all are done or none.",
        least=1,
        most=400,
        required=True,
    )
    nonce = Entropy(NONCE)


class TextSubmission(Asked):
    """Actions as lines of text, in the game's notation."""

    sure = _Lines
    seat = Text("Your seat.", "south", longest=40, required=True)
    ply = Whole("The `ply` of the position that you decided in.", 9, most=LARGEST, required=True)
    text = Text(
        "One action a line, or several with `;` between them, each read in the position after those before it.",
        "S1>c2",
        longest=LONGEST,
        required=True,
    )
    nonce = Entropy(NONCE)


SUBMISSION = OneOf(
    "Submission",
    "What a seat decides, as JSON (`actions`) or in words (`text`). It is for one position, which `ply` names, and is done as a whole or not at all.",
    {"actions": ActionsSubmission(), "text": TextSubmission()},
)


class SignedMove(Asked):
    """What is signed: actions as JSON, exactly as the log will show them, and the head that you saw."""

    match = Text("The match's id.", ID, longest=40, required=True)
    seat = Text("Your seat.", "south", longest=40, required=True)
    ply = Whole("The `ply` of the position that you decided in.", 9, most=LARGEST, required=True)
    actions = Many(
        Free("An action of the match's game.", any_game("Action"), allow_none=True),
        "In order; all are done or none.",
        least=1,
        most=400,
        required=True,
    )
    prev = Text(
        "The `hash` of the match's `head` that you saw: of its newest version, or of an older one since which the position is the same.",
        pattern="^[0-9a-f]{64}$",
        like="64 hex digits",
        required=True,
    )
    nonce = Entropy(NONCE)


class Done(Told):
    """What happened, and the match after it."""

    events = Many(Free("", ref("Event")), "The events that this brought, what followed by itself included.", required=True)
    match = Inside(Match(), required=True)


class Foreseen(Told):
    """An event that would happen."""

    type = Text("See `Event`.", "action.taken", required=True)
    schema = Whole("See `Event`.", 1, least=1, required=True)
    ply = Whole("The match's ply after it.", 10, required=True)
    by = Free("", ref("By"), required=True)
    data = Free("As in an `Event` of this type.", {"type": "object", "additionalProperties": True}, required=True)


class Tried(Told):
    """What a submission would do if it were made now. Nothing was done."""

    events = Many(Inside(Foreseen()), "What would happen, up to the first draw of lots.", required=True)
    chance_due = Yes("Whether lots would be drawn next, so that what follows cannot be known.", required=True)
    to_act = Many(
        Text("A seat."), "The seats that the match would wait for; none where lots are drawn first or the match would be over.", required=True
    )


class MySeatAgain(Asked):
    """The seat that takes back the turn it has just taken."""

    seat = Text("Your seat.", "south", longest=40, required=True)


class Resignation(Asked):
    """Leave the match with all your seats."""

    seat = Text("One of your seats, to make sure that this is the match you mean; all your seats leave.", "south", longest=40)


class NewOffer(Asked):
    """Something that all players who are still in the match must agree to."""

    kind = Text(
        "`end`: to end the match as it stands. `take-back`: to take your last turn back, even if others have played since, as long as no "
        "lot was drawn. `pause`: to let the clock stand still; whoever likes may play on meanwhile.",
        "end",
        choices=("end", "take-back", "pause"),
        required=True,
    )
    seconds = Whole("How long a pause lasts, three days where nothing is said; only with `pause`.", 259_200, least=SHORTEST, most=LONGEST_PAUSE)


class OfferReply(Asked):
    """An answer to an offer, for all your seats."""

    answer = Text("When all have accepted, it is done; one `decline` ends the offer.", "accept", choices=("accept", "decline"), required=True)


class LegalQuery(Asked):
    """Which actions to list."""

    seat = Text("The seat. Left out: the seat of yours that is to act, else the first that is.", "south", longest=40)
    type = Text("Only actions of this type.", "advance", longest=40)
    limit = Number("How many actions, or words, at most.", least=1, most=500, load_default=100)
    cursor = Text("Where the page before said that this one begins.", longest=40)
    prefix = Text(
        "The beginning of a line of text, in whole words; empty for its first word. Asks for the words that may follow instead of for actions.",
        "deploy",
    )


class LegalAction(Told):
    """A legal action in both its forms."""

    action = Free("As it is submitted in `actions`.", any_game("Action"), required=True)
    text = Text("As it is submitted in `text`.", "S1>c2", required=True)


class LegalActions(Told):
    """The legal actions of a seat, in the canonical order of the game; none for a seat that is not to act."""

    ply = Whole("The ply to submit them for.", 9, required=True)
    seat = Text("Whose actions they are.", "south", required=True)
    actions = Many(Inside(LegalAction()), "The actions.", required=True)
    next = Text("The `cursor` of the next page; null when there is none.", allow_none=True, required=True)
    cut = Yes("There are more, but too many to go through one by one: narrow them with `prefix`, or try one with `checks`.", required=True)


class Word(Told):
    """A word that may come next."""

    word = Text("The word.", "c1", required=True)
    complete = Yes("Whether the line may end with it. There may be longer lines that go on from it nevertheless.", required=True)


class NextWords(Told):
    """The words that may follow the beginning of a line; none where no legal action begins like that."""

    ply = Whole("The ply to submit the line for.", 9, required=True)
    seat = Text("Whose action it would be.", "south", required=True)
    words = Many(Inside(Word()), "The words, in the order of the legal actions.", required=True)
    next = Text("The `cursor` of the next page; null when there is none.", allow_none=True, required=True)


class HistoryQuery(Asked):
    """Which events."""

    start = Number("The version of the first event.", least=1, most=10_000_000, data_key="from")
    limit = Number("How many events at most; 100 where nothing is said, in NDJSON all.", least=1, most=1_000)


class StreamQuery(Asked):
    """Where to begin."""

    start = Number(
        "The version of the first event to tell; left out, the next that happens. `Last-Event-ID` comes before it.",
        least=1,
        most=10_000_001,
        data_key="from",
    )


class History(Told):
    """Events of a match, in their order."""

    events = Many(Free("", ref("Event")), "The events.", required=True)
    next = Whole("The `from` of the next page; null when this is the last for now.", 101, allow_none=True, required=True)


class PictureQuery(Asked):
    """Which position, and for whom."""

    version = Number("The position after this event; left out, as it is now.", least=1, most=10_000_000)
    seat = Text("The seat for which the board is turned.", "south", longest=40)


SIGNED_MOVE = SignedMove()
DONE, TRIED, TAKE_BACK, RESIGNATION, NEW_OFFER, OFFER_REPLY = Done(), Tried(), MySeatAgain(), Resignation(), NewOffer(), OfferReply()
LEGAL_QUERY, LEGAL_ACTIONS, NEXT_WORDS = LegalQuery(), LegalActions(), NextWords()
HISTORY_QUERY, HISTORY, PICTURE_QUERY, STREAM_QUERY = HistoryQuery(), History(), PictureQuery(), StreamQuery()
