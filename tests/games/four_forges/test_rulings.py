"""The rulings of Four Forges but for those on mining and trading: each test fails where its ruling is not kept."""

import msgspec
import pytest
from msgspec.structs import replace

from domain.games.four_forges import GAME
from domain.games.four_forges.forges import ANVILS, AT, NEIGHBOURS
from domain.games.four_forges.state import DeclareEnd, Options, on_board
from tests.games.four_forges.positions import FULL, chest, ended, idle, legal, lies, lot, mined, play, position, refused, whole_round

DEALS = (
    "* deal ochre O1 - O2 2b2s2g O3 3b1s2g O4 1b3s2g",
    "* deal malachite M1 2b1s3g M2 1b4s1g M3 - M4 3b1s2g",
    "* deal lead L1 1b2s3g L2 3b2s1g L3 2b2s2g L4 -",
    "* deal azurite A1 2b3s1g A2 - A3 3b2s1g A4 1b1s4g",
)


# The turn and the start


def test_ff_1_a_turn_has_three_actions_unless_the_match_has_four():
    assert Options().actions_per_turn == 3
    s = play(position(FULL), "O2>O1 black; O2>O1 silver")
    assert GAME.awaited(s) == ("ochre",)
    assert GAME.awaited(play(s, "O2>O1 grey")) == ("malachite",)
    s = play(position(FULL, options=Options(actions_per_turn=4)), "O2>O1 black; O2>O1 silver; O2>O1 grey")
    assert GAME.awaited(s) == ("ochre",)
    assert GAME.awaited(play(s, "smelt O1")) == ("malachite",)


@pytest.mark.parametrize("actions", [2, 5])
def test_ff_1_there_is_no_other_number_of_actions(actions: int):
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"actions_per_turn": actions}, Options)


def test_ff_2_the_empty_anvil_is_drawn_then_the_stones_one_by_one_without_putting_back():
    asked: list[int] = []
    outcome = GAME.draw(GAME.setup(Options(), GAME.seats), lambda n: asked.append(n) or 0)  # type: ignore[func-returns-value]
    assert asked == [4, *range(18, 0, -1)]
    assert GAME.tell(outcome) == "* deal ochre O1 - O2 6b O3 6s O4 6g"
    assert GAME.draws(outcome) == 19


def test_ff_2_a_drawn_stone_leaves_the_others_in_their_order():
    falls = iter([2, 17, 0, 15, 0, *[0] * 14])  # O3 stays empty; the last grey, the first black, the last grey again, a black; then from the front
    outcome = GAME.draw(GAME.setup(Options(), GAME.seats), lambda n: next(falls))
    assert GAME.tell(outcome) == "* deal ochre O1 4b2g O2 2b4s O3 - O4 2s4g"


def test_ff_2_every_seat_is_dealt_its_stones_in_turn_order_and_then_ochre_begins():
    s = GAME.setup(Options(), GAME.seats)
    for dealt, line in enumerate(DEALS):
        assert (s.dealt, GAME.chance_due(s), GAME.awaited(s)) == (dealt, True, ())
        s = play(s, line)
    assert GAME.awaited(s) == ("ochre",)
    assert s.anvils == position(FULL).anvils
    assert [on_board(s, place) for place in range(4)] == [(6, 6, 6)] * 4


@pytest.mark.parametrize(
    "line",
    [
        "* deal ochre O1 1b O2 2b2s2g O3 2b1s2g O4 1b3s2g",
        "* deal ochre O1 - O2 2b2s2g O3 3b1s2g O4 1b2s3g",
        "* deal ochre M1 - M2 2b2s2g M3 3b1s2g M4 1b3s2g",
        "* deal ochre O1 2b2s2g O2 3b1s2g O3 1b3s2g",
    ],
)
def test_ff_2_no_other_deal_is_believed(line: str):
    with pytest.raises(ValueError, match=r"\(FF-2\)"):
        lot(line)


def test_the_order_of_a_deals_anvils_does_not_matter():
    shuffled = lot("* deal malachite M4 3b1s2g M2 1b4s1g M3 - M1 2b1s3g")
    assert shuffled == lot("* deal malachite M1 2b1s3g M2 1b4s1g M3 - M4 3b1s2g")
    assert GAME.tell(shuffled) == "* deal malachite M1 2b1s3g M2 1b4s1g M3 - M4 3b1s2g"
    dealt = GAME.apply_chance(play(GAME.setup(Options(), GAME.seats), DEALS[0]), shuffled)
    assert dealt.anvils[4:8] == position(FULL).anvils[4:8]


# Anvils and stones


@pytest.mark.parametrize(
    ("anvil", "adjacent"),
    [
        ("O1", "O2 M1 A1"),
        ("O2", "O1 O3 M2 A2"),
        ("O4", "O3 M4 A4"),
        ("M3", "O3 M2 M4 L3"),
        ("L1", "M1 L2 A1"),
        ("A2", "O2 L2 A1 A3"),
    ],
)
def test_ff_3_anvils_touch_in_a_forge_and_by_number_around_the_ring(anvil: str, adjacent: str):
    assert [ANVILS[at] for at in NEIGHBOURS[AT[anvil]]] == adjacent.split()


def test_ff_3_anvils_at_the_ends_have_three_neighbours_the_others_four():
    assert [len(neighbours) for neighbours in NEIGHBOURS] == [3, 4, 4, 3] * 4
    assert all(at in NEIGHBOURS[other] for at in range(16) for other in NEIGHBOURS[at])


def test_ff_3_anvils_1_and_4_do_not_touch():
    s = position("O1 2b M1 1b")
    assert refused(s, "O1>O4 black") == "not adjacent: O1 and O4 do not touch; from O1 a stone can go to O2, M1 or A1 (FF-3)"
    assert refused(s, "O1>L1 black") == "not adjacent: O1 and L1 do not touch; from O1 a stone can go to O2, M1 or A1 (FF-3)"


def test_ff_4_a_seat_acts_only_with_stones_on_its_own_anvils():
    s = position("O1 2b M1 1b")
    assert refused(s, "M1>O1 black") == "M1 is malachite's, and ochre acts only with stones on its own anvils, O1 to O4 (FF-4)"
    assert {line.split(">")[0].split()[-1][:2] for line in legal(s) if ">" in line} == {"O1"}


def test_ff_4_stones_that_came_from_others_are_the_seats_own_now():
    s = play(position("O1 2b1s M1 1g M2 3b"), "O1>M1 black; O1>M1 silver; O1>O2 black", "smelt M1")
    assert chest(s, "malachite") == (1, 1, 1)


def test_ff_4_an_anvil_holds_any_number_of_stones():
    s = play(position("O1 9b9s8g O2 1b1g"), "O2>O1 grey; O2>O1 black")
    assert lies(s, "O1", "O2") == "O1 10b9s9g O2 -"


def test_ff_5_three_stones_all_alike_are_forged_two_to_the_chest_and_one_stays():
    s = play(position("O2 3g O3 1b"), "forge O2")
    assert (lies(s, "O2"), chest(s, "ochre"), s.actions_left) == ("O2 1g", (0, 0, 2), 2)


def test_ff_5_three_stones_all_different_are_smelted_all_to_the_chest():
    s = play(position("O2 1b1s1g O3 1b"), "smelt O2")
    assert (lies(s, "O2"), chest(s, "ochre"), s.actions_left) == ("O2 -", (1, 1, 1), 2)


def test_ff_5_only_exactly_three_stones_are_forged_or_smelted():
    s = position("O1 4b O2 2b1s O3 2b2s2g O4 2g")
    assert [line for line in legal(s) if line.startswith(("forge", "smelt"))] == []
    words = "O1 cannot be forged: that takes exactly three stones, all alike, and 4b lies there (FF-5)"
    assert refused(s, "forge O1") == f"{words}; ochre has nothing to forge now and can move or break a stone"
    assert "(FF-5)" in refused(s, "smelt O3")


def test_ff_5_a_broken_stone_goes_to_the_bag_and_counts_for_nobody():
    s = play(position("O1 5b1g"), "break O1 grey")
    assert (lies(s, "O1"), s.bag, set(GAME.standing(s).scores.values())) == ("O1 5b", (0, 0, 1), {0})


def test_ff_5_a_stone_moves_to_an_adjacent_anvil_of_any_forge():
    s = play(position("O2 4b"), "O2>M2 black; O2>A2 black; O2>O3 black")
    assert lies(s, "O2", "O3", "M2", "A2") == "O2 1b O3 1b M2 1b A2 1b"


# The end without mining


@pytest.mark.parametrize("last", ["break O2 black", "O2>M2 black", "O2>A2 black"])
def test_ff_6_the_match_ends_the_moment_the_forge_on_turn_is_empty_even_with_actions_left(last: str):
    s = play(position("O2 1b M1 1b", chests=((1, 0, 0), (0, 0, 0), (0, 0, 0), (0, 0, 0))), last)
    assert (ended(s), GAME.awaited(s), s.actions_left) == ("forge-empty", (), 2)


def test_ff_6_smelting_the_last_three_stones_ends_it_and_counts():
    s = play(position("O2 1b1s1g M1 1b"), "smelt O2")
    result = GAME.result(s)
    assert result is not None
    assert (result.reason, result.scores["ochre"], result.ranks) == ("forge-empty", 3, {"ochre": 1, "malachite": 2, "lead": 2, "azurite": 2})


def test_ff_6_an_empty_forge_after_the_last_action_ends_it_too():
    assert ended(play(position("O1 1b1s O2 1g M1 1b"), "break O1 black; break O1 silver; break O2 grey")) == "forge-empty"


def test_ff_6_there_is_nothing_to_declare_without_mining():
    s = position("O2 1b M1 1b")
    assert "declare end" not in legal(s)
    assert "(FF-6)" in refused(s, "declare end")


# Chests, ranks, passing


def test_ff_10_nothing_that_a_seat_can_do_takes_stones_out_of_a_chest_or_the_bag():
    s = mined("O1 3b O2 1b1s1g O3 1b M1 1b", chests=((2, 2, 2),) * 4, bag=(1, 1, 1))
    for line in legal(s):
        after = GAME.apply(s, "ochre", GAME.read(s, line))
        assert all(now >= before for now, before in zip(after.bag, s.bag, strict=True))
        assert all(now >= before for was, is_ in zip(s.chests, after.chests, strict=True) for now, before in zip(is_, was, strict=True))


def test_ff_11_most_stones_win_and_equal_counts_share_the_rank():
    standing = GAME.standing(position(FULL, chests=((2, 0, 1), (1, 1, 1), (0, 0, 0), (4, 0, 0))))
    assert standing.scores == {"ochre": 3, "malachite": 3, "lead": 0, "azurite": 4}
    assert standing.ranks == {"ochre": 2, "malachite": 2, "lead": 4, "azurite": 1}


def test_ff_12_there_is_no_passing():
    s = position(FULL)
    assert "end turn" not in legal(s)
    assert refused(s, "end turn") == "ochre cannot pass: 3 actions are left, and every action of a turn must be taken (FF-12)"
    assert "(FF-12)" in refused(play(mined("O1 1b M1 1b"), "break O1 black"), "end turn")


# Rounds


def test_ff_13_after_so_many_rounds_without_progress_the_match_ends_as_it_stands():
    s = position(FULL, options=Options(no_progress_rounds=3), chests=((0, 0, 0), (1, 1, 1), (0, 0, 0), (0, 0, 0)))
    for number in (1, 2):
        s = whole_round(s, "-", "-", "-", "-")
        assert (s.idle, s.round, ended(s)) == (number, number + 1, None)
    s = whole_round(s, "-", "-", "-")
    assert ended(s) is None
    s = play(s, idle(s))
    result = GAME.result(s)
    assert result is not None
    assert (result.reason, result.ranks, s.round, s.idle) == ("no-progress", {"ochre": 2, "malachite": 1, "lead": 2, "azurite": 2}, 3, 3)


def test_ff_13_a_stone_that_leaves_the_board_starts_the_count_anew_at_that_moment():
    for line in ("break O2 black", "smelt O1", "forge O3"):
        s = play(position("O1 1b1s1g O2 2b O3 3g M1 1b", idle=2), line)
        assert GAME.view(s)["rounds_without_progress"] == 0


def test_ff_13_and_so_does_a_stone_that_comes_from_the_mine():
    s = play(mined("O1 1b M1 1b L1 1b A1 1b", idle=2), "mine O2", "* mine O2 2b2s2g")
    assert GAME.view(s)["rounds_without_progress"] == 0
    s = whole_round(play(s, "O2>O1 black; O2>O1 black"), "-", "-", "-")
    assert (s.round, GAME.view(s)["rounds_without_progress"]) == (2, 0)


def test_ff_13_a_round_with_progress_in_it_is_no_round_without():
    s = whole_round(position(FULL, idle=2), "-", "break M1 black; M2>M1 black; M1>M2 black", "-", "-")
    assert (s.idle, s.round) == (0, 2)
    assert whole_round(s, "-", "-", "-", "-").idle == 1


def test_ff_13_moves_and_trades_are_no_progress():
    s = position(FULL, options=Options(trading=True), idle=1)
    s = whole_round(play(s, "trade O2 1b for M1 1g", "accept"), "-", "-", "-")
    assert (s.idle, s.round) == (2, 2)


def test_ff_13_no_progress_goes_before_the_round_limit():
    s = position(FULL, options=Options(no_progress_rounds=3, max_rounds=7), round=7, idle=2)
    assert ended(whole_round(s, "-", "-", "-", "-")) == "no-progress"


def test_ff_13_without_the_option_nothing_is_ended():
    s = position(FULL, options=Options(no_progress_rounds=None), idle=500)
    assert (ended(whole_round(s, "-", "-", "-", "-")), Options().no_progress_rounds) == (None, 20)


def test_the_match_ends_after_so_many_full_rounds():
    s = whole_round(position(FULL, options=Options(max_rounds=2)), "-", "-", "-", "-")
    assert (ended(s), s.round) == (None, 2)
    s = whole_round(s, "-", "-", "-")
    assert ended(s) is None
    s = play(s, idle(s))
    assert (ended(s), s.round, s.idle, GAME.view(s)["turn"]) == ("round-limit", 2, 2, None)


# Seats that have left


def test_ff_14_the_turns_of_a_vacated_seat_are_skipped_and_its_stones_stay():
    s = GAME.vacate(position(FULL), "malachite")
    assert GAME.awaited(s) == ("ochre",)
    s = play(s, idle(s))
    assert GAME.awaited(s) == ("lead",)
    assert lies(s, "M1", "M2") == "M1 2b1s3g M2 1b4s1g"
    assert "O2>M2 black" in legal(replace(s, turn=0))


def test_ff_14_a_seat_that_leaves_in_the_middle_of_its_turn_has_ended_it():
    s = GAME.vacate(play(position(FULL), "O2>O1 black"), "ochre")
    assert (GAME.awaited(s), s.actions_left, lies(s, "O1")) == (("malachite",), 3, "O1 1b")


def test_ff_14_a_round_ends_without_the_seats_that_have_left():
    s = GAME.vacate(GAME.vacate(position(FULL, "malachite"), "azurite"), "ochre")
    s = play(s, idle(s))
    assert (GAME.awaited(s), s.round) == (("lead",), 1)
    s = play(s, idle(s))
    assert (GAME.awaited(s), s.round, s.idle) == (("malachite",), 2, 1)
    assert GAME.vacate(position(FULL, "azurite"), "azurite").round == 2


def test_ff_14_a_seat_that_leaves_during_its_draw_from_the_mine_still_gets_the_stones():
    s = mined("O1 1b M1 1b")
    s = GAME.vacate(GAME.apply(s, "ochre", GAME.read(s, "mine O2")), "ochre")
    assert GAME.chance_due(s)
    s = play(s, "* mine O2 2b2s2g")
    assert (lies(s, "O2"), GAME.awaited(s)) == ("O2 2b2s2g", ("malachite",))


def test_ff_14_a_seat_that_leaves_before_the_first_turn_has_none():
    s = GAME.vacate(GAME.setup(Options(), GAME.seats), "ochre")
    assert GAME.awaited(play(s, *DEALS)) == ("malachite",)


def test_ff_14_a_player_who_leaves_with_two_seats_ends_nothing_by_the_empty_forge_of_the_second():
    s = mined("O1 1b L1 1b A1 1b", mine=(0, 0, 0))
    s = GAME.vacate(GAME.vacate(s, "ochre"), "malachite")
    assert (ended(s), GAME.awaited(s)) == (None, ("lead",))


def test_ff_14_nothing_is_amiss_when_all_seats_have_left():
    s = position(FULL)
    for seat in GAME.seats:
        s = GAME.vacate(s, seat)
    assert s.vacated == (0, 1, 2, 3)
    assert ended(s) is None


def test_a_caretaker_would_play_the_first_legal_action():
    assert GAME.caretaker(mined("M1 1b", mine=(0, 0, 0), actions_left=0), "ochre") == DeclareEnd()
