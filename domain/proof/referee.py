"""The referee: may these events follow one another? Asked by somebody who was not there and has only the rules.

Every event was decided by somebody or followed by itself. The referee puts each decision to the match again, as the
command that it must have been, and compares what comes of it with what the log says came next.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from msgspec import UNSET

from domain.chain import canonical, instant
from domain.match import events
from domain.match.commands import (
    Actor,
    Answer,
    CallOff,
    Command,
    CreateMatch,
    Fill,
    House,
    Invite,
    Join,
    Leave,
    MakeUp,
    Offer,
    Open,
    Resign,
    Submit,
    TakeBack,
    TimeOut,
)
from domain.match.decide import decide
from domain.match.events import KINDS, NATURE, Event
from domain.match.lobby import started_if_full
from domain.match.match import Match, begin, evolve, outcome_of
from domain.match.refusal import Refused
from domain.match.settle import settle
from domain.ports import Draws, Lot

SKEW = 4_000  # ms between two servers whose clocks are each up to 2 s off


class Astray(Exception):
    """An event that could not have come then; `seen` is how many before it were in order."""

    def __init__(self, seen: int, words: str) -> None:
        super().__init__(words)
        self.seen, self.words = seen, words


class ShutLot:
    """A lot of which nothing is known but its commitment."""

    def __init__(self, commitment: str) -> None:
        self.commitment = commitment

    def at(self, ply: int, index: int, entropy: bytes) -> Draws:
        """Not to be drawn from."""
        raise NotImplementedError

    def reveal(self) -> str:
        """Not to be opened."""
        raise NotImplementedError


class Referee:
    """Follows the events of one match in order; `match` is how far it got. Where the lot is shut (None), what chance brought is believed."""

    def __init__(self, name: str, log: Sequence[Event], lot: Lot | None) -> None:
        self._name, self._log, self.lot = name, log, lot
        self._seen = 0
        self.match: Match | None = None
        self.chances = 0  # how many were drawn again, or believed
        self.absences: list[tuple[int, int, int]] = []  # version, from and to (ms): where the site says that it was away, and gave the time back

    def follow(self) -> None:
        """From the first event to the last. Raises Astray."""
        self._expect(self._created())
        while (event := self._next) is not None:
            match = self._standing
            if match.status in ("over", "aborted"):
                raise self._astray("the match had ended before it")
            if isinstance(event.fact, events.SeatTaken) and event.fact.player != event.by.player:
                self._expect(self._placed(match, event, event.fact))
            else:
                self._expect(self._decided(match, self._command(match, event), self.lot))
            while self.lot is None and self._goes_on(event.at):
                self._expect(settle(self._standing, None, event.at))

    @property
    def _next(self) -> Event | None:
        return self._log[self._seen] if self._seen < len(self._log) else None

    @property
    def _standing(self) -> Match:
        assert self.match is not None
        return self.match

    def _astray(self, words: str) -> Astray:
        return Astray(self._seen, words)

    def _expect(self, expected: Sequence[Event]) -> None:
        """The next events are exactly these."""
        for event in expected:
            said = self._next
            if said is None:
                raise self._astray(f"the history ends where {_told(event)} belongs")
            if said != event:
                raise self._astray(_difference(said, event))
            self._take(event)

    def _take(self, event: Event) -> None:
        """Believe the next event."""
        if self.match is not None and event.at < self.match.at - SKEW:
            raise self._astray("it is said to have happened before what it follows")
        try:
            self.match = begin(self._name, event) if self.match is None else evolve(self.match, event)
        except Exception as wrong:  # what chance is said to have brought may make the rules stumble over anything
            raise self._astray(f"it cannot be replayed: {wrong}") from wrong
        self.chances += isinstance(event.fact, events.ChanceDrawn)
        self._seen += 1

    # Decisions

    def _created(self) -> list[Event]:
        """The first event, as it comes of the very options, settings and seats that it names."""
        event = self._next
        if event is None or not isinstance(event.fact, events.MatchCreated):
            raise self._astray("the first event does not create a match")
        fact, invited = event.fact, event.fact.invited or {}
        places = tuple(Invite(invited[seat]) if seat in invited else Open() for seat in fact.seats)
        command = CreateMatch(self._actor(event), fact.game, fact.options, fact.settings, places, edition=fact.edition)
        return self._decided(None, command, ShutLot(fact.commitment))

    def _placed(self, match: Match, event: Event, taken: events.SeatTaken) -> list[Event]:
        """A seat that whoever created the match gave to a house bot, at once or later, or to another who was there."""
        first = self._log[0]
        later = event.at != first.at or (taken.seat in match.seats and match.chair(taken.seat).invited is not None)
        if taken.bot is not UNSET and later:
            return self._decided(match, Fill(self._actor(event), taken.seat, House(taken.bot, taken.player)), self.lot)
        if event.by != first.by or event.at != first.at or match.status != "waiting":
            raise self._astray(f"{taken.player} was not the one to take this seat")
        if taken.seat not in match.seats or match.chair(taken.seat).player or match.chair(taken.seat).invited:
            raise self._astray(f"there is no free seat {taken.seat}")
        if taken.bot is not UNSET and taken.bot != "random" and taken.bot not in match.game.bots:
            raise self._astray(f"there is no house bot {taken.bot}")
        if match.seats_of(taken.player) and match.settings.several_seats is not True:
            raise self._astray(f"{taken.player} has a seat already, and the match gives each player one")
        alike = Event(event.at, event.by, 0, events.SeatTaken(taken.seat, taken.player, taken.bot))
        return started_if_full(self._name, [alike], self.lot, event.at, match)

    def _decided(self, match: Match | None, command: Command, lot: Lot | None) -> list[Event]:
        try:
            return decide(match, command, lot, self._log[self._seen].at)
        except Refused as refused:
            raise self._astray(refused.words) from refused

    def _command(self, match: Match, event: Event) -> Command:
        """What somebody must have asked for, when this is what came of it."""
        if isinstance(event.fact, events.OfferLapsed):  # offers die with the position: what killed this one comes next
            event = self._log[self._seen + 1] if self._seen + 1 < len(self._log) else event
        fact = event.fact
        match fact:
            case events.ActionTaken(timeout=True):
                return TimeOut()
            case events.ActionTaken(action=action, nonce=nonce, jws=jws):
                return Submit(self._actor(event), event.by.seat or "", match.ply, (action,), nonce, jws)
            case events.SeatVacated():
                return TimeOut() if event.by.kind == "clock" else Resign(self._actor(event))
            case events.TurnTakenBack():
                return TakeBack(self._actor(event), event.by.seat or "")
            case events.OfferMade(kind=kind, seconds=seconds):
                return Offer(self._actor(event), kind, seconds)
            case events.OfferAnswered(offer=offer, answer=answer):
                return Answer(self._actor(event), offer, answer)
            case events.SeatTaken(seat=seat, entropy=entropy):
                return Join(self._actor(event), seat, entropy)
            case events.ClockChanged(since=str(since)):
                return self._absence(event, since)
            case events.SeatLeft():
                return Leave(self._actor(event))
            case events.MatchAborted():
                return CallOff(self._actor(event))
            case (
                events.MatchCreated()
                | events.MatchStarted()
                | events.ChanceDrawn()
                | events.OfferLapsed()
                | events.ClockChanged()
                | events.MatchFinished()
                | events.SeedRevealed()
            ):
                raise self._astray(f"nothing brought {_told(event)} about")
            case _ as never:
                assert_never(never)

    def _absence(self, event: Event, since: str) -> MakeUp:
        """Believed, and told: whether the site was there, no history can show."""
        try:
            began = instant(since)
        except ValueError as wrong:
            raise self._astray(f"its “since” is no time: {wrong}") from wrong
        self.absences.append((self._seen + 1, began, event.at))
        return MakeUp(began)

    def _actor(self, event: Event) -> Actor:
        """Who decided it; nobody may pass for the server, the clock or a caretaker."""
        player, via = event.by.player, event.by.via
        if player is UNSET or via is UNSET or via in ("caretaker", "clock", "server"):
            raise self._astray(f"nobody decided {_told(event)}, and it does not follow by itself")
        if via == "bot" and not (self.match and any(chair.bot and chair.player == player for chair in self.match.chairs)):
            raise self._astray(f"{player} is no house bot of this match, and is said to have decided as one")
        return Actor(player, via)

    # What follows by itself where the lot is shut

    def _goes_on(self, at: int) -> bool:
        """Believe a chance event if one is due, or the seed if it is over; False when the match comes to rest."""
        match = self._standing
        if match.status in ("over", "aborted"):
            if self._next is None or not isinstance(self._next.fact, events.SeedRevealed):
                raise self._astray("the match has ended, and its seed is not revealed")
            self._take(self._next)
            return False
        seats_due = match.status == "live" and match.settings.seating == "random" and match.draws == 0
        if not seats_due and (match.status == "waiting" or not match.game.chance_due(match.state)):
            return False
        self._believe(match, at, seats_due=seats_due)
        return True

    def _believe(self, match: Match, at: int, *, seats_due: bool) -> None:
        """Chance as it may have been, whatever the lot."""
        event = self._next
        if event is None or not isinstance(event.fact, events.ChanceDrawn):
            raise self._astray("a lot is due before anything else")
        fact = event.fact
        if seats_due:
            seats = fact.outcome.get("seats", {})
            if fact.kind != "seats" or sorted(seats.values()) != sorted(chair.player or "" for chair in match.chairs):
                raise self._astray("the seats are due to be given by lot, to those who sat down")
            text = "* seats " + ", ".join(f"{seat} {seats.get(seat)}" for seat in match.seats)
        else:
            try:
                text = match.game.tell(outcome_of(match.game, fact.kind, fact.outcome))
            except Exception as wrong:
                raise self._astray(f"chance cannot bring this: {wrong}") from wrong
        self._expect([Event(at, NATURE, match.ply, events.ChanceDrawn(fact.kind, fact.outcome, text, match.draws))])


def _told(event: Event) -> str:
    fact = event.fact
    if isinstance(fact, events.ActionTaken | events.ChanceDrawn):
        return f"“{fact.text}”"
    return f"{KINDS[type(fact)].rpartition('.')[0]} {canonical(fact).decode()}"


def _written(value: object) -> str:
    return "left out" if value is UNSET else canonical(value).decode()


def _difference(said: Event, expected: Event) -> str:
    """In what an event is not the one that belongs there."""
    if type(said.fact) is not type(expected.fact):
        return f"{_told(expected)} belongs here, not {_told(said)}"
    for whole, other in ((said, expected), (said.fact, expected.fact)):
        for name in whole.__struct_fields__:
            is_, should = getattr(whole, name), getattr(other, name)
            if name != "fact" and is_ != should:
                return f"its “{name}” should be {_written(should)}, not {_written(is_)}"
    return f"{_told(expected)} belongs here, not {_told(said)}"
