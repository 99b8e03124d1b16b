"""A whole match of Fourfold as its lines, short enough to be followed by hand."""

from domain.games.fourfold import GAME
from domain.games.fourfold.notation import read, write
from domain.games.fourfold.state import Options
from tests.games.fourfold.positions import play

RECORD = """
* east deploys; deploy e5; E1>d4; * south deploys; deploy a1; S1>b2; * west deploys; deploy a4; W1>b5; * west deploys; deploy a2; W2>b1
* west deploys; deploy a1; W3 pass
E1>c4; S1>c3; W1>c5; W2>c2; W3>b2
E1>b5; S1>b4; W1>d4; W2>d2; W3>c1
E1>a4
"""


def test_a_match_goes_its_way_line_by_line():
    s = GAME.setup(Options(max_runners=5, goals_to_win=1), GAME.seats)
    turns = []
    for line in RECORD.strip().replace("\n", "; ").split("; "):
        assert line.startswith("* ") or write(read(s, line)) == line
        s = play(s, line)
        turns.append(s.turn)
    assert turns == [0] * 14 + [1] * 5 + [2] * 5 + [3] * 2
    assert GAME.view(s) == {
        "phase": "over",
        "turn": 3,
        "court": {"b4": "S1", "d4": "W1", "d2": "W2", "c1": "W3"},
        "order": ["S1", "W1", "W2", "W3"],
        "goals": {"north": 0, "east": 1, "south": 0, "west": 0},
        "deployed": {"north": 0, "east": 1, "south": 1, "west": 3},
        "moved_this_turn": True,
        "due": None,
        "waiting": [],
    }
    result = GAME.result(s)
    assert result is not None
    assert (result.ranks, result.reason) == ({"north": 2, "east": 1, "south": 2, "west": 2}, "goals")
