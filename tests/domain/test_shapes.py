"""What is wrong with a value's shape, in words."""

from typing import Annotated, Any, Literal

import msgspec
import pytest
from msgspec import Meta

from domain.shapes import LONGEST, complaint, faults


class Inner(msgspec.Struct, forbid_unknown_fields=True):
    """Stones."""

    black: int


class Lift(msgspec.Struct, forbid_unknown_fields=True, tag_field="type", tag="lift"):
    """Up."""


class Turn(msgspec.Struct, forbid_unknown_fields=True, tag_field="type", tag="turn"):
    """Aside."""

    to: Literal["left", "right"] = "left"


Letter = Annotated[str, Meta(pattern="^[a-e]$", max_length=1, description="a letter from a to e")]


class Shape(msgspec.Struct, forbid_unknown_fields=True):
    """One of everything."""

    count: Annotated[int, Meta(ge=1, le=4)] = 1
    stacks: Annotated[tuple[int, ...], Meta(min_length=1)] = (1,)
    cell: Letter = "a"
    cells: list[Letter] = []
    size: Literal[1, 2] = 1
    does: Lift | Turn | None = None
    name: Annotated[str, Meta(max_length=3)] = "x"
    stone: Literal["black", "grey"] = "grey"
    give: Inner | None = None
    share: float = 0.5
    stock: dict[Literal["black", "grey"], int] = msgspec.field(default_factory=dict)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ({"count": 0}, "`count` must be at least 1"),
        ({"count": 5}, "`count` must be at most 4"),
        ({"count": "2"}, "`count` must be a whole number, not text"),
        ({"count": 2.0}, "`count` must be a whole number, not a number with a decimal point"),
        ({"count": True}, "`count` must be a whole number, not true or false"),
        ({"count": None}, "`count` must be a whole number, not null"),
        ({"stacks": []}, "`stacks` must have at least 1 entry"),
        ({"stacks": [1, "x"]}, "`stacks[1]` must be a whole number, not text"),
        ({"stacks": {}}, "`stacks` must be a list, not an object"),
        ({"cell": "z"}, "`cell` must be a letter from a to e"),
        ({"cell": "ab"}, "`cell` must be a letter from a to e"),
        ({"cells": ["a", "z"]}, "`cells[1]` must be a letter from a to e"),
        ({"name": "four"}, "`name` must have at most 3 characters"),
        ({"stone": "red"}, "`stone` cannot be “red”; it can be black, grey"),
        ({"stone": "it's\n\x00"}, "`stone` cannot be “it's��”; it can be black, grey"),
        ({"size": 3}, "`size` cannot be 3; it can be 1, 2"),
        ({"does": {"type": "fly"}}, "`does.type` cannot be “fly”; it can be lift, turn"),
        ({"does": {"type": "turn", "to": "up"}}, "`does.to` cannot be “up”; it can be left, right"),
        ({"give": {}}, "`give.black` is missing"),
        ({"give": {"black": 1, "red": 2}}, "`give.red` is not known here"),
        ({"give": 3}, "`give` must be an object or null, not a whole number"),
        ({"stock": {"red": 1}}, "a key of `stock` cannot be “red”; it can be black, grey"),
        ({"stock": {"grey": "1"}}, "`stock[...]` must be a whole number, not text"),
        ({"hurry": 1}, "`hurry` is not known here"),
        ({"h" * 80: 1}, f"`{'h' * LONGEST}…` is not known here"),
        ([], "it must be an object, not a list"),
    ],
)
def test_every_kind_of_fault_is_told_with_the_fields_name(value: Any, words: str):
    with pytest.raises(msgspec.ValidationError) as caught:
        msgspec.convert(value, Shape)
    assert complaint(caught.value, Shape) == words


def test_choices_are_left_out_where_nobody_says_what_was_expected():
    with pytest.raises(msgspec.ValidationError) as caught:
        msgspec.convert({"stone": "red"}, Shape)
    assert complaint(caught.value) == "`stone` cannot be “red”"


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ({}, []),
        (
            {"count": 0, "name": "four", "hurry": 1, "speed": 2},
            [
                (("count",), "`count` must be at least 1"),
                (("name",), "`name` must have at most 3 characters"),
                (("hurry",), "`hurry` is not known here"),
                (("speed",), "`speed` is not known here"),
            ],
        ),
        (
            {"does": {"type": "fly"}, "give": {"black": "1", "red": 2}},
            [
                (("does", "type"), "`does.type` cannot be “fly”; it can be lift, turn"),
                (("give", "black"), "`give.black` must be a whole number, not text"),
                (("give", "red"), "`give.red` is not known here"),
            ],
        ),
        ({"give": {}, "count": 5}, [(("give", "black"), "`give.black` is missing"), (("count",), "`count` must be at most 4")]),
        (
            {"stacks": [1, "x"], "size": 3},
            [(("stacks", "1"), "`stacks[1]` must be a whole number, not text"), (("size",), "`size` cannot be 3; it can be 1, 2")],
        ),
        (
            {"stock": {"grey": "1"}, "size": 3},
            [(("stock",), "`stock[...]` must be a whole number, not text"), (("size",), "`size` cannot be 3; it can be 1, 2")],
        ),
        ({"a.b": 1, "[²]": 2}, [(("a.b",), "`a.b` is not known here"), (("[²]",), "`[²]` is not known here")]),
        ([], [((), "it must be an object, not a list")]),
    ],
)  # fmt: skip
def test_every_fault_is_found_with_its_place_and_what_was_judged_stays_as_it_was(value: Any, found: list[Any]):
    before = repr(value)
    assert [tuple(fault) for fault in faults(value, Shape)] == found
    assert repr(value) == before
