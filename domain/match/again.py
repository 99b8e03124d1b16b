"""The same players once more: what a rematch of a match that is over looks like."""

from __future__ import annotations

from collections.abc import Callable, Collection

import msgspec
from msgspec import UNSET, UnsetType

from domain.match.commands import Actor, CreateMatch, Hold, House, Invite, Open, Place
from domain.match.match import Chair, Match
from domain.match.refusal import Refused


def rematch(match: Match, actor: Actor, bot_player: Callable[[int], str], here: Collection[str], entropy: str | UnsetType = UNSET) -> CreateMatch:
    """The creation of a match with the same game, options, settings and players. Raises Refused.

    Whoever asks sits down, the others are invited (`here`: those there still are; the seat of somebody else is open), house bots come along.
    Where seats are not drawn by lot, everybody moves on by one, so that another player begins.
    """
    if match.status == "aborted":
        raise Refused("not-over", "this match was called off before it began, so there is nothing to play again: create a new one")
    if match.status != "over":
        raise Refused("not-over", "a rematch follows a match that is over; this one is not")
    if not match.seats_of(actor.player):
        raise Refused("not-seated", "a rematch is for those who played; you had no seat in this match")

    def place(index: int, chair: Chair) -> Place:
        if chair.bot is not None:
            return House(chair.bot, bot_player(index))
        if chair.player == actor.player:
            return Hold(actor.player)
        return Invite(chair.player) if chair.player is not None and chair.player in here else Open()

    chairs = match.chairs if match.settings.seating == "random" else (*match.chairs[-1:], *match.chairs[:-1])
    said = msgspec.to_builtins(match.options), msgspec.to_builtins(match.settings)
    return CreateMatch(actor, match.game.id, *said, tuple(place(*seat) for seat in enumerate(chairs)), entropy)
