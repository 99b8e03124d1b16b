"""The rulings on mining, FF-7 and FF-8: six stones on to an empty anvil, and the ends of a match with a mine."""

import pytest

from domain.games.four_forges import GAME
from tests.games.four_forges.positions import ended, legal, lies, lot, mined, play, position, refused


def test_ff_7_mining_draws_six_stones_on_to_an_empty_own_anvil():
    s = mined("O1 1b M1 1b", mine=(24, 24, 24))
    s = GAME.apply(s, "ochre", GAME.read(s, "mine O3"))
    assert (GAME.chance_due(s), GAME.awaited(s)) == (True, ())
    asked: list[int] = []
    outcome = GAME.draw(s, lambda n: asked.append(n) or n - 1)  # type: ignore[func-returns-value]
    assert (asked, GAME.tell(outcome), GAME.draws(outcome)) == ([72, 71, 70, 69, 68, 67], "* mine O3 6g", 6)
    s = GAME.apply_chance(s, outcome)
    assert (lies(s, "O3"), s.mine, s.actions_left) == ("O3 6g", (24, 24, 18), 2)


def test_ff_7_the_mines_stones_are_drawn_in_the_order_of_the_colours_without_putting_back():
    s = mined("O1 1b M1 1b", mine=(1, 3, 2))
    s = GAME.apply(s, "ochre", GAME.read(s, "mine O2"))
    falls = iter([0, 0, 3, 2, 0, 0])
    assert GAME.tell(GAME.draw(s, lambda n: next(falls))) == "* mine O2 1b3s2g"


def test_ff_7_mining_needs_the_option_an_own_empty_anvil_and_a_stone_in_the_mine():
    assert refused(position("O1 1b"), "mine O2") == "there is no mine in this match: it is played without the option `mining` (FF-7)"
    s = mined("O1 1b O2 1b M1 1b")
    assert [line for line in legal(s) if line.startswith("mine")] == ["mine O3", "mine O4"]
    assert refused(s, "mine O1") == "stones from the mine come on to an empty anvil, and on O1 lies 1b: O3 or O4 can be filled (FF-7)"
    assert "(FF-4)" in refused(s, "mine M2")
    exhausted = mined("O1 1b M1 1b", mine=(0, 0, 0))
    assert [line for line in legal(exhausted) if line.startswith("mine")] == []
    assert refused(exhausted, "mine O2") == "the mine is empty (FF-7)"


def test_ff_7_the_mine_makes_twelve_draws():
    s = mined("O1 9b9s9g M1 9b9s9g L1 9b9s9g A1 9b9s9g", mine=(24, 24, 24))
    for forge in "OMLA":
        for number in "234":
            s = GAME.apply(s, GAME.awaited(s)[0], GAME.read(s, f"mine {forge}{number}"))
            s = GAME.apply_chance(s, GAME.draw(s, lambda n: 0))
    assert (s.mine, GAME.awaited(s), s.round) == ((0, 0, 0), ("ochre",), 2)


def test_ff_7_mining_as_the_last_action_ends_the_turn_after_the_draw():
    s = play(mined("O1 3b M1 1b"), "O1>O2 black; O2>O1 black", "mine O3", "* mine O3 2b2s2g")
    assert GAME.awaited(s) == ("malachite",)


@pytest.mark.parametrize("line", ["* mine O3 1b1s1g", "* mine O3 3b3s1g"])
def test_ff_7_no_other_number_of_stones_is_believed(line: str):
    with pytest.raises(ValueError, match=r"\(FF-7\)"):
        lot(line)


def test_ff_8_with_mining_an_empty_forge_ends_nothing_by_itself():
    s = play(mined("O2 1b M1 1b"), "break O2 black")
    assert (ended(s), GAME.awaited(s)) == (None, ("ochre",))
    assert legal(s) == ["mine O1", "mine O2", "mine O3", "mine O4", "declare end"]


def test_ff_8_with_forge_and_mine_empty_and_actions_left_the_match_ends_by_itself():
    s = play(mined("O2 1b M1 1b", mine=(0, 0, 0)), "break O2 black")
    assert (ended(s), s.actions_left) == ("no-legal-action", 2)


def test_ff_8_also_at_the_beginning_of_a_turn():
    s = play(mined("O1 1b O2 2b", mine=(0, 0, 0)), "O1>O2 black; O2>O1 black; O1>O2 black")
    assert (ended(s), s.turn, GAME.view(s)["turn"]) == ("no-legal-action", 1, None)


def test_ff_8_after_the_last_action_the_seat_declares_the_end_or_ends_its_turn():
    s = play(mined("O1 2b1s M1 1b"), "break O1 black; break O1 black; break O1 silver")
    assert legal(s) == ["declare end", "end turn"]
    assert GAME.view(s)["turn"] == {"seat": "ochre", "actions_left": 0, "offers_left": 0}
    assert "(FF-8)" in refused(s, "mine O1")
    assert ended(play(s, "declare end")) == "declared"
    assert GAME.awaited(play(s, "end turn")) == ("malachite",)


def test_ff_8_so_it_is_with_an_empty_mine_too():
    s = play(mined("O1 2b1s M1 1b", mine=(0, 0, 0)), "break O1 black; break O1 black; break O1 silver")
    assert (ended(s), legal(s)) == (None, ["declare end", "end turn"])


def test_ff_8_the_end_is_declared_at_any_point_of_the_turn_also_before_the_first_action():
    s = mined("M1 1b")
    assert legal(s) == ["mine O1", "mine O2", "mine O3", "mine O4", "declare end"]
    assert ended(play(s, "declare end")) == "declared"
    assert ended(play(play(mined("O1 1b M1 1b"), "break O1 black"), "declare end")) == "declared"


def test_ff_8_nobody_declares_the_end_with_stones_in_the_forge():
    s = mined("O1 2b M1 1b")
    assert "declare end" not in legal(s)
    assert refused(s, "declare end") == "the end can be declared with an empty forge only, and 2 stones lie in ochre's (FF-8)"


def test_ff_8_a_turn_ends_by_itself_where_the_forge_is_not_empty():
    assert GAME.awaited(play(mined("O1 2b M1 1b"), "O1>O2 black; O2>O1 black; O1>O2 black")) == ("malachite",)
