"""Chance: how the stones fall at the start, and what comes from the mine."""

from __future__ import annotations

from msgspec.structs import replace

from domain.game import Pick
from domain.games.four_forges.forges import ANVILS, AT, FORGES, NONE, SEATS, Stones, minus
from domain.games.four_forges.rules import first_turn, go_on, pass_on
from domain.games.four_forges.state import Deal, Dig, Outcome, State, amount

HANDFUL = 6  # stones that come on to one anvil at a time


def draw(s: State, pick: Pick) -> Outcome:
    """The next seat's stones, or six from the mine."""
    if s.digging is None:
        return _deal(s.dealt, pick)
    assert s.mine is not None
    return Dig(ANVILS[s.digging], amount(_handful(_pool(s.mine), pick)))


def draws(outcome: Outcome) -> int:
    """A deal takes one draw for the empty anvil and one for each stone."""
    return 1 + 3 * HANDFUL if isinstance(outcome, Deal) else HANDFUL


def apply_chance(s: State, outcome: Outcome) -> State:
    """The stones lie on the anvils; after the last deal the first turn begins, after a draw from the mine the turn goes on."""
    anvils = list(s.anvils)
    if isinstance(outcome, Deal):
        for name, dealt in outcome.anvils.items():
            anvils[AT[name]] = dealt.stones
        s = replace(s, anvils=tuple(anvils), dealt=s.dealt + 1)
        return first_turn(s) if s.dealt == len(SEATS) else s
    anvils[AT[outcome.anvil]] = outcome.stones.stones
    assert s.mine is not None
    s = replace(s, anvils=tuple(anvils), mine=minus(s.mine, outcome.stones.stones), digging=None, idle=0, progress=True)
    return pass_on(s) if s.turn in s.vacated else go_on(s)


def _deal(place: int, pick: Pick) -> Deal:
    """FF-2: the anvil that stays empty, then the stones one by one, six to each of the others in their order."""
    empty, pool = pick(4), _pool((HANDFUL, HANDFUL, HANDFUL))
    fallen = {ANVILS[at]: amount(NONE if number == empty else _handful(pool, pick)) for number, at in enumerate(FORGES[place])}
    return Deal(SEATS[place], fallen)


def _pool(stones: Stones) -> list[int]:
    """Every stone a candidate of its own, in the order of the colours."""
    return [colour for colour, count in enumerate(stones) for _ in range(count)]


def _handful(pool: list[int], pick: Pick) -> Stones:
    """Six stones out of the pool, without putting back."""
    drawn = [pool.pop(pick(len(pool))) for _ in range(HANDFUL)]
    return drawn.count(0), drawn.count(1), drawn.count(2)
