"""Why not: the words of Fourfold's refusals."""

import pytest

from domain.games.fourfold import GAME
from domain.games.fourfold.state import Advance, State
from tests.games.fourfold.positions import OPENING, play, position, refused

DEPLOYING = position("N1 b1, S1 d1", due="south", phase="opening", turn=0)
REPLACING = position("N1 b1, S1 d1, E1 c1, W1 a1", due="south", waiting="N1")
FIRST = play(OPENING, "* south deploys", "deploy c1")
MOVING = position("S1 c1, S2 e1, N1 b2", due="S1", waiting="S2")


@pytest.mark.parametrize(
    ("s", "seat", "line", "words"),
    [
        (DEPLOYING, "south", "deploy c2", "south cannot deploy to c2: a runner starts on a free cell of row 1: a1, c1 or e1 (FO-1)"),
        (DEPLOYING, "south", "deploy b1", "south cannot deploy to b1, where N1 stands: a runner starts on a free cell of row 1: a1, c1 or e1 (FO-1)"),
        (REPLACING, "south", "deploy a5", "south cannot deploy to a5: a runner starts on a free cell of row 1: e1 (FO-6)"),
        (DEPLOYING, "south", "S1>d2", "S1 is not due: south has been drawn and deploys a runner, to a1, c1 or e1 (FO-1)"),
        (DEPLOYING, "north", "deploy a5", "it is not north's turn: south has been drawn and deploys a runner, to a1, c1 or e1 (FO-1)"),
        (FIRST, "south", "deploy c1", "south cannot deploy now: south's S1 has just been deployed and makes its first move at once (FO-1)"),
        (MOVING, "south", "deploy a1", "south cannot deploy now: south's S1 is due, in order of appearance (FO-4)"),
        (MOVING, "south", "S9>c2", "there is no S9 on the court: south's S1 is due, in order of appearance (FO-4)"),
        (MOVING, "south", "S2 pass", "S2 is not due: south's S1 is due, in order of appearance (FO-4)"),
        (MOVING, "south", "S1>b2", "S1 cannot go to b2, where N1 stands: c2 or d2 are free (FO-2)"),
        (OPENING, "south", "deploy c1", "nobody can act before it is drawn which team deploys (FO-1)"),
        (position("S1 c1", moved=True), "south", "S1>c2", "nobody can act before it is drawn which team deploys (FO-6)"),
        (position("S1 c1", phase="over", reason="goals"), "south", "S1>c2", "the match is over"),
    ],
)
def test_a_refusal_says_why_and_what_would_be_legal(s: State, seat: str, line: str, words: str):
    assert refused(s, seat, line) == words


def test_a_cell_that_does_not_exist_is_refused_like_any_other():
    words = "S1 cannot go to c2\n: a move is one step towards row 5, straight or diagonally, to a free cell: c2 or d2 (FO-2)"
    assert GAME.objection(MOVING, "south", Advance("S1", "c2\n")) == words
