"""A whole match of Penny Ante as its lines, short enough to be followed by hand."""

from domain.games.penny_ante import GAME
from domain.games.penny_ante.notation import write
from domain.games.penny_ante.reading import read
from domain.games.penny_ante.state import out_of_play
from tests.games.penny_ante.positions import START, play

RECORD = """
place d4; place d5; place c3; place c6; place c3; place e6; place e3; place e6; place f4; place d7
place f4; place f7; place b2; place b5; place b4; place g6; place g3; place f5; place d2; place f7
capture d4>e3 1 e4>d2; d5>c4 1 =1 x b4 1
reinforce c3; fortify e6 2
F e3>f2 0; reinforce e6
assault e5>d4 0; e6>f5 3 =4 x f4 1.1
capture d4>c5 0 d5>d6
"""


def test_a_match_goes_its_way_line_by_line():
    s, idle, pools = START, [], []
    for line in RECORD.strip().replace("\n", "; ").split("; "):
        assert write(read(s, line)) == line
        assert GAME.awaited(s) == (("dark", "light")[s.ply % 2],)
        s = play(s, line)
        idle.append(s.idle)
        pools.append(s.pool)
    assert idle == [0] * 20 + [0, 0, 0, 1, 2, 0, 1, 0, 0]
    assert pools == [80] * 22 + [78, 78, 78, 77, 77, 77, 77]
    assert (s.ply, out_of_play(s)) == (29, 3)
    assert GAME.view(s) == {
        "phase": "over",
        "spaces": {
            "b2": {"stacks": [1]},
            "b5": {"stacks": [1]},
            "c3": {"stacks": [2, 2]},
            "c4": {"stacks": [1]},
            "c5": {"fortress": True, "guard": 0},
            "c6": {"stacks": [1]},
            "d2": {"fortress": True, "guard": 1},
            "d6": {"fortress": True, "guard": 0},
            "d7": {"stacks": [1]},
            "e3": {"stacks": [2]},
            "f2": {"fortress": True, "guard": 0},
            "f5": {"stacks": [4]},
            "f7": {"stacks": [1, 1]},
            "g3": {"stacks": [1]},
            "g6": {"stacks": [1]},
        },
        "pool": 77,
        "to_place": {"dark": 0, "light": 0},
        "fortresses": {"dark": 4, "light": 0},
        "turn": None,
        "plies_without_progress": 0,
    }
    result = GAME.result(s)
    assert result is not None
    assert (result.ranks, result.reason) == ({"dark": 1, "light": 2}, "fortresses")
