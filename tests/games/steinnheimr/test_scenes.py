"""The positions that the guide shows can come about, and are those that it names."""

import re

import pytest

from domain.games.steinnheimr import GAME
from domain.games.steinnheimr.notation import read, tell
from domain.games.steinnheimr.objections import objection
from domain.games.steinnheimr.scenes import LINES, after
from tests.games.steinnheimr.positions import outcomes


@pytest.mark.parametrize("name", LINES)
def test_every_line_that_leads_to_a_scene_could_happen(name: str):
    for count, line in enumerate(LINES[name]):
        s = after(*LINES[name][:count])
        if line.startswith("* "):
            assert line in map(tell, outcomes(s))
        else:
            assert objection(s, s.seats[s.turn], read(s, line)) is None, line


def test_the_guide_shows_every_scene_once():
    assert re.findall(r"\]\(board:([a-z-]+)\)", GAME.guide) == list(GAME.scenes)


def test_the_scenes_are_what_the_guide_says_of_them():
    start, turn = GAME.scenes["start"], GAME.scenes["turn"]
    assert (start.state.dwarves, start.seat, start.last) == (("silver", "furnace", "market"), "red", ())
    assert (turn.state.step, turn.state.placed, turn.seat) == ("remove", "anvil", "red")
    assert [GAME.write(action) for action in turn.last] == ["remove silver, mine", "place anvil, craft item-02"]


def test_every_line_in_the_guide_is_written_as_the_game_writes_it():
    lines = re.findall(r"^\| [^|`]+ \| `([^`]+)` \|$", GAME.guide, re.MULTILINE)
    assert len(lines) == 10
    assert [GAME.write(read(GAME.scenes["start"].state, line)) for line in lines] == lines
