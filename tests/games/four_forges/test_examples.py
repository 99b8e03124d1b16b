"""The sample turns of the rules' text, by their numbers; where its pictures said how the stones lay, they lie as its words need them."""

from domain.games.four_forges import GAME
from tests.games.four_forges.positions import chest, lies, play, position

EXAMPLE_1 = "O2 2b2s2g O3 3b1s2g O4 1b3s2g M1 2b1s3g M2 1b4s1g M4 3b1s2g L1 2b2s2g L2 2b2s2g L3 2b2s2g A1 2b2s2g A2 2b2s2g A3 2b2s2g"
EXAMPLE_3 = "O2 4s O3 2b1g M1 2b L4 1g A2 2s A3 1b1s1g A4 2b1s1g"


def test_example_1_ochre_moves_three_stones_from_its_second_anvil_to_its_first():
    s = play(position(EXAMPLE_1), "O2>O1 black; O2>O1 silver; O2>O1 grey")
    assert lies(s, "O1", "O2") == "O1 1b1s1g O2 1b1s1g"
    assert GAME.awaited(s) == ("malachite",)


def test_example_2_malachite_blocks_both_smelting_pots_with_three_moves():
    s = play(position(EXAMPLE_1), "O2>O1 black; O2>O1 silver; O2>O1 grey")
    s = play(s, "M1>O1 grey; M1>M2 grey")
    assert (s.actions_left, GAME.awaited(s)) == (1, ("malachite",))
    s = play(s, "M2>O2 grey")
    assert lies(s, "O1", "O2", "M1", "M2") == "O1 1b1s2g O2 1b1s2g M1 2b1s1g M2 1b4s1g"
    assert GAME.awaited(s) == ("lead",)
    after = play(s, "L1>L2 black; L2>L1 black; L1>L2 black", "A1>A2 black; A2>A1 black; A1>A2 black")
    assert [GAME.write(action) for action in GAME.legal(after, "ochre") if GAME.write(action).startswith(("smelt", "forge"))] == []


def test_example_3_azurite_smelts_breaks_a_stone_and_smelts_again():
    s = play(position(EXAMPLE_3, "azurite"), "smelt A3")
    assert (chest(s, "azurite"), lies(s, "A3")) == ((1, 1, 1), "A3 -")
    s = play(s, "break A4 black")
    assert (s.bag, lies(s, "A4")) == ((1, 0, 0), "A4 1b1s1g")
    s = play(s, "smelt A4")
    assert chest(s, "azurite") == (2, 2, 2)
    assert GAME.standing(s).scores == {"ochre": 0, "malachite": 0, "lead": 0, "azurite": 6}


def test_example_4_ochre_moves_a_silver_over_to_azurite_forges_and_is_left_with_three_stones():
    s = play(position(EXAMPLE_3, "azurite"), "smelt A3; break A4 black; smelt A4")
    assert GAME.awaited(s) == ("ochre",)
    s = play(s, "O2>A2 silver")
    assert lies(s, "O2", "A2") == "O2 3s A2 3s"
    s = play(s, "forge O2")
    assert (lies(s, "O2"), chest(s, "ochre")) == ("O2 1s", (0, 2, 0))
    s = play(s, "O3>M3 black")
    assert lies(s, "O1", "O2", "O3", "O4", "M3") == "O1 - O2 1s O3 1b1g O4 - M3 1b"


def test_example_4_as_long_as_no_one_moves_a_stone_to_it_ochre_can_end_the_match_on_its_next_turn():
    s = play(position(EXAMPLE_3, "azurite"), "smelt A3; break A4 black; smelt A4", "O2>A2 silver; forge O2; O3>M3 black")
    s = play(s, "M1>M2 black; M2>M1 black; M1>M2 black", "L4>L3 grey; L3>L4 grey; L4>L3 grey", "A2>A3 silver; A3>A2 silver; A2>A3 silver")
    s = play(s, "break O2 silver; break O3 black; break O3 grey")
    result = GAME.result(s)
    assert result is not None
    assert (result.reason, result.ranks) == ("forge-empty", {"ochre": 2, "malachite": 3, "lead": 3, "azurite": 1})
