"""The games there are, and how each is played."""

from __future__ import annotations

from functools import cache

from flask import Response, abort
from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup, escape

from domain.games import GAMES
from service.pages.frame import pages, sheet
from service.pages.scene import LOOK, inlined

BOARD = "board:"  # what the address of a picture begins with that the game itself draws


@pages.get("/games", strict_slashes=False)
def games() -> Response:
    """All games."""
    return sheet("games.html", games=sorted(GAMES.values(), key=lambda game: game.title))


@pages.get("/games/<game>", strict_slashes=False)
def guide(game: str) -> Response:
    """One game's guide."""
    if game not in GAMES:
        abort(404, f"There is no game of this name here. There are: {', '.join(sorted(each.title for each in GAMES.values()))}.")
    return sheet("guide.html", game=GAMES[game], guide=rendered(game))


@cache
def rendered(game: str) -> Markup:
    """The guide as HTML, its pictures drawn by the game. HTML of its own in it would be shown as text."""
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    reader.add_render_rule("image", lambda _, tokens, place, _options, _env: _picture(game, tokens[place]))
    return Markup(reader.render(GAMES[game].guide))  # noqa: S704


def _picture(game: str, token: Token) -> str:
    """A position of the game, and below it what there is to see."""
    scene = GAMES[game].scenes[str(token.attrs["src"]).removeprefix(BOARD)]
    board = inlined(GAMES[game].svg(scene.state, LOOK, scene.seat, scene.last))
    return Markup('<span class="scene">{}<span class="caption">{}</span></span>').format(board, escape(token.content))
