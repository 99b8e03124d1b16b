"""Commands into events: here all checks are made, and whoever is refused is told why in words."""

from __future__ import annotations

from typing import assert_never

from domain.match import lobby, offers, outage, play
from domain.match.commands import Answer, CallOff, Command, CreateMatch, Fill, Join, Leave, MakeUp, Offer, Resign, Submit, TakeBack, TimeOut
from domain.match.events import Event
from domain.match.match import Match
from domain.match.refusal import Refused
from domain.ports import Lot


def decide(match: Match | None, command: Command, lot: Lot | None, now: int) -> list[Event]:
    """What happens when this is asked of this match at this time (ms); raises Refused.

    The match is None only for one yet to be created; without a lot the command is only checked, as far as no lot decides.
    """
    if isinstance(command, CreateMatch):
        if match is not None:
            raise Refused("invalid-match", "there is a match of this name already")
        assert lot is not None
        return lobby.create(command, lot, now)
    if match is None:
        raise Refused("no-such-match", "there is no such match; look the address up again, or ask who invited you")
    match command:
        case Submit():
            return play.submit(match, command, lot, now)
        case TimeOut():
            return play.time_out(match, lot, now)
        case MakeUp():
            return outage.make_up(match, command, now)
        case TakeBack():
            return play.take_back(match, command, now)
        case Resign():
            return play.resign(match, command, lot, now)
        case Join():
            return lobby.join(match, command, lot, now)
        case Leave():
            return lobby.leave(match, command, lot, now)
        case Fill():
            return lobby.fill(match, command, lot, now)
        case CallOff():
            return lobby.call_off(match, command, lot, now)
        case Offer():
            return offers.offer(match, command, lot, now)
        case Answer():
            return offers.answer(match, command, lot, now)
        case _ as never:
            assert_never(never)
