"""Counts of all that can happen from a position, held against golden numbers of which the small ones were checked by hand."""

from collections import Counter
from itertools import chain, product
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from domain.games.four_forges import GAME
from domain.games.four_forges.forges import ANVILS, SEATS
from domain.games.four_forges.reading import counts
from domain.games.four_forges.state import Dig, Options, State, amount
from tests.games.four_forges import slow
from tests.games.four_forges.positions import FULL, position

GOLDEN = [
    [part.strip() for part in line.split("|")]
    for line in Path(__file__).with_name("perft.txt").read_text().splitlines()
    if line and not line.startswith("#")
]
golden = pytest.mark.parametrize(("options", "turn", "stones", "mine", "ways"), [line[1:] for line in GOLDEN], ids=[line[0] for line in GOLDEN])


def first(options: str, turn: str, stones: str, mine: str) -> State:
    s = position(FULL if stones == "full" else stones, turn, msgspec.convert(dict.fromkeys(options.split(), True), Options))
    return replace(s, mine=counts(mine)) if mine else s


def next_positions(s: State) -> list[State]:
    """Every position one step on."""
    if s.digging is not None and s.mine is not None:
        dug = [stones for stones in product(*(range(count + 1) for count in s.mine)) if sum(stones) == 6]
        return [GAME.apply_chance(s, Dig(ANVILS[s.digging], amount(stones))) for stones in dug]
    return [GAME.apply(s, seat, action) for seat in GAME.awaited(s) for action in GAME.legal(s, seat)]


@golden
def test_the_ways_on_are_as_many_as_counted(options: str, turn: str, stones: str, mine: str, ways: str):
    positions, counted = [first(options, turn, stones, mine)], []
    for _ in ways.replace(":", "").split():
        positions = list(chain.from_iterable(map(next_positions, positions)))
        counted.append(len(positions))
    assert counted == [int(count) for count in ways.replace(":", "").split()]


@golden
def test_the_slow_rules_count_as_many(options: str, turn: str, stones: str, mine: str, ways: str):
    """Without the lots: the slow rules take the mine's stones with the action."""
    depth = 1 if "mine" in mine or "trade" in options else min(3, len(ways.replace(":", "").split()))
    s = first(options, turn, stones, mine)
    tables, positions = [laid(s)], [s]
    for step in range(1, depth + 1):
        following = [(table, line) for table in tables if table.reason is None for line in table.legal()]
        positions = list(chain.from_iterable(map(next_positions, positions)))
        assert len(following) == len(positions)
        tables = [done(table, line) for table, line in following if not line.startswith("mine")] if step < depth else []
        positions = [after for after in positions if after.digging is None]


def laid(s: State) -> slow.Table:
    """The same position for the slow rules."""
    table = slow.Table(msgspec.to_builtins(s.options))
    table.anvils = {name: stones_of(stones) for name, stones in zip(slow.NAMES, s.anvils, strict=True)}
    table.seat = SEATS[s.turn]
    table.mine = None if s.mine is None else stones_of(s.mine)
    return table


def stones_of(stones: tuple[int, int, int]) -> Counter[str]:
    return Counter(dict(zip(slow.COLOURS, stones, strict=True)))


def done(table: slow.Table, line: str) -> slow.Table:
    """Another table, on which that has been done."""
    after = slow.Table(table.options)
    after.anvils = {name: Counter(stones) for name, stones in table.anvils.items()}
    after.chests = {seat: Counter(stones) for seat, stones in table.chests.items()}
    after.bag, after.mine = Counter(table.bag), None if table.mine is None else Counter(table.mine)
    after.seat, after.taken, after.offers, after.pending = table.seat, table.taken, table.offers, table.pending
    after.round, after.idle, after.progress = table.round, table.idle, table.progress
    after.do(line)
    return after
