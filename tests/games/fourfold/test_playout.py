"""Playing on at random in place is the same game as by the rules."""

from random import Random

import pytest

from domain.games.fourfold import GAME, rules
from domain.games.fourfold.playout import played_out
from domain.games.fourfold.state import Options, State
from tests.games.walks import walk

TRIES = 150


def by_the_rules(s: State, chance: Random) -> tuple[int, ...]:
    """The goals when everybody plays on at random."""
    while s.reason is None:
        if s.due is None:
            s = rules.apply_chance(s, rules.draw(s, chance.randrange))
        else:
            actions = list(rules.legal(s, s.due.seat))
            s = rules.apply(s, s.due.seat, actions[chance.randrange(len(actions))] if len(actions) > 1 else actions[0])
    return s.goals


def test_from_every_position_the_same_lots_bring_the_same_end():
    ends = set()
    for seed in range(TRIES):
        for step in walk(GAME, seed, 60).steps[:: 1 + seed % 7]:
            end = by_the_rules(step.state, Random(seed))
            assert played_out(step.state, Random(seed).randrange)[0] == end, (seed, step.state)
            ends.add(end)
    assert len(ends) > TRIES


@pytest.mark.parametrize("options", [Options(max_runners=4, goals_to_win=10), Options(max_turns=3), Options(goals_to_win=1)], ids=str)
def test_from_the_first_lot_too_whatever_the_options(options: Options):
    s = GAME.setup(options, GAME.seats)
    assert [played_out(s, Random(seed).randrange)[0] for seed in range(TRIES)] == [by_the_rules(s, Random(seed)) for seed in range(TRIES)]


def test_what_is_over_stays_as_it_is():
    s = rules.close(GAME.setup(Options(), GAME.seats), "aborted")
    assert played_out(s, Random(1).randrange) == ((0, 0, 0, 0), 0)
