"""A line of text word by word: which words may come next, so that an action can be composed without listing them all."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from domain.game import Game, Seat


def next_words(game: Game[Any, Any, Any], state: Any, seat: Seat, said: tuple[str, ...] = ()) -> Iterator[tuple[str, bool]]:
    """The words that may follow the whole words `said`, each once and in the order of the legal actions, and whether the line may end with it.

    A word that ends one line and goes on in another is told as the end of a line; asked for with that word said, the others follow.
    Nothing follows words that no legal action begins with. Case does not matter.
    """
    if game.words is not None:
        return game.words(state, seat, said)
    return iter(_found(game, state, seat, tuple(word.casefold() for word in said)).items())


def _found(game: Game[Any, Any, Any], state: Any, seat: Seat, said: tuple[str, ...]) -> dict[str, bool]:
    """Runs through all legal actions, since the last of them may be the one that ends with a word that others go on from."""
    found: dict[str, bool] = {}
    for action in game.legal(state, seat):
        words = game.write(action).split()
        if len(words) > len(said) and tuple(word.casefold() for word in words[: len(said)]) == said:
            word = words[len(said)]
            found[word] = found.get(word, False) or len(words) == len(said) + 1
    return found
