"""By agreement: ending the match, taking a turn back, letting the clock stand still; done when every seat that was not vacated has agreed."""

from __future__ import annotations

from typing import assert_never

from msgspec import UNSET

from domain.chain import stamp
from domain.match.commands import Answer, Offer
from domain.match.ending import closing, outcome
from domain.match.events import SERVER, By, ClockChanged, Event, OfferAnswered, OfferMade, TurnTakenBack
from domain.match.match import Mark, Match, evolve
from domain.match.play import must_be_live, must_be_seated
from domain.match.refusal import Refused
from domain.ports import Lot

SHORTEST, LONGEST = 3_600, 2_592_000  # seconds of a pause


def offer(match: Match, command: Offer, lot: Lot | None, now: int) -> list[Event]:
    """Offer something that all must agree to; whoever holds every seat left agrees with themselves."""
    must_be_live(match)
    must_be_seated(match, command.actor.player)
    if match.offer is not None:
        first = "you have agreed to it; decline it first" if command.actor.player in match.offer.agreed else "answer it first"
        raise Refused("offer-pending", f"offer {match.offer.offer} is on the table already: {first}")
    _must_make_sense(match, command, now)
    by = By("player", player=command.actor.player, via=command.actor.via)
    return _agreed(match, Event(now, by, match.ply, OfferMade(match.offers + 1, command.kind, command.seconds)), lot, now)


def answer(match: Match, command: Answer, lot: Lot | None, now: int) -> list[Event]:
    """Accept or decline the offer on the table, once."""
    must_be_live(match)
    must_be_seated(match, command.actor.player)
    pending = match.offer
    if pending is None or pending.offer != command.offer:
        raise Refused("no-such-offer", f"there is no offer {command.offer} to answer; offers end with the position they were made for")
    if command.actor.player in pending.agreed and command.answer == "accept":
        raise Refused("offer-pending", "you have agreed to this offer already; it is for the others to answer")
    by = By("player", player=command.actor.player, via=command.actor.via)
    return _agreed(match, Event(now, by, match.ply, OfferAnswered(command.offer, command.answer)), lot, now)


def _must_make_sense(match: Match, command: Offer, now: int) -> None:
    """Refuse an offer that could not be carried out."""
    if command.kind != "pause" and command.seconds is not UNSET:
        raise Refused("invalid-offer", "only a pause takes `seconds`; leave them out")
    match command.kind:
        case "end":
            pass
        case "take-back":
            if _last_turn(match, command.actor.player) is None:
                words = "you have no turn that could be taken back: either you have played none yet, or lots were drawn or somebody left since"
                raise Refused("nothing-to-take-back", words)
        case "pause":
            seconds = command.seconds
            if seconds is UNSET or not SHORTEST <= seconds <= LONGEST:
                raise Refused("invalid-offer", f"a pause takes `seconds` from {SHORTEST} (an hour) to {LONGEST} (thirty days)")
            if now + seconds * 1000 <= match.paused_until:
                raise Refused("invalid-offer", f"the clock stands still until {stamp(match.paused_until)} already; offer a longer pause")
        case _ as never:
            assert_never(never)


def _last_turn(match: Match, player: str) -> Mark | None:
    """The player's last turn since lots were last drawn, with any of their seats."""
    return next((mark for mark in reversed(match.marks) if match.chair(mark.seat).player == player), None)


def _agreed(match: Match, said: Event, lot: Lot | None, now: int) -> list[Event]:
    match = evolve(match, said)
    staying = {chair.player for seat, chair in zip(match.seats, match.chairs, strict=True) if seat not in match.vacated}
    pending = match.offer
    if pending is None or not staying <= pending.agreed:
        return [said]
    match pending.kind:
        case "end":
            return [said, *closing(match, outcome(match, match.game.standing(match.state), "agreement"), lot, now)]
        case "take-back":
            mark = _last_turn(match, pending.player)
            assert mark is not None  # an offer dies with its position
            return [said, Event(now, SERVER, mark.ply, TurnTakenBack(mark.ply))]
        case "pause":
            until = max(match.paused_until, now + pending.seconds * 1000)
            return [said, Event(now, SERVER, match.ply, ClockChanged(stamp(until)))]
        case _ as never:
            assert_never(never)
