"""Matches: what creates one, how one is shown, and how they are listed."""

from __future__ import annotations

from typing import Any

from marshmallow import ValidationError, validates

from domain.games import GAMES
from infra.ids import PLAYER_ID
from service.schemas.fields import Entropy, Free, Inside, Many, Mapped, Number, Text, Time, Whole, Yes, an_object
from service.schemas.from_types import any_game, ref, titled
from service.schemas.strict import Asked, Either, OneOf, Told

ID, PLAYER = "07-3f9k2m8qtx", "p-8w2k4n6r1z"
STATUSES = ("waiting", "live", "over", "aborted")
ENTROPY = "Your part in the chance of this match: any text; it goes into every draw, and into the public log."
VIEWS = ", ".join(f"`{titled(GAMES[name])}View`" for name in sorted(GAMES))
BEFORE = (
    f"{ENTROPY} It binds us most when you give it after you have seen our `commitment` (the first event of the history): "
    "leave a seat open here, look, and give it when you join."
)


class MySeat(Asked):
    """A seat that you take at once."""

    player = Text("You.", "me", choices=("me",), required=True)


class InvitedSeat(Asked):
    """A seat kept for somebody who gets an invitation by mail."""

    invite = Text("A mail address.", "ann@example.org", longest=254, required=True)


class BotSeat(Asked):
    """A seat for a house bot."""

    bot = Text("One of the game's `bots`.", "random", longest=40, required=True)


class OpenSeat(Asked):
    """A seat for whoever comes."""

    open = Yes("Always true.", only=True, required=True)


PLACE = OneOf(
    "Place",
    "Who a seat is for: `player`, `invite`, `bot` or `open`, exactly one of them.",
    {"player": MySeat(), "invite": InvitedSeat(), "bot": BotSeat(), "open": OpenSeat()},
)


class NewMatch(Asked):
    """A match to be created. It starts by itself when its last seat is taken."""

    game = Text("The game's id.", "fourfold", longest=40, required=True)
    options = Free("Options of the game, each optional.", any_game("Options"), pre_load=an_object, load_default=dict)
    settings = Free("What is agreed on beside the game's options, each optional.", ref("MatchSettings"), pre_load=an_object, load_default=dict)
    seats = Many(
        Either(PLACE), "Who sits where, in the order of the game's seats; as many as the game is played with.", least=1, most=16, required=True
    )
    entropy = Entropy(BEFORE)

    @validates("settings")
    def _names_its_clock(self, settings: dict[str, Any], **_: Any) -> None:
        clock = settings.get("clock")
        if isinstance(clock, dict) and "kind" not in clock:
            raise ValidationError({"clock": {"kind": ["is missing"]}})


class Join(Asked):
    """A seat to take."""

    seat = Text("The seat. Left out: the one kept for you, else the first that is free.", "south", longest=40)
    entropy = Entropy(ENTROPY)


class Rematch(Asked):
    """The same once more."""

    entropy = Entropy(ENTROPY)


class Leave(Asked):
    """Nothing needs to be said."""


class ToAct(Told):
    """A seat that the match waits for."""

    seat = Text("The seat.", "south", required=True)
    ask = Whole("The ply at which the seat came to be asked; it stays through the seat's own actions.", 9, required=True)
    due = Time("Until when.", required=True)


class Chair(Told):
    """A seat of the match. While a match with random seating waits, a seat is a chair to wait on: the lot decides at the start."""

    seat = Text("The seat.", "south", required=True)
    player = Text("Who holds it; null while it is free. A house bot is a player of its own.", PLAYER, allow_none=True, required=True)
    bot = Text("The kind of house bot; null for a person.", "random", allow_none=True, required=True)
    invited = Yes("Kept for somebody who has yet to say yes.", required=True)
    vacated = Yes("Its player has left the match with it.", required=True)


class Head(Told):
    """Where the match's log stands, signed by the site: keep it, and nobody can show you another history later."""

    version = Whole("How many events there are.", 12, least=1, required=True)
    hash = Text("The hash of the last one (SHA-256, hex).", pattern="^[0-9a-f]{64}$", like="64 hex digits", required=True)
    signature = Text("A compact JWS over `hash`, `match` and `version`, by a key of `/.well-known/jwks.json`.", required=True)


class Offer(Told):
    """An offer on the table."""

    offer = Whole("Its number, by which it is answered.", 1, least=1, required=True)
    kind = Text(
        "What is offered: to end the match as it stands, to take a turn back, or to let the clock stand still.",
        "end",
        choices=("end", "take-back", "pause"),
        required=True,
    )
    seconds = Whole("How long a pause would last; null for other offers.", 259_200, allow_none=True, required=True)
    player = Text("Who offered.", PLAYER, required=True)
    agreed = Many(Text("A player."), "Who has agreed so far.", required=True)


class TakeBack(Told):
    """A turn that may still be taken back."""

    seat = Text("Whose turn it was.", "south", required=True)
    until = Time("Until when.", required=True)


class Outcome(Told):
    """How a match ended."""

    ranks = Mapped(Whole("A rank.", 1, least=1), "By seat; 1 is best, equal ranks are shared.", required=True)
    scores = Mapped(Whole("A score.", 4, least=None), "By seat.", required=True)
    reason = Text("Why it ended: one of the game's reasons, `agreement`, `resignation` or `timeout`.", "goals", required=True)


class Match(Told):
    """A match as it stands, or as it was at an earlier version."""

    id = Text("The match's id.", ID, required=True)
    game = Text("The game's id.", "fourfold", required=True)
    edition = Whole("Which edition of the game's rules it is played by.", 1, least=1, required=True)
    options = Free("The game's options, all of them.", any_game("MatchOptions"), required=True)
    settings = Free("What the players agreed on.", ref("MatchSettings"), required=True)
    status = Text("`waiting` for players, `live`, `over`, or `aborted` before it began.", "live", choices=STATUSES, required=True)
    ply = Whole("How many actions there have been; a submission names it.", 9, required=True)
    version = Whole("How many events there have been.", 12, least=1, required=True)
    to_act = Many(Inside(ToAct()), "The seats that the match waits for, usually one.", required=True)
    seats = Many(Inside(Chair()), "All seats, in the game's order.", required=True)
    view = Free(
        f"The position, which each game has in its own shape: {VIEWS}. Its guide shows one under “For programs”. Null before the match is live.",
        {"type": ["object", "null"], "additionalProperties": True, "x-views": {name: ref(f"{titled(GAMES[name])}View") for name in sorted(GAMES)}},
        required=True,
    )
    outcome = Inside(Outcome(), "Null until the match is over.", allow_none=True, required=True)
    offer = Inside(Offer(), "An offer to answer; null when there is none.", allow_none=True, required=True)
    take_back = Inside(
        TakeBack(),
        "A turn that its author may take back; null when there is none. It stays there until something happens, so look at `until`.",
        allow_none=True,
        required=True,
    )
    paused_until = Time("Until when the clock stands still; null unless that was yet to come at `changed_at`.", allow_none=True, required=True)
    created_at = Time("When it was created.", required=True)
    changed_at = Time("When something last happened in it.", required=True)
    head = Inside(Head(), required=True)


class MatchFilter(Asked):
    """Which matches to list."""

    game = Text("Only of this game.", "fourfold", choices=tuple(sorted(GAMES)))
    status = Text("Only in this status.", choices=STATUSES)
    player = Text(
        "Only with this player in a seat, or invited to one; `me` is whose token it is.",
        "me",
        PLAYER,
        pattern=f"^(me|{PLAYER_ID})$",
        like=f"`me`, or the id of a player, as {PLAYER}",
    )
    awaiting = Text("`me`: only those that wait for a decision of yours: an action, or the answer to an invitation.", choices=("me",))
    limit = Number("How many to list at most.", least=1, most=100, load_default=50)
    cursor = Text("Where the page before said that this one begins.", longest=200)


class MatchRow(Told):
    """A match in short."""

    id = Text("The match's id.", ID, required=True)
    game = Text("The game's id.", "fourfold", required=True)
    status = Text("`waiting` for players, `live`, `over`, or `aborted` before it began.", "live", choices=STATUSES, required=True)
    visibility = Text("Who may see it: its players, or everybody.", "public", choices=("private", "public"), required=True)
    ply = Whole("How many actions there have been.", 9, required=True)
    version = Whole("How many events there have been.", 12, least=1, required=True)
    players = Mapped(Text("A player."), "Who holds which seat; free seats are not there.", required=True)
    bots = Many(Text("A seat."), "Which of these seats house bots hold.", required=True)
    awaited = Many(Text("A seat."), "The seats that the match waits for.", required=True)
    invited = Mapped(Text("A player."), "For whom which free seat is kept, until they have answered.", required=True)
    due = Time("The next deadline; null when there is none.", allow_none=True, required=True)
    created_at = Time("When it was created.", required=True)
    changed_at = Time("When something last happened in it.", required=True)


class MatchList(Told):
    """A page of matches, the newest first. The list follows the matches at a short distance: a match just created may not be in it yet."""

    matches = Many(Inside(MatchRow()), "The matches in short, as far as you may see them.", required=True)
    next = Text("The `cursor` of the next page; null when this is the last.", allow_none=True, required=True)


NEW_MATCH, JOIN, LEAVE, REMATCH, MATCH, MATCH_FILTER, MATCH_LIST = NewMatch(), Join(), Leave(), Rematch(), Match(), MatchFilter(), MatchList()
