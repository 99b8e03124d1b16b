"""House bots: `random` for every game, and what a game brings of its own."""

from __future__ import annotations

from typing import Any

from domain.game import Action, Game, Pick, Seat


def kinds(game: Game[Any, Any, Any]) -> tuple[str, ...]:
    """The house bots that play this game."""
    return tuple(sorted({"random", *game.bots}))


def choose(game: Game[Any, Any, Any], bot: str, state: Any, seat: Seat, pick: Pick) -> Action:
    """The action a house bot chooses for an awaited seat; KeyError for a bot that this game has not."""
    if bot in game.bots:
        chosen: Action = game.bots[bot](state, seat, pick)
        return chosen
    if bot != "random":
        raise KeyError(bot)
    legal: list[Action] = list(game.legal(state, seat))
    return legal[pick(len(legal))]
