"""A house bot that plays every possibility out at random many times and takes the one that won most."""

from __future__ import annotations

from domain.game import Pick, Seat
from domain.games.fourfold import rules
from domain.games.fourfold.state import Action, State

PLAYED_OUT = 96  # matches a decision, shared by its possibilities: some 50 ms


def greedy(s: State, seat: Seat, pick: Pick) -> Action:
    """The action after which random play won the largest share; a shared first rank counts in part."""
    actions = list(rules.legal(s, seat))
    if len(actions) == 1:
        return actions[0]
    tries = PLAYED_OUT // len(actions)
    shares = [sum(_share(rules.apply(s, seat, action), seat, pick) for _ in range(tries)) for action in actions]
    return actions[shares.index(max(shares))]


def _share(s: State, seat: Seat, pick: Pick) -> float:
    """What the seat gets of a win when everybody plays on at random."""
    while (result := rules.result(s)) is None:
        if s.due is None:
            s = rules.apply_chance(s, rules.draw(s, pick))
            continue
        actions = list(rules.legal(s, s.due.seat))
        s = rules.apply(s, s.due.seat, actions[pick(len(actions))] if len(actions) > 1 else actions[0])
    ranks = result.ranks
    return 1 / list(ranks.values()).count(1) if ranks[seat] == 1 else 0.0
