"""A line put together word by word, trades included."""

from random import Random

import pytest

from domain.games.four_forges import GAME
from domain.games.four_forges.state import Options, State
from domain.words import next_words
from tests.games.four_forges.positions import FULL, legal, play, position

TRADING = Options(trading=True)
SMALL = position("O1 1b1s O2 1g M2 1g L3 1g A4 1b", options=TRADING)


def following(s: State, *said: str) -> list[tuple[str, bool]]:
    return list(next_words(GAME, s, GAME.awaited(s)[0], said))


def composed(s: State, *said: str) -> list[str]:
    """Every line that can be put together."""
    lines = []
    for word, complete in following(s, *said):
        lines += [" ".join((*said, word))] if complete else composed(s, *said, word)
    return lines


def test_first_words_come_in_the_order_of_the_legal_actions_and_trades_last():
    assert following(SMALL) == [
        ("break", False), ("O1>O2", False), ("O1>M1", False), ("O1>A1", False),
        ("O2>O1", False), ("O2>O3", False), ("O2>M2", False), ("O2>A2", False), ("trade", False),
    ]  # fmt: skip
    assert following(SMALL, "O1>O2") == [("black", True), ("silver", True)]
    assert following(position("O1 1b1s1g M1 1b"), "smelt") == [("O1", True)]


def test_a_trade_is_put_together_from_anvils_and_amounts():
    assert following(SMALL, "trade") == [("O1", False), ("O2", False)]
    assert following(SMALL, "TRADE", "o1") == [("1s", False), ("1b", False), ("1b1s", False)]
    assert following(SMALL, "trade", "O1", "1b") == [("for", False)]
    assert following(SMALL, "trade", "O1", "1B", "For") == [("M2", False), ("L3", False)]
    assert following(SMALL, "trade", "O1", "1b", "for", "m2") == [("1g", True)]
    assert following(SMALL, "trade", "O2", "1g", "for") == [("A4", False)]


@pytest.mark.parametrize(
    "said", ["trade M2", "trade O1 2b", "trade O1 1b with", "trade O1 1b for A4", "trade O1 1b for M2 1g", "trade O1 1b for M2 1g 1g"]
)
def test_nothing_follows_what_no_trade_begins_with(said: str):
    assert following(SMALL, *said.split()) == []


def test_whatever_can_be_put_together_is_legal_and_all_that_is_legal_can_be():
    for s in (SMALL, position(FULL), play(SMALL, "trade O1 1b for M2 1g"), GAME.seated(SMALL, (("ochre", "lead"), ("malachite",), ("azurite",)))):
        assert sorted(composed(s)) == sorted(legal(s))


def test_trades_are_not_in_the_words_where_none_can_be_offered():
    assert ("trade", False) not in following(play(SMALL, "O1>O2 black"))
    assert following(play(SMALL, "O1>O2 black"), "trade") == []
    assert following(play(SMALL, "trade O1 1b for M2 1g")) == [("accept", True), ("decline", True)]
    alone = GAME.seated(SMALL, (GAME.seats,))
    assert ("trade", False) not in following(alone)
    same = position("O1 1b M1 1b", options=TRADING)
    assert ("trade", False) not in following(same)
    assert not any(line.startswith("trade") for line in legal(same))


def test_nobody_else_has_words():
    assert list(next_words(GAME, SMALL, "lead")) == []


def test_any_choice_of_words_in_a_full_opening_is_a_legal_trade():
    s, chance = position(FULL, options=TRADING), Random(2)
    for _ in range(200):
        said: tuple[str, ...] = ("trade",)
        complete = False
        while not complete:
            word, complete = chance.choice(following(s, *said))
            said = (*said, word)
        assert GAME.objection(s, "ochre", GAME.read(s, " ".join(said))) is None
