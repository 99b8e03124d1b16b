"""What comes from outside as actions: JSON values read strictly, lines of text read one after another in the positions that they lead to."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

import msgspec

from domain.game import Action, Game, Seat, Unreadable
from domain.match.match import Match
from domain.match.refusal import Refused
from domain.shapes import complaint


def actions_said(game: Game[Any, Any, Any], values: Iterable[Any]) -> tuple[Action, ...]:
    """JSON values as actions of a game. Raises Refused (illegal-action) that names the first that is none, and what is wrong with it."""
    return tuple(_action(game, index, value) for index, value in enumerate(values))


def lines_of(text: str) -> list[str]:
    """The actions of a text, one a line or with `;` between them."""
    return [line for part in text.splitlines() for said in part.split(";") if (line := said.strip())]


def actions_written(match: Match, seat: Seat, text: str) -> tuple[Action, ...]:
    """The actions of a text, each read in the position after those before it. Raises Refused (unreadable-text).

    Reading ends at the first action that will be refused: who submits what was read is told why.
    """
    game, state = match.game, match.state
    actions: list[Action] = []
    for index, line in enumerate(lines_of(text)):
        if seat not in game.awaited(state):
            return (*actions, *actions[-1:])  # one too many, whatever it says: it cannot follow at once
        try:
            action = game.read(state, line)
        except Unreadable as why:
            raise Refused("unreadable-text", str(why), action=index) from why
        actions.append(action)
        if game.objection(state, seat, action):
            break
        state = game.apply(state, seat, action)
    return tuple(actions)


def _action(game: Game[Any, Any, Any], index: int, value: Any) -> Action:
    try:
        action: Action = msgspec.convert(value, game.actions)
    except msgspec.ValidationError as wrong:
        words = f"action {index} (counted from 0) is none of {game.title}: {_told(game, value, wrong)}"
        raise Refused("illegal-action", words, action=index) from wrong
    return action


def _told(game: Game[Any, Any, Any], value: Any, wrong: msgspec.ValidationError) -> str:
    kinds = _kinds(game)
    listed = ", ".join(kinds)
    if not isinstance(value, dict):
        return f"it must be an object with a `type`, which is one of {listed}"
    if "type" not in value:
        return f"its `type` is missing, which is one of {listed}"
    if not isinstance(value["type"], str) or value["type"] not in kinds:
        return f"there is no such `type`; there are {listed}"
    shape = kinds[value["type"]]
    fields = ", ".join(field.encode_name for field in msgspec.structs.fields(shape)) or "nothing else"
    return f"{complaint(wrong, shape)} (beside its type a {value['type']} has {fields})"


@cache
def _kinds(game: Game[Any, Any, Any]) -> dict[str, type[msgspec.Struct]]:
    """The shape behind each type of action."""
    union = msgspec.inspect.type_info(game.actions)
    shapes = union.types if isinstance(union, msgspec.inspect.UnionType) else (union,)
    return {str(shape.tag): shape.cls for shape in shapes if isinstance(shape, msgspec.inspect.StructType)}
