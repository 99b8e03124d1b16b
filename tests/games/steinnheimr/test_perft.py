"""Counts of all that can happen from a position, on both tables, held against golden numbers of which the small ones were checked by hand."""

from copy import deepcopy
from pathlib import Path

import pytest

from domain.games.steinnheimr import GAME
from domain.games.steinnheimr.notation import write
from domain.games.steinnheimr.state import State
from tests.games.steinnheimr.positions import BEGUN, OPENING, SHOWN, drawn, play
from tests.games.steinnheimr.slow import Table

GOLDEN = [
    [part.strip() for part in line.split("|")]
    for line in Path(__file__).with_name("perft.txt").read_text().splitlines()
    if line and not line.startswith("#")
]


def start(actions: str) -> tuple[State, Table]:
    """Both tables after these actions."""
    s, table = OPENING, Table(["red", "blue"], None, 60)
    for line in (*BEGUN, *SHOWN, *filter(None, actions.split("; "))):
        s = play(s, line)
        table.play(line)
    return s, table


@pytest.mark.parametrize(("actions", "counts"), [line[1:] for line in GOLDEN], ids=[line[0] for line in GOLDEN])
def test_the_ways_on_are_as_many_as_counted(actions: str, counts: str):
    positions, counted = [start(actions)[0]], []
    for _ in counts.replace(":", "").split():
        positions = [drawn(GAME.apply(s, seat, action)) for s in positions for seat in GAME.awaited(s) for action in GAME.legal(s, seat)]
        counted.append(len(positions))
    assert counted == [int(count) for count in counts.replace(":", "").split()]


@pytest.mark.parametrize(("actions", "counts"), [line[1:] for line in GOLDEN], ids=[line[0] for line in GOLDEN])
def test_the_slow_table_counts_the_same(actions: str, counts: str):
    tables, counted = [start(actions)], []
    for _ in counts.replace(":", "").split():
        tables = [after(s, table, line) for s, table in tables for line in table.legal()]
        counted.append(len(tables))
    assert counted == [int(count) for count in counts.replace(":", "").split()]


def after(s: State, table: Table, line: str) -> tuple[State, Table]:
    """Both tables after one more action; what is drawn on the one lies on the other."""
    (seat,) = GAME.awaited(s)
    table = deepcopy(table)
    table.play(line)
    s = GAME.apply(s, seat, next(action for action in GAME.legal(s, seat) if write(action) == line))
    while GAME.chance_due(s):
        outcome = GAME.draw(s, lambda _n: 0)
        table.play(GAME.tell(outcome))
        s = GAME.apply_chance(s, outcome)
    return s, table
