"""A rematch, for pages and API alike: one of each match, whoever asks first and however often."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from domain.desk import Answer, Sight
from domain.match.again import rematch
from domain.match.commands import Actor, CreateMatch, Join
from domain.match.match import Match
from domain.match.refusal import Refused
from infra.ids import bot_player_id, match_id_for
from infra.wiring import Site

TRIES = 20  # rematches of one match, each called off before it began


def play_again(site: Site, match: Match, actor: Actor, entropy: str | UnsetType = UNSET) -> Answer:
    """The rematch of a match: created now, or the one there is, in which whoever asks takes the seat that is kept for them. Raises Refused.

    Its id follows from that of the match before, so two who ask at once meet in one match. One that was called off makes room for the next.
    """
    people = site.players.names(chair.player for chair in match.chairs if chair.player and not chair.bot)
    for number in range(TRIES):
        name = match_id_for(site.settings.partitions, f"rematch of {match.id}", str(number))
        wish = rematch(match, actor, lambda index, name=name: bot_player_id(name, index), people, entropy)  # type: ignore[misc]
        sight = _created(site, name, wish)
        if isinstance(sight, Answer):
            return sight
        if sight.match.status == "aborted":
            continue
        if sight.match.status == "waiting" and any(chair.invited == actor.player and chair.player is None for chair in sight.match.chairs):
            return site.desk.do(name, Join(actor, entropy=entropy))
        return Answer((), sight, replayed=True)
    raise Refused("busy", "every rematch of this match was called off; start a new match instead")


def _created(site: Site, name: str, wish: CreateMatch) -> Answer | Sight:
    """The match as it was created now, or as it stands if there is one of this name."""
    try:
        return site.desk.look(name)
    except Refused as refused:
        if refused.kind != "no-such-match":
            raise
    try:
        return site.desk.do(name, wish)
    except Refused:
        return site.desk.look(name)
