"""How fast Steinnheimr's rules are in one process: replay in events a second, random playouts in actions a second, objections in microseconds."""

from collections.abc import Iterator
from random import Random
from time import perf_counter

from domain.game import Seat
from domain.games.steinnheimr import GAME
from domain.games.steinnheimr.choices import legal
from domain.games.steinnheimr.objections import objection
from domain.games.steinnheimr.rules import apply, apply_chance, draw
from domain.games.steinnheimr.state import Action, Options, Outcome, State

MATCHES = 60  # by turns of two, three and four players

Event = tuple[Seat, Action] | Outcome


def begun(seed: int) -> State:
    """The beginning of a match."""
    return GAME.setup(Options(), GAME.seats[: 2 + seed % 3])


def played(seed: int) -> Iterator[tuple[State, Event]]:
    """The positions and events of a random match, as it is played."""
    chance, s = Random(seed), begun(seed)
    while s.reason is None:
        if s.due:
            outcome = draw(s, chance.randrange)
            yield s, outcome
            s = apply_chance(s, outcome)
        else:
            seat = s.seats[s.turn]
            action = chance.choice(list(legal(s, seat)))
            yield s, (seat, action)
            s = apply(s, seat, action)


def playout() -> float:
    """Actions a second: listing what is legal, choosing, applying, and the lots in between. Listing limits it: 13 ways on average."""
    start = perf_counter()
    actions = sum(isinstance(event, tuple) for seed in range(MATCHES) for _, event in played(seed))
    return actions / (perf_counter() - start)


def replay() -> float:
    """Events a second, actions and lots alike, folded into positions. Copying the position limits it: two or three copies an action."""
    matches = [[event for _, event in played(seed)] for seed in range(MATCHES)]
    start = perf_counter()
    for seed, events in enumerate(matches):
        s = begun(seed)
        for event in events:
            s = apply(s, *event) if isinstance(event, tuple) else apply_chance(s, event)
        assert s.reason
    return sum(map(len, matches)) / (perf_counter() - start)


def judging() -> float:
    """Microseconds for one objection, legal actions and ones from elsewhere in the match alike."""
    steps = [(s, event) for seed in range(6) for s, event in played(seed) if isinstance(event, tuple)]
    asked = [(s, s.seats[s.turn], action) for (s, _), (_, (_, other)) in zip(steps, [*steps[7:], *steps[:7]], strict=True) for action in (other,)]
    asked += [(s, *event) for s, event in steps]
    start = perf_counter()
    for s, seat, action in asked:
        objection(s, seat, action)
    return (perf_counter() - start) / len(asked) * 1_000_000


if __name__ == "__main__":
    print(f"replay {replay():,.0f} events/s, random playouts {playout():,.0f} actions/s, an objection {judging():.1f} µs")
