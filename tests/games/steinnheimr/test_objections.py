"""Why not: Steinnheimr's refusals, and that they refuse exactly what is not legal."""

from collections.abc import Iterator
from itertools import product
from random import Random
from time import process_time
from typing import Any

import msgspec
import pytest

from domain.games.steinnheimr import GAME
from domain.games.steinnheimr.cards import DONATION, ITEMS, TOWNS, UPGRADES
from domain.games.steinnheimr.goods import RESOURCES, goods
from domain.games.steinnheimr.state import (
    FORMS,
    LOCATIONS,
    Action,
    Buy,
    Craft,
    Deed,
    Discard,
    Donate,
    Mine,
    Place,
    Refine,
    Refresh,
    Remove,
    State,
    Trade,
    Work,
)
from tests.games.steinnheimr.positions import OPENING, has, play, position, refused
from tests.games.walks import walk

NUMBERS = (0, 1, 2, 3, 4, 8, 9, 10**30)


def all_deeds() -> Iterator[Deed | None]:
    """Whatever could be asked for at a location, sense and nonsense alike."""
    yield from (None, Mine(), Work())
    yield from (Refine(resource, number) for resource in RESOURCES for number in NUMBERS)
    yield from (Craft(item) for item in (*ITEMS, "item-99"))
    yield from (Buy(upgrade) for upgrade in (*UPGRADES, "upgrade-00"))
    yield from (Trade(form, give, get, times) for form, give, get, times in product(FORMS, RESOURCES, RESOURCES, NUMBERS))
    for town, price in (*DONATION.items(), ("town-77", (1, 0, 0, 0))):
        ways = [range(amount + 1) for amount in price]
        yield from (Donate(town, goods(ingots)) for ingots in product(*ways))
        yield from (Donate(town, {"mithril": 4}), Donate(town, {"iron": 10**30}), Donate(town, {"iron": 6}))


DEEDS = tuple(all_deeds())


def all_actions(s: State) -> Iterator[Action]:
    """Whatever could be asked for now: everything everywhere, and discards of up to one more than there is."""
    yield Refresh()
    yield from (act(at, do) for act in (Place, Remove) for at in LOCATIONS for do in DEEDS)
    stocks = [range(min(amount + 2, 5)) for amount in (*s.me.ore, *s.me.ingots)]
    if s.step == "discard":
        yield from (Discard(goods(given[:4]), goods(given[4:])) for given in product(*stocks))
    yield from (Discard({}, {}), Discard({"iron": 10**30}, {}), Discard({}, {"mithril": 1}))


@pytest.mark.parametrize("seed", range(12))
def test_of_everything_that_could_be_asked_for_just_what_is_legal_meets_no_objection(seed: int):
    match = walk(GAME, seed, 300)
    chance = Random(seed)
    awaited = [step.state for step in match.steps if step.seat]
    tried = [*chance.sample(awaited, 2), *[s for s in awaited if s.step == "discard" and s.me.excess < 5][:2]]
    for s in tried:
        (seat,) = GAME.awaited(s)
        legal = list(GAME.legal(s, seat))
        unopposed = [action for action in all_actions(s) if GAME.objection(s, seat, action) is None]
        assert unopposed
        assert all(action in legal for action in unopposed)
        assert all(action in unopposed or beyond(action) for action in legal)


def beyond(action: Action) -> bool:
    """Numbers that the grid above leaves out."""
    if isinstance(action, Discard):
        return max((*action.ore.values(), *action.ingots.values())) >= 5
    do = action.do if isinstance(action, Place | Remove) else None
    return (isinstance(do, Refine) and do.count not in NUMBERS) or (isinstance(do, Trade) and do.times not in NUMBERS)


@pytest.mark.parametrize(
    ("s", "seat", "line", "words"),
    [
        (OPENING, "red", "place iron, mine", "nobody can act before the first player has been drawn (SH-1)"),
        (play(OPENING, "* red begins"), "red", "place iron, mine", "nobody can act before a card has been drawn (SH-12)"),
        (
            position(),
            "blue",
            "place iron, mine",
            "it is not blue's turn: red is to place a dwarf on iron, gold, mithril, anvil, guild or town (SH-4)",
        ),
        (
            position(),
            "grey",
            "place iron, mine",
            "it is not grey's turn: red is to place a dwarf on iron, gold, mithril, anvil, guild or town (SH-4)",
        ),
        (position(reason="items"), "red", "place iron, mine", "the match is over"),
        (
            position(has("9 iron ore"), has(), step="discard", placed="iron"),
            "red",
            "remove silver, mine",
            "no dwarf can be removed now: red has 9 resources and room for 8, and is to discard exactly 1 (SH-13)",
        ),
    ],
)
def test_a_refusal_says_why_and_what_would_be_legal(s: State, seat: str, line: str, words: str):
    assert refused(s, line, seat) == words


def test_numbers_beyond_all_bounds_are_refused_in_few_words():
    s = position(has("4 iron ore, 4 iron ingots"), has(), dwarves="silver gold anvil")
    huge = 10**4000
    for at, do in (
        ("furnace", Refine("iron", huge)),
        ("market", Trade("ore", "iron", "silver", huge)),
        ("town", Donate("town-01", {"iron": huge})),
    ):
        words = GAME.objection(s, "red", Place(at, do))  # type: ignore[arg-type]
        assert words is not None
        assert len(words) < 200
    over = position(has("9 iron ore"), has(), step="discard", placed="iron")
    assert "exactly 1 (SH-13)" in (GAME.objection(over, "red", Discard({"iron": huge}, {})) or "")


def test_what_came_as_json_is_judged_like_any_other():
    s = position(has("4 iron ore"), has(), dwarves="silver gold anvil")
    wire: Any = {"type": "place", "at": "furnace", "do": {"type": "refine", "resource": "iron", "count": 5}}
    assert GAME.objection(s, "red", msgspec.convert(wire, GAME.actions)) == "red has 4 iron ore and can refine 1 to 4 of it (SH-6)"
    wire["do"]["count"] = 4
    assert GAME.objection(s, "red", msgspec.convert(wire, GAME.actions)) is None


def test_an_objection_takes_no_time():
    match = walk(GAME, 3, 400)
    asked = [(step.state, step.seat, Place(at, do)) for step in match.steps[::40] if step.seat for at in LOCATIONS for do in DEEDS[::5]]
    start = process_time()
    for s, seat, action in asked:
        GAME.objection(s, seat, action)
    assert (process_time() - start) / len(asked) < 50e-6


def test_every_town_names_a_way_to_pay_it():
    for town in TOWNS:
        price = DONATION[town]
        s = position(has(", ".join(f"{amount} {resource} ingot" for resource, amount in goods(price).items())), has(), shown_towns=f"{town[-2:]} 0 0")
        assert "it can be paid with" in refused(s, f"place town, donate {town}")
