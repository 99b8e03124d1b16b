"""Random matches of each game with mixed options, played to their ends by the rules alone: everything in the box is counted at every ply."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from typing import Any, Final

import msgspec

from domain.games import GAMES
from domain.games.four_forges import state as forges
from domain.games.fourfold import state as court
from domain.games.penny_ante import state as pennies
from domain.games.steinnheimr import state as smiths
from tests.games.steinnheimr.test_twice import assert_conserved
from tests.games.walks import AnyGame, Walk, walk

TOLD_EVERY: Final = 250  # matches
ENDLESS: Final = 100_000  # steps: a match that takes more does not end


def run(count: int, seed: int, say: Callable[[str], object]) -> Counter[str]:
    """So many matches of each game; how they ended, by game. Fails at the first that does not hold, naming its seed.

    Match `seed` of a game is the same in every run, so that a run that was stopped goes on with the seed that it told last.
    """
    ended = Counter[str]()
    for at in range(seed, seed + count):
        for game in GAMES.values():
            try:
                ended[_one(game, at)] += 1
            except Exception as wrong:
                wrong.add_note(f"{game.id}, seed {at}")
                raise
        if (done := at + 1 - seed) % TOLD_EVERY == 0:
            say(f"{done} matches of each game hold; to go on from here: --seed {at + 1} --playouts {count - done}")
    return ended


def _one(game: AnyGame, seed: int) -> str:
    """A match to its end, counted at every ply, and replayed from what would be written down."""
    played = walk(game, seed, ENDLESS)
    result = game.result(played.end)
    assert result, f"no end after {ENDLESS} steps"
    states = [step.state for step in played.steps] + [played.end]
    _count(states[0])
    for before, after in pairwise(states):
        _count(after)
        assert _gone(after) >= _gone(before), "something came back that was gone"
    assert _replayed(played) == played.end
    return f"{game.id}: {result.reason}"


def _replayed(played: Walk) -> Any:
    """The end, from JSON."""
    state = played.game.setup(msgspec.json.decode(msgspec.json.encode(played.options), type=played.game.options), played.seats)
    for step in played.steps:
        event = msgspec.json.decode(msgspec.json.encode(step.event), type=played.game.actions if step.seat else played.game.outcomes)
        state = played.game.apply(state, step.seat, event) if step.seat else played.game.apply_chance(state, event)
    return state


def _count(s: Any) -> None:
    """Nothing in the box is lost, doubled or made."""
    match s:
        case court.State():
            assert len(set(s.order)) == len(s.order) == len(s.cells) == len(set(s.cells)) <= s.options.max_runners
            assert max(s.goals) <= s.options.goals_to_win
            assert sum(s.deployed) - len(s.order) >= sum(s.goals)  # whoever is gone has scored or was evaporated in a stalemate
        case forges.State():
            stones = [sum(colour) for colour in zip(s.mine or (0, 0, 0), *s.anvils, *s.chests, s.bag, strict=True)]
            assert stones == [6 * s.dealt + (0 if s.mine is None else 24)] * 3
            assert min(map(min, (*s.anvils, *s.chests, s.bag))) >= 0
        case pennies.State():
            assert s.pool >= 0
            assert min(s.to_place) >= 0
            assert all(min(stacks) > 0 for stacks in s.pennies.values() if stacks)
        case smiths.State():
            assert_conserved(s)
        case _:
            raise AssertionError(f"nobody has said what is to be counted in {type(s).__module__}")


def _gone(s: Any) -> int:
    """How much has left the match for good: runners, stones or pennies (Steinnheimr's box is counted whole)."""
    match s:
        case court.State():
            return sum(s.deployed) - len(s.order)
        case forges.State():
            return sum(s.bag) + sum(map(sum, s.chests))
        case pennies.State():
            return pennies.out_of_play(s)
    return 0
