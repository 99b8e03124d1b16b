"""Word by word: what may follow is what the list of legal actions says, and long lists are entered anywhere at once."""

from dataclasses import replace
from itertools import islice
from random import Random

import pytest

from domain.games.penny_ante import GAME
from domain.words import next_words
from tests.games.penny_ante.positions import START, crowded, play, position
from tests.games.walks import walk

LISTING = replace(GAME, words=None)  # finds the words in the list of legal actions
LISTED = 1_500
S = position("d4 F2, d5 F, e4 F, e5 F3, c3 2.1, b4 1.1, c6 2", pool=0)


def said(line: str) -> list[tuple[str, bool]]:
    assert GAME.words is not None
    return list(GAME.words(S, "dark", tuple(line.split())))


def test_the_words_are_those_of_the_legal_actions_in_their_order_whatever_was_said():
    compared = 0
    for seed in range(40):
        chance = Random(seed)
        match = walk(GAME, seed, chance.choice((10, 25, 60, 120)))
        for step in chance.sample(match.steps, min(4, len(match.steps))):
            s = step.state
            legal = list(islice(GAME.legal(s, s.turn), LISTED))
            if len(legal) == LISTED:
                continue
            lines = [GAME.write(action).split() for action in (*chance.sample(legal, min(3, len(legal))), *match.actions[-3:])]
            lines += [[*line[:-1], "9"] for line in lines] + [[*line, "x"] for line in lines] + [["c3>b4", "1", "=1"], ["F"], ["F", "d4>c5", "x"]]
            for line in lines:
                for length in range(len(line) + 1):
                    found = list(next_words(GAME, s, s.turn, tuple(line[:length])))
                    assert found == list(next_words(LISTING, s, s.turn, tuple(line[:length]))), line[:length]
                    compared += 1
    assert compared > 2_000


def test_a_bombardment_is_composed_in_up_to_six_words():
    ways = ["b4>a3", "b4>a5", "b4>c3", "b4>c5", "c3>b2", "c3>b4", "c3>d2", "c3>d4", "d4>c3", "d4>c5", "d4>e3", "d4>e5"]
    ways += [f"e5>{to}" for to in ("d4", "d6", "f4", "f6")]
    assert said("") == [(word, False) for word in (*ways, "F", "fortify", "assault", "capture")]
    assert said("b4>c5") == [("1.0", False), ("1.1", False)]
    assert said("b4>c5 1.1") == [("=1.1", True)]
    assert said("b4>c5 1.1 =1.1") == []
    assert said("d4>c5 2 =2") == [("x", False)]
    assert said("d4>c5 2 =2 x") == [("c6", False)]
    assert said("d4>c5 2 =2 x c6") == [("1", True), ("2", True)]
    assert said("d4>c5 2 =2 x c6 2") == []


def test_pennies_that_join_a_guard_need_no_arrangement():
    assert said("c3>d4") == [("0.1", True), ("1.0", True), ("1.1", True), ("2.0", True), ("2.1", True)]
    assert said("c3>d4 2.1") == []  # d5 and e4 have no guard


def test_fortresses_are_composed_word_by_word():
    assert said("F") == [(f"{way}", False) for way in ("d4>c3", "d4>c5", "d4>e3", "e5>d6", "e5>f4", "e5>f6")]
    assert said("F d4>c5") == [("0", True), ("1", True), ("2", True)]
    assert said("F d4>c5 1") == []
    assert said("F d4>c5 2") == [("x", False)]
    assert said("F d4>c5 2 x c6") == [("1", True), ("2", True)]
    assert said("assault d4>c5") == [("0", True), ("1", True), ("2", True)]
    assert said("assault d4>c5 2") == []
    assert said("capture") == [(way, False) for way in ("d4>c5", "d4>e3", "e5>d6", "e5>f4")]
    assert said("capture d4>c5") == [("0", False), ("1", False), ("2", False)]
    assert said("capture d4>c5 0") == [("d5>b4", True), ("d5>b6", True), ("d5>d4", True), ("d5>d6", True)]


def test_fortifying_reinforcing_and_placing_name_spaces():
    assert said("fortify") == [("b4", False), ("c3", False)]
    assert said("fortify c3") == [("1.1.1", True), ("3", True)]
    assert said("reinforce") == []  # the pool is empty
    assert GAME.words is not None
    assert list(GAME.words(START, "dark", ())) == [("place", False)]
    assert next(GAME.words(START, "dark", ("place",))) == ("a1", True)
    assert list(GAME.words(START, "dark", ("c3>b4",))) == []


@pytest.mark.parametrize("line", ["C3>B4", "CAPTURE d4>C5 0", "f D4>c5 2 X C6", "Fortify C3"])
def test_case_does_not_matter_in_what_was_said(line: str):
    assert said(line) == said(line.lower()) != []


@pytest.mark.parametrize(
    "line", ["c3>b", "c3>c4", "c6>b5", "c3>b4 1.2", "c3>b4 01.1", "c3>b4 1.1 2.2", "F d4>c5 3", "F d4>c5 +1", "place", "place a1", "x", "="]
)
def test_nothing_follows_what_no_legal_action_begins_with(line: str):
    assert said(line) == []


def test_nobody_has_words_out_of_turn_or_after_the_end():
    assert GAME.words is not None
    assert list(GAME.words(S, "light", ())) == []
    over = play(position("d4 F1, d5 F, g3 F, b4 F"), "capture d4>c5 1 d5>d6")
    assert [list(GAME.words(over, seat, ())) for seat in GAME.seats] == [[], []]


@pytest.mark.parametrize("seed", range(10))
def test_a_list_too_long_to_run_through_is_entered_anywhere(seed: int):
    s, chance = crowded(Random(seed)), Random(seed)
    assert GAME.words is not None
    for _ in range(20):
        line = GAME.write(GAME.bots["random"](s, s.turn, chance.randrange)).split()
        for length in range(len(line)):
            following = list(GAME.words(s, s.turn, tuple(line[:length])))
            assert line[length] in dict(following)
            assert len(following) == len(dict(following)) < 11**4
        assert dict(following)[line[-1]]
