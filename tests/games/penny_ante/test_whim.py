"""The random bot: every legal action at times, of every kind often enough, however long the list is."""

from collections import Counter
from random import Random

import pytest

from domain.games.penny_ante import GAME
from domain.games.penny_ante.state import State
from tests.games.penny_ante.positions import START, crowded, legal, play, position

SMALL = position("d4 F1, d5 F, e4 F, e5 F1, c3 2.1, b4 1, c6 1.1, b5 2", pool=2, options={"assault": "disperse-and-bombard"})


def drawn(s: State, times: int, seed: int = 1) -> Counter[str]:
    chance = Random(seed)
    return Counter(GAME.write(GAME.bots["random"](s, s.turn, chance.randrange)) for _ in range(times))


def test_every_legal_action_is_drawn_at_times_and_no_other():
    assert set(drawn(SMALL, 40_000)) == set(legal(SMALL))


def test_every_placement_is_drawn_at_times():
    s = play(START, "place d4", "place d5", *("place c3; place c6",) * 4)
    assert set(drawn(s, 1_000)) == set(legal(s))
    assert "place c3" not in legal(s)


def test_every_kind_is_drawn_often():
    kinds = Counter({"F": 0})
    for line, times in drawn(SMALL, 8_000).items():
        kinds[line.split()[0] if line[0] in "Ffarc" and ">" not in line.split()[0] else "bombard"] += times
    assert set(kinds) == {"F", "fortify", "reinforce", "assault", "capture", "bombard"}
    assert all(times > 600 for times in kinds.values()), kinds


def test_a_kind_that_is_impossible_is_not_insisted_on():
    s = position("a1 F10, d5 F, e4 F, b5 F, b2 10.10.10.10", pool=0)
    assert set(drawn(s, 2_000)) <= set(legal(s, "b2"))
    alone = position("a1 F, d5 F, e4 F, b5 F", pool=0)
    assert set(drawn(alone, 200)) == set(legal(alone))


@pytest.mark.parametrize("seed", range(10))
def test_where_the_list_is_endless_an_action_is_drawn_all_the_same(seed: int):
    s, chance = crowded(Random(seed)), Random(seed)
    for _ in range(200):
        action = GAME.bots["random"](s, s.turn, chance.randrange)
        assert GAME.objection(s, s.turn, action) is None
