"""From a match that is over to the next one between the same players."""

from __future__ import annotations

from flask import Response

from domain.match.commands import Actor
from domain.match.refusal import Refused
from infra.rematching import play_again
from infra.seals.links import to_match, to_turn
from service.here import site
from service.pages.frame import go
from service.pages.opening import Opened
from service.pages.playing import match as seen
from service.problems import SORTS


def again(opened: Opened) -> Response:
    """The rematch: to the player's turn there, or to where they see who else has come."""
    player = opened.player or ""
    try:
        match = play_again(site(), opened.match, Actor(player, opened.via)).sight.match
    except Refused as refused:
        return seen.show(opened, SORTS[refused.kind].status, refused=f"There is no rematch: {refused.words}.")
    if opened.via == "web":
        return go("pages.public", match=match.id)
    mine = match.seats_of(player)
    ask = next((ask for ask in match.asks if ask.seat in mine), None)
    token = to_turn(match, ask) if ask else to_match(match, mine[0], site().clock())
    return go("pages.link", token=site().tokens.seal(token))
