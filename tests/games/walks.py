"""Random matches of any game, played by nothing but its protocol: where the tests of every game find their positions."""

from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import Any

import msgspec

from domain.game import Action, Game, Outcome, Seat

AnyGame = Game[Any, Any, Any]
LISTED = 400  # a list of legal actions longer than this is sampled: its beginning stands for it


@dataclass(frozen=True)
class Step:
    """A position and what happened in it: an action of `seat`, or chance."""

    state: Any
    seat: Seat | None
    event: Any


@dataclass(frozen=True)
class Walk:
    """A match up to some point."""

    game: AnyGame
    options: Any
    seats: tuple[Seat, ...]
    steps: tuple[Step, ...]
    end: Any

    @property
    def actions(self) -> tuple[Any, ...]:
        return tuple(step.event for step in self.steps if step.seat)


def walk(game: AnyGame, seed: int, most: int, *, options: Any = None) -> Walk:
    """A random match of at most so many steps, with random options unless they are given."""
    chance = Random(seed)
    seats = game.seats[: chance.choice(game.sizes)]
    chosen = some_options(game, seats, chance) if options is None else options
    state = game.setup(chosen, seats)
    steps: list[Step] = []
    while len(steps) < most and game.result(state) is None:
        step = step_in(game, state, chance)
        steps.append(step)
        state = after(game, step)
    return Walk(game, chosen, seats, tuple(steps), state)


def step_in(game: AnyGame, state: Any, chance: Random) -> Step:
    """What might happen in a position that is not the last."""
    if game.chance_due(state):
        return Step(state, None, game.draw(state, chance.randrange))
    seat = chance.choice(game.awaited(state))
    return Step(state, seat, some_action(game, state, seat, chance))


def some_action(game: AnyGame, state: Any, seat: Seat, chance: Random) -> Any:
    """One of the seat's actions: the game's own random bot knows best where there are very many."""
    own = game.bots.get("random")
    return own(state, seat, chance.randrange) if own else chance.choice(listed(game, state, seat))


def after(game: AnyGame, step: Step) -> Any:
    """The position after a step."""
    return game.apply(step.state, step.seat, step.event) if step.seat else game.apply_chance(step.state, step.event)


def listed(game: AnyGame, state: Any, seat: Seat) -> list[Any]:
    """The seat's legal actions, or the beginning of a long list."""
    return list(islice(game.legal(state, seat), LISTED))


def some_options(game: AnyGame, seats: tuple[Seat, ...], chance: Random) -> Any:
    """Random options within their bounds that can be played together."""
    fields = msgspec.inspect.type_info(game.options)
    assert isinstance(fields, msgspec.inspect.StructType)
    for _ in range(100):
        options = msgspec.convert({field.encode_name: _some_value(field.type, chance) for field in fields.fields}, game.options)
        if game.unfit(options, seats) is None:
            return options
    raise AssertionError(f"{game.id}: a hundred random combinations of options, and none that can be played")


def _some_value(kind: msgspec.inspect.Type, chance: Random) -> Any:
    match kind:
        case msgspec.inspect.Metadata(type=inner):
            return _some_value(inner, chance)
        case msgspec.inspect.UnionType(types=kinds):
            return _some_value(chance.choice(kinds), chance)
        case msgspec.inspect.IntType(ge=least, le=most):
            low = least or 0
            return chance.randint(low, low + 20 if most is None else most)
        case msgspec.inspect.LiteralType(values=values):
            return chance.choice(values)
        case msgspec.inspect.BoolType():
            return chance.random() < 0.5
        case msgspec.inspect.NoneType():
            return None
    raise AssertionError(f"an option of a kind that the tests do not know: {kind}")


def as_json(value: Action | Outcome) -> bytes:
    """The value as it stands in the log."""
    return msgspec.json.encode(value)
