"""What is known to be good at a glance is what the fields find good, and comes to the same."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from marshmallow import Schema, ValidationError

from service.schemas.play import SUBMISSION, ActionsSubmission, TextSubmission
from service.schemas.strict import NOTHING, Asked, loaded

SHAPES: tuple[Asked, ...] = (ActionsSubmission(), TextSubmission(), NOTHING)

texts = st.one_of(st.text(max_size=3), st.sampled_from([0, 1, 40, 41, 4_000, 4_001]).map(lambda length: "x" * length))
numbers = st.one_of(st.integers(-2, 9), st.sampled_from([2**53, 2**53 + 1, True, 9.0, float("inf")]))
lists: st.SearchStrategy[list[Any]] = st.one_of(
    st.lists(st.none() | st.integers() | st.dictionaries(texts, texts), max_size=3),
    st.sampled_from([0, 400, 401]).map(lambda length: [{}] * length),
)
anything = st.one_of(st.none(), texts, numbers, lists, st.just({}))
bodies = st.fixed_dictionaries(
    {},
    optional={
        "seat": st.one_of(texts, anything),
        "ply": st.one_of(numbers, anything),
        "actions": st.one_of(lists, anything),
        "text": st.one_of(texts, anything),
        "nonce": st.one_of(texts, anything),
        "more": anything,
    },
)


def by_its_fields(shape: Asked, body: Any) -> Any:
    """What the fields alone give, or None."""
    try:
        return Schema.load(shape, body)
    except ValidationError:
        return None


def at_a_glance(shape: Asked, body: Any) -> Any:
    """What the shape gives, or None."""
    try:
        return shape.load(body)
    except ValidationError:
        return None


@given(st.one_of(bodies, anything))
def test_a_glance_and_the_fields_agree(body: Any):
    for shape in SHAPES:
        assert at_a_glance(shape, body) == by_its_fields(shape, body)


@pytest.mark.parametrize(
    "body",
    [
        {"seat": "south", "ply": 9, "actions": [{"type": "deploy", "at": "c2"}]},
        {"seat": "south", "ply": 9, "text": "deploy c2"},
    ],
    ids=["actions", "text"],
)
def test_a_usual_move_is_not_looked_at_field_by_field(monkeypatch: pytest.MonkeyPatch, body: dict[str, Any]):
    monkeypatch.setattr(Schema, "load", None)
    assert loaded(SUBMISSION, body, "body") == body
    assert loaded(NOTHING, {}, "query") == {}
