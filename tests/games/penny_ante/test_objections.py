"""Why not: the words of Penny Ante's refusals, for every one that the rulings' tests do not show."""

import pytest

from domain.games.penny_ante import GAME
from domain.games.penny_ante.state import Action, Assault, Bombard, Capture, Fortify, FortressBombard, Place, Reinforce, State
from tests.games.penny_ante.positions import START, play, position, refused

S = position("d4 F2, d5 F, e4 F3, e5 F, c3 2.2, b4 1.1, b5 2.2, c6 3")


@pytest.mark.parametrize(
    ("s", "line", "words"),
    [
        (START, "place c4", "dark cannot place a penny on c4: one goes on a dark space of the own half, "),
        (S, "reinforce c4", "c4 is a light space: dark has the spaces of its own colour (PA-3)"),
        (S, "F c4>d5 0", "c4 is a light space: dark has the spaces of its own colour (PA-3)"),
        (S, "fortify b5 4", "b5 is a light space: dark has the spaces of its own colour (PA-3)"),
        (S, "c3>b4 2.1 =3.1 x b5 1.2.3", "3.1 cannot stand on b4: 5 pennies make exactly 2 stacks of one to ten, largest first: =3.2 or =4.1 (PA-5)"),
        (S, "c3>b4 2.1 =3.2 x b5 1", "`remove` says how many come off each stack, and b5 holds 2.2 (2 stacks): say 2 numbers (PA-6)"),
        (S, "c3>b4 2.1 =3.2 x b5 3.0", "3 cannot come off a stack of 2: b5 holds 2.2 (2 stacks) (PA-6)"),
        (S, "c3>b4 2.1 =3.2 x a4 1", "there are no pennies on a4 to remove (PA-6)"),
        (S, "c3>b4 3.0 =3.2", "3 cannot come off a stack of 2: c3 holds 2.2 (2 stacks) (PA-4)"),
        (S, "F d4>c5 2 x c6 3", "a stack of 3 is too large: the reach of this bombardment is 2; there is something within reach on b5 (PA-6)"),
        (S, "F d4>c5 3", "3 guards cannot come along from d4 to c5: its guard is 2, so 0 to 2 can (PA-9)"),
        (S, "F e5>d6 1", "1 guard cannot come along from e5 to d6: its guard is 0, so none can (PA-9)"),
        (S, "fortify d4 1.1", "on the fortress d4 there is nothing to arrange: its guard is one stack (PA-7)"),
        (S, "fortify c3 2.2", "c3 holds 2.2 (2 stacks) already: fortifying changes something, such as 1.1.1.1 (PA-7)"),
        (S, "capture d4>c5 2 d5>d5", "the captured fortress cannot be put on d5: it goes to a space diagonally beside c5, b4, b6, d4 or d6 (PA-9)"),
        (S, "capture d4>c5 2 e4>d6", "on e4 is no opposing fortress beside c5; d5 can be captured from there (PA-9)"),
        (position("d4 F, d5 F, e4 F, e5 F, c3 1"), "fortify c3 1", "c3 holds 1 (1 stack) already: fortifying changes something (PA-7)"),
        (position("d4 F10, d5 F, e4 F, e5 F9", pool=1), "reinforce d4", "all stacks on d4 have ten pennies; possible: e5 (PA-8)"),
        (
            position("d4 F10, d5 F, e4 F, e5 F10", pool=1),
            "reinforce d4",
            "all stacks on d4 have ten pennies (PA-8)",
        ),
    ],
)
def test_a_refusal_says_why_and_what_would_be_legal(s: State, line: str, words: str):
    assert refused(s, line).startswith(words)
    assert refused(s, line) == words or words.endswith(" ")


@pytest.mark.parametrize(
    "action",
    [
        Place("z9"),
        Bombard("c3\n", (1, 0), "b4", (2, 1)),
        Bombard("c3", (1, 0), "b4\n", (2, 1)),
        Bombard("c3", (1, 0), "b4", (2, 1), "b5\n", (1, 0)),
        Bombard("c3", (), "b4", ()),
        Bombard("c3", (10**30, 0), "b4", (2, 1)),
        Bombard("c3", (-1, 2), "b4", (2, 1)),
        Bombard("c3", (1, 0), "b4", (4, -1)),
        Bombard("c3", (1, 0), "b4", ()),
        Bombard("c3", (1, 0), "b4", (2, 1), "b5", ()),
        Bombard("c3", (1, 0), "b4", (2, 1), "b5", (-1, 2)),
        FortressBombard("d4", -1, "c5"),
        FortressBombard("d4", 10**30, "c5"),
        FortressBombard("zz", 0, "c5"),
        Fortify("c3", ()),
        Fortify("c3", (5, -1)),
        Fortify("", (4,)),
        Reinforce("c3 "),
        Assault("d4", 1, "d4"),
        Assault("d4", 1, "c5", "c6"),
        Capture("d4", 2, "c5", "", "b4"),
        Capture("d4", 2, "c5", "d5", ""),
        Capture("d4", 2, "", "d5", "b4"),
    ],
    ids=str,
)
def test_whatever_an_action_says_it_is_judged(action: Action):
    words = GAME.objection(START if isinstance(action, Place) else S, "dark", action)
    assert words
    assert len(words) > 10


def test_a_seat_that_there_is_not_is_refused():
    assert GAME.objection(S, "blue", Reinforce("c3")) == "it is not blue's turn: dark is to move (PA-1)"


def test_nothing_is_legal_after_the_end():
    over = play(position("d4 F1, d5 F, g3 F, b4 F"), "capture d4>c5 1 d5>d6")
    for seat in GAME.seats:
        assert GAME.objection(over, seat, Reinforce("c5")) == "the match is over"
        assert list(GAME.legal(over, seat)) == []
