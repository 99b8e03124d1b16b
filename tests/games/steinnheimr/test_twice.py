"""Whole matches on the game's own table and on the slow one beside it: same views, same legal lines, same ends."""

from itertools import pairwise
from random import Random

import pytest

from domain.games.steinnheimr import GAME
from domain.games.steinnheimr.cards import BOX
from domain.games.steinnheimr.state import State
from tests.games.steinnheimr.slow import Table
from tests.games.walks import Step, Walk, after, some_options, step_in

MATCHES = 24  # with some 400 actions and 100 lots each


def both(seed: int) -> Walk:
    """A random match, checked against the slow table at every ply."""
    chance = Random(seed)
    seats = GAME.seats[: 2 + seed % 3]
    options = some_options(GAME, seats, chance)
    state, table, steps = GAME.setup(options, seats), Table(list(seats), options.items_to_end, options.max_rounds), list[Step]()
    while GAME.result(state) is None:
        if not GAME.chance_due(state):
            assert GAME.view(state) == table.seen()
            lines = [GAME.write(action) for action in GAME.legal(state, GAME.awaited(state)[0])]
            assert lines == table.legal()
        step = step_in(GAME, state, chance)
        steps.append(step)
        state = after(GAME, step)
        table.play(GAME.write(step.event) if step.seat else GAME.tell(step.event))
    assert GAME.view(state) == table.seen()
    result = GAME.result(state)
    assert result is not None
    assert (result.reason, result.scores) == (table.reason, table.scores())
    return Walk(GAME, options, seats, tuple(steps), state)


@pytest.mark.parametrize("seed", range(MATCHES))
def test_two_tables_see_the_same_match_and_nothing_is_lost_on_the_way(seed: int):
    match = both(seed)
    for before, later in pairwise([*(step.state for step in match.steps), match.end]):
        assert_conserved(later)
        assert later != before


def assert_conserved(s: State) -> None:
    """Every token, dwarf and card is somewhere, once."""
    held = [[sum(player.ore[level] + player.ingots[level] for player in s.players) for level in range(4)], s.supply]
    assert [sum(tokens) for tokens in zip(*held, strict=True)] == [30, 20, 20, 10]
    assert min(s.supply) >= 0
    assert all(min(player.coins, *player.ore, *player.ingots) >= 0 for player in s.players)
    assert len(set(s.dwarves)) == len(s.dwarves) == 3 + (s.step == "remove")
    items = [*filter(None, s.items), *s.item_deck, *(card for player in s.players for card in player.items)]
    towns = [*filter(None, s.towns), *s.town_deck, *(card for player in s.players for card in player.towns)]
    upgrades = [*filter(None, s.upgrades), *s.upgrade_deck, *s.discarded, *(card for player in s.players for card in player.upgrades)]
    assert sorted(items) == [card.id for card in BOX.items]
    assert sorted(towns) == [card.id for card in BOX.towns]
    assert sorted(upgrades) == [card.id for card in BOX.upgrades]


def test_coins_come_from_work_and_from_towns_only():
    match = both(100)
    for step in match.steps:
        later = after(GAME, step)
        gained = sum(player.coins for player in later.players) - sum(player.coins for player in step.state.players)
        line = GAME.write(step.event) if step.seat else ""
        if "work" in line or "donate" in line:
            assert gained >= 0
        else:
            assert (gained < 0) == ("buy" in line or line == "refresh")
