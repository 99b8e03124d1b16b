"""The rulings of Penny Ante, PA-1 to PA-8: each test fails where its ruling is not kept."""

import pytest

from domain.games.penny_ante import GAME
from domain.games.penny_ante.chessboard import COLOUR, DIAGONAL, ORTHOGONAL
from domain.games.penny_ante.state import Bombard, Options
from tests.games.penny_ante.positions import DARK, LIGHT, START, legal, placed, play, position, refused, standing

CENTRE = "d4 F, d5 F, e4 F, e5 F"
# Colours and placement


def test_pa_1_dark_places_first_and_moves_first():
    assert GAME.awaited(START) == ("dark",)
    assert refused(START, "place c6", "light") == "it is not light's turn: dark places a penny (PA-1)"
    assert GAME.awaited(placed()) == ("dark",)
    assert refused(placed(), "reinforce c6", "light") == "it is not light's turn: dark is to move (PA-1)"


def test_pa_2_ten_pennies_each_are_placed_on_own_spaces_of_the_own_half():
    assert legal(START) == [f"place {at}" for at in DARK]
    assert legal(play(START, "place d4")) == [f"place {at}" for at in LIGHT]
    assert "one goes on a dark space of the own half, a1, a3, b2" in refused(START, "place a5")
    assert refused(START, "place a2").startswith("dark cannot place a penny on a2: one goes on a dark space of the own half")
    s = placed()
    assert GAME.view(s)["to_place"] == {"dark": 0, "light": 0}
    assert GAME.view(s)["phase"] == "play"
    assert refused(s, "place a1") == "all twenty pennies have been placed (PA-2)"


def test_pa_2_nothing_else_can_be_done_before_all_are_placed():
    s = play(START, "place c3", "place c6")
    words = refused(s, "c3>b4 1 =1")
    assert words.startswith("pennies are still being placed: dark places one, on a1, a3, b2, b4, c1, c3, d2, d4, e1")
    assert words.endswith("or h4 (PA-2)")


def test_pa_2_every_penny_is_a_stack_of_one_and_four_fill_a_space():
    s = play(START, *("place c3; place c6",) * 4)
    assert standing(s)["c3"] == "1.1.1.1"
    assert "place c3" not in legal(s)
    assert refused(s, "place c3").startswith("no more pennies can be placed on c3: a space takes four pennies; possible: a1, a3, b2")


def test_pa_2_each_seat_can_guard_one_of_its_fortresses_with_one_penny():
    s = play(START, "place d4", "place d5")
    assert (standing(s)["d4"], standing(s)["d5"]) == ("F1", "F1")
    assert "place d4" not in legal(s)
    assert refused(s, "place d4").startswith("no more pennies can be placed on d4: a fortress takes one guard; possible: a1")
    assert refused(s, "place e5").startswith("dark cannot place a penny on e5")


def test_pa_2_in_batches_dark_places_all_ten_and_then_light():
    s = GAME.setup(Options(placement="batch"), GAME.seats)
    seats = []
    for at in (*DARK[:10], *LIGHT[:10]):
        seats.append(s.turn)
        s = play(s, f"place {at}")
    assert seats == ["dark"] * 10 + ["light"] * 10
    assert (s.turn, GAME.view(s)["phase"]) == ("dark", "play")


def test_the_pool_holds_all_pennies_but_the_twenty_that_are_placed():
    assert GAME.view(START)["pool"] == 80
    assert GAME.setup(Options(pennies=400), GAME.seats).pool == 380
    assert placed().pool == 80


# Where one moves and what one attacks


def test_pa_3_diagonal_neighbours_have_the_same_colour_and_orthogonal_ones_the_other():
    assert COLOUR["a1"] == "dark"
    assert DIAGONAL["c3"] == ("b2", "b4", "d2", "d4")
    assert ORTHOGONAL["c3"] == ("b3", "c2", "c4", "d3")
    assert (DIAGONAL["a1"], ORTHOGONAL["h8"]) == (("b2",), ("g8", "h7"))
    assert all(COLOUR[to] == COLOUR[at] for at in COLOUR for to in DIAGONAL[at])
    assert all(COLOUR[to] != COLOUR[at] for at in COLOUR for to in ORTHOGONAL[at])


def test_pa_3_pennies_move_diagonally_from_own_spaces():
    s = position(f"{CENTRE}, c3 2, c4 2")
    assert {line.split()[0] for line in legal(s, "c")} == {"c3>b2", "c3>b4", "c3>d2", "c3>d4", "capture"}
    assert refused(s, "c3>c5 2 =2") == "c3 and c5 are not diagonal neighbours: from c3 one moves to b2, b4, d2 or d4 (PA-3)"
    assert refused(s, "c4>b5 2 =2") == "c4 is a light space: dark has the spaces of its own colour (PA-3)"


# Bombarding


def test_pa_4_any_number_can_be_taken_off_each_stack_and_one_at_least():
    s = position(f"{CENTRE}, g1 2.1")
    assert legal(s, "g1>h2") == ["g1>h2 0.1 =1", "g1>h2 1.0 =1", "g1>h2 1.1 =1.1", "g1>h2 2.0 =2", "g1>h2 2.1 =2.1"]
    assert refused(s, "g1>h2 0.0 =1") == "0.0 is no penny at all: at least one penny moves (PA-4)"
    assert refused(s, "g1>h2 2.2 =2.2") == "2 cannot come off a stack of 1: g1 holds 2.1 (2 stacks) (PA-4)"
    assert refused(s, "g1>h2 2 =2") == "`take` says how many come off each stack, and g1 holds 2.1 (2 stacks): say 2 numbers (PA-4)"
    assert refused(s, "c1>b2 1 =1") == "there are no pennies on c1 to bombard with (PA-4)"


def test_pa_4_stacks_emptied_vanish():
    assert standing(play(position(f"{CENTRE}, g1 4.2.1"), "g1>h2 0.2.0 =2"))["g1"] == "4.1"
    assert "g1" not in standing(play(position(f"{CENTRE}, g1 4.2.1"), "g1>h2 4.2.1 =3.3.1"))
    assert standing(play(position(f"{CENTRE}, g1 4.2.2"), "g1>h2 3.1.0 =2.2"))["g1"] == "2.1.1"


def test_pa_4_among_equal_stacks_the_larger_number_stands_first():
    s = position(f"{CENTRE}, g1 3.3.1")
    takes = {line.split()[1] for line in legal(s, "g1>h2")}
    assert "2.1.0" in takes
    assert "1.2.0" not in takes
    action = Bombard("g1", (1, 2, 0), "h2", (2, 1))
    assert GAME.objection(s, "dark", action) == "among equal stacks the larger number stands first: 2.1.0 (PA-4)"


def test_pa_4_strength_is_the_sum_and_reach_the_largest_entry():
    s = position(f"{CENTRE}, g1 10.2, g2 1.1.1.1, f3 2")
    too_large = "a stack of 2 is too large: the reach of this bombardment is 1; there is something within reach on g2 (PA-6)"
    assert refused(s, "g1>f2 1.0 =1 x f3 1") == too_large
    assert refused(s, "g1>f2 1.1 =1.1 x f3 1") == too_large
    assert GAME.view(play(s, "g1>f2 2.0 =2 x f3 2"))["spaces"].get("f3") is None
    words = "1.1.1.0 is more than the strength of this bombardment: at most 2 pennies can be removed (PA-6)"
    assert refused(s, "g1>f2 1.1 =1.1 x g2 1.1.1.0") == words
    assert standing(play(s, "g1>f2 1.2 =2.1 x g2 1.1.1.0"))["g2"] == "1"
    assert [line.split()[-1] for line in legal(s, "g1>f2 1.1 =1.1 x g2")] == ["1.0.0.0", "1.1.0.0"]


def test_pa_4_guards_may_bombard_without_their_fortress():
    s = play(position("d4 F4, d5 F, e4 F, e5 F, c4 3"), "d4>c3 4 =4 x c4 3")
    assert standing(s) == {"c3": "4", "d4": "F", "d5": "F", "e4": "F", "e5": "F"}
    assert refused(position(f"{CENTRE}, a1 1"), "d4>c3 1 =1") == "there are no pennies on d4 to bombard with (PA-4)"


def test_pa_5_where_stacks_stand_the_result_has_as_many():
    s = position(f"{CENTRE}, c3 2.2, b4 1.1.1")
    assert {line.split()[2] for line in legal(s, "c3>b4 2.2")} == {"=3.2.2", "=3.3.1", "=4.2.1", "=5.1.1"}
    words = "5.2 cannot stand on b4: 7 pennies make exactly 3 stacks of one to ten, largest first: =3.2.2, =3.3.1, =4.2.1 or =5.1.1 (PA-5)"
    assert refused(s, "c3>b4 2.2 =5.2") == words
    assert refused(s, "c3>b4 2.2 =3.3.2").startswith("3.3.2 cannot stand on b4: 7 pennies make exactly 3 stacks")
    words = "say how the 7 pennies on b4 are arranged, in exactly 3 stacks of one to ten, largest first: =3.2.2, =3.3.1, =4.2.1 or =5.1.1 (PA-5)"
    assert refused(s, "c3>b4 2.2") == words


def test_pa_5_on_an_empty_space_there_are_as_many_stacks_as_pennies_were_taken_from():
    s = position(f"{CENTRE}, c3 5.2.1")
    assert {line.split()[2] for line in legal(s, "c3>b4 4.0.1")} == {"=3.2", "=4.1"}
    assert {line.split()[2] for line in legal(s, "c3>b4 5.2.1")} == {"=3.3.2", "=4.2.2", "=4.3.1", "=5.2.1", "=6.1.1"}
    assert "exactly 2 stacks" in refused(s, "c3>b4 4.0.1 =5")
    assert "exactly 1 stack of" in refused(s, "c3>b4 2.0.0 =1.1")


def test_pa_5_no_stack_grows_beyond_ten():
    s = position(f"{CENTRE}, c3 10.4, b4 9.8")
    assert {line.split()[2] for line in legal(s, "c3>b4 3.0")} == {"=10.10"}
    full = "3 pennies cannot come to a7: a7 holds 9.9 (2 stacks), each of which can grow to ten, so there is room for 2 (PA-5)"
    assert refused(position(f"{CENTRE}, b6 3, a7 9.9"), "b6>a7 3 =10.10.1") == full
    assert refused(s, "c3>b4 3.0 =11.9").startswith("11.9 cannot stand on b4: 20 pennies make exactly 2 stacks of one to ten")
    assert legal(position(f"{CENTRE}, c3 1, b4 10"), "c3>b4") == []


def test_pa_5_on_an_own_fortress_pennies_join_the_guard():
    s = position("d4 F8, d5 F, e4 F, e5 F, c3 2.1")
    assert standing(play(s, "c3>d4 2.0"))["d4"] == "F10"
    assert {line.split(" x ")[0] for line in legal(s, "c3>d4")} == {"c3>d4 0.1", "c3>d4 1.0", "c3>d4 1.1", "c3>d4 2.0"}
    assert refused(s, "c3>d4 2.1") == "3 pennies cannot come to d4: the guard on d4 has 8 and can grow to ten, so there is room for 2 (PA-5)"
    assert refused(s, "c3>d4 2.0 =10") == "pennies that come to the fortress on d4 join its guard: leave `arrange` (`=…`) out (PA-5)"
    assert standing(play(position(f"{CENTRE}, c3 2.1"), "c3>d4 2.1"))["d4"] == "F3"
    assert refused(position(f"{CENTRE}, c3 10.2"), "c3>d4 9.2").endswith("the guard on d4 has 0 and can grow to ten, so there is room for 10 (PA-5)")


def test_pa_6_pennies_come_off_one_space_beside_the_destination():
    s = position(f"{CENTRE}, c3 3, b3 1, a4 1, b5 1, c4 1, d3 1")
    struck = {line.split(" x ")[1].split()[0] for line in legal(s, "c3>b4") if " x " in line}
    assert struck == {"a4", "b3", "b5", "c4"}
    assert refused(s, "c3>b4 3 =3 x d3 1") == "d3 is not beside b4: what stands on a4, b3, b5 or c4 can be bombarded from there (PA-3)"
    assert refused(position(f"{CENTRE}, c3 3"), "c3>b4 3 =3 x b5 1") == "there are no pennies on b5 to remove (PA-6)"


def test_pa_6_only_stacks_within_reach_can_be_touched_and_a_stack_may_be_reduced_in_part():
    s = position(f"{CENTRE}, c3 3, b5 4.3.1")
    removed = [line.split()[-1] for line in legal(s, "c3>b4 3 =3 x b5")]
    assert removed == ["0.0.1", "0.1.0", "0.1.1", "0.2.0", "0.2.1", "0.3.0"]
    assert standing(play(s, "c3>b4 3 =3 x b5 0.2.1"))["b5"] == "4.1"
    assert (
        refused(s, "c3>b4 3 =3 x b5 1.0.0")
        == "a stack of 4 is too large: the reach of this bombardment is 3; there is something within reach on b5 (PA-6)"
    )


def test_pa_6_removing_nothing_is_allowed_and_then_neither_key_is_there():
    s = position(f"{CENTRE}, c3 1, b5 1")
    assert legal(s, "c3>b4") == ["c3>b4 1 =1", "c3>b4 1 =1 x b5 1"]
    both = "`target` and `remove` belong together: both, or neither where nothing is removed (PA-6)"
    assert GAME.objection(s, "dark", Bombard("c3", (1,), "b4", (1,), "b5")) == both
    assert GAME.objection(s, "dark", Bombard("c3", (1,), "b4", (1,), remove=(1,))) == both
    assert refused(s, "c3>b4 1 =1 x b5 0") == "0 is no penny at all: who removes nothing leaves `target` and `remove` out (PA-6)"


def test_pa_6_a_guard_within_reach_can_be_removed_and_the_fortress_stays():
    s = position("c5 F, d5 F3, e4 F, e5 F, b4 3, c3 2")
    assert refused(s, "c3>d4 2 =2 x d5 2") == "a stack of 3 is too large: the reach of this bombardment is 2 (PA-6)"
    assert standing(play(s, "b4>c5 3 x d5 2"))["d5"] == "F1"
    assert standing(play(s, "b4>c5 3 x d5 3"))["d5"] == "F"
    unguarded = position("c5 F, d5 F, e4 F, e5 F, b4 3")
    assert refused(unguarded, "b4>c5 3 x d5 1") == "the fortress on d5 has no guard to remove: it can only be captured (PA-9)"


# Fortifying and reinforcing


def test_pa_7_all_pennies_of_a_space_are_arranged_in_another_way():
    s = position(f"{CENTRE}, c3 3.1")
    assert legal(s, "fortify") == ["fortify c3 1.1.1.1", "fortify c3 2.1.1", "fortify c3 2.2", "fortify c3 4"]
    assert standing(play(s, "fortify c3 4"))["c3"] == "4"
    assert refused(s, "fortify c3 3.1") == "c3 holds 3.1 (2 stacks) already: fortifying changes something, such as 1.1.1.1 (PA-7)"
    shape = "5 cannot stand on c3: its 4 pennies can make one to four stacks of one to ten, largest first (PA-7)"
    assert refused(s, "fortify c3 5") == shape
    assert refused(position(f"{CENTRE}, c3 5"), "fortify c3 1.1.1.1.1").startswith("1.1.1.1.1 cannot stand on c3")
    assert refused(position(f"{CENTRE}, c3 10.5"), "fortify c3 11.4").startswith("11.4 cannot stand on c3")


def test_pa_7_one_penny_or_four_full_stacks_cannot_be_arranged_otherwise():
    assert legal(position(f"{CENTRE}, c3 1, b2 10.10.10.10"), "fortify") == []


def test_pa_7_a_guard_is_not_fortified():
    s = position("d4 F4, d5 F, e4 F, e5 F")
    assert legal(s, "fortify") == []
    assert refused(s, "fortify d4 2.2") == "on the fortress d4 there is nothing to arrange: its guard is one stack (PA-7)"
    assert refused(s, "fortify c3 2.2") == "there are no pennies on c3 to arrange (PA-7)"


def test_pa_8_every_stack_below_ten_gets_a_penny_from_the_pool():
    s = play(position(f"{CENTRE}, c3 10.5.1", pool=20), "reinforce c3")
    assert (standing(s)["c3"], s.pool) == ("10.6.2", 18)


@pytest.mark.parametrize(("pool", "after"), [(1, "5.3.2"), (2, "5.3.3"), (3, "6.3.3"), (4, "6.3.3")])
def test_pa_8_if_the_pool_is_short_smaller_stacks_come_first(pool: int, after: str):
    s = play(position(f"{CENTRE}, c3 5.2.2", pool=pool), "reinforce c3")
    assert (standing(s)["c3"], s.pool) == (after, max(0, pool - 3))


def test_pa_8_at_least_one_penny_must_move():
    s = position(f"{CENTRE}, c3 10.10, b2 9")
    assert legal(s, "reinforce") == ["reinforce b2", "reinforce d4", "reinforce e5"]
    assert refused(s, "reinforce c3") == "all stacks on c3 have ten pennies; possible: b2, d4 or e5 (PA-8)"
    assert refused(s, "reinforce a1") == "there is no stack on a1 to reinforce; possible: b2, d4 or e5 (PA-8)"
    dry = position(f"{CENTRE}, b2 9", pool=0)
    assert legal(dry, "reinforce") == []
    assert refused(dry, "reinforce b2") == "the pool is empty (PA-8)"


def test_pa_8_an_unguarded_fortress_gets_its_first_guard():
    s = play(position(CENTRE, pool=1), "reinforce d4")
    assert (standing(s)["d4"], s.pool) == ("F1", 0)
    assert standing(play(position("d4 F9, d5 F, e4 F, e5 F"), "reinforce d4"))["d4"] == "F10"
    assert "reinforce d4" not in legal(position("d4 F10, d5 F, e4 F, e5 F"))
