"""What happened in a match, event by event, in words for one reader: the same in mails, on pages, and wherever else people read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, TypeAlias, assert_never
from unicodedata import bidirectional

from msgspec import UNSET

from domain.chain import instant
from domain.game import Record, Seat
from domain.match import events
from domain.match.events import By, Event, Fact
from domain.match.match import Match, begin, evolve
from domain.times import UTC_ZONE, moment, span

Sort: TypeAlias = Literal["action", "forced", "caretaker", "timeout", "chance", "table", "start", "back", "offer", "left", "end"]

ACTIONS: tuple[Sort, ...] = ("action", "forced", "caretaker", "timeout")
WAYS = {
    "link": "by link",
    "reply": "by reply",
    "web": "on the site",
    "api": "by API",
    "jws": "signed",
    "bot": "house bot",
    "clock": "by the clock",
    "caretaker": "caretaker",
    "server": "",
}
TAGS: dict[Sort, str] = {"chance": "chance", "forced": "forced", "caretaker": "caretaker", "timeout": "time-out"}
LEFT = {"resignation": "resigned and left the match", "timeout": "ran out of time and is out"}
ANSWERED = {"accept": "agreed to it", "decline": "declined it"}


class Told(Record, frozen=True):
    """One event: when (ms), what it was in words, its line of text if it has one (`S1>c2`), whose it was and by which way in.

    The words of an action lead up to its line; those of everything else stand for themselves. `scored`: what it changed in the scores.
    """

    version: int
    at: int
    ply: int
    sort: Sort
    words: str
    line: str
    seat: Seat
    index: int | None  # the seat's place in the game's order, which gives it its colour
    way: str
    scored: str  # `north has 4`

    @property
    def acted(self) -> bool:
        """Whether the line belongs to the words."""
        return self.sort in ACTIONS

    @property
    def tag(self) -> str:
        """What nobody chose says so, and what counts does: `forced; north has 4`."""
        return "; ".join(part for part in (TAGS.get(self.sort, ""), self.scored) if part)


class Cast(Record, frozen=True):
    """Who is who in a match, for one reader: `names` of the players by id, without those of house bots; the `reader` is told as `you`.

    Times are told in the `zone`.
    """

    match: Match
    names: Mapping[str, str]
    reader: str | None = None
    zone: str = UTC_ZONE

    def name(self, player: str | None) -> str:
        """A player's name, whoever reads it: `Ann`, `a house bot`."""
        if player is None:
            return "nobody"
        if any(chair.player == player and chair.bot for chair in self.match.chairs):
            return "a house bot"
        return isolated(self.names.get(player, "a former player"))

    def player(self, player: str | None) -> str:
        """How a player is called here: `you`, `Ann`, `a house bot`."""
        return "you" if player is not None and player == self.reader else self.name(player)

    def seat(self, seat: Seat) -> str:
        """How a seat is called: `South (you)`, `North (Ann)`; without a name where a house bot has it, or nobody."""
        chair = self.match.chair(seat)
        return seat.capitalize() if chair.bot or chair.player is None else f"{seat.capitalize()} ({self.player(chair.player)})"


def tell(happened: Sequence[Event], cast: Cast) -> list[Told]:
    """Every event of a match in words, from its first one on."""
    scored = _scored(happened, cast)
    return [_told(version, event, next(scored), cast) for version, event in enumerate(happened, start=1)]


def named(match: Match) -> list[str]:
    """The players who may have to be named: who sits or is invited, and who opened the match; house bots have no name."""
    people = [match.creator, *(chair.player or chair.invited for chair in match.chairs if chair.bot is None)]
    return list(dict.fromkeys(player for player in people if player))


def anonymous(match: Match, happened: Sequence[Event]) -> Cast:
    """Everybody called by the id that the log has for them: `player p-0123456789`."""
    people = {player for event in happened for player in (event.by.player, getattr(event.fact, "player", UNSET)) if player is not UNSET}
    return Cast(match, {player: f"player {player}" for player in (*people, *named(match))})


def isolated(name: str) -> str:
    """A name as it stands within our words: one that is read from right to left is set apart (FSI, PDI), so that it turns no word around it."""
    return f"\u2068{name}\u2069" if any(bidirectional(sign) in ("R", "AL", "AN") for sign in name) else name


def capital(words: str) -> str:
    """The words as a sentence begins: only the first letter is changed."""
    return words[:1].upper() + words[1:]


def listed(words: Sequence[str]) -> str:
    """One after the other: `North, East and West`."""
    return " and ".join(part for part in (", ".join(words[:-1]), *words[-1:]) if part)


def _scored(happened: Sequence[Event], cast: Cast) -> Iterator[str]:
    """What each event changed in the scores: `north has 4`."""
    match, before = None, dict[Seat, int]()
    for event in happened:
        match = begin(cast.match.id, event) if match is None else evolve(match, event)
        after = {} if match.state is None else match.game.standing(match.state).scores
        yield listed([f"{seat} has {score}" for seat, score in after.items() if before and score != before[seat]])
        before = after


def _told(version: int, event: Event, scored: str, cast: Cast) -> Told:
    fact, by = event.fact, event.by
    sort, words = _words(fact, by, cast)
    text = fact.text if isinstance(fact, events.ActionTaken | events.ChanceDrawn) else ""
    if isinstance(fact, events.ChanceDrawn) and fact.kind == "seats":
        text = ""  # it names players by id, and the words by name
    seat = by.seat or (fact.seat if isinstance(fact, events.SeatVacated) else "")
    index = cast.match.seats.index(seat) if seat else None
    return Told(version, event.at, event.ply, sort, words, text, seat, index, WAYS[by.via] if by.via else "", scored)


def _words(fact: Fact, by: By, cast: Cast) -> tuple[Sort, str]:
    who = capital(cast.player(by.player or None))
    match fact:
        case events.MatchCreated():
            return "table", f"{who} opened a match of {cast.match.game.title}"
        case events.SeatTaken(seat=seat, player=player):
            return "table", f"{capital(cast.player(player))} took {_chair(seat, cast)}"
        case events.SeatLeft(seat=seat):
            return "table", f"{who} gave {_chair(seat, cast)} back"
        case events.MatchStarted():
            return "start", "The last seat was taken and the match began"
        case events.MatchAborted(reason=reason):
            return "end", f"The match was called off: {reason}"
        case events.ChanceDrawn(kind="seats", outcome=outcome):
            return "chance", "Seats by lot: " + ", ".join(f"{seat} for {cast.player(player)}" for seat, player in outcome["seats"].items())
        case events.ChanceDrawn(text=text):
            return "chance", f"By lot: {text.removeprefix('* ')}"
        case events.ActionTaken():
            return _action(fact, by, cast)
        case events.TurnTakenBack():
            went = f"{cast.seat(by.seat)} took the turn back" if by.seat else "By agreement a turn was taken back"
            return "back", f"{went}; the position is the one before it again"
        case events.OfferMade(kind=kind, seconds=seconds):
            return "offer", f"{who} offered {proposal(kind, seconds or 0)}"
        case events.OfferAnswered(answer=answer):
            return "offer", f"{who} {ANSWERED[answer]}"
        case events.OfferLapsed():
            return "offer", "The offer lapsed, because the match went on"
        case events.ClockChanged(paused_until=until, since=str(since)):
            away = f"The site had been away since {moment(instant(since), UTC_ZONE)}"
            return "offer", f"{away}, so nobody's time ran, nor does it before {moment(instant(until), UTC_ZONE)}"
        case events.ClockChanged(paused_until=until):
            return "offer", f"By agreement the clock stands still until {moment(instant(until), cast.zone)}"
        case events.SeatVacated(seat=seat, reason=reason):
            return "left", f"{cast.seat(seat)} {LEFT[reason]}"
        case events.MatchFinished(outcome=outcome):
            return "end", f"The match ended ({outcome['reason'].replace('-', ' ')}): {_placing(outcome, cast)}"
        case events.SeedRevealed():
            return "end", "The seed of all lots was revealed, so that every draw can be checked"
        case _ as never:
            assert_never(never)


def proposal(kind: events.Proposal, seconds: int) -> str:
    """What an offer is about: `to end the match as it stands`."""
    match kind:
        case "end":
            return "to end the match as it stands"
        case "take-back":
            return "to take their last turn back"
        case "pause":
            return f"to let the clock stand still for {span(seconds * 1000)}"
        case _ as never:
            assert_never(never)


def _action(taken: events.ActionTaken[Any], by: By, cast: Cast) -> tuple[Sort, str]:
    """Without the line itself, which is shown as what it is."""
    seat = cast.seat(by.seat or "")
    if by.via == "caretaker":
        return "caretaker", f"The caretaker of {by.seat} played"
    if taken.timeout is True:
        return "timeout", f"{seat} ran out of time, and the clock answered"
    if taken.forced:
        return "forced", f"{seat} had no choice but"
    return "action", f"{seat} played"


def _placing(outcome: Mapping[str, Any], cast: Cast) -> str:
    """The ranks of a finished match: `1. South (you); 2. East and West (Bo)`."""
    ranks: dict[int, list[str]] = {}
    for seat, rank in sorted(outcome["ranks"].items(), key=lambda placed: placed[1]):
        ranks.setdefault(rank, []).append(cast.seat(seat))
    return "; ".join(f"{rank}. {listed(seats)}" for rank, seats in ranks.items())


def _chair(seat: Seat, cast: Cast) -> str:
    return "a chair" if cast.match.settings.seating == "random" else f"the seat {seat}"
