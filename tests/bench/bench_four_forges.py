"""How fast the rules of Four Forges are in one process: replay in events a second, random playouts in actions a second, one objection in µs."""

from collections.abc import Iterator
from random import Random
from time import perf_counter

from domain.game import Seat
from domain.games.four_forges import GAME
from domain.games.four_forges.lots import apply_chance, draw
from domain.games.four_forges.objections import objection
from domain.games.four_forges.rules import apply, awaited, chance_due, legal
from domain.games.four_forges.state import Action, Options, Outcome, State
from domain.games.four_forges.trading import offers

MATCHES = 100
MINING = Options(mining=True)
TRADING = Options(trading=True)


def played(seed: int, options: Options | None = None) -> Iterator[tuple[Seat, Action] | Outcome]:
    """The events of a random match, as it is played."""
    chance, s = Random(seed), GAME.setup(options or Options(), GAME.seats)
    while s.reason is None:
        if chance_due(s):
            outcome = draw(s, chance.randrange)
            s = apply_chance(s, outcome)
            yield outcome
        else:
            seat = awaited(s)[0]
            action = chance.choice(list(legal(s, seat)))
            s = apply(s, seat, action)
            yield seat, action


def folded(events: list[tuple[Seat, Action] | Outcome], options: Options | None = None) -> State:
    """The position that events lead to."""
    s = GAME.setup(options or Options(), GAME.seats)
    for event in events:
        s = apply(s, *event) if isinstance(event, tuple) else apply_chance(s, event)
    return s


def playout(options: Options | None = None) -> float:
    """Actions a second: listing what is legal, choosing, applying, and the lots in between."""
    start = perf_counter()
    actions = sum(isinstance(event, tuple) for seed in range(MATCHES) for event in played(seed, options))
    return actions / (perf_counter() - start)


def replay(options: Options | None = None) -> float:
    """Events a second, actions and lots alike, folded into positions."""
    matches = [list(played(seed, options)) for seed in range(MATCHES)]
    start = perf_counter()
    ends = [folded(events, options) for events in matches]
    seconds = perf_counter() - start
    assert all(s.reason for s in ends)
    return sum(map(len, matches)) / seconds


def judged() -> float:
    """µs an objection takes, over all trades of an opening, the longest list there is, and over the moves of a match."""
    s = folded(list(played(1))[:4], TRADING)
    tried: list[tuple[State, Seat, Action]] = [(s, "ochre", offer) for offer in offers(s)]
    s = GAME.setup(Options(), GAME.seats)
    for event in played(2):
        tried += [(s, event[0], event[1])] if isinstance(event, tuple) else []
        s = apply(s, *event) if isinstance(event, tuple) else apply_chance(s, event)
    start = perf_counter()
    assert all(objection(*judged) is None for judged in tried)
    return (perf_counter() - start) / len(tried) * 1e6


if __name__ == "__main__":
    print(f"replay {replay():,.0f} events/s, random playouts {playout():,.0f} actions/s")
    print(f"with mining: replay {replay(MINING):,.0f} events/s, random playouts {playout(MINING):,.0f} actions/s")
    print(f"objection {judged():.1f} µs")
