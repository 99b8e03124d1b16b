"""Lists that have millions of actions: begun, and entered at any type, at once."""

from itertools import islice
from random import Random

import pytest

from domain.games.penny_ante import GAME
from tests.games.penny_ante.positions import crowded

HEADS = {"reinforce": "reinforce ", "fortify": "fortify ", "assault": "assault ", "fortress-bombard": "F "}


@pytest.mark.parametrize("seed", range(10))
def test_a_type_behind_millions_of_others_is_listed_at_once(seed: int):
    s = crowded(Random(seed))
    assert len(list(islice(GAME.legal(s, s.turn), 20_000))) == 20_000
    assert GAME.legal_of is not None
    for kind, head in HEADS.items():
        lines = [GAME.write(action) for action in islice(GAME.legal_of(s, s.turn, kind), 50)]
        assert len(set(lines)) == len(lines)
        assert all(line.startswith(head) for line in lines)
        assert lines or kind in ("assault", "fortress-bombard")


def test_a_type_that_there_is_not_has_none():
    s = crowded(Random(1))
    assert GAME.legal_of is not None
    assert list(GAME.legal_of(s, s.turn, "place")) == list(GAME.legal_of(s, s.turn, "pass")) == []
