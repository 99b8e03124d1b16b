"""How fast Penny Ante's rules are in one process: replay in events a second, sampled playouts in actions a second, and the single questions."""

from collections.abc import Iterator
from random import Random
from time import process_time

from domain.games.penny_ante import GAME
from domain.games.penny_ante.objections import objection
from domain.games.penny_ante.rules import apply
from domain.games.penny_ante.state import Action, Options, State
from domain.games.penny_ante.whim import random

MATCHES = 100


def played(seed: int) -> Iterator[tuple[State, Action]]:
    """The actions of a random match, each with the position it was drawn in."""
    chance, s = Random(seed), GAME.setup(Options(), GAME.seats)
    while s.reason is None:
        action = random(s, s.turn, chance.randrange)
        yield s, action
        s = apply(s, s.turn, action)


def playout() -> float:
    """Actions a second: drawing each by its parts, without a list, and applying it."""
    start = process_time()
    actions = sum(1 for seed in range(MATCHES) for _ in played(seed))
    return actions / (process_time() - start)


def replay() -> float:
    """Events a second, folded into positions."""
    matches = [[action for _, action in played(seed)] for seed in range(MATCHES)]
    start = process_time()
    for actions in matches:
        s = GAME.setup(Options(), GAME.seats)
        for action in actions:
            s = apply(s, s.turn, action)
        assert s.reason
    return sum(map(len, matches)) / (process_time() - start)


def judged() -> float:
    """Seconds that an objection takes, on average, to a legal action and to one of another ply."""
    turns = [turn for seed in range(MATCHES // 4) for turn in played(seed)]
    start = process_time()
    for (s, action), (_, other) in zip(turns, turns[2:], strict=False):
        objection(s, s.turn, action)
        objection(s, s.turn, other)
    return (process_time() - start) / (2 * len(turns) - 4)


def decided() -> tuple[float, float]:
    """Seconds that a decision of the greedy bot takes in positions of random matches: on average, and at most."""
    greedy, taken = GAME.bots["greedy"], list[float]()
    for seed in range(MATCHES // 10):
        for s, _ in played(seed):
            start = process_time()
            greedy(s, s.turn, Random(seed).randrange)
            taken.append(process_time() - start)
    return sum(taken) / len(taken), max(taken)


if __name__ == "__main__":
    print(f"replay {replay():,.0f} events/s, sampled playouts {playout():,.0f} actions/s, objection {judged() * 1e6:.1f} µs", end=", ")
    mean, most = decided()
    print(f"greedy {mean * 1e3:.1f} ms a decision, {most * 1e3:.0f} ms at most")
