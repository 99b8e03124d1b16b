"""The games, found by their folders: a game is a folder here whose package holds `GAME`; nothing else lists them.

Where the rules have changed, `GAME` is the newest edition and `EARLIER` holds those before it, which their matches are played by to the end.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import Any, TypeAlias

from domain.game import Game

Editions: TypeAlias = dict[tuple[str, int], Game[Any, Any, Any]]


def editions(packages: Iterable[ModuleType]) -> Editions:
    """Every edition in these packages, by the game's id and its number."""
    return {(game.id, game.edition): game for package in packages for game in (package.GAME, *getattr(package, "EARLIER", ()))}


_PACKAGES = [import_module(f"{__name__}.{found.name}") for found in iter_modules(__path__) if found.ispkg]

GAMES: dict[str, Game[Any, Any, Any]] = {package.GAME.id: package.GAME for package in _PACKAGES}  # what new matches are played by
EDITIONS = editions(_PACKAGES)  # what any match is played by
