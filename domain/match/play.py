"""During a match: submitting actions, taking a turn back, resigning, running out of time."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET

from domain.chain import stamp
from domain.game import Seat
from domain.match.commands import Resign, Submit, TakeBack
from domain.match.ending import closing, deserted, outcome
from domain.match.entropy import must_be_a_piece
from domain.match.events import CLOCK, SERVER, ActionTaken, By, Event, OfferLapsed, SeatVacated, TurnTakenBack
from domain.match.match import Match, evolve
from domain.match.refusal import Refused
from domain.match.settle import automatic, settle
from domain.match.signed import key_named
from domain.ports import Lot


def submit(match: Match, command: Submit, lot: Lot | None, now: int) -> list[Event]:
    """The actions of one seat, all or none, and what follows by itself. Refused before any lot is drawn."""
    seat = command.seat
    must_hold(match, seat, command.actor.player)
    must_be_live(match)
    if command.ply != match.ply:
        raise Refused("stale-ply", f"this was made for ply {command.ply}, and the match is at ply {match.ply} now: look at the position again")
    ask = match.ask(seat)
    if ask is None:
        raise Refused("not-your-turn", f"{seat} is not to act now; {_awaited(match)}")
    if now > ask.due:
        raise Refused("deadline-passed", f"the time for this turn ran out at {stamp(ask.due)}", due=ask.due)
    if not command.actions:
        raise Refused("illegal-action", "a submission needs at least one action")
    must_be_a_piece(command.nonce, "illegal-action")
    if command.jws:
        _must_be_own_key(match, command.actor.player, command.jws)
    by = By("seat", seat, command.actor.player, command.actor.via)
    made = _lapsed(match, now)
    after = match
    for event in made:
        after = evolve(after, event)
    for index, action in enumerate(command.actions):
        if index:
            _must_go_on(after, seat, index)
        if objection := after.game.objection(after.state, seat, action):
            raise Refused("illegal-action", objection, action=index)
        nonce, jws = (UNSET, UNSET) if index else (command.nonce, command.jws)
        event = Event(now, by, after.ply + 1, ActionTaken(action, after.game.write(action), forced=False, nonce=nonce, jws=jws))
        made.append(event)
        after = evolve(after, event)
    return made + settle(after, lot, now)


def take_back(match: Match, command: TakeBack, now: int) -> list[Event]:
    """Undo the turn just taken, forced and caretaker actions after it included."""
    must_hold(match, command.seat, command.actor.player)
    must_be_live(match)
    mark, until = match.mark, match.last_chance_to_take_back
    if match.settings.undo_seconds == 0:
        raise Refused("nothing-to-take-back", "in this match no turn can be taken back")
    if mark is None or mark.seat != command.seat or until is None:
        words = "either it has played none yet, or lots were drawn since, or somebody has played or left"
        raise Refused("nothing-to-take-back", f"{command.seat} has no turn to take back: {words}")
    if now > until:
        raise Refused("nothing-to-take-back", f"that turn could be taken back until {stamp(until)}")
    by = By("seat", command.seat, command.actor.player, command.actor.via)
    return [*_lapsed(match, now), Event(now, by, mark.ply, TurnTakenBack(mark.ply))]


def resign(match: Match, command: Resign, lot: Lot | None, now: int) -> list[Event]:
    """Leave with all seats."""
    player = command.actor.player
    must_be_live(match)
    must_be_seated(match, player)
    by = By("player", player=player, via=command.actor.via)
    return _left(match, (player,), "resignation", by, lot, now)


def time_out(match: Match, lot: Lot | None, now: int) -> list[Event]:
    """Seats whose time has run out: an answer that the rules give for them (FF-9), or their players are out."""
    must_be_live(match)
    late = [ask for ask in match.asks if now > ask.due]
    if not late:
        raise Refused("nobody-is-late", "no seat's time has run out")
    seat = late[0].seat
    answer = match.game.lapsed(match.state, seat)
    if answer is None:
        players = dict.fromkeys(match.chair(ask.seat).player or "" for ask in late)
        return _left(match, tuple(players), "timeout", CLOCK, lot, now)
    by = By("seat", seat, match.chair(seat).player or UNSET, "clock")
    taken = ActionTaken(answer, match.game.write(answer), forced=False, timeout=True)
    made = [*_lapsed(match, now), Event(now, by, match.ply + 1, taken)]
    for event in made:
        match = evolve(match, event)
    return made + settle(match, lot, now)


def must_be_live(match: Match) -> None:
    """Refuse what only a running match can take."""
    if match.status == "waiting":
        raise Refused("not-live", "this match has not begun; it starts when its last seat is taken")
    if match.status != "live":
        raise Refused("match-over", "this match is over")


def must_hold(match: Match, seat: Seat, player: str) -> None:
    """Refuse whoever acts for a seat that is not theirs, or is theirs no longer while others play on."""
    match.must_have(seat)
    if match.chair(seat).player != player:
        raise Refused("not-your-seat", f"{seat} is not your seat in this match")
    if seat in match.vacated and match.status == "live":
        raise Refused("not-your-seat", f"{seat} was vacated; others play on without it")


def must_be_seated(match: Match, player: str) -> tuple[Seat, ...]:
    """The seats a player holds and has not left; refuse who has none."""
    mine = tuple(seat for seat in match.seats_of(player) if seat not in match.vacated)
    if not mine:
        raise Refused("not-seated", "you have no seat in this match, or have left it")
    return mine


def _must_be_own_key(match: Match, player: str, jws: str) -> None:
    """Refuse a key with which another player of the match has signed: whose moves they are must be seen from the history alone."""
    key = key_named(jws)
    owner = next((other for known, other in match.pens if known == key), player)
    if owner != player:
        raise Refused("not-your-seat", f"the key {key} has signed for another player in this match: in a match every player signs with their own")


def _must_go_on(match: Match, seat: Seat, index: int) -> None:
    game, state = match.game, match.state
    if game.result(state) is not None:
        why = "the match is over before it"
    elif game.chance_due(state):
        why = "lots are drawn before it"
    elif seat not in game.awaited(state):
        why = f"another seat is to act before it: {', '.join(game.awaited(state))}"
    elif automatic(match) is not None:
        why = "a forced action, which the server makes itself, comes before it (FO-8)"
    else:
        return
    words = f"action {index} (counted from 0) cannot follow at once: {why}. Nothing was done; send the actions before it alone"
    raise Refused("interrupted", words, action=index)


def _left(match: Match, players: tuple[str, ...], reason: Literal["resignation", "timeout"], by: By, lot: Lot | None, now: int) -> list[Event]:
    """Players leave with all their seats, in seat order; if only one player or only bots stay, the match ends as it stands."""
    leaving = [seat for seat in match.seats if match.chair(seat).player in players and seat not in match.vacated]
    made = [*_lapsed(match, now), *(Event(now, by, match.ply, SeatVacated(seat, reason)) for seat in leaving)]
    for event in made:
        match = evolve(match, event)
    if deserted(match):
        return made + closing(match, outcome(match, match.game.standing(match.state), reason), lot, now)
    return made + settle(match, lot, now)


def _lapsed(match: Match, now: int) -> list[Event]:
    return [Event(now, SERVER, match.ply, OfferLapsed(match.offer.offer))] if match.offer else []


def _awaited(match: Match) -> str:
    return f"the match waits for {', '.join(ask.seat for ask in match.asks)}"
