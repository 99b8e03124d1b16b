"""Counts of all that can happen from a position, held against golden numbers."""

from itertools import chain
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.games.penny_ante import GAME
from domain.games.penny_ante.state import State
from tests.games.penny_ante import slow
from tests.games.penny_ante.positions import play, position

GOLDEN = [
    [part.strip() for part in line.split("|")]
    for line in Path(__file__).with_name("perft.txt").read_text().splitlines()
    if line and not line.startswith("#")
]


def begun(spaces: str, pool: str, options: str, lines: str) -> State:
    """The position of a golden line."""
    chosen: dict[str, Any] = dict(option.split("=") for option in options.split())
    s = position(spaces, pool=int(pool), options=chosen) if spaces else GAME.setup(GAME.options(**chosen), GAME.seats)
    return play(s, lines) if lines else s


@pytest.mark.parametrize(("spaces", "pool", "options", "lines", "counts"), [line[1:] for line in GOLDEN], ids=[line[0] for line in GOLDEN])
def test_the_ways_on_are_as_many_as_counted(spaces: str, pool: str, options: str, lines: str, counts: str):
    positions = [begun(spaces, pool, options, lines)]
    counted = []
    for _ in counts.replace(":", "").split():
        positions = list(chain.from_iterable([GAME.apply(s, s.turn, action) for action in GAME.legal(s, s.turn)] for s in positions))
        counted.append(len(positions))
    assert counted == [int(count) for count in counts.replace(":", "").split()]


@pytest.mark.parametrize(("spaces", "pool", "options", "lines", "counts"), [line[1:] for line in GOLDEN], ids=[line[0] for line in GOLDEN])
def test_the_slow_rules_count_the_same(spaces: str, pool: str, options: str, lines: str, counts: str):
    s = begun(spaces, pool, options, lines)
    chosen, views, ply, counted = msgspec.to_builtins(s.options), [dict(GAME.view(s))], s.ply, []
    expected = [int(count) for count in counts.partition(":")[0].split()][:2]
    for _ in expected[:-1]:
        ply += 1
        views = [slow.after(view, chosen, ply, action) for view in views for action in slow.legal(view, chosen)]
        counted.append(len(views))
    counted.append(sum(len(slow.legal(view, chosen)) for view in views))
    assert counted == expected
