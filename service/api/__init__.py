"""The JSON API, operation by operation; importing it ties each of them to its blueprint."""

from __future__ import annotations

from service.api import (
    catalogue,
    creating,
    figures,
    history,
    keys,
    legal,
    mail,
    matches,
    me,
    pictures,
    play,
    players,
    rematch,
    stream,
    tokens,
    webhooks,
    well_known,
)
from service.blueprints import api, outside

__all__ = [
    "api",
    "catalogue",
    "creating",
    "figures",
    "history",
    "keys",
    "legal",
    "mail",
    "matches",
    "me",
    "outside",
    "pictures",
    "play",
    "players",
    "rematch",
    "stream",
    "tokens",
    "webhooks",
    "well_known",
]
