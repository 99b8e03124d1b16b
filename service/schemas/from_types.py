"""Schemas that come from the domain's own types: what the games' actions, options and positions, the settings of a match and its events look like."""

from __future__ import annotations

from functools import cache
from typing import Any, TypeAlias

import msgspec

from domain.game import Game
from domain.games import GAMES
from domain.match.events import KINDS, ActionTaken, By
from domain.match.settings import Settings
from service.contract.wording import FIELDS

REF = "#/components/schemas/"

OUTCOME_DRAWN = {
    "type": "object",
    "additionalProperties": True,
    "description": "What was drawn; its fields depend on `kind`, as the game's guide says under “For programs”. Of `seats`, it is `seats` with the "
    "player of each seat.",
}

Schemas: TypeAlias = dict[str, dict[str, Any]]  # by their names in openapi.yaml

HASH = {"type": "string", "pattern": "^[0-9a-f]{64}$"}


def ref(name: str) -> dict[str, Any]:
    """A reference to a component."""
    return {"$ref": f"{REF}{name}"}


def any_game(what: str) -> dict[str, Any]:
    """The `Action` of any game, its `Options`, or the `MatchOptions` of its matches."""
    return {"anyOf": [ref(f"{titled(GAMES[name])}{what}") for name in _in_order()]}


@cache
def _in_order() -> tuple[str, ...]:
    """The games, such that whoever takes the first schema that has all its fields takes the right one.

    Where actions of two games have the same type, those that ask for more fields come first: generated clients let pass what is too much.
    """
    order: list[str] = []
    for name in sorted(GAMES):
        place = next((place for place, other in enumerate(order) if _asks_for_more(name, other)), len(order))
        order.insert(place, name)
    return tuple(order)


def _asks_for_more(one: str, other: str) -> bool:
    mine, theirs = _asked_by(one), _asked_by(other)
    return any(mine[tag] > theirs[tag] for tag in mine.keys() & theirs)


def _asked_by(name: str) -> dict[str, set[str]]:
    """What each type of action of a game must have."""
    shapes = msgspec.json.schema_components((GAMES[name].actions,))[1].values()
    return {shape["properties"]["type"]["enum"][0]: set(shape["required"]) for shape in shapes if "type" in shape.get("properties", {})}


def components() -> Schemas:
    """Every schema that the domain's types give."""
    made: Schemas = {}
    for name in sorted(GAMES):
        made |= _of_game(GAMES[name])
    made |= _shapes(Settings, By)
    made["MatchSettings"] = made.pop("Settings")
    made |= _events()
    for name, fields in FIELDS.items():
        for field, about in fields.items():
            made[name]["properties"][field] = {"description": about, **made[name]["properties"][field]}
    return made


def titled(game: Game[Any, Any, Any]) -> str:
    """A game's id as the beginning of a schema's name: `four-forges` → `FourForges`."""
    return "".join(part.capitalize() for part in game.id.split("-"))


def _of_game(game: Game[Any, Any, Any]) -> Schemas:
    name = titled(game)
    types = (game.actions, game.options, game.views)
    (actions, *_), shapes = msgspec.json.schema_components(types, ref_template=f"{REF}{name}{{name}}")
    told = shapes["Options"]
    told["properties"] = {option: _explained(said) for option, said in told["properties"].items()}
    shapes["MatchOptions"] = {**told, "description": f"What a match of {game.title} is played by.", "required": list(told["properties"])}
    about = f"An action of {game.title}. What each type means stands in the guide, `GET /api/v1/games/{game.id}`."
    return {**{f"{name}{part}": schema for part, schema in shapes.items()}, f"{name}Action": {"description": about, **actions}}


def _explained(said: dict[str, Any]) -> dict[str, Any]:
    """A field that may be null, with its description where generators and readers look for it: on the field."""
    described = [one["description"] for one in said.get("anyOf", ()) if "description" in one]
    if len(described) != 1:
        return said
    return {**said, "description": described[0], "anyOf": [{name: one[name] for name in one if name != "description"} for one in said["anyOf"]]}


def _shapes(*types: Any) -> Schemas:
    return msgspec.json.schema_components(types, ref_template=f"{REF}{{name}}")[1]


def _events() -> Schemas:
    """One schema a type of event with its data, and `Event`, which is one of them, told apart by `type`."""
    made = _shapes(*(fact for fact in KINDS if fact is not ActionTaken), ActionTaken[Any])
    made["ActionTaken"] = made.pop("ActionTaken_Any_")
    made["ActionTaken"]["properties"]["action"] = any_game("Action")
    made["MatchCreated"]["properties"] |= {"options": any_game("MatchOptions"), "settings": ref("MatchSettings")}
    made["MatchFinished"]["properties"] |= {"outcome": ref("Outcome")}
    made["ChanceDrawn"]["properties"] |= {"outcome": OUTCOME_DRAWN}
    names = {}
    for fact, kind in KINDS.items():
        said, _, schema = kind.rpartition(".")
        names[said] = f"{fact.__name__}Event"
        made[names[said]] = {"description": made[fact.__name__]["description"], **_event(said, int(schema), fact.__name__)}
    made["Event"] = {
        "description": "Something that happened in a match. Types are only ever added: let pass a `type` that you do not know.",
        "oneOf": [ref(name) for name in names.values()],
        "discriminator": {"propertyName": "type", "mapping": {said: f"{REF}{name}" for said, name in names.items()}},
    }
    return made


def _event(said: str, schema: int, data: str) -> dict[str, Any]:
    properties = {
        "match": {"type": "string", "description": "The match's id."},
        "version": {"type": "integer", "minimum": 1, "description": "The event's number in its match, from 1."},
        "type": {"type": "string", "enum": [said]},
        "schema": {"type": "integer", "enum": [schema], "description": "Which edition of the shape of `data` this is."},
        "at": {"type": "string", "format": "date-time", "description": "When it happened, in UTC, to the millisecond."},
        "ply": {"type": "integer", "minimum": 0, "description": "The match's ply after the event."},
        "by": ref("By"),
        "data": ref(data),
        "prev": {**HASH, "description": "The hash of the event before; 64 zeros for the first."},
        "hash": {**HASH, "description": "The event's hash: SHA-256 over `prev`, `match`, `type`, `schema` and the canonical JSON of the rest."},
    }
    return {"type": "object", "properties": properties, "required": list(properties)}
