"""The two examples of the seed, number by number."""

from domain.games.penny_ante import GAME
from tests.games.penny_ante.positions import legal, play, position, refused, standing

# "One space has three stacks with two pennies each for a total strength of six. They move all six pennies to a new space with
# two stacks, each with only a single penny."
STACKS = position("d4 F, d5 F, e4 F, e5 F, c3 2.2.2, b4 1.1, b5 2.2.2.1, a4 3")

# "A player has a fortress with a guard of five. They move it to a new space with four pennies in two stacks of two."
FORTRESS = position("d4 F5, d5 F, e4 F, e5 F, c5 2.2, c6 5.2, b5 6")


def test_example_of_moving_stacks_eight_pennies_are_arranged_in_two_stacks_as_the_mover_likes():
    arranged = {line.split()[2] for line in legal(STACKS, "c3>b4 2.2.2")}
    assert arranged == {"=4.4", "=5.3", "=6.2", "=7.1"}


def test_example_of_moving_stacks_five_pennies_to_one_stack_and_three_to_the_other():
    assert standing(play(STACKS, "c3>b4 2.2.2 =5.3")) == {
        "a4": "3",
        "b4": "5.3",
        "b5": "2.2.2.1",
        "d4": "F",
        "d5": "F",
        "e4": "F",
        "e5": "F",
    }
    assert refused(STACKS, "c3>b4 2.2.2 =5.2.1").startswith("5.2.1 cannot stand on b4: 8 pennies make exactly 2 stacks")


def test_example_of_moving_stacks_since_six_moved_six_can_be_removed():
    assert standing(play(STACKS, "c3>b4 2.2.2 =5.3 x b5 2.2.2.0"))["b5"] == "1"
    assert refused(STACKS, "c3>b4 2.2.2 =5.3 x b5 2.2.2.1").startswith("2.2.2.1 is more than the strength of this bombardment: at most 6 pennies")


def test_example_of_moving_stacks_since_stacks_of_two_moved_stacks_of_two_or_smaller_can_be_removed():
    assert refused(STACKS, "c3>b4 2.2.2 =5.3 x a4 1").startswith("a stack of 3 is too large: the reach of this bombardment is 2")


def test_example_of_the_fortress_with_five_guards_all_four_pennies_join_for_a_guard_of_nine():
    assert standing(play(FORTRESS, "F d4>c5 5"))["c5"] == "F9"


def test_example_of_the_fortress_with_five_guards_six_pennies_can_be_removed():
    s = play(FORTRESS, "F d4>c5 5 x c6 4.2")
    assert standing(s)["c6"] == "1"
    assert refused(FORTRESS, "F d4>c5 5 x c6 5.2").startswith("5.2 is more than the strength of this bombardment: at most 6 pennies")


def test_example_of_the_fortress_with_five_guards_stacks_of_five_or_smaller_can_be_removed():
    assert "F d4>c5 5 x c6 5.0" in legal(FORTRESS, "F d4>c5 5")
    assert refused(FORTRESS, "F d4>c5 5 x b5 1").startswith("a stack of 6 is too large: the reach of this bombardment is 5")


def test_a_fortress_cannot_move_where_there_are_more_pennies_than_its_guard_can_support():
    full = position("d4 F5, d5 F, e4 F, e5 F, c5 8.3")
    assert legal(full, "F d4>c5") == []
    assert "which has ten at most" in refused(full, "F d4>c5 0")


def test_pennies_that_arrive_at_ten_on_four_stacks_are_as_many_as_a_space_supports():
    s = position("d4 F, d5 F, e4 F, e5 F, a1 10.10.10.10")
    assert GAME.view(s)["spaces"]["a1"] == {"stacks": [10, 10, 10, 10]}
    assert standing(play(s, "a1>b2 10.10.10.10 =10.10.10.10"))["b2"] == "10.10.10.10"
