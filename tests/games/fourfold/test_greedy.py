"""The house bot that plays possibilities out: what it chooses is legal, takes bounded work, and does better than chance."""

from random import Random
from typing import Any

import pytest

from domain.bots import choose
from domain.games.fourfold import GAME, greedy, rules
from domain.games.fourfold.state import Advance, Options
from tests.games.fourfold.positions import OPENING, play, position


def test_it_wins_more_than_its_share_against_three_who_play_at_random():
    chance, wins = Random(8), 0
    for turn in range(40):
        me = GAME.seats[turn % 4]
        s = GAME.setup(Options(max_runners=8, goals_to_win=2), GAME.seats)
        while (result := GAME.result(s)) is None:
            if GAME.chance_due(s):
                s = GAME.apply_chance(s, GAME.draw(s, chance.randrange))
                continue
            seat = GAME.awaited(s)[0]
            action: Any = choose(GAME, "greedy" if seat == me else "random", s, seat, chance.randrange)
            assert GAME.objection(s, seat, action) is None
            s = GAME.apply(s, seat, action)
        wins += result.ranks[me] == 1
    assert wins > 10  # a quarter is what chance gives; in matches with the usual options it wins more than a third


@pytest.mark.parametrize("options", [Options(), Options(goals_to_win=10), Options(max_runners=4, goals_to_win=10), Options(max_turns=1)], ids=str)
def test_the_work_of_a_decision_is_bounded_however_long_matches_are(options: Options, monkeypatch: pytest.MonkeyPatch):
    done = 0

    def counting(*now: Any) -> Any:
        nonlocal done
        done += 1
        return apply(*now)

    apply = rules.apply
    monkeypatch.setattr(rules, "apply", counting)
    s = play(GAME.setup(options, GAME.seats), "* south deploys")
    greedy.greedy(s, "south", Random(1).randrange)
    assert greedy.WORK / 2 < done < greedy.WORK * 1.2


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
