"""The house bot that plays possibilities out: what it chooses is legal, takes bounded work, and does better than chance."""

from random import Random
from typing import Any

import pytest

from domain.games.fourfold import GAME, greedy
from domain.games.fourfold.playout import played_out
from domain.games.fourfold.state import Advance, Options
from tests.balance.fourfold import wins
from tests.games.fourfold.positions import OPENING, play, position


def test_it_wins_more_than_its_share_against_three_who_play_at_random():
    assert wins(160, 1, greedy.WORK // 10) > 44  # 40 are its share; with all its work it wins 39 of 100, with a tenth of it some 35


@pytest.mark.parametrize("options", [Options(), Options(goals_to_win=10), Options(max_runners=4, goals_to_win=10), Options(max_turns=1)], ids=str)
def test_the_work_of_a_decision_is_bounded_however_long_matches_are(options: Options, monkeypatch: pytest.MonkeyPatch):
    done = 0

    def counting(*now: Any) -> Any:
        nonlocal done
        end = played_out(*now)
        done += end[1] + greedy.BEGINNING
        return end

    monkeypatch.setattr(greedy, "played_out", counting)
    s = play(GAME.setup(options, GAME.seats), "* south deploys")
    greedy.greedy(s, "south", Random(1).randrange)
    assert greedy.WORK <= done < greedy.WORK * 1.05


def test_the_same_lot_brings_the_same_action():
    s = play(OPENING, "* south deploys")
    assert len({greedy.greedy(s, "south", Random(3).randrange) for _ in range(3)}) == 1


def test_a_decision_without_alternative_draws_nothing():
    s = position("S1 a2, N1 b3", "S1")

    def no_lot(_n: int, /) -> int:
        raise AssertionError

    assert greedy.greedy(s, "south", no_lot) == Advance("S1", "a3")


def test_it_keeps_others_back_where_it_cannot_win_any_more():
    s = position(
        "S1 d3, N1 e5, W1 d5", "S1", "W1", options=Options(max_runners=4, goals_to_win=5, max_turns=1), goals=(3, 0, 0, 3)
    )  # W1 scores on e4, unless S1 stands there
    assert greedy.greedy(s, "south", Random(2).randrange) == Advance("S1", "e4")
