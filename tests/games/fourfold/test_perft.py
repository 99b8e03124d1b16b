"""Counts of all that can happen from a position, held against golden numbers of which the small ones were checked by hand."""

from itertools import chain
from pathlib import Path

import pytest

from domain.games.fourfold import GAME
from domain.games.fourfold.state import State
from tests.games.fourfold.positions import OPENING, outcomes, position

GOLDEN = [
    [part.strip() for part in line.split("|")]
    for line in Path(__file__).with_name("perft.txt").read_text().splitlines()
    if line and not line.startswith("#")
]


def next_positions(s: State) -> list[State]:
    """Every position one step on."""
    if GAME.chance_due(s):
        return [GAME.apply_chance(s, outcome) for outcome in outcomes(s)]
    return [GAME.apply(s, seat, action) for seat in GAME.awaited(s) for action in GAME.legal(s, seat)]


@pytest.mark.parametrize(("runners", "due", "waiting", "counts"), [line[1:] for line in GOLDEN], ids=[line[0] for line in GOLDEN])
def test_the_ways_on_are_as_many_as_counted(runners: str, due: str, waiting: str, counts: str):
    positions = [position(runners, due, waiting) if runners else OPENING]
    counted = []
    for _ in counts.replace(":", "").split():
        positions = list(chain.from_iterable(map(next_positions, positions)))
        counted.append(len(positions))
    assert counted == [int(count) for count in counts.replace(":", "").split()]
