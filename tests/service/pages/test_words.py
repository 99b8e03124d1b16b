"""Times, names and options in words."""

from typing import Annotated, Any, Literal

import pytest
from msgspec import Meta

from domain import game
from domain.games import GAMES
from service.pages.options import Field, Unfit, fields, value
from service.pages.reading import plain
from service.pages.times import machine, moment, span
from tests.people import NOON


@pytest.mark.parametrize(
    ("ms", "said"),
    [
        (0, "a moment"),
        (999, "a moment"),
        (1_000, "1 second"),
        (61_000, "1 minute and 1 second"),
        (3_600_000, "1 hour"),
        (3_601_000, "1 hour"),
        (259_199_000, "2 days and 23 hours"),
        (259_200_000, "3 days"),
        (-5, "a moment"),
    ],
)
def test_a_span_has_its_two_largest_units(ms: int, said: str):
    assert span(ms) == said


def test_a_moment_has_its_weekday_and_its_zone():
    assert moment(NOON) == "Sunday 29 November 2026, 12:00 UTC"
    assert machine(NOON) == "2026-11-29T12:00:00Z"


def test_what_cannot_be_seen_is_not_shown():
    assert plain("  a\x00\u202eb\u2028 c\n") == "a b c"
    assert plain("abcdef", 4) == "abc…"


class Everything(game.Options, frozen=True):
    """One of each kind of option."""

    count: Annotated[int, Meta(ge=2, le=9, description="how many")] = 4
    most: Annotated[int, Meta(ge=20, description="the most")] | None = None
    trading: bool = False
    order: Literal["by-row", "by-column"] = "by-row"


def test_every_kind_of_option_has_its_field():
    made = fields(type("G", (), {"options": Everything})())
    assert made == (
        Field("count", "Count", "how many", "number", "4", least=2, most=9),
        Field("most", "Most", "the most", "number", "", least=20, free=True),
        Field("trading", "Trading", "", "yes", ""),
        Field("order", "Order", "", "choice", "by-row", values=("by-column", "by-row")),
    )
    count, most, trading, order = made
    assert (value(count, " 9 "), value(most, ""), value(most, "20"), value(trading, "yes"), value(trading, ""), value(order, "by-column")) == (
        9,
        None,
        20,
        True,
        False,
        "by-column",
    )
    for field, wrong in ((count, "1"), (count, "10"), (count, ""), (count, "４"), (most, "19"), (most, "9" * 400), (order, "by-lot")):
        with pytest.raises(Unfit):
            value(field, wrong)


@pytest.mark.parametrize("each", GAMES.values(), ids=GAMES)
def test_every_game_can_be_asked_for_by_form(each: game.Game[Any, Any, Any]):
    said = {field.name: value(field, field.default) for field in fields(each)}
    assert each.options(**said) == each.options()
