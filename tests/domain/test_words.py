"""The next words of a line are the words of the legal actions, no more and no fewer."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from random import Random
from typing import Any

import pytest

from domain.game import Seat
from domain.games import GAMES
from domain.words import next_words
from tests.games.walks import LISTED, listed, walk

FOURFOLD = GAMES["fourfold"]


def speaking(*lines: str) -> Any:
    """Fourfold, if these lines were its legal actions, in this order."""
    return replace(FOURFOLD, legal=lambda _state, _seat: iter(lines), write=lambda line: line)


def test_the_first_words_come_once_each_and_in_the_order_of_the_legal_actions():
    game = speaking("forge O1", "break O1 black", "O1>M1 black", "forge O2")
    assert list(next_words(game, None, "ochre")) == [("forge", False), ("break", False), ("O1>M1", False)]


def test_a_word_that_ends_a_line_is_complete():
    game = speaking("deploy a1", "deploy b1", "pass")
    assert list(next_words(game, None, "south")) == [("deploy", False), ("pass", True)]
    assert list(next_words(game, None, "south", ("deploy",))) == [("a1", True), ("b1", True)]


def test_a_word_that_ends_one_line_and_goes_on_in_another_is_complete_and_has_followers():
    """Whether the shorter line stands first or last in the list."""
    for lines in (("F d4>c5 5", "F d4>c5 5 x c6 3"), ("F d4>c5 5 x c6 3", "F d4>c5 5")):
        game = speaking(*lines)
        assert list(next_words(game, None, "dark", ("F", "d4>c5"))) == [("5", True)]
        assert list(next_words(game, None, "dark", ("F", "d4>c5", "5"))) == [("x", False)]


def test_case_does_not_matter_in_what_was_said():
    assert list(next_words(speaking("forge O2"), None, "ochre", ("FORGE",))) == [("O2", True)]


def test_nothing_follows_what_no_legal_action_begins_with():
    game = speaking("deploy a1")
    assert list(next_words(game, None, "south", ("dep",))) == []
    assert list(next_words(game, None, "south", ("deploy", "a1"))) == []
    assert list(next_words(game, None, "south", ("deploy", "a1", "a1"))) == []


def test_a_game_that_knows_its_words_is_asked_for_them():
    def words(state: Any, seat: Seat, said: tuple[str, ...]) -> Iterator[tuple[str, bool]]:
        yield f"{state}-{seat}-{' '.join(said)}", True

    game = replace(FOURFOLD, words=words)
    assert list(next_words(game, "s", "dark", ("place", "c3"))) == [("s-dark-place c3", True)]


def lines(game: Any, state: Any, seat: Seat, said: tuple[str, ...] = ()) -> Iterator[str]:
    """Every line that can be composed word by word."""
    for word, complete in next_words(game, state, seat, said):
        if complete:
            yield " ".join((*said, word))
        yield from lines(game, state, seat, (*said, word))


@pytest.mark.parametrize("name", GAMES)
def test_word_by_word_every_legal_action_can_be_composed_and_no_other(name: str):
    game = GAMES[name]
    for seed in range(3):
        for step in walk(game, seed, 40).steps:
            if step.seat is None:
                continue
            legal = [game.write(action) for action in listed(game, step.state, step.seat)]
            if len(legal) < LISTED:
                assert sorted(lines(game, step.state, step.seat)) == sorted(legal)
            else:
                for line in islice(lines(game, step.state, step.seat), 20):
                    assert game.objection(step.state, step.seat, game.read(step.state, line)) is None


@pytest.mark.parametrize("name", GAMES)
def test_any_choice_of_words_leads_to_a_legal_action(name: str):
    """Also where the actions are too many to list: whoever takes one word after another ends at an action that may be played."""
    game, chance = GAMES[name], Random(7)
    for step in walk(game, 5, 60).steps:
        if step.seat is None:
            continue
        said: tuple[str, ...] = ()
        complete = False
        while not complete:
            word, complete = chance.choice(list(islice(next_words(game, step.state, step.seat, said), 500)))
            said = (*said, word)
        assert game.objection(step.state, step.seat, game.read(step.state, " ".join(said))) is None
