"""A game's options as fields of a form, made from the types that judge them, whichever the game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

import msgspec

from domain.game import Game, Record
from domain.match.terms import label

Sort: TypeAlias = Literal["number", "yes", "choice"]


class Field(Record, frozen=True):
    """One option: how it is asked for, its default as text, and the bounds of a number. `free`: it may be left empty, for none."""

    name: str
    label: str
    about: str
    sort: Sort
    default: str
    least: int | None = None
    most: int | None = None
    values: tuple[str, ...] = ()
    free: bool = False


class Unfit(ValueError):
    """Text that is no value of its field; the message says what would be."""


def fields(game: Game[Any, Any, Any]) -> tuple[Field, ...]:
    """The options of a game in the order in which it declares them. TypeError for an option that no form can ask for."""
    shape = msgspec.json.schema(game.options)
    properties: dict[str, dict[str, Any]] = next(iter(shape["$defs"].values()))["properties"]
    return tuple(_field(name, said) for name, said in properties.items())


def value(field: Field, text: str) -> Any:
    """What the text means for the field. Raises Unfit."""
    text = text.strip()
    match field.sort:
        case "yes":
            return text != ""
        case "choice":
            if text not in field.values:
                raise Unfit(f"choose one of {', '.join(field.values)}")
            return text
        case "number":
            return _number(field, text)


def _field(name: str, said: Mapping[str, Any]) -> Field:
    kinds = [kind for kind in said.get("anyOf", [said]) if kind.get("type") != "null"]
    free = len(kinds) < len(said.get("anyOf", kinds))
    kind = {**said, **kinds[0]}
    default = said["default"]
    about = {"name": name, "label": label(name), "about": kind.get("description", ""), "free": free}
    match kind:
        case {"type": "integer"}:
            text = "" if default is None else str(default)
            return Field(**about, sort="number", default=text, least=kind.get("minimum"), most=kind.get("maximum"))
        case {"type": "boolean"}:
            return Field(**about, sort="yes", default="yes" if default else "")
        case {"enum": values}:
            return Field(**about, sort="choice", default=str(default), values=tuple(map(str, values)))
        case _:
            raise TypeError(f"no form can ask for the option {name}: {said}")


def _number(field: Field, text: str) -> int | None:
    if text == "" and field.free:
        return None
    low, high = field.least, field.most
    bounds = f"from {low} to {high}" if low is not None and high is not None else f"of at least {low}" if low is not None else ""
    wanted = f"this takes a whole number {bounds}".strip() + (", or nothing at all" if field.free else "")
    if not text.isascii() or not text.isdigit() or len(text) > 15:
        raise Unfit(wanted)
    number = int(text)
    if (low is not None and number < low) or (high is not None and number > high):
        raise Unfit(wanted)
    return number
