"""The rulings of Fourfold, FO-1 to FO-11: each test fails where its ruling is not kept."""

import pytest

from domain.games.fourfold import GAME
from domain.games.fourfold.state import Advance, Deploy, Options, Pass
from tests.games.fourfold.positions import OPENING, legal, outcomes, play, position, refused, told

# Rows 2 and 3 full of runners that face each other: nobody can move. N1 has been there longest.
STUCK = "N1 a3, N2 b3, N3 c3, N4 d3, N5 e3, S1 a2, S2 b2, S3 c2, S4 d2, S5 e2"
ALL_PASS = [f"{runner} pass" for runner in ("N1", "N2", "N3", "N4", "N5", "S1", "S2", "S3", "S4", "S5")]


def begin_stuck(**more):
    return position(STUCK, due="N1", waiting="N2 N3 N4 N5 S1 S2 S3 S4 S5", **more)


# The opening


def test_fo_1_the_opening_draws_among_all_teams_while_all_have_room():
    assert told(outcomes(OPENING)) == ["* north deploys", "* east deploys", "* south deploys", "* west deploys"]


def test_fo_1_a_team_without_a_free_starting_cell_is_not_drawn_in_the_opening():
    full = position("N1 a5, N2 b5, N3 c5, N4 d5, N5 e5", phase="opening", turn=0, options=Options())
    assert told(outcomes(full)) == ["* east deploys", "* south deploys", "* west deploys"]


def test_fo_1_the_drawn_team_deploys_to_a_free_cell_of_its_starting_file():
    s = play(OPENING, "* east deploys", "deploy e3", "E1>d4", "* east deploys")
    assert legal(s) == ["deploy e1", "deploy e2", "deploy e3", "deploy e4", "deploy e5"]
    assert legal(play(s, "deploy e1", "E2>d2", "* south deploys")) == ["deploy a1", "deploy b1", "deploy c1", "deploy d1", "deploy e1"]
    taken = position("E1 c1", due="south", phase="opening", turn=0)
    assert legal(taken) == ["deploy a1", "deploy b1", "deploy d1", "deploy e1"]


def test_fo_1_a_corner_belongs_to_the_starting_files_of_two_teams():
    s = position("N1 a1", phase="opening", turn=0)
    assert legal(play(s, "* south deploys")) == ["deploy b1", "deploy c1", "deploy d1", "deploy e1"]
    assert legal(play(s, "* west deploys")) == ["deploy a2", "deploy a3", "deploy a4", "deploy a5"]


def test_fo_1_a_deployed_runner_makes_its_first_move_at_once():
    s = play(OPENING, "* south deploys", "deploy c1")
    assert GAME.awaited(s) == ("south",)
    assert legal(s) == ["S1>b2", "S1>c2", "S1>d2"]


def test_fo_1_the_same_team_may_be_drawn_again_and_numbers_its_runners_on():
    s = play(OPENING, "* west deploys", "deploy a3", "W1>b3", "* west deploys", "deploy a3", "W2>b2", "* west deploys", "deploy a3")
    assert (s.order, s.cells, s.deployed) == (("W1", "W2", "W3"), ("b3", "b2", "a3"), (0, 0, 0, 3))


def test_fo_1_the_opening_ends_with_the_first_move_of_the_last_runner():
    s = GAME.setup(Options(max_runners=4), GAME.seats)
    s = play(s, "* south deploys", "deploy c1", "S1>c2", "* north deploys", "deploy c5", "N1>c4", "* east deploys", "deploy e3", "E1>d3")
    s = play(s, "* west deploys", "deploy a3")
    assert (s.phase, s.turn, legal(s)) == ("opening", 0, ["W1>b2", "W1>b3", "W1>b4"])
    s = play(s, "W1>b3")
    assert (s.phase, s.turn, legal(s), s.waiting) == ("play", 1, ["S1>c3"], ("N1", "E1", "W1"))


# Moving


@pytest.mark.parametrize(
    ("runner", "cells"),
    [("N1", ["b2", "c2", "d2"]), ("E1", ["b2", "b3", "b4"]), ("S1", ["b4", "c4", "d4"]), ("W1", ["d2", "d3", "d4"])],
)
def test_fo_2_a_move_goes_one_step_ahead_straight_or_diagonally(runner: str, cells: list[str]):
    assert legal(position(f"{runner} c3", due=runner)) == [f"{runner}>{cell}" for cell in cells]


def test_fo_2_a_runner_at_the_edge_has_two_ways():
    assert legal(position("S1 a2", due="S1")) == ["S1>a3", "S1>b3"]
    assert legal(position("W1 b5", due="W1")) == ["W1>c4", "W1>c5"]


def test_fo_2_a_move_goes_to_a_free_cell():
    s = position("S1 c2, N1 c3, W1 b3", due="S1")
    assert legal(s) == ["S1>d3"]
    assert refused(s, "south", "S1>c3") == "S1 cannot go to c3, where N1 stands: d3 is free (FO-2)"


def test_fo_2_a_runner_that_can_move_must():
    s = position("S1 c2, N1 c3, W1 b3", due="S1")
    assert refused(s, "south", "S1 pass") == "S1 cannot pass, since a runner that can move must: to d3 (FO-2)"


def test_fo_2_a_runner_that_cannot_move_passes():
    s = position("S1 a2, N1 a3, W1 b3", due="S1", waiting="N1 W1")
    assert legal(s) == ["S1 pass"]
    assert refused(s, "south", "S1>b3") == "S1 cannot move: no cell ahead of it is free, so it passes (FO-2)"
    assert play(s, "S1 pass").cells == s.cells


def test_fo_2_a_longer_step_is_refused_with_what_is_possible():
    s = position("S1 c1", due="S1")
    words = "S1 cannot go to c3: a move is one step towards row 5, straight or diagonally, to a free cell: b2, c2 or d2 (FO-2)"
    assert refused(s, "south", "S1>c3") == words


# Goals


def test_fo_3_a_runner_on_its_destination_file_scores_and_is_gone():
    s = play(position("S1 c4, N1 c3", due="S1", waiting="N1", goals=(0, 0, 2, 0)), "S1>c5")
    assert (s.goals, s.order, s.cells) == ((0, 0, 3, 0), ("N1",), ("c3",))
    assert GAME.chance_due(s)
    assert GAME.result(s) is None


def test_fo_3_the_last_goal_ends_the_match_there():
    s = play(position("S1 c4, N1 c3, E1 e3", due="S1", waiting="N1 E1", goals=(2, 0, 3, 2), turn=7), "S1>c5")
    result = GAME.result(s)
    assert result is not None
    assert result.reason == "goals"
    assert result.scores == {"north": 2, "east": 0, "south": 4, "west": 2}
    assert (s.phase, s.turn, s.waiting, s.order, s.moved) == ("over", 7, (), ("N1", "E1"), True)
    assert not GAME.chance_due(s)
    assert GAME.awaited(s) == ()


def test_fo_3_how_many_goals_win_is_an_option():
    s = position("W1 d4", due="W1", options=Options(goals_to_win=1))
    assert GAME.result(play(s, "W1>e4")) is not None


# The turn


def test_fo_4_a_turn_calls_every_runner_once_in_order_of_appearance():
    s = position("W1 a3, S1 c1, N1 c5, E1 e3", due="W1", waiting="S1 N1 E1")
    called = []
    for line in ("W1>b3", "S1>c2", "N1>c4", "E1>d3"):
        assert s.due
        called.append(s.due.runner)
        s = play(s, line)
    assert called == ["W1", "S1", "N1", "E1"]
    assert (s.turn, s.due and s.due.runner, s.waiting) == (2, "W1", ("S1", "N1", "E1"))


def test_fo_4_only_the_runner_that_is_due_moves():
    s = position("S1 c1, S2 e1, N1 c5", due="S1", waiting="S2 N1")
    assert refused(s, "south", "S2>e2") == "S2 is not due: south's S1 is due, in order of appearance (FO-4)"
    assert refused(s, "north", "N1>c4") == "it is not north's turn: south's S1 is due, in order of appearance (FO-4)"


def test_fo_4_a_runner_that_came_on_during_the_turn_waits_for_the_next():
    s = position("S1 c4, N1 c3, W1 a1", due="S1", waiting="N1 W1")
    s = play(s, "S1>c5", "* east deploys", "deploy e5", "E10>d5")
    assert (s.due and s.due.runner, s.waiting) == ("N1", ("W1",))
    s = play(s, "N1>c2", "W1>b1")
    assert (s.turn, s.due and s.due.runner, s.waiting) == (2, "N1", ("W1", "E10"))


def test_fo_4_a_first_move_is_no_move_of_the_turn():
    opening = play(OPENING, "* south deploys", "deploy c1", "S1>c2")
    assert GAME.view(opening)["moved_this_turn"] is False
    turn = position("S1 c1, N1 c5", due="S1", waiting="N1")
    assert GAME.view(turn)["moved_this_turn"] is False
    assert GAME.view(play(turn, "S1>c2"))["moved_this_turn"] is True


# Stalemate


def test_fo_5_when_everybody_has_passed_the_runner_longest_on_the_court_is_evaporated():
    s = play(begin_stuck(turn=3), *ALL_PASS)
    assert (s.order, s.goals, s.turn) == (("N2", "N3", "N4", "N5", "S1", "S2", "S3", "S4", "S5"), (0, 0, 0, 0), 3)
    assert GAME.chance_due(s)


def test_fo_5_one_move_in_the_turn_is_enough_against_a_stalemate():
    s = position(STUCK + ", W1 a5", due="N1", waiting="N2 N3 N4 N5 S1 S2 S3 S4 S5 W1")
    s = play(s, *ALL_PASS, "W1>b5")
    assert (s.turn, s.order[0], s.moved) == (2, "N1", False)


# Replacement


def test_fo_6_a_replacement_is_drawn_among_all_four_teams_with_or_without_room():
    s = play(position("S1 c4, N1 a5, N2 b5, N3 d5, N4 e5, E1 c3", due="S1", waiting="N1 N2 N3 N4 E1"), "S1>c5")
    assert told(outcomes(s)) == ["* north deploys", "* east deploys", "* south deploys", "* west deploys"]
    full = position("N1 a5, N2 b5, N3 c5, N4 d5, N5 e5, E1 c3", waiting="E1", moved=True)
    assert told(outcomes(full)) == ["* north is blocked", "* east deploys", "* south deploys", "* west deploys"]
    assert [outcome.blocked for outcome in outcomes(full)] == [True, False, False, False]


def test_fo_6_a_blocked_team_passes_and_the_turn_goes_on_without_a_replacement():
    s = position("N1 a5, N2 b5, N3 c5, N4 d5, N5 e5, E1 c3", waiting="E1", moved=True)
    s = play(s, "* north is blocked")
    assert (s.due and s.due.runner, s.waiting, len(s.order), s.deployed, s.turn) == ("E1", (), 6, (9, 9, 9, 9), 1)


def test_fo_6_the_turn_goes_on_after_the_first_move_of_the_replacement():
    s = position("S1 c4, N1 c3, W1 a1", due="S1", waiting="N1 W1")
    s = play(s, "S1>c5", "* south deploys", "deploy c1")
    assert (legal(s), s.waiting, s.turn) == (["S10>b2", "S10>c2", "S10>d2"], ("N1", "W1"), 1)
    assert legal(play(s, "S10>d2")) == ["N1>b2", "N1>c2"]


def test_fo_6_after_a_stalemate_the_replacement_belongs_to_the_turn_that_ended():
    s = play(begin_stuck(turn=3), *ALL_PASS, "* west deploys", "deploy a3")
    assert (s.turn, s.waiting, legal(s)) == (3, (), ["W10>b4"])
    s = play(s, "W10>b4")
    assert (s.turn, s.due and s.due.runner, s.waiting[-1]) == (4, "N2", "W10")


def test_fo_6_a_stalemate_is_not_declared_twice_where_the_replacement_cannot_move_either():
    s = play(begin_stuck(turn=3), *ALL_PASS, "* south deploys", "deploy c1")
    assert legal(s) == ["S10 pass"]
    s = play(s, "S10 pass")
    assert (s.turn, s.due and s.due.runner, len(s.order)) == (4, "N2", 10)


def test_fo_6_a_stalemate_whose_replacement_is_blocked_ends_the_turn_all_the_same():
    wall = position("E1 b1, E2 b2, E3 b3, E4 b4, E5 b5, W1 a1, W2 a2, W3 a3, W4 a4, W5 a5", due="E1", waiting="E2 E3 E4 E5 W1 W2 W3 W4 W5", turn=5)
    s = play(wall, *(f"{team}{number} pass" for team in "EW" for number in range(1, 6)))
    assert told(outcomes(s)) == ["* north deploys", "* east deploys", "* south deploys", "* west is blocked"]
    s = play(s, "* west is blocked")
    assert (s.turn, s.due and s.due.runner, s.order) == (6, "E2", ("E2", "E3", "E4", "E5", "W1", "W2", "W3", "W4", "W5"))


# The other rulings


def test_fo_7_a_first_move_that_is_not_possible_is_passed_in_the_opening():
    s = position("N1 a2, N2 b2", due="south", phase="opening", turn=0, options=Options())
    s = play(s, "deploy a1")
    assert legal(s) == ["S10 pass"]
    assert refused(s, "south", "S10>a2") == "S10 cannot move: no cell ahead of it is free, so it passes (FO-7)"
    assert GAME.chance_due(play(s, "S10 pass"))


def test_fo_7_a_first_move_that_is_not_possible_is_passed_by_a_replacement():
    s = position("N1 a2, N2 b2, N3 d4", due="south", waiting="N3", moved=True)
    s = play(s, "deploy a1", "S10 pass")
    assert s.due
    assert s.due.runner == "N3"


def test_fo_8_passing_is_automatic_and_nothing_else_is():
    assert GAME.automatic(Pass("S1"))
    assert not GAME.automatic(Advance("S1", "c2"))
    assert not GAME.automatic(Deploy("c1"))


def test_fo_8_a_decision_with_one_possibility_is_still_the_seats_own_action():
    assert list(GAME.legal(position("S1 c2, N1 c3, W1 b3", due="S1"), "south")) == [Advance("S1", "d3")]
    assert list(GAME.legal(position("S1 a2, N1 a3, W1 b3", due="S1"), "south")) == [Pass("S1")]


def test_fo_9_ranks_are_by_goals_and_equal_goals_share_the_rank():
    standing = GAME.standing(position("S1 c2", due="S1", goals=(2, 1, 2, 0)))
    assert standing.ranks == {"north": 1, "east": 3, "south": 1, "west": 4}
    assert standing.scores == {"north": 2, "east": 1, "south": 2, "west": 0}


def test_fo_9_the_seat_that_made_its_goals_is_alone_at_rank_1():
    result = GAME.result(play(position("E1 b2", due="E1", goals=(3, 3, 3, 0)), "E1>a2"))
    assert result is not None
    assert result.ranks == {"north": 2, "east": 1, "south": 2, "west": 4}


def test_fo_10_one_player_may_hold_several_seats():
    assert GAME.shareable
    assert GAME.sizes == (4,)


def test_fo_11_the_match_ends_after_so_many_full_turns():
    s = position("S1 c1, N1 c5", due="S1", waiting="N1", turn=2, options=Options(max_turns=2), goals=(1, 0, 0, 0))
    s = play(s, "S1>c2")
    assert GAME.result(s) is None
    result = GAME.result(play(s, "N1>c4"))
    assert result is not None
    assert (result.reason, result.ranks) == ("turn-limit", {"north": 1, "east": 2, "south": 2, "west": 2})


def test_fo_11_the_limit_comes_before_a_stalemate():
    s = play(begin_stuck(turn=3, options=Options(max_turns=3)), *ALL_PASS)
    assert (s.reason, len(s.order), s.turn, s.moved) == ("turn-limit", 10, 3, False)


def test_fo_11_the_limit_waits_for_the_first_move_of_the_last_replacement():
    s = position("N1 c5, S1 c4", due="S1", turn=3, options=Options(max_turns=3))
    s = play(s, "S1>d5", "* west deploys", "deploy a3")
    assert GAME.result(s) is None
    s = play(s, "W10>b3")
    assert (s.reason, s.turn, s.cells) == ("turn-limit", 3, ("c5", "b3"))


def test_a_caretaker_plays_the_first_legal_action():
    assert GAME.caretaker(position("S1 c1", due="S1"), "south") == Advance("S1", "b2")
    assert GAME.caretaker(position("S1 c1", due="south"), "south") == Deploy("a1")
    assert GAME.caretaker(position("S1 a2, N1 a3, W1 b3", due="S1"), "south") == Pass("S1")


def test_a_seat_that_has_left_changes_nothing_on_the_court():
    s = position("S1 c1, N1 c5", due="S1", waiting="N1")
    assert GAME.vacate(s, "south") == s
