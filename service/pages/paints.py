"""The colours of the seats as a style sheet: each game's paints, on light grounds and on dark ones."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import chain

from flask import Response, make_response, request

from domain.games import GAMES
from domain.picture import BY_PLACE
from service.pages.frame import pages


@pages.get("/paints.css")
def paints() -> Response:
    """Custom properties `--seat-0` … for whatever stands in an element of the class `paints-<game>`."""
    made = make_response(style())
    made.mimetype = "text/css"
    made.headers["Cache-Control"] = "no-cache"
    made.add_etag()
    made.make_conditional(request)
    return made


@cache
def style() -> str:
    """The whole style sheet; where no game is, seats are painted by their place."""
    painted = {":root": BY_PLACE} | {f".paints-{game.id}": game.paints for game in GAMES.values()}
    light = (_rule(where, (paint.light for paint in paints)) for where, paints in painted.items())
    dark = (_rule(where, (paint.dark for paint in paints)) for where, paints in painted.items())
    return "\n".join(chain(light, ["@media (prefers-color-scheme: dark) {"], dark, ["}", ""]))


def _rule(where: str, colours: Iterator[str]) -> str:
    return f"{where} {{ {' '.join(f'--seat-{place}: {colour};' for place, colour in enumerate(colours))} }}"
