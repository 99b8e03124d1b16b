"""The positions that the guide shows can come about, and are those that it names."""

import re

import pytest

from domain.games.fourfold import GAME
from domain.games.fourfold.notation import read
from domain.games.fourfold.objections import objection
from domain.games.fourfold.scenes import LINES, after


@pytest.mark.parametrize("name", LINES)
def test_every_line_that_leads_to_a_scene_is_legal(name: str):
    options, lines = LINES[name]
    for count, line in enumerate(lines):
        state = after(options, *lines[:count])
        if line.startswith("* "):
            assert GAME.chance_due(state), line
        else:
            assert state.due
            assert objection(state, state.due.seat, read(state, line)) is None, line


def test_the_guide_shows_every_scene_once():
    assert re.findall(r"\]\(board:([a-z-]+)\)", GAME.guide) == list(GAME.scenes)


def test_the_scenes_are_what_the_guide_says_of_them():
    opening, move = GAME.scenes["opening"].state, GAME.scenes["move"].state
    assert (len(opening.order), opening.due and (opening.due.seat, opening.due.runner)) == (3, ("south", None))
    assert move.due is not None
    assert move.due.runner == "W2"
    assert [GAME.write(action) for action in GAME.legal(move, "west")] == ["W2>c3", "W2>c4", "W2>c5"]
    assert [GAME.write(action) for action in GAME.scenes["move"].last] == ["S2>d3"]
