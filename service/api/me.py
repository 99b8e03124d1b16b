"""Whose token it is."""

from __future__ import annotations

from service.api.blueprints import api
from service.api.showing import PRIVATE
from service.operations import JSON, Call, Gives, Operation, Reply, operation
from service.problems import Problem
from service.schemas.site import ME


@operation(api, Operation(method="GET", rule="/me", tag="me", scope="player:read", gives={200: Gives(about="You.", forms={JSON: ME})}))
def me(call: Call) -> Reply:
    """See who you are: the player whose token it is."""
    player = call.site.players.get(call.player)
    if player is None:
        raise Problem("not-authenticated", "the player of this token is no longer here", headers={"WWW-Authenticate": 'Bearer realm="forgepost"'})
    said = {"id": player.id, "name": player.name, "address": player.address, "confirmed": player.confirmed}
    return Reply(said, headers=PRIVATE)
