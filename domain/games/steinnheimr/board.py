"""The board as a picture: nine locations with their dwarves, the cards that are shown, and below them what everybody has."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from textwrap import wrap
from typing import Final, TypeAlias

from domain.game import Seat
from domain.games.steinnheimr.cards import BONUSES, DONATION, ITEMS, ORE, TOWNS, UPGRADES, CardId, ingots_due
from domain.games.steinnheimr.choices import mined, wage, within_reach
from domain.games.steinnheimr.goods import LEVEL, NOTHING, RESOURCES, Amounts, Resource
from domain.games.steinnheimr.holdings import holdings
from domain.games.steinnheimr.names import COUNTED, brief, counted
from domain.games.steinnheimr.notation import write
from domain.games.steinnheimr.rules import awaited
from domain.games.steinnheimr.scoring import bonus_winner
from domain.games.steinnheimr.state import LOCATIONS, Action, Location, Place, Remove, State
from domain.games.steinnheimr.telling import headline
from domain.games.steinnheimr.tokens import bracket, card, coin, dwarf, either, ingot, ore, points, sort, words
from domain.picture import Look, element, letters, sheet

WIDTH: Final = 600
LEFT: Final = 12.0
GAP: Final = 6.0
INSIDE: Final = WIDTH - 2 * LEFT
HALF: Final = (INSIDE - GAP) / 2
THIRD: Final = (INSIDE - 2 * GAP) / 3
TOP: Final = 80.0
TILE: Final = 76.0  # height of a location

_DONE: Final[dict[Location, str]] = {"furnace": "ore to ingots", "anvil": "craft an item", "market": "2:1 up, 1:2 down", "guild": "buy an upgrade"}

Token: TypeAlias = Callable[[Look, float, float, Resource], str]
Band: TypeAlias = tuple[str, float]  # what is drawn, and where the next band begins


def svg(s: State, look: Look, seat: Seat | None, last: tuple[Action, ...]) -> str:
    """The position, with the viewing seat's own goods first, and the last two actions marked."""
    title, doing = headline(s)
    last = last[-2:]
    drawn = [letters(title, WIDTH / 2, 26, 26, look), letters(doing[0].upper() + doing[1:], WIDTH / 2, 57, 22, look, fill=look.mark)]
    y = TOP
    for band in (_locations, _items, _towns, _upgrades, _bonuses):
        part, y = band(s, look, y)
        drawn.append(part)
    drawn += [bracket(look, *_corner(at), THIRD, TILE) for at in LOCATIONS if any(isinstance(act, Place | Remove) and act.at == at for act in last)]
    own = s.seats.index(seat) if seat in s.seats else 0
    for place in (*range(own, len(s.seats)), *range(own)):
        part, y = holdings(s, look, place, y, mine=s.seats[place] == seat)
        drawn.append(part)
    part, y = _last(look, last, y)
    return sheet(WIDTH, y + 6, f"Blacksmiths of Steinnheimr. {title}: {doing}", look, *drawn, part)


# The locations


def _corner(at: Location) -> tuple[float, float]:
    """Where a location's tile begins, in three rows of three."""
    row, column = divmod(LOCATIONS.index(at), 3)
    return LEFT + column * (THIRD + GAP), TOP + row * (TILE + GAP)


def _locations(s: State, look: Look, y: float) -> Band:
    reach = within_reach(s) if awaited(s) and s.step != "discard" else ()
    return "".join(_location(s, look, at, reachable=at in reach) for at in LOCATIONS), y + 3 * (TILE + GAP) + 2


def _location(s: State, look: Look, at: Location, *, reachable: bool) -> str:
    """A tile, dark where a dwarf stands; a dashed frame shows where the one who is on turn can go on."""
    x, y = _corner(at)
    taken = at in s.dwarves
    tile = card(look, x, y, THIRD, TILE, fill=look.board_dark if taken else look.board)
    if reachable:
        tile += element(
            "rect",
            x=f"{x + 3:g}",
            y=f"{y + 3:g}",
            width=f"{THIRD - 6:g}",
            height=f"{TILE - 6:g}",
            rx=6,
            fill="none",
            stroke=look.mark,
            stroke_width=2,
            stroke_dasharray="6 4",
        )
    name = f"{at.capitalize()} mine" if at in LEVEL else at.capitalize()
    tile += words(look, name, x + 12, y + 23, 19) if look.labels else ""
    if at in LEVEL:
        tile += "".join(ore(look, x + 25 + 27 * lump, y + 53, RESOURCES[LEVEL[at]]) for lump in range(mined(s, LEVEL[at])))
    else:
        done = f"work: {counted(wage(s.me), 'coin')}" if at == "town" else _DONE[at]
        tile += words(look, done, x + 12, y + 53, 16, fill=look.faint)
    return tile + (dwarf(x + THIRD - 26, y + TILE / 2 + 1) if taken else "")


# The cards


def _heading(look: Look, said: str, y: float) -> str:
    return words(look, said, LEFT, y + 12, 17, fill=look.faint)


def _slot(look: Look, x: float, y: float, width: float, height: float, shown: CardId | None) -> str:
    """Where a card lies, or a gap."""
    return card(look, x, y, width, height, **({} if shown else {"fill": "none", "stroke": look.line, "stroke_dasharray": "3 5"}))


def _row(look: Look, tokens: Iterable[tuple[Token, Amounts]], x: float, y: float, step: float = 27) -> str:
    """Tokens in a row, one for each that is due."""
    drawn = ""
    for token, goods in tokens:
        for resource, amount in zip(RESOURCES, goods, strict=True):
            for _ in range(amount):
                drawn += token(look, x, y, resource)
                x += step
    return drawn


def _title(look: Look, name: str, x: float, y: float, room: float) -> str:
    """A card's name, small enough for its room."""
    return words(look, name, x, y, min(18, room / len(name) / 0.54))


def _id(look: Look, name: CardId, x: float, y: float) -> str:
    """What the card is called in a line."""
    return letters(name, x, y, 14, look, fill=look.faint, text_anchor="end") if look.labels else ""


def _items(s: State, look: Look, y: float) -> Band:
    """Two rows of two, with what is due from the one who is on turn."""
    drawn, height = _heading(look, f"Items for the anvil, {len(s.item_deck)} more", y), 78.0
    cheaper = NOTHING if s.reason else s.me.powers.cheaper
    for slot, item in enumerate(s.items):
        x, top = LEFT + slot % 2 * (HALF + GAP), y + 26 + slot // 2 * (height + GAP)
        drawn += _slot(look, x, top, HALF, height, item)
        if item:
            drawn += points(look, x + 24, top + 25, ITEMS[item].vp) + _title(look, ITEMS[item].name, x + 50, top + 20, HALF - 90)
            drawn += element("g", sort(look, ITEMS[item].type), transform=f"translate({x + HALF - 22:g} {top + 22:g})")
            drawn += _row(look, [(ingot, ingots_due(item, cheaper)), (ore, ORE[item])], x + 63, top + 54, 29)
            drawn += _id(look, item, x + HALF - 8, top + height - 12)
    return drawn, y + 26 + 2 * (height + GAP) + 2


def _towns(s: State, look: Look, y: float) -> Band:
    drawn, height = _heading(look, f"Gifts to the town, in ore or ingots, {len(s.town_deck)} more", y), 92.0
    for slot, town in enumerate(s.towns):
        x, top = LEFT + slot * (THIRD + GAP), y + 26
        drawn += _slot(look, x, top, THIRD, height, town)
        if town:
            effect, closest = TOWNS[town].effect, (THIRD - 82) / max(1, sum(DONATION[town]) - 1)
            drawn += points(look, x + 24, top + 25, TOWNS[town].vp) + _title(look, TOWNS[town].name, x + 48, top + 20, THIRD - 54)
            drawn += _row(look, [(either, DONATION[town])], x + 64, top + 51, min(34, closest))
            drawn += words(look, brief(effect), x + 12, top + 78, 15) if effect else ""
            drawn += _id(look, town, x + THIRD - 8, top + height - 13)
    return drawn, y + 26 + height + GAP + 2


def _upgrades(s: State, look: Look, y: float) -> Band:
    decks = f"{len(s.upgrade_deck)} more" + (f", {len(s.discarded)} discarded" if s.discarded else "")
    drawn, height = _heading(look, f"Upgrades at the guild, {decks}", y), 92.0
    for slot, upgrade in enumerate(s.upgrades):
        x, top = LEFT + slot * (THIRD + GAP), y + 26
        drawn += _slot(look, x, top, THIRD, height, upgrade)
        if upgrade:
            effect, name = UPGRADES[upgrade].effect, UPGRADES[upgrade].name
            drawn += _title(look, name, x + 10, top + 19, THIRD - 20) + words(look, brief(effect), x + 10, top + 46, 16)
            drawn += "".join(coin(x + 22 + 13 * number, top + 73) for number in range(UPGRADES[upgrade].cost))
            drawn += _id(look, upgrade, x + THIRD - 8, top + height - 13)
    return drawn, y + 26 + height + GAP + 2


def _bonuses(s: State, look: Look, y: float) -> Band:
    """What is counted, and who would have the points now."""
    drawn, height = _heading(look, "Points at the end for having most", y), 40.0
    for slot, bonus in enumerate(s.bonus):
        x, top, what = LEFT + slot * (HALF + GAP), y + 26, BONUSES[bonus]
        drawn += card(look, x, top, HALF, height) + points(look, x + 24, top + 20, what.vp)
        ahead = bonus_winner(s, what.counts)
        owner = "" if ahead is None else f": {s.seats[ahead]}"
        drawn += words(look, COUNTED[what.counts] + owner, x + 52, top + 20, 18) + _id(look, bonus, x + HALF - 8, top + 20)
    return drawn, y + 26 + height + GAP + 6


def _last(look: Look, last: tuple[Action, ...], y: float) -> Band:
    """The last actions as they are written."""
    drawn = ""
    for number, action in enumerate(last):
        lines = wrap(f"Last: {write(action)}" if number == 0 else write(action), 62)
        for line in lines:
            drawn += words(look, line, LEFT + 34, y + 12, 17, fill=look.mark)
            y += 24
        drawn += bracket(look, LEFT, y - 24, 22, 22) if number == 0 else ""
    return drawn, y
