"""How fast Fourfold's rules are in one process: replay in events a second, random playouts in actions a second."""

from collections.abc import Iterator
from random import Random
from time import process_time

from domain.games.fourfold import GAME
from domain.games.fourfold.rules import apply, apply_chance, draw, legal
from domain.games.fourfold.state import Action, Options, State, Team

MATCHES = 200


def played(seed: int) -> Iterator[tuple[str, Action] | Team]:
    """The events of a random match, as it is played."""
    chance, s = Random(seed), GAME.setup(Options(), GAME.seats)
    while s.reason is None:
        if s.due is None:
            outcome = draw(s, chance.randrange)
            s = apply_chance(s, outcome)
            yield outcome
        else:
            seat = s.due.seat
            action = chance.choice(list(legal(s, seat)))
            s = apply(s, seat, action)
            yield seat, action


def playout() -> float:
    """Actions a second: listing what is legal, choosing, applying, and the lots in between."""
    start = process_time()
    actions = sum(isinstance(event, tuple) for seed in range(MATCHES) for event in played(seed))
    return actions / (process_time() - start)


def replay() -> float:
    """Events a second, actions and lots alike, folded into positions."""
    matches = [list(played(seed)) for seed in range(MATCHES)]
    start = process_time()
    for events in matches:
        s: State = GAME.setup(Options(), GAME.seats)
        for event in events:
            s = apply(s, *event) if isinstance(event, tuple) else apply_chance(s, event)
        assert s.reason == "goals"
    return sum(map(len, matches)) / (process_time() - start)


if __name__ == "__main__":
    print(f"replay {replay():,.0f} events/s, random playouts {playout():,.0f} actions/s")
