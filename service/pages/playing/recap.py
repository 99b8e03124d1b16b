"""A turn in words: what came before it, what its seat played in it, and what followed."""

from __future__ import annotations

from collections.abc import Sequence

from domain.game import Record, Seat
from domain.match.events import ActionTaken, Event
from domain.match.past import standing
from domain.match.reading import actions_written
from domain.match.refusal import Refused
from domain.match.telling import Told
from service.here import site
from service.pages.opening import Opened
from service.pages.scene import Scene

BEFORE_PLAY = "table"  # opening, sitting down: not news to whoever is to play


class Recap(Record, frozen=True):
    """A turn from before to after.

    `last`: what the seat chose in its turn before this one; `before`: what happened since then; `played`: what it chose in this turn;
    `followed`: everything after that, up to its next turn; `taken_back`: the turn was undone.
    """

    last: tuple[Told, ...]
    before: tuple[Told, ...]
    played: tuple[Told, ...]
    followed: tuple[Told, ...]
    taken_back: bool


class Counted(Record, frozen=True):
    """What the seat played at a ply (`line`, empty: nothing), and whether that is the `same` as what is asked for now."""

    line: str
    same: bool


def recap(scene: Scene, opened: Opened) -> Recap:
    """The turn that a move link was mailed for."""
    born = opened.token.ask
    last: list[Told] = []
    before: list[Told] = []
    played: list[Told] = []
    followed: list[Told] = []
    passed = taken_back = False
    for event in scene.told:
        if event.sort == BEFORE_PLAY:
            continue
        mine = event.sort == "action" and event.seat == opened.seat
        if event.version <= born:
            last, before = ([*last, event] if not _passed(before, opened) else [event], []) if mine else (last, [*before, event])
        elif mine and passed:
            break
        elif mine:
            played, followed = [*played, event], []
        else:
            followed.append(event)
            passed = _passed(followed, opened)
            taken_back = taken_back or (event.sort == "back" and event.seat == opened.seat)
    return Recap(tuple(last), tuple(before), tuple(played), tuple(followed), taken_back)


def _passed(since: Sequence[Told], opened: Opened) -> bool:
    """Whether the seat's turn was over with this."""
    return any(event.sort == "back" or (event.acted and event.seat != opened.seat) for event in since)


def counted(opened: Opened, ply: int, line: str) -> Counted:
    """Compare what is asked for a ply that is past with what was played there."""
    history = site().desk.events(opened.match)
    places = standing(history)
    first = places.get(ply + 1)
    if first is None or opened.seat is None or history[first].by.seat != opened.seat:
        return Counted("", same=False)
    wanted = _written(opened, opened.seat, first, line)
    there = [_text(history[places[at]]) for at in range(ply + 1, ply + 1 + max(len(wanted), 1)) if at in places]
    return Counted(_text(history[first]), same=there == wanted)


def _written(opened: Opened, seat: Seat, version: int, line: str) -> list[str]:
    """The line as it would have been written down at a version; nothing where it could not be read there."""
    past = site().desk.look_back(opened.match.id, version).match
    try:
        return [past.game.write(action) for action in actions_written(past, seat, line)]
    except Refused:
        return []


def _text(taken: Event) -> str:
    return taken.fact.text if isinstance(taken.fact, ActionTaken) else ""
