"""The house bot that plays possibilities out: what it chooses is legal, and does better than chance."""

from random import Random
from typing import Any

from domain.bots import choose
from domain.games.fourfold import GAME
from domain.games.fourfold.state import Options


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
    assert wins > 10  # a quarter is what chance gives; in full matches it wins more than a third, and nobody can win much more
