"""Ending by agreement: offered by one, and done when every seat that was not vacated has agreed."""

from __future__ import annotations

from domain.match.commands import Answer, Offer
from domain.match.ending import closing, outcome
from domain.match.events import By, Event, OfferAnswered, OfferMade
from domain.match.match import Match, evolve
from domain.match.play import must_be_live, must_be_seated
from domain.match.refusal import Refused
from domain.ports import Lot


def offer(match: Match, command: Offer, lot: Lot | None, now: int) -> list[Event]:
    """Offer to end the match as it stands; whoever holds every seat left agrees with themselves."""
    must_be_live(match)
    must_be_seated(match, command.actor.player)
    if match.offer is not None:
        raise Refused("no-such-offer", f"offer {match.offer.offer} is on the table already: answer it first")
    by = By("player", player=command.actor.player, via=command.actor.via)
    return _agreed(match, Event(now, by, match.ply, OfferMade(match.offers + 1, command.kind)), lot, now)


def answer(match: Match, command: Answer, lot: Lot | None, now: int) -> list[Event]:
    """Accept or decline the offer on the table, once."""
    must_be_live(match)
    must_be_seated(match, command.actor.player)
    pending = match.offer
    if pending is None or pending.offer != command.offer:
        raise Refused("no-such-offer", f"there is no offer {command.offer} to answer; offers end with the position they were made for")
    if command.actor.player in pending.agreed and command.answer == "accept":
        raise Refused("no-such-offer", "you have agreed to this offer already")
    by = By("player", player=command.actor.player, via=command.actor.via)
    return _agreed(match, Event(now, by, match.ply, OfferAnswered(command.offer, command.answer)), lot, now)


def _agreed(match: Match, said: Event, lot: Lot | None, now: int) -> list[Event]:
    match = evolve(match, said)
    staying = {chair.player for seat, chair in zip(match.seats, match.chairs, strict=True) if seat not in match.vacated}
    if match.offer is None or not staying <= match.offer.agreed:
        return [said]
    return [said, *closing(match, outcome(match, match.game.standing(match.state), "agreement"), lot, now)]
