"""The chessboard as a picture and as text: what must be seen on it, and where."""

import re
from random import Random
from xml.etree import ElementTree as ET

import pytest
from msgspec.structs import replace

from domain.games.penny_ante import GAME
from domain.games.penny_ante.chessboard import CENTRE, SPACES, Space
from domain.games.penny_ante.reading import read
from domain.games.penny_ante.stacks import Stacks
from domain.games.penny_ante.state import Action, Options, State
from domain.picture import Look
from infra.pictures import png
from tests.games.penny_ante.positions import START, play, position

TOP, BOTTOM = 126, 654  # of the board
SVG = "{http://www.w3.org/2000/svg}"
MIDDLE = position("d4 F5, d5 F3, e4 F, e5 F10, c3 2.2.2, b4 7, b5 2.1, a1 10.10.10.9, h8 1", pool=7, out=2, idle=3)


def drawn(s: State, seat: str | None = None, last: tuple[Action, ...] = (), look: Look | None = None) -> ET.Element:
    return ET.fromstring(GAME.svg(s, look or Look(), seat, last))  # noqa: S314 - our own picture


def words(picture: ET.Element) -> list[tuple[str, float, float]]:
    return [(text.text or "", float(text.get("x", "")), float(text.get("y", ""))) for text in picture.iter(f"{SVG}text")]


def on(picture: ET.Element, column: int, row: int) -> list[str]:
    """The numbers within a square, counted from the left and from the top, from 0; the board begins at 36, 126."""
    return [word for word, x, y in words(picture) if 36 + 66 * column < x < 102 + 66 * column and 126 + 66 * row < y < 192 + 66 * row]


@pytest.mark.parametrize("seat", [None, "dark"])
def test_darks_half_lies_at_the_bottom_for_dark_and_for_nobody(seat: str | None):
    picture = drawn(MIDDLE, seat)
    assert (on(picture, 3, 4), on(picture, 4, 3)) == (["5"], ["10"])  # d4 and e5
    assert (on(picture, 0, 7), on(picture, 7, 0)) == (["10", "10", "10", "9"], ["1"])  # a1 and h8
    sides = {word.split(":")[0]: y for word, _, y in words(picture) if "fortress" in word}
    assert list(sides) == ["Light", "Dark (you)" if seat else "Dark"]
    assert sides["Light"] < TOP
    assert sides["Dark (you)" if seat else "Dark"] > BOTTOM


def test_lights_half_lies_at_the_bottom_for_light():
    picture = drawn(MIDDLE, "light")
    assert (on(picture, 4, 3), on(picture, 3, 4)) == (["5"], ["10"])
    assert (on(picture, 7, 0), on(picture, 0, 7)) == (["10", "10", "10", "9"], ["1"])
    sides = {word.split(":")[0]: y for word, _, y in words(picture) if "fortress" in word}
    assert sides["Dark"] < TOP
    assert sides["Light (you)"] > BOTTOM


def test_coordinates_turn_with_the_board():
    for seat, left, bottom in ((None, "a", "1"), ("light", "h", "8")):
        found = words(drawn(START, seat))
        assert {word for word, x, y in found if y > 654 and len(word) == 1 and abs(x - 69) < 1} == {left}
        assert {word for word, x, y in found if x < 36 and len(word) == 1 and abs(y - 621) < 1} == {bottom}


def test_every_stack_has_its_number_and_as_many_edges_as_pennies():
    picture = drawn(position("d4 F, d5 F, e4 F, e5 F, c3 7"))
    assert on(picture, 2, 5) == ["7"]
    lines = [path.get("d", "") for path in picture.iter(f"{SVG}path")]
    edges = next(line for line in lines if line.count("a21 ") > 1)
    assert edges.count("M") == 5  # between the uppermost of seven, which is an ellipse, and the lowest, which ends the side


def test_an_unguarded_fortress_shows_a_nought_and_a_guarded_one_its_number():
    picture = drawn(MIDDLE)
    assert (on(picture, 4, 4), on(picture, 3, 3)) == (["0"], ["3"])  # e4 and d5
    assert len(list(picture.iter(f"{SVG}polygon"))) == 4


def test_seats_are_told_apart_without_colours():
    """Dark's pieces are solid and light's hollow, on spaces of different shades."""
    grey = Look(seats=("#555555", "#555555"), on_seat="#ffffff")
    towers = {tower.get("fill") for tower in drawn(MIDDLE, look=grey).iter(f"{SVG}polygon")}
    assert towers == {"#555555", "#ffffff"}
    pennies = {penny.get("fill") for penny in drawn(MIDDLE, look=grey).iter(f"{SVG}ellipse")}
    assert pennies == {"#555555", "#ffffff"}


def test_the_last_action_is_marked_where_it_happened_and_written():
    action = read(position("d4 F, d5 F, e4 F, e5 F, c3 2.2.2, b4 1.1, b5 2.2"), "c3>b4 2.2.2 =5.3 x b5 2.0")
    picture = drawn(MIDDLE, None, (action,))
    brackets = [path.get("d", "") for path in picture.iter(f"{SVG}path") if path.get("stroke") == Look().mark]
    assert len(brackets) == 4  # b4, b5, c3, and one beside the words
    heads = [shape for shape in picture.iter(f"{SVG}polygon") if shape.get("fill") == Look().mark]
    assert len(heads) == 2  # from c3 to b4, from b4 to b5
    assert "Last: c3>b4 2.2.2 =5.3 x b5 2.0" in [word for word, _, _ in words(picture)]
    assert len(list(drawn(MIDDLE).iter(f"{SVG}line"))) == 0


def test_the_last_two_of_several_actions_are_written():
    last = tuple(read(START, line) for line in ("place a1", "place b2", "place c3"))
    found = [word for word, _, _ in words(drawn(START, None, last))]
    assert "Last: place b2" in found
    assert "then place c3" in found
    assert not any("a1" in word for word in found)


def test_the_picture_says_what_is_going_on():
    def said(s: State) -> list[str]:
        return [word for word, _, _ in words(drawn(s))]

    placing = said(play(START, "place a1", "place a8", "place d4"))
    assert {"Placement: 3 of 20 pennies placed", "Light places a penny", "80 in the pool, dark has 8 to place, light has 9 to place"} <= set(placing)
    playing = {"Ply 20", "Dark is to move", "7 in the pool, 2 out of play, 3 of 100 plies without progress", "Dark: 2 fortresses, 68 pennies"}
    assert playing <= set(said(MIDDLE))
    won = play(position("d4 F1, d5 F, g3 F, b4 F"), "capture d4>c5 1 d5>d6")
    assert {"Over at ply 21", "Dark wins with all four fortresses", "Light: 0 fortresses, 0 pennies"} <= set(said(won))
    drawn_ = play(position("d4 F, d5 F, e4 F, e5 F, a1 2", idle=99), "a1>b2 2 =2")
    assert "Drawn after 100 plies without progress" in said(drawn_)
    late = play(position("d4 F, d5 F, e4 F, e5 F, a1 2", ply=1999), "a1>b2 2 =2")
    assert "Drawn at the limit of 2000 plies" in said(late)
    assert "A draw was agreed" in said(GAME.close(MIDDLE, "agreement"))
    assert "It was ended as it stands" in said(GAME.close(MIDDLE, "resignation"))


def test_the_letters_are_those_that_the_pictures_font_has():
    last = tuple(read(MIDDLE, line) for line in ("c3>b4 2.2.2 =5.3 x b5 2.0", "capture d4>c5 2 d5>b4"))
    assert all(word.isascii() for s in (START, MIDDLE) for word, _, _ in words(drawn(s, "light", last)))


@pytest.mark.parametrize("width", [600, 720, 800])
@pytest.mark.parametrize("tallest", [2, 3, 10])
def test_a_crowded_board_is_still_a_small_picture(width: int, tallest: int):
    chance, left = Random(tallest), 360
    pennies: dict[Space, Stacks] = dict.fromkeys(CENTRE, (10,))
    for at in chance.sample([at for at in SPACES if at not in CENTRE], 60):
        standing = tuple(sorted((chance.randint(1, tallest) for _ in range(chance.choice((3, 4)))), reverse=True))
        if sum(standing) <= left:
            pennies, left = {**pennies, at: standing}, left - sum(standing)
    s = replace(MIDDLE, options=Options(pennies=400), pennies=pennies, pool=0)
    last = tuple(read(MIDDLE, line) for line in ("c3>b4 2.2.2 =5.3 x b5 2.0", "capture d4>c5 2 d5>b4"))
    assert len(png(GAME.svg(s, Look(), "light", last), width)) <= 60_000


def test_the_text_board_is_of_one_width_and_followed_by_the_position_as_lists():
    s = position("d4 F5, d5 F3, e4 F, e5 F10, c3 2.2.2, b4 7, b5 2.1, a1 10.10.10.9, h8 1", turn="light", pool=7, out=2, idle=3)
    assert GAME.text(s).splitlines() == [
        "Ply 20: light is to move.",
        "",
        "　　ａ　　　ｂ　　　ｃ　　　ｄ　　　ｅ　　　ｆ　　　ｇ　　　ｈ",
        "８　・　　　－　　　・　　　－　　　・　　　－　　　・　　　Ｄ１　　８",
        "７　－　　　・　　　－　　　・　　　－　　　・　　　－　　　・　　　７",
        "６　・　　　－　　　・　　　－　　　・　　　－　　　・　　　－　　　６",
        "５　－　　　Ｌ３　　－　　　Ｌ＊３　Ｄ＊１０・　　　－　　　・　　　５",
        "４　・　　　Ｄ７　　・　　　Ｄ＊５　Ｌ＊　　－　　　・　　　－　　　４",
        "３　－　　　・　　　Ｄ６　　・　　　－　　　・　　　－　　　・　　　３",
        "２　・　　　－　　　・　　　－　　　・　　　－　　　・　　　－　　　２",
        "１　Ｄ３９　・　　　－　　　・　　　－　　　・　　　－　　　・　　　１",
        "　　ａ　　　ｂ　　　ｃ　　　ｄ　　　ｅ　　　ｆ　　　ｇ　　　ｈ",
        "",
        "D dark, L light, with the pennies on each space; * is a fortress with its guard; - and ・ are empty dark and light spaces.",
        "",
        "Dark (2 fortresses, 68 pennies): a1 10.10.10.9, b4 7, c3 2.2.2, d4 fortress with a guard of 5, e5 fortress with a guard of 10, h8 1",
        "Light (2 fortresses, 6 pennies): b5 2.1, d5 fortress with a guard of 3, e4 fortress without a guard",
        "",
        "Pennies: 7 in the pool, 2 out of play, 3 of 100 plies without progress.",
        "Now light, for example: b5>a4 0.1 =1; F d5>c4 0; fortify b5 1.1.1; reinforce b5; assault d5>c4 0",
    ]


def test_every_row_of_the_text_board_is_full_width_and_as_long_as_the_others():
    rows = [line for line in GAME.text(MIDDLE).splitlines() if re.match("[１-８]", line)]
    assert len(rows) == 8
    assert {len(row) for row in rows} == {35}
    assert all(0x3000 <= ord(letter) < 0x3100 or 0xFF00 <= ord(letter) < 0xFF60 for row in rows for letter in row)


def test_the_text_of_the_start_and_of_a_finished_match():
    lines = GAME.text(START).splitlines()
    assert lines[0] == "Placement: 0 of 20 pennies placed; dark places a penny."
    assert lines[-2] == "Pennies: 80 in the pool, dark has 10 to place, light has 10 to place."
    assert lines[-1] == "Now dark places a penny on a1, a3, b2, b4, c1, c3, d2, d4, e1, e3, f2, f4, g1, g3, h2, h4"
    over = GAME.text(play(position("d4 F1, d5 F, g3 F, b4 F"), "capture d4>c5 1 d5>d6"))
    assert over.startswith("Over at ply 21: dark wins with all four fortresses.\n")
    assert "Light (0 fortresses, 0 pennies): nothing" in over
    assert "Now" not in over
