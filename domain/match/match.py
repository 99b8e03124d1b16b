"""A match as its events make it: `evolve` believes every event and `fold` is their history."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, TypeAlias, assert_never

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from domain.chain import instant
from domain.clocks import due
from domain.game import Game, Outcome, Record, Seat
from domain.games import EDITIONS
from domain.match import events
from domain.match.codec import Damage, decode
from domain.match.events import Event, Proposal
from domain.match.refusal import Refused
from domain.match.settings import Settings
from domain.match.signed import key_named
from domain.ports import Stored

REMEMBERED = 64  # events: more than follow from most decisions

Status: TypeAlias = Literal["waiting", "live", "over", "aborted"]


class Chair(Record, frozen=True):
    """Who sits in a seat, if anybody; `bot` is the kind of house bot. `since` is the version at which they sat down."""

    player: str | None = None
    bot: str | None = None
    since: int = 0
    invited: str | None = None


class Ask(Record, frozen=True):
    """A seat owes a decision: numbered by the ply at which it came to be awaited, born with an event (`version`), to be answered by `due` (ms)."""

    seat: Seat
    ply: int
    version: int
    asked: int
    due: int


class Mark(Record, frozen=True):
    """The position before a turn that may still be taken back."""

    seat: Seat
    ask: Ask
    ply: int
    state: Any
    at: int


class Pending(Record, frozen=True):
    """An offer on the table and the players who agreed to it."""

    offer: int
    kind: Proposal
    player: str
    agreed: frozenset[str]
    seconds: int = 0  # of a pause


class Match(Record, frozen=True):
    """The aggregate. `state` is the game's and None until the match is live."""

    id: str
    game: Game[Any, Any, Any]
    options: Any
    settings: Settings
    seats: tuple[Seat, ...]
    chairs: tuple[Chair, ...]
    creator: str | None
    created: int
    at: int
    version: int = 0
    status: Status = "waiting"
    ply: int = 0
    state: Any = None
    asks: tuple[Ask, ...] = ()
    vacated: tuple[Seat, ...] = ()  # in the order of leaving
    draws: int = 0
    entropy: bytes = b""  # every piece players gave, each followed by LF
    mark: Mark | None = None  # of the turn that its author may take back without asking
    marks: tuple[Mark, ...] = ()  # of each seat's last turn since the last lot, oldest first: what may be taken back if all agree
    offer: Pending | None = None
    offers: int = 0
    outcome: dict[str, Any] | None = None
    reason: str | None = None  # of an aborted match
    paused_until: int = 0  # ms; before that nobody's time runs
    pens: tuple[tuple[str, str], ...] = ()  # keys that moves were signed with, and whose they are

    @property
    def due(self) -> int | None:
        """The next deadline, ms."""
        return min((ask.due for ask in self.asks), default=None)

    @property
    def last_chance_to_take_back(self) -> int | None:
        """Until when (ms) the turn just taken may be taken back; None where none may."""
        if self.mark is None or self.settings.undo_seconds == 0:
            return None
        return min(self.mark.at + self.settings.undo_seconds * 1000, self.mark.ask.due)

    @property
    def concerned(self) -> frozenset[str]:
        """The players who sit in the match (house bots too), who are invited to it, and who created it."""
        people = {self.creator, *(chair.player for chair in self.chairs), *(chair.invited for chair in self.chairs)}
        return frozenset(player for player in people if player)

    def visible_to(self, player: str) -> bool:
        """Public matches are everybody's to see, private ones their players', those invited and whoever created them."""
        return self.settings.visibility == "public" or player in self.concerned

    def must_have(self, seat: Seat) -> None:
        """Refuse a seat that this match has not."""
        if seat not in self.seats:
            raise Refused("no-such-seat", f"there is no seat {seat!r} in this match; the seats are {', '.join(self.seats)}")

    def chair(self, seat: Seat) -> Chair:
        """Who sits in a seat of this match."""
        return self.chairs[self.seats.index(seat)]

    def seats_of(self, player: str) -> tuple[Seat, ...]:
        """The seats a player holds, also those that were vacated."""
        return tuple(seat for seat, chair in zip(self.seats, self.chairs, strict=True) if chair.player == player)

    def ask(self, seat: Seat) -> Ask | None:
        """What the seat is asked just now, if it is."""
        for ask in self.asks:
            if ask.seat == seat:
                return ask
        return None


_evolved: dict[int, tuple[Match, Event, Match]] = {}  # by an event's identity: a match, what happened, the match after it


def evolve(match: Match, event: Event) -> Match:
    """The match after one more event. No checks, no time, no chance: what happened, happened.

    Deciding evolves what it decides, and whoever writes or believes the decision does so again a moment later: until then that is remembered.
    """
    known = _evolved.pop(id(event), None)
    if known is not None and known[0] is match and known[1] is event:
        return known[2]
    if len(_evolved) >= REMEMBERED:
        _evolved.clear()
    after = _after(match, event)
    _evolved[id(event)] = match, event, after
    return after


def _after(match: Match, event: Event) -> Match:
    fact, version, at = event.fact, match.version + 1, event.at
    game, state = match.game, match.state
    match fact:
        case events.ActionTaken(action=action):
            seat = event.by.seat
            assert seat is not UNSET
            after = game.apply(state, seat, action)
            mark = match.mark if fact.forced or fact.timeout is True else _mark(match, seat, at)
            return replace(
                match,
                version=version,
                at=at,
                ply=event.ply,
                state=after,
                asks=_asks(match, after, version, at, event.ply),
                mark=mark,
                marks=match.marks if mark is match.mark or mark is None else (*(old for old in match.marks if old.seat != seat), mark),
                entropy=match.entropy if fact.nonce is UNSET else match.entropy + f"{fact.nonce}\n".encode(),
                pens=match.pens if fact.jws is UNSET else _pens(match.pens, key_named(fact.jws), event.by.player or ""),
            )
        case events.ChanceDrawn(kind=kind, outcome=outcome):
            if kind == "seats":
                return _seated(replace(match, version=version, at=at), outcome["seats"], version, at)
            drawn = outcome_of(game, kind, outcome)
            after = game.apply_chance(state, drawn)
            draws = match.draws + game.draws(drawn)
            return replace(match, version=version, at=at, state=after, draws=draws, mark=None, marks=(), asks=_asks(match, after, version, at))
        case events.MatchCreated():
            raise Damage(f"version {version} creates the match again")
        case events.SeatTaken(seat=seat, player=player, bot=bot, entropy=entropy):
            match = _sit(match, seat, Chair(player, None if bot is UNSET else bot, version), version, at)
            if match.settings.several_seats is not True:  # who takes another seat than the one kept for them leaves that one to others
                match = replace(match, chairs=tuple(Chair() if chair.invited == player else chair for chair in match.chairs))
            return match if entropy is UNSET else replace(match, entropy=match.entropy + f"{entropy}\n".encode())
        case events.SeatLeft(seat=seat):
            return _sit(match, seat, Chair(), version, at)
        case events.MatchStarted():
            match = replace(match, version=version, at=at, status="live", state=game.setup(match.options, match.seats))
            return match if match.settings.seating == "random" else _begun(match, version, at)
        case events.MatchAborted(reason=reason):
            return replace(match, version=version, at=at, status="aborted", reason=reason)
        case events.TurnTakenBack(to_ply=ply):
            return _taken_back(match, ply, version, at, agreed=event.by.kind == "server")
        case events.OfferMade(offer=number, kind=offered, seconds=seconds):
            offerer = event.by.player
            assert offerer is not UNSET
            pending = Pending(number, offered, offerer, frozenset([offerer]), seconds or 0)
            return replace(match, version=version, at=at, offer=pending, offers=number)
        case events.OfferAnswered(answer=answer):
            return _answered(match, event.by.player, answer, version, at)
        case events.OfferLapsed():
            return replace(match, version=version, at=at, offer=None)
        case events.ClockChanged(paused_until=until, since=since):
            if since is UNSET:
                return _paused(replace(match, offer=None), instant(until), at, version, at)
            return _paused(match, instant(until), instant(since), version, at)
        case events.SeatVacated(seat=seat):
            after = game.vacate(state, seat)
            match = replace(match, vacated=(*match.vacated, seat), mark=None, marks=())
            return replace(match, version=version, at=at, state=after, asks=_asks(match, after, version, at))
        case events.MatchFinished(outcome=result):
            over = game.result(state)  # by the rules, perhaps, at the very moment at which it is ended because players left
            end = state if over and over.reason == result["reason"] else game.close(state, result["reason"])
            return replace(match, version=version, at=at, status="over", state=end, outcome=result, asks=(), mark=None, marks=(), offer=None)
        case events.SeedRevealed():
            return replace(match, version=version, at=at)
        case _ as never:
            assert_never(never)


def outcome_of(game: Game[Any, Any, Any], kind: str, outcome: dict[str, Any]) -> Outcome:
    """A stored outcome as the game's own value."""
    drawn: Outcome = msgspec.convert({**outcome, "kind": kind}, game.outcomes)
    return drawn


def _asks(match: Match, state: Any, version: int, at: int, ply: int | None = None) -> tuple[Ask, ...]:
    """A seat keeps its ask through its own actions, and while nature is at work, until the turn passes."""
    awaited = match.game.awaited(state)
    asks = match.asks
    if not awaited:
        return asks if match.game.chance_due(state) else ()
    if len(asks) == 1 == len(awaited) and asks[0].seat == awaited[0] and awaited[0] not in match.vacated:
        return asks
    standing = {ask.seat: ask for ask in asks}
    ply, until = match.ply if ply is None else ply, due(match.settings.clock, at, match.paused_until)
    return tuple([standing.get(seat) or Ask(seat, ply, version, at, until) for seat in awaited if seat not in match.vacated])


def _mark(match: Match, seat: Seat, at: int) -> Mark:
    """Where the turn of this action began: the mark stays through a turn, as its ask does."""
    ask = match.ask(seat)
    assert ask is not None
    mark = match.mark
    if mark is not None and mark.ask.version == ask.version:
        return replace(mark, at=at)
    return Mark(seat, ask, match.ply, match.state, at)


def _pens(pens: tuple[tuple[str, str], ...], key: str, player: str) -> tuple[tuple[str, str], ...]:
    """With whose key this is, if it is new to the match."""
    return pens if any(known == key for known, _ in pens) else (*pens, (key, player))


def _taken_back(match: Match, ply: int, version: int, at: int, *, agreed: bool) -> Match:
    """The old position with a new ask (the links of the old one are dead), but the old deadline, unless all agreed to go back."""
    mark = next(mark for mark in match.marks if mark.ply == ply)
    until = due(match.settings.clock, at, match.paused_until) if agreed else mark.ask.due
    ask = replace(mark.ask, ply=ply, version=version, asked=at, due=until)
    marks = tuple(old for old in match.marks if old.ply < ply)
    return replace(match, version=version, at=at, ply=ply, state=mark.state, asks=(ask,), mark=None, marks=marks, offer=None)


def _paused(match: Match, until: int, since: int, version: int, at: int) -> Match:
    """Everybody keeps as much time as they had when it began, counted from the end of the pause."""
    longer = until - max(since, match.paused_until)

    def later(mark: Mark) -> Mark:
        return replace(mark, ask=replace(mark.ask, due=mark.ask.due + longer))

    return replace(
        match,
        version=version,
        at=at,
        paused_until=until,
        asks=tuple(replace(ask, due=ask.due + longer) for ask in match.asks),
        mark=match.mark and later(match.mark),
        marks=tuple(map(later, match.marks)),
    )


def _sit(match: Match, seat: Seat, chair: Chair, version: int, at: int) -> Match:
    """One seat with somebody else in it, or nobody."""
    chairs = tuple(chair if name == seat else old for name, old in zip(match.seats, match.chairs, strict=True))
    return replace(match, version=version, at=at, chairs=chairs)


def _seated(match: Match, drawn: dict[Seat, str], version: int, at: int) -> Match:
    """The seats as the lot gave them; nobody is asked before."""
    known = {chair.player: chair for chair in match.chairs}
    chairs = tuple(replace(known[drawn[seat]], since=version) for seat in match.seats)
    return _begun(replace(match, chairs=chairs, draws=match.draws + len(match.seats)), version, at)


def _begun(match: Match, version: int, at: int) -> Match:
    """Everybody sits where they will: the rules are told which seats are one player's, and whoever is to act is asked."""
    players = dict.fromkeys(chair.player or "" for chair in match.chairs)
    state = match.game.seated(match.state, tuple(map(match.seats_of, players)))
    return replace(match, state=state, asks=_asks(match, state, version, at))


def _answered(match: Match, player: str | UnsetType, answer: str, version: int, at: int) -> Match:
    """An offer with one more agreement, or none left to agree to."""
    pending = match.offer
    assert pending is not None
    assert player is not UNSET
    offer = replace(pending, agreed=pending.agreed | {player}) if answer == "accept" else None
    return replace(match, version=version, at=at, offer=offer)


def begin(match: str, event: Event) -> Match:
    """The match as its first event makes it."""
    fact = event.fact
    if not isinstance(fact, events.MatchCreated):
        raise Damage("the first event does not create a match")
    game = EDITIONS.get((fact.game, fact.edition))
    if game is None:
        raise Damage(f"this server does not know {fact.game} edition {fact.edition}")
    invited = {} if fact.invited is UNSET else fact.invited
    player = event.by.player
    return Match(
        id=match,
        game=game,
        options=msgspec.convert(fact.options, game.options),
        settings=msgspec.convert(fact.settings, Settings),
        seats=fact.seats,
        chairs=tuple(Chair(invited=invited.get(seat)) for seat in fact.seats),
        creator=None if player is UNSET else player,
        created=event.at,
        at=event.at,
        version=1,
    )


def fold(match: str, log: Iterable[Stored], onto: Match | None = None) -> Match | None:
    """The match that stored events make, from the first or onto a match that has seen the earlier ones; None where there are none."""
    for stored in log:
        if stored.version != (1 if onto is None else onto.version + 1):
            raise Damage(f"version {stored.version} stands where version {1 if onto is None else onto.version + 1} belongs")
        try:
            onto = begin(match, decode(None, stored)) if onto is None else _after(onto, decode(onto.game, stored))
        except Damage:
            raise
        except Exception as wrong:  # whatever a damaged event makes the rules stumble over stops this match and no other
            raise Damage(f"version {stored.version} ({stored.kind}) cannot be replayed: {wrong!r}") from wrong
    return onto
