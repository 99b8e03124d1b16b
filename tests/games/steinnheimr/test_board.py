"""The board of Steinnheimr as a picture and as text: what must be seen on it, and where."""

from random import Random
from xml.etree import ElementTree as ET

import pytest

from domain.games.steinnheimr import GAME
from domain.games.steinnheimr.state import Action, Discard, Donate, Mine, Options, Place, Remove, State, Work
from domain.picture import Look
from infra.pictures import png
from tests.games.steinnheimr.positions import OPENING, has, play, position
from tests.games.walks import walk

SVG = "{http://www.w3.org/2000/svg}"
COLUMNS, ROWS = (12, 206, 400), (80, 162, 244)  # where the nine locations begin
PLACES = ("iron", "silver", "gold", "mithril", "furnace", "anvil", "market", "guild", "town")

MIDDLE = position(
    has("3 coins, 2 iron ore, 1 iron ingot, 1 mithril ore", items="15 31", towns="16", upgrades="9 23"),
    has("1 coin, 9 silver ingots", items="43"),
    has(upgrades="16 17 3"),
    shown_items="11 48 0 54",
    shown_towns="14 19 17",
    shown_upgrades="15 0 26",
    bonus=("bonus-4", "bonus-8"),
    round=7,
)


def drawn(s: State, seat: str | None = None, last: tuple[Action, ...] = (), look: Look | None = None) -> ET.Element:
    return ET.fromstring(GAME.svg(s, look or Look(), seat, last))  # noqa: S314 - our own picture


def words(picture: ET.Element) -> dict[str, tuple[float, float]]:
    """Where each piece of text stands; of several alike, the first."""
    found: dict[str, tuple[float, float]] = {}
    for text in picture.iter(f"{SVG}text"):
        found.setdefault(text.text or "", (float(text.get("x", "")), float(text.get("y", ""))))
    return found


def tokens(picture: ET.Element, top: float, bottom: float, left: float = 0, right: float = 600) -> str:
    """The initials on the ore and ingots in a part of the picture, from left to right."""
    letters = [
        (float(text.get("x", "")), text.text or "")
        for text in picture.iter(f"{SVG}text")
        if text.text in set("ISGM") and top < float(text.get("y", "")) < bottom and left < float(text.get("x", "")) < right
    ]
    return "".join(letter for _, letter in sorted(letters))


def tile(x: float, y: float) -> str:
    """The location that a point lies in."""
    return PLACES[3 * max(row for row in range(3) if ROWS[row] <= y) + max(column for column in range(3) if COLUMNS[column] <= x)]


def dwarves(picture: ET.Element) -> list[str]:
    """The locations where a dwarf is drawn."""
    figures = [group.get("transform", "") for group in picture.iter(f"{SVG}g") if len(list(group)) > 4]
    return [tile(*map(float, figure.removeprefix("translate(").removesuffix(")").split())) for figure in figures]


def frames(picture: ET.Element) -> list[str]:
    """The locations with a dashed frame: where the one on turn can place or remove."""
    dashed = [box for box in picture.iter(f"{SVG}rect") if box.get("stroke-dasharray") == "6 4"]
    return [tile(float(box.get("x", "")), float(box.get("y", ""))) for box in dashed]


def test_a_dwarf_is_drawn_on_each_location_that_is_taken():
    assert dwarves(drawn(MIDDLE)) == ["silver", "furnace", "market"]
    assert dwarves(drawn(play(MIDDLE, "place town, work"))) == ["silver", "furnace", "market", "town"]


def test_frames_show_where_the_seat_on_turn_can_place_or_remove():
    assert frames(drawn(MIDDLE)) == ["iron", "gold", "mithril", "anvil", "guild", "town"]
    assert frames(drawn(play(MIDDLE, "place town, work"))) == ["silver", "furnace", "market"]
    assert frames(drawn(OPENING)) == frames(drawn(position(reason="items"))) == []


def test_the_mines_show_what_the_seat_on_turn_would_get():
    assert tokens(drawn(MIDDLE), 80, 240) == "IMIISSGG"
    boosted = drawn(position(has(upgrades="16 17 20"), has()))
    assert (tokens(boosted, 80, 160, 0, 200), tokens(boosted, 160, 240)) == ("IIIII", "MM")
    assert tokens(drawn(position(supply=(2, 20, 20, 10))), 80, 160, 0, 200) == "II"


def test_items_show_points_kind_and_what_is_due():
    picture = drawn(MIDDLE)
    at = words(picture)
    assert {"Cinder Flail", "item-11", "Sun-and-Moon Earrings", "item-48", "Stone Throne Regalia", "item-54"} <= set(at)
    assert tokens(picture, 400, 420, 0, 300) == "IIII"  # four iron ingots less one, and an iron ore
    assert tokens(picture, 480, 500, 300, 600) == "GGMS"
    assert "item-13" not in at
    dashed = [box for box in picture.iter(f"{SVG}rect") if box.get("stroke-dasharray") == "3 5"]
    assert len(dashed) == 2  # the third item and the second upgrade are gaps


def test_towns_and_upgrades_show_their_effects_and_prices():
    picture = drawn(MIDDLE)
    found = set(words(picture))
    assert {"Healer's House", "Founders' Stone", "+1 per town card", "2 coins at once", "1 mithril ingot less", "refresh: 1 coin less"} <= found
    coins = [circle for circle in picture.iter(f"{SVG}circle") if circle.get("r") == "12" and 680 < float(circle.get("cy", "")) < 780]
    assert len(coins) == 3 + 1


def test_bonus_cards_show_what_is_counted_and_who_has_most():
    assert {"jewelry: blue", "resources: blue"} <= set(words(drawn(MIDDLE)))
    assert "weapons" in words(drawn(position()))


@pytest.mark.parametrize(
    ("seat", "order"),
    [(None, ["Red", "Blue", "Green"]), ("blue", ["Blue (you)", "Green", "Red"]), ("green", ["Green (you)", "Red", "Blue"])],
)
def test_the_viewing_seat_has_its_goods_first_and_the_others_follow_in_turn(seat: str | None, order: list[str]):
    at = words(drawn(position(has(), has(), has(), first="yellow"), seat))
    heights = [at[name][1] for name in order]
    assert heights == sorted(heights)


def test_everybodys_goods_and_cards_can_be_counted():
    at = words(drawn(MIDDLE, "red"))
    assert {"Red (you), first player", "4 of 10", "9 of 8"} <= set(at)
    assert {"1 iron ingot less, room for 2 more", "+2 iron ore, +2 per armor"} <= set(at)
    picture = drawn(MIDDLE, "red")
    band = at["Red (you), first player"][1]
    assert tokens(picture, band + 20, band + 50) == "IIM"
    chips = [
        box for box in picture.iter(f"{SVG}rect") if box.get("fill") == "#ffffff" and box.get("y") and band < float(box.get("y", "")) < band + 80
    ]
    assert len(chips) == 3


def test_a_frame_is_around_the_seat_on_turn():
    def framed(s: State) -> list[float]:
        return [float(box.get("y", "")) + 21 for box in drawn(s).iter(f"{SVG}rect") if box.get("stroke-width") == "3.5"]

    assert framed(MIDDLE) == [words(drawn(MIDDLE))["Red, first player"][1]]
    assert framed(position(turn=1)) == [words(drawn(position(turn=1)))["Blue"][1]]
    assert framed(OPENING) == framed(position(reason="items")) == []


def test_the_last_two_actions_are_bracketed_and_written():
    last = (Discard({"iron": 1}, {}), Place("town", Work()), Remove("silver", Mine()))
    picture = drawn(play(MIDDLE, "place town, work", "remove silver, mine"), last=last)
    assert {"Last: place town, work", "remove silver, mine"} <= set(words(picture))
    brackets = [path.get("d", "").split("v")[0] for path in picture.iter(f"{SVG}path") if path.get("stroke-width") == "4"]
    assert brackets[:2] == ["M206 99", "M400 263"]  # silver and the town
    assert len(brackets) == 3  # and one beside the words


def test_the_picture_says_what_is_going_on():
    assert {"Round 7 of 60", "Red places a dwarf"} <= set(words(drawn(MIDDLE)))
    assert "Round 1" in words(drawn(position(options=Options(max_rounds=None))))
    assert "Round 3 of 60, the last one" in words(drawn(position(ending="items", round=3)))
    assert {"Round 1 of 60", "The first player is being drawn"} <= set(words(drawn(OPENING)))
    assert "Red discards 2" in words(drawn(position(has("10 iron ore"), has(), step="discard", placed="gold")))
    over = position(has("2 coins"), has(), reason="items", round=21)
    assert {"Over after round 21 of 60", "Red leads with 1 point"} <= set(words(drawn(over)))
    assert "Red and blue share the lead with no points" in words(drawn(position(reason="items", bonus=())))
    tied = position(has(items="31"), has("6 coins"), reason="items", bonus=())
    assert "Red leads with 3 points, ahead of blue by cards or coins (SH-16)" in words(drawn(tied))


def test_goods_and_seats_are_told_apart_without_colours():
    assert {"I", "S", "G", "M", "Iron mine", "Silver mine", "Gold mine", "Mithril mine", "Red, first player", "Blue"} <= set(words(drawn(MIDDLE)))


@pytest.mark.parametrize("seed", range(4))
def test_the_picture_of_the_end_of_a_match_of_four_is_light_enough_for_a_mail(seed: int):
    four = (walk(GAME, number, 20_000, options=Options()) for number in range(seed * 20, seed * 20 + 20) if Random(number).choice(GAME.sizes) == 4)
    match = next(four)
    assert len(match.seats) == 4
    assert len(png(GAME.svg(match.end, Look(), "blue", match.actions[-2:]), 600)) <= 60 * 1024


def test_the_fullest_picture_that_there_can_be_is_light_enough_for_a_mail():
    """All four with a dozen items, four town cards, five upgrades that say different things and more goods than there is room for."""
    players = [
        has(
            f"{place}9 coins, 1 iron ore, 2 silver ore, 1 gold ore, 1 mithril ore, 1 iron ingot, 1 silver ingot, 1 gold ingot, 1 mithril ingot",
            items=" ".join(str(number) for number in range(place, 49, 4)),
            towns=" ".join(str(number) for number in range(place, 17, 4)),
            upgrades=" ".join(str(number) for number in range(place, 21, 4)),
        )
        for place in (1, 2, 3, 4)
    ]
    full = position(
        *players,
        dwarves="iron gold mithril furnace",
        options=Options(items_to_end=13),
        shown_items="49 51 53 54",
        shown_towns="17 19 20",
        shown_upgrades="21 23 25",
        bonus=("bonus-4", "bonus-8"),
        round=55,
        step="discard",
    )
    last = (Place("mithril", Mine()), Remove("town", Donate("town-15", {"iron": 2, "silver": 1, "gold": 1})))
    assert len(png(GAME.svg(full, Look(), "blue", last), 600)) <= 60_000


def test_the_text_board_tells_everything_in_lines():
    more_iron = "1 more iron ore from its mine"
    assert GAME.text(MIDDLE).splitlines() == [
        "Round 7 of 60: red places a dwarf.",
        "The round in which somebody has 8 items or the town deck is empty will be the last (SH-14).",
        "At the end: bonus-4 The Queen's Favor (5 points): most jewelry",
        "At the end: bonus-8 The Full Storehouse (4 points): most resources",
        "",
        "Locations (● a dwarf, ○ open)",
        "○ iron: mine 3 ore (27 iron in the supply)",
        "● silver: mine 2 ore (11 silver in the supply)",
        "○ gold: mine 2 ore (20 gold in the supply)",
        "○ mithril: mine 1 ore (9 mithril in the supply)",
        "● furnace: refine one kind of ore",
        "○ anvil: craft an item",
        "● market: trade 2 for 1 of the next level, or 1 for 2 of the level below",
        "○ guild: buy an upgrade",
        "○ town: work for 3 coins, or donate",
        "",
        "Items (48 in the deck)",
        "item-11 Cinder Flail (weapon, 7 points): 1 iron ore, 3 iron ingots (printed: 4 iron ingots)",
        "item-48 Sun-and-Moon Earrings (jewelry, 6 points): 1 silver ingot, 1 gold ingot",
        "item-54 Stone Throne Regalia (jewelry, 10 points): 1 silver ore, 2 gold ingots, 1 mithril ingot",
        "",
        "Town cards (16 in the deck)",
        "town-14 Healer's House (4 points): 3 iron, 1 silver",
        "town-19 Founders' Stone (1 point, 1 point for each town card): 3 silver",
        "town-17 Market Cross (2 points, 2 coins at once): 2 silver",
        "",
        "Upgrades (19 in the deck, 0 discarded)",
        "upgrade-15 Deepsmith's Wire (3 coins): items take 1 mithril ingot less",
        "upgrade-26 Porter's Favor (1 coin): a refresh costs 1 coin less",
        "",
        "Red (first player): 18 points",
        "Has 3 coins, 2 iron ore, 1 mithril ore, 1 iron ingot; room for 10 resources",
        "Items: Winter's Last Word (weapon, 10), Tinder Tongs (tool, 3)",
        "Town cards: Toll House (2, 3 coins at once)",
        "Upgrades: Bloomery Tricks (items take 1 iron ingot less), Oak Strongbox (room for 2 more resources)",
        "",
        "Blue: 18 points",
        "Has 1 coin, 9 silver ingots; room for 8 resources",
        "Items: Snowdrop Ring (jewelry, 5)",
        "",
        "Green: no points",
        "Has no coins, nothing; room for 8 resources",
        f"Upgrades: Wider Ore Cart ({more_iron}), Iron Rails ({more_iron}), Old Guard Rivets (2 points for each armor piece)",
    ]


def test_the_text_of_the_beginning_and_of_the_end():
    assert GAME.text(OPENING).splitlines()[0] == "Round 1 of 60: the first player is being drawn."
    over = GAME.text(position(has("2 coins"), has(), reason="items", ending="items", round=21)).splitlines()
    assert over[0] == "Over after round 21 of 60: red leads with 1 point."
    assert not any("will be the last" in line for line in over)
