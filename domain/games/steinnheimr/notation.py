"""Steinnheimr in one line of text: `place iron, mine`, `remove town, donate town-03 with 1 iron ingot`, `* item-17 shown`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import islice
from typing import Any, Final, assert_never

from domain.game import Unreadable
from domain.games.steinnheimr.cards import DONATION, ITEMS, TOWNS, UPGRADES, CardId
from domain.games.steinnheimr.choices import deeds, within_reach
from domain.games.steinnheimr.goods import RESOURCES, Resource, amounts, plus
from domain.games.steinnheimr.objections import asked
from domain.games.steinnheimr.rules import awaited
from domain.games.steinnheimr.state import (
    LOCATIONS,
    Action,
    BonusInPlay,
    Buy,
    Craft,
    Deed,
    Discard,
    Donate,
    FirstPlayer,
    ItemShown,
    Location,
    Mine,
    Outcome,
    Place,
    Refine,
    Refresh,
    Remove,
    State,
    TownShown,
    Trade,
    UpgradeShown,
    Work,
)

# Writing


def write(action: Action) -> str:
    """The canonical line."""
    match action:
        case Refresh():
            return "refresh"
        case Place(at, do):
            return f"place {at}, {_written(do)}"
        case Remove(at, do):
            return f"remove {at}, {_written(do)}"
        case Discard(ore, ingots):
            return f"discard {', '.join(part for part in (stock(ore, 'ore'), stock(ingots, 'ingot')) if part)}"
        case _:
            assert_never(action)


def _written(do: Deed | None) -> str:
    match do:
        case None:
            return "nothing"
        case Mine():
            return "mine"
        case Refine(resource, count):
            return f"refine {count} {resource}"
        case Craft(item):
            return f"craft {item}"
        case Trade(form, give, get, times):
            return f"trade {give}>{get} {form} x{times}"
        case Buy(upgrade):
            return f"buy {upgrade}"
        case Work():
            return "work"
        case Donate(town, ingots):
            return f"donate {town} with {stock(ingots, 'ingot')}" if ingots else f"donate {town}"
        case _:
            assert_never(do)


def stock(goods: Mapping[Any, int], form: str) -> str:
    """`2 iron ingot, 1 silver ingot`, in level order."""
    return ", ".join(f"{goods[resource]} {resource} {form}" for resource in RESOURCES if resource in goods)


def tell(outcome: Outcome) -> str:
    """What was drawn."""
    match outcome:
        case FirstPlayer(seat):
            return f"* {seat} begins"
        case BonusInPlay(card):
            return f"* {card} in play"
        case ItemShown(card) | TownShown(card) | UpgradeShown(card):
            return f"* {card} shown"
        case _:
            assert_never(outcome)


# Reading

_NUMBER: Final = r"([1-9][0-9]{0,2})"
_RESOURCE: Final = r"(iron|silver|gold|mithril)"
_BETWEEN: Final = r" ?(?:[>,:-]| to | and | ) ?"
_STEP: Final = re.compile(
    rf"(place|remove)s?(?: (?:a |the |my )?dwarf)?(?: (?:on|at|to|in|from))?(?: the)? ({'|'.join(LOCATIONS)})(?: mine(?!$))?(?:{_BETWEEN}(.+))?"
)
_NO_DEED: Final = re.compile(r"nothing|no action|none|-")
_REFINE: Final = re.compile(rf"refines? (?:{_NUMBER} ?x? ?{_RESOURCE}|{_RESOURCE} ?x? ?{_NUMBER})(?: ores?)?")
_TRADE: Final = re.compile(rf"trades? {_RESOURCE}{_BETWEEN}{_RESOURCE} (ore|ingot)s?(?: x? ?{_NUMBER} ?x?)?")
_DONATE: Final = re.compile(r"donates? (?:to |for )?(.+?)(?:,? with (.+))?")
_DISCARD: Final = re.compile(r"discards? (.+)")
_PART: Final = re.compile(rf"{_NUMBER} ?x? ?{_RESOURCE} (ore|ingot)s?")
_SIGNS: Final = str.maketrans(dict.fromkeys("–—−", "-") | dict.fromkeys("→⇒", ">") | {"×": "x", "’": "'"})

_NAMED: Final[dict[str, CardId]] = {card.name.casefold(): name for cards in (ITEMS, UPGRADES, TOWNS) for name, card in cards.items()}


def read(s: State, line: str) -> Action:
    """The action of a line. Cards may be called by number or name (`craft 17`, `buy iron rails`), one trade needs no `x1`."""
    said = re.sub(r"[-=]+>", ">", " ".join(line.casefold().translate(_SIGNS).split())).rstrip(" .!")
    if re.fullmatch(r"refresh(?:es)?(?: (?:the )?(?:guild|upgrades))?", said):
        return Refresh()
    if step := _STEP.fullmatch(said):
        if step[3] is None:
            raise Unreadable(_undecided(s, step[1], step[2]))  # type: ignore[arg-type]  # the pattern knows no others
        act: Any = Place if step[1] == "place" else Remove
        if _NO_DEED.fullmatch(step[3]):
            return act(step[2], None)  # type: ignore[no-any-return]
        if deed := _deed(step[3]):
            return act(step[2], deed)  # type: ignore[no-any-return]
    if (given := _DISCARD.fullmatch(said)) and (parts := _parts(given[1])):
        return Discard(*parts)
    raise Unreadable(_not_understood(s, line))


def _deed(said: str) -> Deed | None:
    """What is done at a location; None where the words say nothing of the kind."""
    if said in ("mine", "mines", "work", "works"):
        return Mine() if said[0] == "m" else Work()
    if refine := _REFINE.fullmatch(said):
        resource: Any = refine[2] or refine[3]
        return Refine(resource, int(refine[1] or refine[4]))
    if trade := _TRADE.fullmatch(said):
        give, get, form, times = trade.groups()
        return Trade(form, give, get, int(times or 1))  # type: ignore[arg-type]  # the pattern knows no others
    verb, _, card = said.partition(" ")
    if verb in ("craft", "crafts") and (item := _card("item", card)):
        return Craft(item)
    if verb in ("buy", "buys") and (upgrade := _card("upgrade", card)):
        return Buy(upgrade)
    if (gift := _DONATE.fullmatch(said)) and (town := _card("town", gift[1])):
        return _donation(town, gift[2])
    return None


def _donation(town: CardId, said: str | None) -> Donate | None:
    """Ore may be named as well, if it is just the rest of what the town asks for."""
    ore, ingots = (_parts(said) if said else None) or ({}, {})
    if said and not ingots and not ore:
        return None
    if ore and plus(amounts(ore), amounts(ingots)) != DONATION.get(town):
        return None
    return Donate(town, ingots)


def _card(kind: str, said: str) -> CardId | None:
    if number := re.fullmatch(rf"(?:{kind}[- ]?)?#?([0-9]{{1,2}})", said):
        return f"{kind}-{int(number[1]):02}"
    card = _NAMED.get(said)
    return card if card and card.startswith(kind) else None


def _parts(said: str) -> tuple[dict[Resource, int], dict[Resource, int]] | None:
    """`2 iron ore and 1 gold ingot` as ore and ingots."""
    found: dict[str, dict[Any, int]] = {"ore": {}, "ingot": {}}
    for part in re.split(r" ?(?:,|\+|&| and ) ?(?:and )?| (?=[0-9])", said):
        if not (read := _PART.fullmatch(part)):
            return None
        number, resource, form = read.groups()
        found[form][resource] = found[form].get(resource, 0) + int(number)
    return found["ore"], found["ingot"]


# What was not understood


def _undecided(s: State, verb: str, at: Location) -> str:
    """A location alone does not say whether its action is wanted."""
    ways = [None, *islice(deeds(s, at), 3)] if verb == s.step and at in within_reach(s) and awaited(s) else []
    lines = " or ".join(f"“{verb} {at}, {_written(do)}”" for do in ways)
    return f"“{verb} {at}” does not say what to do there{f': write {lines}' if ways else ''} (SH-4)"


def _not_understood(s: State, line: str) -> str:
    now = f"; {asked(s)}" if awaited(s) else ""
    return f"“{' '.join(line.split())[:60]}” is no action of Blacksmiths of Steinnheimr{now}"
