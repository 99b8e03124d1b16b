"""A position to show on the start page: the first steps of a match that nobody plays, the same each time."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from itertools import count, islice

from markupsafe import Markup

from domain.bots import choose
from domain.games import GAMES
from service.pages.scene import LOOK, inlined

PLIES = 34  # at least
CHOICES = 3  # at least, so that there is something to decide
SEED = b"forgepost-sample-3"


@cache
def sample(game_id: str) -> Markup:
    """The board of a game after a few plies, as SVG in the style sheet's colours, for the seat that is to play."""
    game = GAMES[game_id]
    numbers = count()

    def pick(n: int) -> int:
        return int.from_bytes(sha256(SEED + next(numbers).to_bytes(4)).digest()) % n

    state, ply = game.setup(game.options(), game.seats[: game.sizes[-1]]), 0
    while game.result(state) is None:
        if game.chance_due(state):
            state = game.apply_chance(state, game.draw(state, pick))
            continue
        seat = game.awaited(state)[0]
        if ply >= PLIES and len(list(islice(game.legal(state, seat), CHOICES))) == CHOICES:
            return inlined(game.svg(state, LOOK, seat, ()))
        state, ply = game.apply(state, seat, choose(game, "random", state, seat, pick)), ply + 1
    return inlined(game.svg(state, LOOK, None, ()))
