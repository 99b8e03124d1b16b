"""The rulings of Steinnheimr beyond a single action, SH-11 to SH-17: each test fails where its ruling is not kept."""

import pytest
from msgspec.structs import replace

from domain.games.steinnheimr import GAME
from domain.games.steinnheimr.cards import BOX
from domain.games.steinnheimr.state import Options, Place, Player, Remove, State
from tests.games.steinnheimr.positions import drawn, has, legal, play, position, refused, told

IDLE = ("place iron, nothing", "remove silver, nothing")
BACK = ("place silver, nothing", "remove iron, nothing")
ALL_UPGRADES = tuple(card.id for card in BOX.upgrades)


def result(s: State):
    found = GAME.result(s)
    assert found is not None
    return found


# Refreshing the upgrades


def test_sh_11_two_coins_discard_all_shown_upgrades_and_show_three_new_ones():
    s = play(position(has("3 coins"), has(), shown_upgrades="5 3 9"), "refresh")
    assert (s.players[0].coins, s.upgrades, s.discarded) == (1, (None, None, None), ("upgrade-05", "upgrade-03", "upgrade-09"))
    assert len(told(s)) == 23
    s = play(s, "* upgrade-26 shown", "* upgrade-01 shown", "* upgrade-02 shown")
    assert s.upgrades == ("upgrade-26", "upgrade-01", "upgrade-02")
    assert GAME.awaited(s) == ("red",)


def test_sh_11_it_is_no_action_and_comes_before_placing_or_between_placing_and_removing():
    s = position(has("2 coins"), has())
    assert legal(s)[0] == legal(play(s, "place iron, nothing"))[0] == "refresh"
    assert legal(drawn(play(s, "refresh"))) == legal(s)[1:]
    assert refused(play(s, "place iron, nothing", "remove silver, nothing"), "refresh", "red").startswith("it is not red's turn")
    over = play(position(has("2 coins, 8 iron ore"), has()), "place iron, mine", "remove silver, nothing")
    words = "it is too late for a refresh: red has 11 resources and room for 8, and is to discard exactly 3 (SH-13)"
    assert refused(over, "refresh") == words


def test_sh_11_once_a_turn():
    s = drawn(play(position(has("9 coins"), has("9 coins")), "refresh"))
    assert "refresh" not in legal(s)
    assert refused(s, "refresh").startswith("the upgrades have been refreshed in this turn already (SH-11); red is to place a dwarf on")
    assert "refresh" not in legal(play(s, "place iron, nothing"))
    assert "refresh" in legal(play(s, *IDLE))


def test_sh_11_upgrades_make_it_cheaper():
    assert "refresh" not in legal(position(has("1 coin"), has()))
    assert refused(position(has("1 coin"), has()), "refresh").startswith("a refresh costs 2 coins, and red has 1 (SH-11)")
    assert play(position(has("1 coin", upgrades="26"), has()), "refresh").players[0].coins == 0


def test_sh_11_only_while_an_upgrade_is_shown():
    s = position(has("2 coins"), has(), shown_upgrades="0 0 0", upgrade_deck=())
    assert "refresh" not in legal(s)
    assert refused(s, "refresh").startswith("there is no upgrade that could be discarded (SH-11)")


def test_sh_11_with_fewer_than_three_left_those_just_discarded_come_back_and_the_rest_are_gaps():
    s = position(has("2 coins"), has(), shown_upgrades="0 3 1", upgrade_deck=())
    s = play(s, "refresh")
    assert told(s) == ["* upgrade-01 shown", "* upgrade-03 shown"]
    s = play(s, "* upgrade-03 shown", "* upgrade-01 shown")
    assert (s.upgrades, s.upgrade_deck, s.discarded) == (("upgrade-03", "upgrade-01", None), (), ())


# Cards that are taken


@pytest.mark.parametrize(
    ("line", "card", "drawn_from", "place"),
    [
        ("place anvil, craft item-01", "* item-17 shown", 50, 1),
        ("place town, donate town-03", "* town-17 shown", 17, 6),
        ("place guild, buy upgrade-03", "* upgrade-17 shown", 23, 9),
    ],
)
def test_sh_12_a_card_that_is_taken_is_replaced_at_once_in_its_place(line: str, card: str, drawn_from: int, place: int):
    s = play(position(has("5 coins, 4 iron ore, 2 iron ingots"), has()), line)
    assert len(told(s)) == drawn_from
    assert GAME.awaited(s) == ()
    s = play(s, card)
    shown, new = s.items + s.towns + s.upgrades, card.removeprefix("* ").removesuffix(" shown")
    before = position().items + position().towns + position().upgrades
    assert [(at, here) for at, (here, there) in enumerate(zip(shown, before, strict=True)) if here != there] == [(place, new)]
    assert (GAME.awaited(s), s.step) == (("red",), "remove")


def test_sh_12_an_empty_deck_leaves_a_gap():
    s = play(position(has("2 iron ingots"), has(), item_deck=()), "place anvil, craft item-01")
    assert (s.items, GAME.awaited(s)) == (("item-31", None, "item-02", "item-03"), ("red",))
    assert GAME.view(s)["shown"]["items"] == ["item-31", None, "item-02", "item-03"]


def test_sh_12_the_upgrade_deck_is_refilled_just_before_a_draw_that_finds_it_empty():
    s = position(has("5 coins"), has(), upgrade_deck=(), discarded=("upgrade-20", "upgrade-07"))
    s = play(s, "place guild, buy upgrade-02")
    assert told(s) == ["* upgrade-07 shown", "* upgrade-20 shown"]
    s = play(s, "* upgrade-20 shown")
    assert (s.upgrades, s.upgrade_deck, s.discarded) == (("upgrade-01", "upgrade-20", "upgrade-03"), ("upgrade-07",), ())


def test_sh_12_a_draw_that_empties_the_upgrade_deck_does_not_refill_it():
    s = position(has("5 coins"), has(), upgrade_deck=("upgrade-09",), discarded=("upgrade-20",))
    s = play(s, "place guild, buy upgrade-02", "* upgrade-09 shown")
    assert (s.upgrade_deck, s.discarded) == ((), ("upgrade-20",))


def test_sh_12_also_in_the_middle_of_a_refresh():
    s = position(has("2 coins"), has(), upgrade_deck=("upgrade-09",), discarded=("upgrade-20",))
    s = play(s, "refresh")
    assert told(s) == ["* upgrade-09 shown"]
    s = play(s, "* upgrade-09 shown")
    assert told(s) == ["* upgrade-01 shown", "* upgrade-02 shown", "* upgrade-03 shown", "* upgrade-20 shown"]


def test_sh_12_with_no_upgrade_left_a_gap_stays():
    s = play(position(has("5 coins"), has(), upgrade_deck=()), "place guild, buy upgrade-02")
    assert (s.upgrades, GAME.awaited(s)) == (("upgrade-01", None, "upgrade-03"), ("red",))


# Too many resources


def test_sh_13_a_player_with_more_than_eight_resources_discards_down_to_eight_at_the_end_of_the_turn():
    s = play(position(has("6 iron ore"), has("9 iron ore")), "place iron, mine")
    assert (s.step, s.players[0].excess) == ("remove", 1)
    s = play(s, "remove silver, mine")
    assert (GAME.awaited(s), s.step) == (("red",), "discard")
    assert legal(s) == ["discard 3 iron ore", "discard 2 iron ore, 1 silver ore", "discard 1 iron ore, 2 silver ore"]
    s = play(s, "discard 2 iron ore, 1 silver ore")
    assert (s.players[0].ore, s.supply, GAME.awaited(s)) == ((7, 1, 0, 0), (14, 19, 20, 10), ("blue",))


def test_sh_13_exactly_down_to_that_number_and_of_what_there_is():
    s = play(position(has("7 iron ore, 1 gold ingot"), has()), "place iron, mine", "remove silver, nothing")
    words = "that is not the right number: red has 11 resources and room for 8, and is to discard exactly 3 (SH-13)"
    assert refused(s, "discard 2 iron ore") == refused(s, "discard 4 iron ore") == words
    words = "red does not have all of that, but 10 iron ore, 1 gold ingot: red has 11 resources and room for 8, and is to discard exactly 3 (SH-13)"
    assert refused(s, "discard 1 iron ore, 2 gold ingot") == words
    assert refused(position(has("9 iron ore"), has()), "discard 1 iron ore").startswith("there is nothing to discard now: red is to place a dwarf")


def test_sh_13_capacity_makes_room_for_more():
    s = play(position(has("9 iron ore", upgrades="23", towns="20"), has()), "place iron, mine", "remove silver, nothing")
    assert GAME.awaited(s) == ("blue",)
    s = play(position(has("8 iron ore", upgrades="23"), has()), "place iron, mine", "remove silver, nothing")
    assert legal(s) == ["discard 1 iron ore"]


def test_sh_13_cheap_ore_comes_first_in_the_list():
    s = position(has("1 iron ore, 3 mithril ore, 4 iron ingots, 2 gold ingots"), has(), step="discard", placed="gold")
    assert legal(s) == [
        "discard 1 iron ore, 1 mithril ore",
        "discard 1 iron ore, 1 iron ingot",
        "discard 1 iron ore, 1 gold ingot",
        "discard 2 mithril ore",
        "discard 1 mithril ore, 1 iron ingot",
        "discard 1 mithril ore, 1 gold ingot",
        "discard 2 iron ingot",
        "discard 1 iron ingot, 1 gold ingot",
        "discard 2 gold ingot",
    ]


def test_sh_13_a_card_that_was_taken_last_is_replaced_before_the_discard():
    s = play(position(has("5 coins, 9 iron ore"), has(), dwarves="silver furnace guild"), "place iron, mine", "remove guild, buy upgrade-02")
    assert told(s)[0] == "* upgrade-04 shown"
    assert legal(play(s, "* upgrade-04 shown")) == ["discard 4 iron ore"]


# The end


@pytest.mark.parametrize(("seats", "items"), [(2, 10), (3, 8), (4, 6)])
def test_sh_14_the_end_begins_with_ten_eight_or_six_items_of_one_player(seats: int, items: int):
    smith = has("1 iron ingot", items=" ".join(str(number) for number in range(10, 9 + items)))
    s = position(smith, *(has(),) * (seats - 1))
    assert not s.ending
    s = drawn(play(s, "place anvil, craft item-31"))
    assert (s.ending, GAME.view(s)["ending"], GAME.result(s)) == ("items", True, None)
    assert play(position(replace(smith, items=smith.items[1:]), *(has(),) * (seats - 1)), "place anvil, craft item-31").ending is None


def test_sh_14_how_many_items_is_an_option():
    assert play(position(has("1 iron ingot"), has(), options=Options(items_to_end=1)), "place anvil, craft item-31").ending == "items"


def test_sh_14_the_round_is_finished_so_that_all_have_had_equally_many_turns():
    s = position(has(), has("1 iron ingot"), has(), options=Options(items_to_end=1), first="blue", turn=1, round=7)
    s = drawn(play(s, "place anvil, craft item-31"))
    s = play(s, "remove silver, nothing", *("place silver, nothing", "remove anvil, nothing"))
    assert (GAME.awaited(s), GAME.result(s)) == (("red",), None)
    s = play(s, "place iron, nothing", "remove silver, nothing")
    assert (result(s).reason, s.round, GAME.awaited(s), GAME.view(s)["turn"]) == ("items", 7, (), None)
    assert refused(s, "place gold, mine", "blue") == "the match is over"


def test_sh_14_or_with_the_seventeenth_town_card_that_was_given():
    def donate(deck: tuple[str, ...]) -> State:
        return play(position(has("3 iron ore"), has(), town_deck=deck), "place town, donate town-01", "* town-20 shown")

    assert donate(("town-19", "town-20")).ending is None
    s = donate(("town-20",))
    assert (s.ending, s.towns, GAME.result(s)) == ("town-deck", ("town-20", "town-02", "town-03"), None)
    s = play(s, "remove silver, nothing", "place silver, nothing", "remove town, nothing")
    assert result(s).reason == "town-deck"


def test_sh_14_the_last_town_card_given_by_the_last_player_of_a_round_ends_that_round():
    s = position(has(), has("3 iron ore"), turn=1, town_deck=("town-20",), dwarves="silver furnace town", round=9)
    s = play(s, "place iron, nothing", "remove town, donate town-01")
    assert (GAME.chance_due(s), GAME.result(s)) == (True, None)
    s = play(s, "* town-20 shown")
    assert (result(s).reason, s.round) == ("town-deck", 9)


def test_sh_14_the_reason_that_came_first_stays():
    s = position(has("3 iron ore, 1 iron ingot"), has(), options=Options(items_to_end=1), town_deck=("town-20",), dwarves="silver furnace town")
    assert drawn(play(drawn(play(s, "place anvil, craft item-31")), "remove town, donate town-01")).ending == "items"
    s = position(has("3 iron ore, 1 iron ingot"), has(), options=Options(items_to_end=1), town_deck=("town-20",), dwarves="silver furnace anvil")
    assert drawn(play(drawn(play(s, "place town, donate town-01")), "remove anvil, craft item-31")).ending == "town-deck"


def test_the_match_ends_after_the_last_round_that_the_options_allow():
    s = position(has(), has(), options=Options(max_rounds=10), round=10)
    s = play(s, *IDLE)
    assert GAME.result(s) is None
    s = play(s, *BACK)
    assert (result(s).reason, s.round, GAME.view(s)["ending"]) == ("round-limit", 10, False)
    assert play(position(round=10, options=Options(max_rounds=None)), *IDLE, *BACK).round == 11


def test_an_end_that_has_begun_comes_before_the_limit_of_rounds():
    s = position(has("1 iron ingot"), has(), options=Options(items_to_end=1, max_rounds=10), round=10)
    s = drawn(play(s, "place anvil, craft item-31"))
    assert result(play(s, "remove silver, nothing", *("place silver, nothing", "remove anvil, nothing"))).reason == "items"


# Points


def points(*players: Player, bonus: tuple[str, ...] = ()) -> list[int]:
    return list(GAME.standing(position(*players, bonus=bonus)).scores.values())


def test_sh_15_cards_count_what_they_show():
    assert points(has(items="1 10", towns="1 12"), has(items="15")) == [4 + 11 + 3 + 7, 10]


def test_sh_15_upgrades_and_town_effects_count_for_each_item_or_town_and_stack():
    two_for_armor = has(items="16 17 1", upgrades="3 4")  # 4 + 9 + 4 points, and 4 for each of two armor pieces
    a_founder = has(towns="1 19", upgrades="25")  # 3 + 1 points, and 2 for each of two towns
    assert points(two_for_armor, a_founder) == [25, 8]


@pytest.mark.parametrize(
    ("goods", "score"),
    [
        ("3 coins", 1),
        ("2 iron ore, 3 iron ingots", 1),
        ("3 silver ore", 1),
        ("1 gold ore, 1 gold ingot", 1),
        ("1 mithril ore, 2 mithril ingots", 3),
        ("1 coin, 2 iron ore, 1 silver ore, 1 gold ore", 0),
        ("2 coins, 3 iron ore, 2 silver ore, 2 gold ore, 1 mithril ore", 5),
    ],
)
def test_sh_15_what_is_left_counts_by_kind_ore_and_ingots_together(goods: str, score: int):
    assert points(has(goods), has()) == [score, 0]


@pytest.mark.parametrize(
    ("bonus", "vp", "most", "fewer"),
    [
        ("bonus-1", 5, has(items="1 2"), has(items="1 16 31 43")),
        ("bonus-2", 5, has(items="16 17"), has(items="1 16 31 43")),
        ("bonus-3", 5, has(items="31 32"), has(items="1 16 31 43")),
        ("bonus-4", 5, has(items="43 44"), has(items="1 16 31 43")),
        ("bonus-5", 5, has(towns="1 2"), has(towns="3", upgrades="1 2")),
        ("bonus-6", 5, has(upgrades="1"), has(towns="18 19 20")),
        ("bonus-7", 4, has("3 coins"), has("2 coins")),
        ("bonus-8", 4, has("2 iron ore, 1 iron ingot"), has("2 mithril ore")),
    ],
)
def test_sh_15_a_bonus_goes_to_the_one_who_has_most(bonus: str, vp: int, most: Player, fewer: Player):
    assert [after - before for before, after in zip(points(most, fewer), points(most, fewer, bonus=(bonus,)), strict=True)] == [vp, 0]
    assert points(fewer, most, bonus=(bonus,))[1] - points(fewer, most)[1] == vp


def test_sh_15_on_a_tie_nobody_gets_the_bonus_and_nobody_without_at_least_one():
    assert points(has(towns="1"), has(towns="1"), has(), bonus=("bonus-5",)) == points(has(towns="1"), has(towns="1"), has())
    assert points(has(), has(), bonus=("bonus-1", "bonus-5")) == [0, 0]


def test_sh_15_a_vacated_seat_takes_part_like_any_other():
    s = position(has(towns="1"), has(towns="1"), has(), bonus=("bonus-5",))
    assert GAME.standing(GAME.vacate(s, "blue")) == GAME.standing(s)


# Ranks


def ranks(*players: Player) -> list[int]:
    return list(GAME.standing(position(*players, bonus=())).ranks.values())


def test_sh_16_ties_go_to_more_cards_of_all_three_kinds_together():
    assert points(has(items="31"), has("6 coins")) == [3, 3]
    assert ranks(has("6 coins"), has(items="31")) == [2, 1]
    assert ranks(has(items="31"), has("2 coins", towns="17")) == [2, 1]
    assert ranks(has(items="31"), has("2 coins", towns="17", upgrades="9"), has("1 mithril ore", towns="19", upgrades="10")) == [3, 1, 2]


def test_sh_16_then_to_more_coins_and_then_the_rank_is_shared():
    assert ranks(has("1 coin", items="31"), has("1 mithril ore, 1 coin", towns="16"), has("2 coins", towns="16")) == [2, 2, 1]


def test_sh_16_an_agreed_end_is_scored_in_the_same_way():
    s = position(has("1 coin", items="31"), has("2 coins", towns="16"), bonus=("bonus-7",))
    assert (GAME.standing(s).scores, GAME.standing(s).ranks) == ({"red": 3, "blue": 7}, {"red": 2, "blue": 1})
    ended = GAME.close(s, "agreement")
    assert (result(ended).scores, result(ended).ranks, result(ended).reason) == (GAME.standing(s).scores, GAME.standing(s).ranks, "agreement")


def test_a_match_that_is_ended_while_a_card_is_due_has_a_gap_there():
    s = GAME.close(play(position(has("1 iron ingot"), has()), "place anvil, craft item-31"), "agreement")
    assert (s.items, GAME.chance_due(s), GAME.awaited(s), GAME.view(s)["turn"]) == ((None, "item-01", "item-02", "item-03"), False, (), None)
    assert GAME.view(s)["ending"] is False


# Seats that have left


def test_sh_17_the_caretaker_places_on_the_first_open_location_and_removes_the_first_other_dwarf_without_their_actions():
    s = GAME.vacate(position(dwarves="iron gold market"), "red")
    assert GAME.caretaker(s, "red") == Place("silver", None)
    s = play(s, "place silver, nothing")
    assert GAME.caretaker(s, "red") == Remove("iron", None)
    assert GAME.caretaker(play(position(dwarves="silver furnace anvil"), "place iron, nothing"), "red") == Remove("silver", None)


def test_sh_17_the_caretaker_discards_what_comes_first_in_the_list():
    s = position(has("1 iron ore, 9 mithril ingots"), has(), step="discard", placed="gold")
    assert GAME.caretaker(s, "red") == next(GAME.legal(s, "red"))
    assert legal(s)[0] == "discard 1 iron ore, 1 mithril ingot"
