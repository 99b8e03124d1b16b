"""Looking back on what has happened in a match: what still stands, what is new to whom, which actions were the last."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice, takewhile

from domain.game import Action, Seat
from domain.match.events import ActionTaken, Event, TurnTakenBack

MARKED = 3  # last actions of the seat that acted last


def chosen(event: Event) -> bool:
    """Whether this is an action that somebody chose: not forced, nor given by the clock or a caretaker."""
    fact = event.fact
    return isinstance(fact, ActionTaken) and not fact.forced and fact.timeout is not True


def chosen_by(event: Event, seats: Sequence[Seat]) -> bool:
    """Whether somebody chose this action for one of these seats."""
    return chosen(event) and event.by.seat in seats


def last_turn(history: Sequence[Event], seats: Sequence[Seat]) -> int:
    """Where in the history these seats chose an action for the last time; its beginning where they have not yet."""
    return max((place for place, event in enumerate(history) if chosen_by(event, seats)), default=0)


def standing(history: Iterable[Event]) -> dict[int, int]:
    """The actions that were not taken back, in their order: the ply after each, and its place in the history."""
    found: dict[int, int] = {}
    for place, event in enumerate(history):
        match event.fact:
            case ActionTaken():
                found[event.ply] = place
            case TurnTakenBack(to_ply=ply):
                found = {after: taken for after, taken in found.items() if after <= ply}
            case _:
                pass
    return found


def last_actions(history: Sequence[Event]) -> tuple[Action, ...]:
    """The newest actions of the seat that acted last, since any other did; nothing that was taken back."""
    newest = [history[place] for place in reversed(standing(history).values())]
    run = takewhile(lambda event: event.by.seat == newest[0].by.seat, newest)
    return _actions(reversed(list(islice(run, MARKED))))


def others_actions(history: Sequence[Event], seats: Sequence[Seat]) -> tuple[Action, ...]:
    """What others have done since the last turn of these seats; nothing that was taken back."""
    since = last_turn(history, seats)
    return _actions(event for place in standing(history).values() if place >= since and (event := history[place]).by.seat not in seats)


def _actions(taken: Iterable[Event]) -> tuple[Action, ...]:
    return tuple(event.fact.action for event in taken if isinstance(event.fact, ActionTaken))
