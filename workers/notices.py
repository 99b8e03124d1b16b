"""Which notices follow from what has happened in a match, when each is to go out, and which have no cause any more: pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeAlias, assert_never

from domain.game import Record, Seat
from domain.match.events import (
    ClockChanged,
    Event,
    MatchAborted,
    MatchCreated,
    MatchFinished,
    OfferAnswered,
    OfferMade,
    SeatLeft,
    SeatTaken,
    SeatVacated,
    TurnTakenBack,
)
from domain.match.match import Ask, Match
from domain.match.past import chosen, chosen_by
from infra.mail.inbox import Reply
from infra.outbox import Kind, Notice
from infra.people.preferences import MOST_REMINDERS, Preferences, Reminder
from workers.cadence import reminders

PAUSE: Final = 10_000  # ms without an action after which whoever is in the midst of a turn may have gone away

Planned: TypeAlias = tuple[Notice, int]  # and when (ms) it is to go out
Wishes: TypeAlias = Mapping[str, tuple[Reminder, ...]]  # of players who want other reminders than is usual


USUAL: Final = Preferences().reminders


class Following(Record, frozen=True):
    """What is to be told because of some events, and what need not be told any more."""

    scheduled: tuple[Planned, ...]
    withdrawn: tuple[Notice, ...]


def following(before: Match | None, happened: Sequence[Event], after: Match, wishes: Wishes | None = None) -> Following:
    """What follows from the events (at least one) that led from `before` to `after`; None before a match's first event."""
    gone = [ask for ask in before.asks if ask not in after.asks] if before else []
    asked = list(_asked(before, happened, after, wishes or {}))
    people = {notice.player for notice, _ in asked}
    return Following(
        scheduled=(*asked, *_offered(happened, after), *_told(before, happened, after, people)),
        withdrawn=tuple(notice for ask in gone for notice in _about(after, ask)),
    )


def stands(match: Match, history: Sequence[Event], notice: Notice) -> bool:
    """Whether a notice still has its cause, in the match as it is now; `history` are all its events."""
    kind = notice.kind
    match kind:
        case "turn":
            later = history[notice.version :]
            return _still_asked(match, notice) and not any(chosen_by(event, (notice.seat,)) for event in later)
        case "reminder" | "bot":
            return _still_asked(match, notice)
        case "offer" | "bot-offer":
            made = history[notice.version - 1].fact
            pending = match.offer
            return isinstance(made, OfferMade) and pending is not None and pending.offer == made.offer and notice.player not in pending.agreed
        case "invitation":
            return match.status == "waiting" and notice.player in _invited(match)
        case "turned-down":
            return match.status == "waiting"
        case "vacated" | "declined" | "paused" | "unreachable":
            return match.status == "live"
        case "taken-back":
            return match.status == "live" and not any(match.chair(ask.seat).player == notice.player for ask in match.asks)
        case "given-away":
            return match.status in ("waiting", "live")
        case "over" | "aborted" | "sign-in" | "address" | "moving" | "digest" | "answer" | "webhook-off":
            return True
        case _ as never:
            assert_never(never)


def overtaken(reply: Reply, match: Match, player: str) -> bool:
    """Whether a receipt for what somebody did need not be sent, since another mail tells them how it went on: their next turn, an end, an answer."""
    match reply.receipt:
        case "":
            return False
        case "turn":
            return match.status != "live" or any(match.chair(ask.seat).player == player for ask in match.asks)
        case "offer":
            return match.status != "live" or match.offer is None or match.offer.offer != reply.offer
        case _ as never:
            assert_never(never)


def newly_asked(before: Match | None, after: Match) -> list[str]:
    """The people who are asked for something that they were not asked for before."""
    known = {ask.version for ask in before.asks} if before else set()
    chairs = [after.chair(ask.seat) for ask in after.asks if ask.version not in known]
    return list(dict.fromkeys(chair.player for chair in chairs if chair.player is not None and chair.bot is None))


def _still_asked(match: Match, notice: Notice) -> bool:
    ask = match.ask(notice.seat)
    return ask is not None and ask.version == notice.ask and match.chair(notice.seat).player == notice.player


def _about(match: Match, ask: Ask) -> Iterator[Notice]:
    """The notices that come with an ask: for a person the turn and as many reminders as there can be, for a house bot that it is to play."""
    chair = match.chair(ask.seat)
    if chair.player is not None:
        yield Notice("bot" if chair.bot else "turn", match.id, chair.player, ask.seat, ask.version, ask.ply, ask.version)
        for number in range(MOST_REMINDERS if chair.bot is None else 0):
            yield Notice("reminder", match.id, chair.player, ask.seat, ask.version, ask.ply, ask.version, number)


def _asked(before: Match | None, happened: Sequence[Event], after: Match, wishes: Wishes) -> Iterator[Planned]:
    """Whoever is newly asked; and who has begun a turn and not finished it, once they may have gone away."""
    at, mover = happened[-1].at, _mover(happened)
    pause = 0 if any(event.by.via == "reply" for event in happened) else PAUSE  # who plays by reply has no page that leads on
    first = before.version + 1 if before else 1
    for ask in after.asks:
        chair = after.chair(ask.seat)
        if ask.version >= first:
            told = at if chair.bot is not None else at + pause if ask.seat == mover else _held(after, ask, at)
            times = reminders(wishes.get(chair.player or "", USUAL), ask)
            for notice in _about(after, ask):
                if notice.kind != "reminder":
                    yield notice, told
                elif notice.again < len(times) and times[notice.again] > told:
                    yield notice, times[notice.again]
        elif ask.seat == mover and chair.player is not None and chair.bot is None:
            yield Notice("turn", after.id, chair.player, ask.seat, ask.version, after.ply, after.version), at + pause


def _mover(happened: Sequence[Event]) -> Seat | None:
    """The seat that has just played or taken back, and so has the board before its eyes."""
    return next((event.by.seat or None for event in happened if chosen(event) or isinstance(event.fact, TurnTakenBack)), None)


def _held(match: Match, ask: Ask, at: int) -> int:
    """When a turn is told: once the turn of the person before can no longer be taken back, but with half of the time still to go."""
    mark, until = match.mark, match.last_chance_to_take_back
    if mark is None or until is None:
        return at
    author = match.chair(mark.seat)
    if author.bot is not None or author.player == match.chair(ask.seat).player:
        return at
    return max(at, min(until + 1, ask.asked + (ask.due - ask.asked) // 2))


def _offered(happened: Sequence[Event], after: Match) -> Iterator[Planned]:
    """An offer that is still on the table, to everybody who has not agreed to it."""
    for version, event in enumerate(happened, start=after.version - len(happened) + 1):
        if not isinstance(event.fact, OfferMade) or after.offer is None or after.offer.offer != event.fact.offer:
            continue
        for player, bot in _staying(after).items():
            if player not in after.offer.agreed:
                yield Notice("bot-offer" if bot else "offer", after.id, player, "", 0, event.ply, version), event.at


def _told(before: Match | None, happened: Sequence[Event], after: Match, asked: set[str]) -> Iterator[Planned]:
    """What concerns people who need not act: an invitation, a no, somebody's leaving, the end. Who has just been asked reads it in that mail."""
    facts = [event.fact for event in happened]
    kind: Kind
    if any(isinstance(fact, MatchFinished) for fact in facts):
        kind, players = "over", _people(after)
    elif any(isinstance(fact, MatchAborted) for fact in facts):
        kind, players = "aborted", _people(after) + _invited(after)
    elif any(isinstance(fact, MatchCreated) for fact in facts):
        kind, players = "invitation", _invited(after)
    elif left := {after.chair(fact.seat).player: fact.reason for fact in facts if isinstance(fact, SeatVacated)}:
        staying = [player for player, bot in _staying(after).items() if not bot and player not in asked]
        unaware = [player for player in _people(after) if left.get(player) == "timeout"]
        kind, players = "vacated", staying + unaware
    elif any(isinstance(fact, TurnTakenBack) for fact in facts):
        kind, players = "taken-back", [player for player in _asked_in_vain(before, after, happened[-1].at) if player not in asked]
    elif any(isinstance(fact, ClockChanged) for fact in facts):
        kind, players = "paused", [player for player, bot in _staying(after).items() if not bot]
    elif before and before.offer and any(isinstance(fact, OfferAnswered) and fact.answer == "decline" for fact in facts):
        kind, players = "declined", [before.offer.player]
    elif before and before.creator and any(isinstance(fact, SeatLeft) and before.chair(fact.seat).player is None for fact in facts):
        kind, players = "turned-down", [before.creator]
    elif before and (guests := [before.chair(fact.seat).invited for fact in facts if isinstance(fact, SeatTaken) and fact.bot]):
        kind, players = "given-away", [guest for guest in guests if guest]
    else:
        return
    for player in dict.fromkeys(players):
        yield Notice(kind, after.id, player, "", 0, after.ply, after.version), happened[-1].at


def _asked_in_vain(before: Match | None, after: Match, at: int) -> list[str]:
    """The people who had been told that it is their turn, which it is no more."""
    gone = [ask for ask in before.asks if ask not in after.asks and _held(before, ask, ask.asked) <= at] if before else []
    chairs = [after.chair(ask.seat) for ask in gone]
    return [chair.player for chair in chairs if chair.player is not None and chair.bot is None]


def _staying(match: Match) -> dict[str, bool]:
    """The players who still hold a seat, and whether each is a bot."""
    chairs = zip(match.seats, match.chairs, strict=True)
    return {chair.player: chair.bot is not None for seat, chair in chairs if chair.player is not None and seat not in match.vacated}


def _people(match: Match) -> list[str]:
    """Every person who has sat down, also those who left a seat behind."""
    return [chair.player for chair in match.chairs if chair.player is not None and chair.bot is None]


def _invited(match: Match) -> list[str]:
    """Who is invited and has not answered yet."""
    return [chair.invited for chair in match.chairs if chair.invited is not None and chair.player is None]
