"""Two who keep the same match by the same rulings, each its own way, agree on every position and every possibility."""

from random import Random

import pytest

from domain.games.fourfold import GAME
from tests.games.fourfold.plain import Plain
from tests.games.fourfold.positions import legal, outcomes, play, told
from tests.games.walks import some_options


def keep_both(seed: int) -> str:
    """A random match in both; how it ended."""
    chance = Random(seed)
    options = some_options(GAME, GAME.seats, chance)
    s, plain = GAME.setup(options, GAME.seats), Plain(options.max_runners, options.goals_to_win, options.max_turns)
    while plain.now[0] != "over":
        lines = plain.candidates() if plain.now == ("draw",) else plain.lines()
        assert lines == (told(outcomes(s)) if GAME.chance_due(s) else legal(s)), f"seed {seed}"
        line = chance.choice(lines)
        plain.play(line)
        s = play(s, line)
        if not GAME.chance_due(s):
            assert GAME.view(s) == plain.view(), f"seed {seed}, after {line}"
    result = GAME.result(s)
    assert result
    assert (result.ranks, result.scores, result.reason) == (plain.ranks(), plain.goals, plain.now[1]), f"seed {seed}"
    return result.reason


@pytest.mark.parametrize("block", range(4))
def test_matches_with_mixed_options_are_kept_alike(block: int):
    assert {keep_both(seed) for seed in range(100 * block, 100 * block + 100)} == {"goals", "turn-limit"}


def ways_on(plain: Plain, played: tuple[str, ...], deep: int) -> int:
    """How many ways there are to go on by so many steps, each way played anew from the beginning."""
    again = Plain(plain.most, plain.needed, plain.turns)
    for line in played:
        again.play(line)
    lines = again.candidates() if again.now == ("draw",) else again.lines()
    return len(lines) if deep == 1 else sum(ways_on(plain, (*played, line), deep - 1) for line in lines)


def test_the_ways_on_from_the_opening_are_as_many_as_in_the_golden_file():
    assert [ways_on(Plain(16, 4, None), (), deep) for deep in range(1, 8)] == [4, 20, 52, 208, 1024, 2444, 9776]
