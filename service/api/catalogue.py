"""The games there are, with all that a client has to know to play them."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from typing import Any

import msgspec

from domain.bots import kinds
from domain.game import Game
from domain.games import GAMES
from service.blueprints import api
from service.contract.operations import JSON, Call, Gives, Operation, Reply, operation
from service.problems import Problem
from service.schemas.site import GAME, GAME_LIST


@operation(
    api,
    Operation(
        method="GET",
        rule="/games",
        tag="games",
        gives={200: Gives(about="All games.", forms={JSON: GAME_LIST}, headers=("ETag",)), 304: Gives(about="It is what you have.")},
    ),
)
def list_games(call: Call) -> Reply:
    """List the games, each with the schemas of its options, its actions and its positions."""
    return _kept(call, _list())


@operation(
    api,
    Operation(
        method="GET",
        rule="/games/<game>",
        tag="games",
        gives={200: Gives(about="The game.", forms={JSON: GAME}, headers=("ETag",)), 304: Gives(about="It is what you have.")},
        refuses=("no-such-game",),
    ),
)
def show_game(call: Call) -> Reply:
    """Look at one game: also its components, and its guide."""
    name = call.path["game"]
    if name not in GAMES:
        raise Problem("no-such-game", f"there is no game {name[:40]}; there are {', '.join(sorted(GAMES))}")
    return _kept(call, _game(name))


@cache
def _list() -> bytes:
    return msgspec.json.encode({"games": [_row(GAMES[name]) for name in sorted(GAMES)]})


@cache
def _game(name: str) -> bytes:
    game = GAMES[name]
    return msgspec.json.encode({**_row(game), "components": game.components, "guide": game.guide})


def _row(game: Game[Any, Any, Any]) -> dict[str, Any]:
    return {
        "id": game.id,
        "title": game.title,
        "edition": game.edition,
        "seats": game.seats,
        "sizes": game.sizes,
        "several_seats": game.shareable,
        "bots": kinds(game),
        "options": msgspec.json.schema(game.options),
        "actions": msgspec.json.schema(game.actions),
        "view": msgspec.json.schema(game.views),
    }


def _kept(call: Call, body: bytes) -> Reply:
    """The catalogue changes only with the site's software, so clients may keep it and ask whether it is still the same."""
    etag = sha256(body).hexdigest()[:16]
    headers = {"ETag": f'"{etag}"', "Cache-Control": "public, max-age=300"}
    return Reply(status=304, headers=headers) if call.knows(etag) else Reply(body, headers=headers)
