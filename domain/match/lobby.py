"""Before a match: creating it, sitting down, leaving again, and the start when the last seat is taken."""

from __future__ import annotations

from hashlib import sha256
from typing import Any, assert_never

import msgspec

from domain.chain import canonical
from domain.game import Game
from domain.match.agreeing import agreed, no_such_bot
from domain.match.commands import Actor, CallOff, CreateMatch, Fill, Hold, House, Invite, Join, Leave, Open
from domain.match.ending import revealed
from domain.match.entropy import must_be_a_piece
from domain.match.events import (
    NATURE,
    SERVER,
    By,
    ChanceDrawn,
    Event,
    MatchAborted,
    MatchCreated,
    MatchStarted,
    SeatLeft,
    SeatTaken,
)
from domain.match.match import Chair, Match, begin, evolve
from domain.match.refusal import Refused
from domain.match.settle import settle
from domain.ports import Lot


def create(command: CreateMatch, lot: Lot, now: int) -> list[Event]:
    """A new match with whoever sits down at once; it starts by itself when that fills it."""
    game, options, settings = agreed(command)
    seats = game.seats[: len(command.places)]
    created = MatchCreated(
        game=game.id,
        edition=game.edition,
        options=msgspec.to_builtins(options),
        settings=msgspec.to_builtins(settings),
        seats=seats,
        commitment=lot.commitment,
        invited={seat: place.player for seat, place in zip(seats, command.places, strict=True) if isinstance(place, Invite)} or msgspec.UNSET,
        components=card_hash(game),
    )
    by = _by(command.actor)
    made = [Event(now, by, 0, created)]
    entropy = command.entropy
    for seat, place in zip(seats, command.places, strict=True):
        match place:
            case Hold(player=player):
                mine = player == command.actor.player
                made.append(Event(now, by, 0, SeatTaken(seat, player, entropy=entropy if mine else msgspec.UNSET)))
                entropy = msgspec.UNSET if mine else entropy
            case House(bot=bot, player=player):
                made.append(Event(now, by, 0, SeatTaken(seat, player, bot)))
            case Invite() | Open():
                pass
            case _ as never:
                assert_never(never)
    return started_if_full("", made, lot, now)


def join(match: Match, command: Join, lot: Lot | None, now: int) -> list[Event]:
    """Take a seat of a match that waits for players."""
    _must_wait(match)
    must_be_a_piece(command.entropy, "invalid-match")
    player = command.actor.player
    if match.seats_of(player) and match.settings.several_seats is not True:
        raise Refused("seat-taken", "you have a seat in this match already, and it gives each player one")
    kept = next((seat for seat, chair in zip(match.seats, match.chairs, strict=True) if chair.invited == player), None)
    seat = command.seat or kept or next((seat for seat in match.seats if match.chair(seat) == Chair()), None)
    if seat is None:
        raise Refused("seat-taken", "every seat of this match is taken or kept for somebody")
    match.must_have(seat)
    chair = match.chair(seat)
    if chair.player is not None:
        raise Refused("seat-taken", f"{seat} is taken already")
    if chair.invited not in (None, player):
        raise Refused("seat-taken", f"{seat} is kept for somebody who was invited")
    return started_if_full(match.id, [Event(now, _by(command.actor), 0, SeatTaken(seat, player, entropy=command.entropy))], lot, now, match)


def leave(match: Match, command: Leave, lot: Lot | None, now: int) -> list[Event]:
    """Give every seat back that one holds or was kept for one; when the last person gets up, or the last one invited declines, it is called off."""
    _must_wait(match)
    player = command.actor.player
    chairs = zip(match.seats, match.chairs, strict=True)
    mine = [seat for seat, chair in chairs if player in (chair.player, chair.invited)]
    if not mine:
        raise Refused("not-seated", "you have no seat in this match")
    made = [Event(now, _by(command.actor), 0, SeatLeft(seat)) for seat in mine]
    left = match
    for event in made:
        left = evolve(left, event)
    seated = any(chair.player and not chair.bot for chair in left.chairs)
    expected = any(chair.invited for chair in left.chairs) and not match.seats_of(player)
    if not seated and not expected:
        made += [Event(now, SERVER, 0, MatchAborted("everybody left")), *revealed(match, lot, now)]
    return made


def fill(match: Match, command: Fill, lot: Lot | None, now: int) -> list[Event]:
    """A house bot takes a seat that nobody has taken; whoever it was kept for has it no longer."""
    _must_wait(match)
    _must_be_host(match, command.actor)
    _must_be_kept_here(match.game, command.house)
    seat = command.seat
    match.must_have(seat)
    if match.chair(seat).player is not None:
        raise Refused("seat-taken", f"{seat} is taken already")
    return started_if_full(match.id, [Event(now, _by(command.actor), 0, SeatTaken(seat, command.house.player, command.house.bot))], lot, now, match)


def call_off(match: Match, command: CallOff, lot: Lot | None, now: int) -> list[Event]:
    """The match will not be played, whoever sits there already."""
    _must_wait(match)
    _must_be_host(match, command.actor)
    return [Event(now, _by(command.actor), 0, MatchAborted("by whoever opened it")), *revealed(match, lot, now)]


def started_if_full(name: str, made: list[Event], lot: Lot | None, now: int, match: Match | None = None) -> list[Event]:
    """With the last seat taken: the start, the seats by lot if the match wants that, and what follows by itself."""
    for event in made:
        match = begin(name, event) if match is None else evolve(match, event)
    assert match is not None
    if any(chair.player is None for chair in match.chairs):
        return made
    started = [Event(now, SERVER, 0, MatchStarted())]
    match = evolve(match, started[0])
    if match.settings.seating == "random":
        if lot is None:
            return made + started
        started.append(Event(now, NATURE, 0, _seating(match, lot)))
        match = evolve(match, started[-1])
    return made + started + settle(match, lot, now)


def _seating(match: Match, lot: Lot) -> ChanceDrawn:
    """Seat by seat from the players in joining order; who holds several seats stands there once for each."""
    draws = lot.at(0, match.draws, match.entropy)
    waiting = [chair.player for chair in sorted(match.chairs, key=lambda chair: chair.since)]
    drawn = {seat: waiting.pop(draws(len(waiting))) for seat in match.seats}
    told = ", ".join(f"{seat} {player}" for seat, player in drawn.items())
    return ChanceDrawn("seats", {"seats": drawn}, f"* seats {told}", match.draws)


def card_hash(game: Game[Any, Any, Any]) -> str | msgspec.UnsetType:
    """SHA-256 (hex) of the game's cards, for games that have some."""
    return sha256(canonical(game.components)).hexdigest() if game.components else msgspec.UNSET


def _must_wait(match: Match) -> None:
    if match.status in ("over", "aborted"):
        raise Refused("match-over", "this match is over" if match.status == "over" else "this match was called off")
    if match.status != "waiting":
        raise Refused("seat-taken", "this match has started; its seats are given")


def _must_be_host(match: Match, actor: Actor) -> None:
    if actor.player != match.creator:
        raise Refused("not-your-seat", "only whoever opened the match decides about its empty seats, and whether it is called off")


def _must_be_kept_here(game: Game[Any, Any, Any], house: House) -> None:
    if words := no_such_bot(game, house):
        raise Refused("invalid-match", words)


def _by(actor: Actor) -> By:
    return By("player", player=actor.player, via=actor.via)
