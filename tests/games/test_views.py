"""What a position looks like as JSON is told in each game's guide, whole and as it is, and in a type of which its JSON Schema is made."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import msgspec

from tests.games.test_every_game import every_game
from tests.games.walks import AnyGame, walk

ID = re.compile(r"[a-h][1-8]|[OMLA][1-4]|(item|town|upgrade|bonus)-[0-9]+")  # what keys of objects are that name cells, anvils and cards
SECTION = "\n## For programs\n"


def told(game: AnyGame) -> tuple[str, dict[str, Any]]:
    """What the guide says of it, and its example."""
    section = game.guide.partition(SECTION)[2]
    example: dict[str, Any] = json.loads(re.findall(r"```json\n(.*?)\n```", section, re.DOTALL)[0])
    return section, example


def names(value: Any) -> Iterator[str]:
    """Every name of a field in it."""
    if isinstance(value, dict):
        for name, inner in value.items():
            if not ID.fullmatch(name):
                yield name
            yield from names(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from names(inner)


@every_game
def test_every_field_of_a_position_is_named_in_the_guide(game: AnyGame):
    """Given random matches with all kinds of options, whatever field comes in their positions stands in the guide's words or its example."""
    section, _ = told(game)
    seen = {name for seed in range(12) for match in [walk(game, seed, 300)] for step in match.steps[::7] for name in names(game.view(step.state))}
    fields = seen - set(game.seats)
    assert len(fields) > len(game.view(walk(game, 1, 1).end))
    assert sorted(name for name in fields if f"`{name}`" not in section and f'"{name}"' not in section) == []


@every_game
def test_the_example_in_the_guide_has_the_fields_of_a_position_in_their_order_and_no_other(game: AnyGame):
    """Given the very options that a match has unless somebody says otherwise."""
    _, example = told(game)
    match = walk(game, 1, 40, options=game.options())
    assert list(example) == list(game.view(match.end))
    seen = {name for step in match.steps for name in names(game.view(step.state))}
    assert set(names(example)) <= seen | set(game.seats)


@every_game
def test_a_position_has_the_fields_that_its_type_names_as_it_names_them_and_no_other(game: AnyGame):
    """Given random matches with all kinds of options, and the example of the guide."""
    _, example = told(game)
    views = [game.view(step.state) for seed in range(12) for match in [walk(game, seed, 300)] for step in match.steps[::7]]
    for view in [*views, example]:
        assert msgspec.to_builtins(msgspec.convert(view, game.views)) == view  # what the type does not name is left out


@every_game
def test_every_field_that_the_schema_of_a_position_names_comes_and_is_explained(game: AnyGame):
    seen = {name for seed in range(40) for match in [walk(game, seed, 300)] for step in match.steps[::7] for name in names(game.view(step.state))}
    _, shapes = msgspec.json.schema_components((game.views,))
    for name, shape in shapes.items():
        assert shape["description"], name
        assert set(shape["properties"]) <= seen, name
    assert all("description" in field for field in shapes["View"]["properties"].values())
