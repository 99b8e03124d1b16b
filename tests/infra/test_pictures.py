"""Pictures for the mail: lettered without any font of the system, few colours, small, and never so large that the process ends."""

from io import BytesIO
from itertools import islice
from random import Random
from typing import Any

import msgspec
import pytest
from PIL import Image

from domain.game import Game
from domain.games import GAMES
from domain.picture import Look, letters, sheet
from infra import pictures
from infra.pictures import png

LOOK = Look()


def position(game: Game[Any, Any, Any], actions: int) -> Any:
    """A position of the game after some plies played by lot."""
    chance = Random(7)
    state = game.setup(game.options(), game.seats[: max(game.sizes)])
    for _ in range(actions * 3):
        if game.chance_due(state):
            state = game.apply_chance(state, game.draw(state, chance.randrange))
        elif game.result(state) is None and actions:
            seat = game.awaited(state)[0]
            state = game.apply(state, seat, chance.choice(list(islice(game.legal(state, seat), 40))))
            actions -= 1
    return state


@pytest.fixture(params=list(GAMES.values()), ids=list(GAMES))
def game(request: pytest.FixtureRequest) -> Game[Any, Any, Any]:
    found: Game[Any, Any, Any] = request.param
    return found


@pytest.fixture(params=[0, 30], ids=["start", "later"])
def state(request: pytest.FixtureRequest, game: Game[Any, Any, Any]) -> Any:
    return position(game, request.param)


def test_every_board_is_a_small_picture_of_few_colours(game: Game[Any, Any, Any], state: Any):
    picture = png(game.svg(state, game.look, None, ()), 600)
    opened = Image.open(BytesIO(picture))
    assert (opened.format, opened.width) == ("PNG", 600)
    assert len(picture) <= 60_000
    assert len(opened.convert("RGB").getcolors(256) or ()) <= 64
    assert "transparency" not in opened.info


def test_every_board_shows_its_coordinates(game: Game[Any, Any, Any], state: Any):
    assert png(game.svg(state, game.look, None, ()), 600) != png(game.svg(state, msgspec.structs.replace(game.look, labels=False), None, ()), 600)


def test_the_colours_of_the_seats_can_still_be_told_apart(game: Game[Any, Any, Any], state: Any):
    svg = game.svg(state, game.look, None, ())
    drawn: list[tuple[int, tuple[int, ...]]] = Image.open(BytesIO(png(svg, 600))).convert("RGB").getcolors(256) or []  # type: ignore[assignment]
    for said in {colour for colour in game.look.seats if colour in svg}:
        wanted = tuple(bytes.fromhex(said[1:]))
        assert min(sum(abs(a - b) for a, b in zip(wanted, colour, strict=True)) for _, colour in drawn) <= 24, said


def test_every_sign_that_the_boards_use_is_in_the_font(game: Game[Any, Any, Any], state: Any):
    words = game.svg(state, game.look, None, ())
    signs = {sign for part in words.split("<text")[1:] for sign in part.split(">", 1)[1].split("</text>")[0] if sign.isprintable() and sign != " "}
    blank = png(sheet(100, 100, "", LOOK, letters("\uf8ff", 50, 50, 60, LOOK)), 60)  # a sign that no font of ours has
    for sign in signs:
        assert png(sheet(100, 100, "", LOOK, letters(sign, 50, 50, 60, LOOK)), 60) != blank, sign


def test_letters_are_drawn_and_differ():
    drawn = {png(sheet(100, 100, "", LOOK, letters(word, 50, 50, 40, LOOK)), 100) for word in ("", "A", "B", "a1", "é")}
    assert len(drawn) == 5


def test_the_paper_is_opaque_and_keeps_its_colour():
    corner = Image.open(BytesIO(png(sheet(100, 50, "", LOOK), 200))).convert("RGBA")
    assert corner.size == (200, 100)
    assert corner.getpixel((0, 0)) == (255, 255, 255, 255)


@pytest.mark.parametrize("width", [0, -1, 1201, 100_000])
def test_no_width_brings_the_process_down(width: int):
    with pytest.raises(ValueError, match=rf"a picture can be 1 to 1200 pixels wide, not {width}"):
        png(sheet(100, 100, "", LOOK), width)


@pytest.mark.parametrize("svg", ["", "words", "<svg></svg>", sheet(1, 100_000, "", LOOK), sheet(0, 1, "", LOOK)])
def test_what_is_no_board_is_refused(svg: str):
    with pytest.raises(ValueError, match="a picture needs a viewBox from 0 0, at most 3 times as high as it is wide"):
        png(svg, 600)


def test_a_broken_picture_is_refused_in_one_way():
    with pytest.raises(ValueError, match="the root node was opened but never closed"):
        png('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><rect', 600)


def test_a_picture_is_drawn_once(monkeypatch: pytest.MonkeyPatch):
    first = png(sheet(100, 100, "once", LOOK), 300)
    monkeypatch.setattr(pictures, "_drawn", None)
    assert png(sheet(100, 100, "once", LOOK), 300) is first
    with pytest.raises(TypeError):
        png(sheet(100, 100, "once", LOOK), 301)


def test_only_so_many_pictures_are_kept(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(pictures, "_kept", type(pictures._kept)())
    monkeypatch.setattr(pictures, "KEPT", 2)
    for words in ("a", "b", "a", "c"):
        png(sheet(100, 100, words, LOOK), 50)
    first, second = pictures._kept.values()
    assert png(sheet(100, 100, "a", LOOK), 50) is first
    assert png(sheet(100, 100, "c", LOOK), 50) is second
