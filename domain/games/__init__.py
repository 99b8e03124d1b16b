"""The games, found by their folders: a game is a folder here whose package holds `GAME`; nothing else lists them."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from domain.game import Game

GAMES: dict[str, Game[Any, Any, Any]] = {
    game.id: game for game in (import_module(f"{__name__}.{found.name}").GAME for found in iter_modules(__path__) if found.ispkg)
}
