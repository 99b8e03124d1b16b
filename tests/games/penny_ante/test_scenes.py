"""The guide's pictures: positions that can be played, and that are what is said below them."""

import re

import pytest

from domain.games.penny_ante import GAME
from domain.games.penny_ante.scenes import SHOTS
from tests.games.penny_ante.positions import play, standing


@pytest.mark.parametrize("name", SHOTS)
def test_every_line_that_leads_to_a_scene_is_legal_and_written_as_it_is_read(name: str):
    shot = SHOTS[name]
    assert play(shot.before, *shot.lines) == GAME.scenes[name].state
    assert [GAME.write(action) for action in GAME.scenes[name].last] == [shot.lines[-1]]


def test_the_guide_shows_every_scene_once():
    assert re.findall(r"\]\(board:([a-z-]+)\)", GAME.guide) == list(GAME.scenes)


def test_the_scenes_are_what_the_guide_says_of_them():
    placing, bombarded, marched, captured = (standing(scene.state) for scene in GAME.scenes.values())
    assert (placing["d4"], placing["d5"], placing["e4"], placing["e5"]) == ("F1", "F1", "F", "F")
    assert (bombarded["b4"], bombarded["b5"]) == ("5.3", "2")
    assert (marched["c5"], marched["c6"]) == ("F9", "2.1")
    assert (captured["c5"], captured["b4"], captured["d4"], "d5" in captured) == ("F2", "F3", "2", False)


def test_what_the_guide_tells_to_write_can_be_read():
    begun, state = GAME.guide.index("## What you write"), GAME.scenes["march"].state
    lines = re.findall(r"^- `([^`]+)`", GAME.guide[begun:], re.MULTILINE)
    assert len(lines) == 7
    assert [GAME.write(GAME.read(state, line)) for line in lines] == lines


def test_the_guide_names_the_rulings_where_a_player_would_ask():
    assert {f"PA-{number}" for number in range(1, 14)} <= set(re.findall(r"PA-\d+", GAME.guide))
