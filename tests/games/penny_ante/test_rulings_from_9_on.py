"""The rulings of Penny Ante from PA-9 on, fortresses and the end: each test fails where its ruling is not kept."""

import pytest

from domain.games.penny_ante import GAME
from domain.games.penny_ante.state import Capture, Options, out_of_play
from tests.games.penny_ante.positions import legal, placed, play, position, refused, standing

CENTRE = "d4 F, d5 F, e4 F, e5 F"


# Fortresses


def test_pa_9_a_fortress_moves_with_some_of_its_guard_and_leaves_the_others_as_one_stack():
    s = play(position("d4 F5, d5 F, e4 F, e5 F, c3 2.2"), "F d4>c3 3")
    assert standing(s) == {"c3": "F7", "d4": "2", "d5": "F", "e4": "F", "e5": "F"}
    assert standing(play(position("d4 F5, d5 F, e4 F, e5 F"), "F d4>e3 0")) == {"d4": "5", "d5": "F", "e3": "F", "e4": "F", "e5": "F"}
    assert standing(play(position("d4 F5, d5 F, e4 F, e5 F, e3 3"), "assault d4>e3 5"))["e3"] == "F8"


def test_pa_9_the_guard_never_exceeds_ten():
    s = position("d4 F5, d5 F, e4 F, e5 F, c3 4.4, c5 10.1")
    assert {line.split()[2] for line in legal(s, "F d4>c3")} == {"0", "1", "2"}
    words = "3 guards cannot come along from d4 to c3: its guard is 5 and the 8 pennies on c3 will join it, ten at most, so 0 to 2 can (PA-9)"
    assert refused(s, "assault d4>c3 3") == words
    assert refused(s, "F d4>c5 0") == "the fortress cannot go to c5: the 11 pennies there would join its guard, which has ten at most (PA-9)"
    assert refused(s, "F d4>e3 6") == "6 guards cannot come along from d4 to e3: its guard is 5, so 0 to 5 can (PA-9)"


def test_pa_9_a_fortress_moves_to_a_diagonal_neighbour_without_a_fortress():
    s = position("d4 F1, e5 F, d5 F, e4 F")
    assert {line.split()[1] for line in legal(s, "F")} == {"d4>c3", "d4>c5", "d4>e3", "e5>d6", "e5>f4", "e5>f6"}
    assert refused(s, "F d4>e5 1") == "on e5 stands a fortress already (PA-9)"
    assert refused(s, "F c3>b4 1") == "there is no fortress on c3: dark has d4 and e5 (PA-9)"
    assert refused(s, "F d4>d3 1") == "d4 and d3 are not diagonal neighbours: from d4 one moves to c3, c5, e3 or e5 (PA-3)"


def test_pa_9_a_fortress_bombards_with_its_guards_and_itself():
    s = position("d4 F2, d5 F, e4 F, e5 F, b3 2.2, d3 3, c2 1.1.1.1")
    assert standing(play(s, "F d4>c3 2 x b3 2.1"))["b3"] == "1"  # strength 3, reach 2
    assert refused(s, "F d4>c3 2 x b3 2.2").startswith("2.2 is more than the strength of this bombardment: at most 3 pennies")
    assert refused(s, "F d4>c3 2 x d3 1").startswith("a stack of 3 is too large: the reach of this bombardment is 2")
    assert standing(play(s, "F d4>c3 0 x c2 1.0.0.0"))["c2"] == "1.1.1"  # alone: strength 1, reach 1
    assert "at most 1 penny can be removed" in refused(s, "F d4>c3 0 x c2 1.1.0.0")


def test_pa_9_any_of_the_three_may_have_no_effect_but_only_an_assault_disperses():
    s = position("d4 F1, d5 F, e4 F, e5 F, b3 2.2")
    assert standing(play(s, "F d4>c3 1"))["b3"] == "2.2"
    assert standing(play(s, "assault d4>c3 1"))["b3"] == "2.1.1"
    assert legal(s, "assault d4>e3") == ["assault d4>e3 0", "assault d4>e3 1"]


def test_pa_9_an_assault_disperses_every_opposing_space_beside_it():
    s = play(position("d4 F1, d5 F2, e4 F2, e5 F, b3 3.3, c2 1, c4 4, d3 1.1.1.1, b4 5.5, e6 3"), "assault d4>c3 1")
    beside = {at: standing(s).get(at) for at in ("b3", "c2", "c4", "d3")}
    assert beside == {"b3": "2.2.2", "c2": "1", "c4": "3.1", "d3": None}
    assert (standing(s)["b4"], standing(s)["e6"], standing(s)["e4"]) == ("5.5", "3", "F2")  # own, away, away


def test_pa_9_an_assault_removes_pennies_only_where_the_option_says_so():
    spaces = "d4 F2, d5 F, e4 F, e5 F, b3 3.2, c2 2.1"
    words = "in this match an assault disperses and removes nothing: leave `target` and `remove` out, or write F for a fortress bombard (PA-9)"
    assert refused(position(spaces), "assault d4>c3 2 x b3 0.2") == words
    s = position(spaces, options={"assault": "disperse-and-bombard"})
    assert "assault d4>c3 2 x b3 0.2" in legal(s, "assault")
    assert refused(s, "assault d4>c3 2 x b3 1.0").startswith("a stack of 3 is too large: the reach of this bombardment is 2")
    assert refused(s, "assault d4>c3 2 x b3 0.3").startswith("3 cannot come off a stack of 2")
    after = standing(play(s, "assault d4>c3 2 x b3 0.1"))
    assert (after["b3"], after["c2"]) == ("2.2", "2.1")  # 3.1 disperses to 2.2 after the removal, 2.1 to 1.2


def test_pa_9_an_unguarded_fortress_beside_the_destination_is_captured():
    s = position("d4 F4, d5 F, e4 F3, e5 F, b4 2.1, b6 6.5")
    assert {line.split()[3] for line in legal(s, "capture d4>c5 2")} == {"d5>b4", "d5>d4", "d5>d6"}
    after = play(s, "capture d4>c5 2 d5>b4")
    assert standing(after) == {"b4": "F3", "b6": "6.5", "c5": "F2", "d4": "2", "e4": "F3", "e5": "F"}
    assert after.pennies["b4"] == (3,)  # a guard is one stack
    assert GAME.view(after)["fortresses"] == {"dark": 3, "light": 1}
    assert refused(s, "capture d4>e3 2 e4>d2") == "the fortress on e4 cannot be captured: its guard is 3 (PA-9)"
    assert refused(s, "capture d4>c3 2 d5>b4") == "on d5 is no opposing fortress beside c3 (PA-9)"
    words = "the captured fortress cannot be put on b6: it goes to a space diagonally beside c5, b4, d4 or d6 (PA-9)"
    assert refused(s, "capture d4>c5 2 d5>b6") == words
    assert refused(s, "capture d4>c5 2 d5>a3") == words.replace("b6", "a3")


def test_pa_9_the_space_just_left_can_take_the_captured_fortress_and_what_stayed_guards_it():
    s = position("d4 F4, d5 F, e4 F3, e5 F, b4 10.1, b6 10.1, d6 10.1")
    assert legal(s, "capture d4>c5 1") == ["capture d4>c5 1 d5>d4"]
    assert standing(play(s, "capture d4>c5 1 d5>d4")) == {"b4": "10.1", "b6": "10.1", "c5": "F1", "d4": "F3", "d6": "10.1", "e4": "F3", "e5": "F"}
    assert standing(play(s, "capture d4>c5 4 d5>d4"))["d4"] == "F"


def test_pa_9_a_captured_fortress_is_not_put_on_another():
    s = position("d4 F4, d5 F, e4 F3, b6 F1")
    assert {line.split()[3] for line in legal(s, "capture d4>c5 2")} == {"d5>b4", "d5>d4", "d5>d6"}


def test_pa_9_a_capture_removes_and_disperses_nothing():
    s = position("d4 F4, d5 F, e4 F3, e5 F, c4 3.3, b5 1")
    after = standing(play(s, "capture d4>c5 4 d5>d6"))
    assert (after["c4"], after["b5"]) == ("3.3", "1")
    assert (
        GAME.objection(s, "dark", Capture("d4", 4, "c5", "c4", "d6"))
        == "on c4 is no opposing fortress beside c5; d5 can be captured from there (PA-9)"
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("1.1.1", "3"),
        ("1", "1"),
        ("5.3", "4.2.2"),
        ("1.1.1.1", None),
        ("4.2.2.1", "3.1.1"),
        ("10", "9.1"),
        ("10.10.10", "9.9.9.3"),
        ("2.1", "2.1"),
    ],
)
def test_pa_10_one_penny_of_every_stack_forms_a_new_stack_or_leaves_play(before: str, after: str | None):
    s = play(position(f"{CENTRE}, b3 {before}"), "assault d4>c3 0")
    assert standing(s).get("b3") == after
    assert out_of_play(s) == (4 if before.count(".") == 3 else 0)


def test_pa_10_a_guard_that_is_dispersed_loses_a_penny():
    s = play(position("c5 F, d5 F3, e4 F1, e5 F"), "assault c5>d4 0")
    assert (standing(s)["d5"], standing(s)["e4"], out_of_play(s)) == ("F2", "F", 2)


def test_pa_11_pennies_out_of_play_do_not_return_to_the_pool():
    s = play(position(f"{CENTRE}, c3 3, b5 2, b3 1.1.1.1, e1 1", pool=7), "c3>b4 3 =3 x b5 2", "reinforce e4", "assault d4>c3 0")
    assert (s.pool, out_of_play(s), sum(map(sum, s.pennies.values()))) == (6, 6, 5)


# The end


def test_pa_12_plies_without_progress_are_counted_and_draw_the_match():
    s = position(f"{CENTRE}, a1 2, h1 2", options={"no_progress_limit": 20})
    to_and_fro = ("a1>b2 2 =2", "h1>g2 2 =2", "b2>a1 2 =2", "g2>h1 2 =2") * 5
    for count, line in enumerate(to_and_fro):
        assert (s.reason, GAME.view(s)["plies_without_progress"]) == (None, count)
        s = play(s, line)
    result = GAME.result(s)
    assert result is not None
    assert (result.reason, result.ranks, result.scores) == ("no-progress", {"dark": 1, "light": 1}, {"dark": 2, "light": 2})
    assert (GAME.view(s)["phase"], GAME.view(s)["turn"], GAME.awaited(s)) == ("over", None, ())
    assert refused(s, "a1>b2 2 =2", "dark") == "the match is over"


@pytest.mark.parametrize(
    "line",
    ["reinforce c3", "c3>b4 3 =3 x b5 1.0.0.0", "assault d4>c5 1", "F d4>c5 1 x b5 1.0.0.0", "capture d4>c5 1 d5>d4"],
    ids=["pool", "bombard", "dispersed-out-of-play", "fortress-bombard", "capture"],
)
def test_pa_12_a_penny_from_the_pool_or_out_of_play_and_a_capture_are_progress(line: str):
    s = position("d4 F1, d5 F, e4 F, e5 F, c3 3, b5 1.1.1.1", idle=19, options={"no_progress_limit": 20})
    assert (play(s, line).idle, play(s, line).reason) == (0, None)


@pytest.mark.parametrize("line", ["fortify c3 2.1", "c3>b4 3 =3", "F d4>c5 1", "assault d4>c5 1"])
def test_pa_12_moving_arranging_and_dispersing_are_none(line: str):
    s = position("d4 F1, d5 F, e4 F, e5 F, c3 3, b5 2.1", idle=19, options={"no_progress_limit": 20})
    assert play(s, line).reason == "no-progress"


def test_pa_12_placing_does_not_count():
    assert placed().idle == 0


def test_pa_12_the_match_is_drawn_at_the_limit_of_plies():
    s = position(f"{CENTRE}, a1 2", ply=199, options={"max_plies": 200, "no_progress_limit": None})
    over = play(s, "a1>b2 2 =2")
    result = GAME.result(over)
    assert result is not None
    assert (result.reason, result.ranks) == ("ply-limit", {"dark": 1, "light": 1})
    both = position(f"{CENTRE}, a1 2", ply=199, idle=19, options={"max_plies": 200, "no_progress_limit": 20})
    assert play(both, "a1>b2 2 =2").reason == "no-progress"


def test_pa_12_a_ply_that_wins_is_no_draw():
    s = position("d4 F1, d5 F, g3 F, b4 F", ply=199, idle=19, options={"max_plies": 200, "no_progress_limit": 20})
    assert play(s, "capture d4>c5 1 d5>d6").reason == "fortresses"


def test_pa_12_one_of_the_limits_must_be_set():
    words = "`no_progress_limit` and `max_plies` cannot both be none: a match might never end, so set one of them at least (PA-12)"
    assert GAME.unfit(Options(no_progress_limit=None, max_plies=None), GAME.seats) == words
    assert GAME.unfit(Options(no_progress_limit=None), GAME.seats) is None
    assert GAME.unfit(Options(max_plies=None), GAME.seats) is None


def test_pa_13_holding_all_four_fortresses_wins_at_once():
    s = play(position("d4 F1, d5 F, g3 F, b4 F"), "capture d4>c5 1 d5>d6")
    result = GAME.result(s)
    assert result is not None
    assert (result.reason, result.ranks, result.scores) == ("fortresses", {"dark": 1, "light": 2}, {"dark": 4, "light": 0})


def test_pa_13_a_seat_has_an_action_even_with_nothing_but_a_surrounded_fortress():
    s = position("a1 F10, d5 F, e4 F, b5 F, b2 10.10.10.10", pool=0)
    assert legal(s, "a1") == []
    assert legal(s)
    alone = position("a1 F, d5 F, e4 F, b5 F", pool=0)
    assert [line.split()[0] for line in legal(alone)] == ["F", "assault"]


def test_an_agreed_end_is_a_draw_whoever_holds_more_fortresses():
    agreed = GAME.standing(position("d4 F, d5 F, g3 F, b4 F"))
    assert (agreed.ranks, agreed.scores) == ({"dark": 1, "light": 1}, {"dark": 3, "light": 1})
    over = GAME.result(GAME.close(position("d4 F, d5 F, g3 F, b4 F"), "agreement"))
    assert over is not None
    assert (over.ranks, over.scores, over.reason) == (agreed.ranks, agreed.scores, "agreement")
