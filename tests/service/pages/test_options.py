"""A game's options as fields of a form."""

from typing import Annotated, Any, Literal

import pytest
from msgspec import Meta

from domain import game
from domain.games import GAMES
from service.pages.options import Field, Unfit, fields, value


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
