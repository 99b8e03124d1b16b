"""The rulings of Steinnheimr on a turn, SH-1 to SH-10 and SH-18: each test fails where its ruling is not kept."""

import pytest

from domain.games.steinnheimr import GAME
from domain.games.steinnheimr.state import Options, Player
from tests.games.steinnheimr.positions import BEGUN, OPENING, SHOWN, drawn, has, legal, outcomes, play, position, refused, told

# Set-up


def test_sh_1_dwarves_stand_on_furnace_silver_mine_and_market_and_everybody_has_two_coins():
    assert OPENING.dwarves == ("silver", "furnace", "market")
    assert OPENING.players == (Player(2, (0, 0, 0, 0), (0, 0, 0, 0), (), (), ()),) * 2


def test_sh_1_the_first_player_is_drawn_among_the_seats_in_order():
    for size in (2, 3, 4):
        s = GAME.setup(Options(), GAME.seats[:size])
        assert told(s) == ["* red begins", "* blue begins", "* green begins", "* yellow begins"][:size]


def test_sh_1_then_two_of_eight_bonus_cards_four_items_three_towns_and_three_upgrades_are_drawn():
    s = play(OPENING, "* blue begins")
    counts = []
    while GAME.chance_due(s):
        counts.append(f"{len(outcomes(s))} {outcomes(s)[0].__class__.__name__}")
        s = GAME.apply_chance(s, outcomes(s)[0])
    items = [f"{number} ItemShown" for number in (54, 53, 52, 51)]
    towns = [f"{number} TownShown" for number in (20, 19, 18)]
    assert counts == ["8 BonusInPlay", "7 BonusInPlay", *items, *towns, *(f"{number} UpgradeShown" for number in (26, 25, 24))]
    assert (s.items, s.towns) == (("item-01", "item-02", "item-03", "item-04"), ("town-01", "town-02", "town-03"))
    assert (s.upgrades, s.bonus) == (("upgrade-01", "upgrade-02", "upgrade-03"), ("bonus-1", "bonus-2"))


def test_sh_1_play_runs_in_seat_order_from_the_first_player():
    s = play(GAME.setup(Options(), GAME.seats[:3]), "* green begins", *BEGUN[1:], *SHOWN)
    seats: list[str] = []
    for goes, comes in (("iron", "silver"), ("silver", "iron")) * 2:
        seats += GAME.awaited(s)
        s = play(s, f"place {goes}, nothing", f"remove {comes}, nothing")
    assert seats == ["green", "red", "blue", "green"]
    assert s.round == 2


# The supply


def test_sh_2_the_supply_holds_thirty_iron_twenty_silver_twenty_gold_and_ten_mithril():
    assert OPENING.supply == (30, 20, 20, 10)


def test_sh_2_what_players_hold_is_missing_from_the_supply_and_what_is_paid_goes_back():
    s = position(has("2 iron ingots"), has(), dwarves="furnace anvil market")
    s = play(s, "place iron, mine")
    assert (s.players[0].ore, s.supply) == ((3, 0, 0, 0), (25, 20, 20, 10))
    s = play(s, "remove anvil, craft item-01")
    assert (s.players[0].ingots, s.supply) == ((0, 0, 0, 0), (27, 20, 20, 10))


def test_sh_2_refining_only_turns_tokens_over():
    s = position(has("3 iron ore"), has())
    assert play(s, "place town, work", "remove furnace, refine 2 iron").supply == s.supply


def test_sh_2_a_mine_gives_what_there_is():
    s = play(position(supply=(2, 20, 20, 10)), "place iron, mine")
    assert (s.players[0].ore, s.supply) == ((2, 0, 0, 0), (0, 20, 20, 10))


def test_sh_2_an_empty_mine_can_be_visited_but_not_mined():
    s = position(supply=(30, 20, 0, 10))
    assert legal(s, "place gold") == ["place gold, nothing"]
    assert refused(s, "place gold, mine") == "no gold is left in the supply, so the gold mine gives nothing (SH-2)"


def test_sh_2_a_trade_is_always_paid_out_in_full():
    s = position(has("3 gold ore"), has(), dwarves="silver furnace anvil", supply=(30, 5, 17, 10))
    lines = legal(s, "place market, trade gold>silver")
    assert lines == ["place market, trade gold>silver ore x1", "place market, trade gold>silver ore x2"]
    words = "1 gold ore for 2 silver ore, at most 2 times: red has 3 gold ore, and the supply 5 silver (SH-8)"
    assert refused(s, "place market, trade gold>silver ore x3") == words


def test_sh_3_coins_are_not_limited():
    assert play(position(has("1000 coins"), has()), "place town, work").players[0].coins == 1003


# Placing and removing


def test_sh_4_a_dwarf_is_placed_on_an_open_location_with_or_without_its_action():
    s = position()
    assert legal(s) == [
        "place iron, nothing",
        "place iron, mine",
        "place gold, nothing",
        "place gold, mine",
        "place mithril, nothing",
        "place mithril, mine",
        "place anvil, nothing",
        "place guild, nothing",
        "place town, nothing",
        "place town, work",
    ]
    words = "there is a dwarf at the silver mine already: red is to place a dwarf on iron, gold, mithril, anvil, guild or town (SH-4)"
    assert refused(s, "place silver, mine") == words


def test_sh_4_then_any_other_dwarf_is_removed_with_or_without_its_action():
    s = play(position(), "place iron, mine")
    assert legal(s) == [
        "remove silver, nothing",
        "remove silver, mine",
        "remove furnace, nothing",
        "remove furnace, refine 1 iron",
        "remove furnace, refine 2 iron",
        "remove furnace, refine 3 iron",
        "remove market, nothing",
        "remove market, trade iron>silver ore x1",
    ]


def test_sh_4_the_dwarf_that_was_just_placed_stays():
    s = play(position(), "place iron, mine")
    words = "the dwarf that was just placed stays at the iron mine: red is to remove a dwarf from silver, furnace or market (SH-4)"
    assert refused(s, "remove iron, nothing") == words
    assert refused(s, "remove town, work").startswith("there is no dwarf at the town: red is to remove")


def test_sh_4_it_does_not_matter_who_placed_a_dwarf():
    s = play(position(), "place iron, mine", "remove silver, mine")
    assert legal(play(s, "place silver, nothing"), "remove iron") == ["remove iron, nothing", "remove iron, mine"]


def test_sh_4_first_one_is_placed_and_then_one_is_removed():
    s = position()
    assert refused(s, "remove silver, mine").startswith("no dwarf can be removed now: red is to place a dwarf on")
    assert refused(play(s, "place iron, mine"), "place gold, mine").startswith("a dwarf has been placed already: red is to remove a dwarf from")


def test_sh_4_each_location_has_its_own_action():
    s = position(has("9 coins, 4 iron ore, 4 iron ingots"), has())
    assert refused(s, "place iron, work") == "that is not done at the iron mine: there ore is mined (SH-5), or nothing is done (SH-4)"
    assert refused(s, "place town, mine") == "that is not done at the town: there you work or donate (SH-10), or nothing is done (SH-4)"
    for line in ("refine 1 iron", "craft item-31", "trade iron>silver ore x1", "buy upgrade-01", "work", "donate town-01"):
        assert refused(s, f"place gold, {line}").startswith("that is not done at the gold mine: there ore is mined (SH-5)")


# The mines


@pytest.mark.parametrize(("mine", "ore"), [("iron", (3, 0, 0, 0)), ("silver", (0, 2, 0, 0)), ("gold", (0, 0, 2, 0)), ("mithril", (0, 0, 0, 1))])
def test_sh_5_the_mines_give_three_iron_two_silver_two_gold_or_one_mithril(mine: str, ore: tuple[int, ...]):
    assert play(position(dwarves="furnace anvil market"), f"place {mine}, mine").players[0].ore == ore


def test_sh_5_upgrades_add_to_a_mine():
    s = position(has(upgrades="16 17 18 19 20"), has(), dwarves="furnace anvil market")
    mined = [play(s, f"place {mine}, mine").players[0].ore for mine in ("iron", "silver", "gold", "mithril")]
    assert mined == [(5, 0, 0, 0), (0, 3, 0, 0), (0, 0, 3, 0), (0, 0, 0, 2)]


def test_sh_5_effects_of_town_cards_are_the_same_thing():
    assert play(position(has(towns="18", upgrades="21"), has()), "place town, work").players[0].coins == 5
    assert play(position(has(), has(towns="18", upgrades="21")), "place town, work").players[0].coins == 3


# The furnace


def test_sh_6_any_number_of_one_kind_of_ore_becomes_ingots():
    s = position(has("2 iron ore, 1 gold ore"), has(), dwarves="silver anvil market")
    assert legal(s, "place furnace") == [
        "place furnace, nothing",
        "place furnace, refine 1 iron",
        "place furnace, refine 2 iron",
        "place furnace, refine 1 gold",
    ]
    s = play(s, "place furnace, refine 2 iron")
    assert (s.players[0].ore, s.players[0].ingots) == ((0, 0, 1, 0), (2, 0, 0, 0))


def test_sh_6_only_ore_that_is_there_can_be_refined():
    s = position(has("2 iron ore, 1 gold ore"), has(), dwarves="silver anvil market")
    assert refused(s, "place furnace, refine 3 iron") == "red has 2 iron ore and can refine 1 to 2 of it (SH-6)"
    assert refused(s, "place furnace, refine 2 gold") == "red has 1 gold ore and can refine just that (SH-6)"
    assert refused(s, "place furnace, refine 1 mithril") == "red has no mithril ore to refine, but 2 iron ore, 1 gold ore (SH-6)"


# The anvil


def test_sh_7_an_item_is_crafted_for_its_ingots_and_its_ore():
    s = position(has("1 iron ore, 5 iron ingots"), has(), shown_items="11 31 2 16")  # 4 iron ingots and 1 iron ore; 1, 3, 2 iron ingots
    assert legal(s, "place anvil") == ["place anvil, nothing", *(f"place anvil, craft item-{item}" for item in ("11", "31", "02", "16"))]
    s = play(s, "place anvil, craft item-11")
    assert (s.players[0].ore, s.players[0].ingots, s.players[0].items) == ((0, 0, 0, 0), (1, 0, 0, 0), ("item-11",))


def test_sh_7_without_the_goods_there_is_no_item():
    s = position(has("1 silver ore, 4 iron ingots"), has(), shown_items="11 3 20 14")
    assert legal(s, "place anvil") == ["place anvil, nothing", "place anvil, craft item-03"]
    assert refused(s, "place anvil, craft item-11") == "item-11 takes 1 iron ore, 4 iron ingots, and red has 1 silver ore, 4 iron ingots (SH-7)"
    assert refused(s, "place anvil, craft item-50") == "item-50 is not among the items shown: red can craft item-03 (SH-7)"
    s = position(has(), has(), shown_items="11 2 4 0")
    words = "item-99 is not among the items shown: shown are item-11, item-02 and item-04, and red has not the goods for any of them (SH-7)"
    assert refused(s, "place anvil, craft item-99") == words


def test_sh_7_discounts_lower_the_ingots_of_their_resource_and_never_the_ore():
    s = position(has("1 iron ore, 3 iron ingots", upgrades="9"), has(), shown_items="11 20 0 0")  # 4 iron ingots and 1 iron ore; 5 iron ingots
    assert legal(s, "place anvil") == ["place anvil, nothing", "place anvil, craft item-11"]
    assert GAME.view(s)["due"] == {"item-11": {"iron": 3}, "item-20": {"iron": 4}}


def test_sh_7_one_ingot_of_the_lowest_resource_remains_due():
    smith = has("1 silver ingot", upgrades="9 10 11 12 13 14 15")
    s = position(smith, has("1 silver ingot"), shown_items="31 1 48 25")  # 1 iron; 2 iron; 1 silver and 1 gold; 2 gold and 1 mithril
    assert GAME.view(s)["due"] == {"item-31": {"iron": 1}, "item-01": {"iron": 1}, "item-48": {"silver": 1}, "item-25": {"gold": 1}}
    assert play(s, "place anvil, craft item-48").players[0].ingots == (0, 0, 0, 0)


def test_sh_7_a_discount_beyond_the_price_of_its_resource_is_lost():
    s = position(has(upgrades="11 12"), has(), shown_items="27 48 44 1")  # 2I1S, 1S1G, 1I1S2G and 2I
    assert GAME.view(s)["due"] == {"item-27": {"iron": 2}, "item-48": {"gold": 1}, "item-44": {"iron": 1, "gold": 2}, "item-01": {"iron": 2}}


# The market


def test_sh_8_two_become_one_of_the_next_level_and_one_becomes_two_of_the_level_below():
    s = position(has("4 silver ore"), has(), dwarves="silver furnace anvil")
    assert play(s, "place market, trade silver>gold ore x2").players[0].ore == (0, 0, 2, 0)
    s = play(s, "place market, trade silver>iron ore x3")
    assert (s.players[0].ore, s.supply) == ((6, 1, 0, 0), (24, 19, 20, 10))


def test_sh_8_one_resource_in_one_form_is_traded_one_level_up_or_down():
    s = position(has("2 iron ore, 1 gold ore, 2 iron ingots, 1 mithril ingot"), has(), dwarves="silver furnace anvil")
    assert legal(s, "place market, trade") == [
        "place market, trade iron>silver ore x1",
        "place market, trade gold>silver ore x1",
        "place market, trade iron>silver ingot x1",
        "place market, trade mithril>gold ingot x1",
    ]
    assert refused(s, "place market, trade iron>gold ore x1") == "a trade goes one level up or down: iron can become silver (SH-8)"
    assert refused(s, "place market, trade gold>gold ore x1") == "a trade goes one level up or down: gold can become silver or mithril (SH-8)"
    words = "2 gold ore for 1 mithril ore cannot be traded now: red has 1 gold ore, and the supply 9 mithril (SH-8)"
    assert refused(s, "place market, trade gold>mithril ore x1") == words


# The guild


def test_sh_9_a_shown_upgrade_is_bought_for_its_coins():
    s = position(has("2 coins"), has(), shown_upgrades="1 11 21")  # 3, 2 and 1 coins
    assert legal(s, "place guild") == ["place guild, nothing", "place guild, buy upgrade-11", "place guild, buy upgrade-21"]
    assert refused(s, "place guild, buy upgrade-01") == "upgrade-01 costs 3 coins, and red has 2 (SH-9)"
    words = "upgrade-02 is not among the upgrades shown: upgrade-01, upgrade-11 and upgrade-21 (SH-9)"
    assert refused(s, "place guild, buy upgrade-02") == words
    s = drawn(play(s, "place guild, buy upgrade-11"))
    assert (s.players[0].coins, s.players[0].upgrades) == (0, ("upgrade-11",))


def test_sh_9_an_upgrade_counts_at_once_also_for_the_second_action_of_the_turn():
    s = position(has("3 coins, 2 iron ingots"), has(), dwarves="silver anvil market", shown_items="2 6 7 8", shown_upgrades="9 2 3")
    assert legal(play(s, "place iron, nothing"), "remove anvil, craft") == []
    assert legal(drawn(play(s, "place guild, buy upgrade-09")), "remove anvil, craft") == ["remove anvil, craft item-02"]  # 3 iron ingots


# The town


def test_sh_10_work_brings_three_coins_and_more_with_upgrades():
    assert play(position(has(upgrades="21 22"), has()), "place town, work").players[0].coins == 5


def test_sh_10_a_donation_is_paid_in_ore_or_ingots_or_both():
    s = position(has("3 iron ore, 1 silver ore, 1 iron ingot, 1 silver ingot"), has(), shown_towns="14 1 0")  # 3 iron and 1 silver; 3 iron
    assert legal(s, "place town, donate") == [
        "place town, donate town-14",
        "place town, donate town-14 with 1 silver ingot",
        "place town, donate town-14 with 1 iron ingot",
        "place town, donate town-14 with 1 iron ingot, 1 silver ingot",
        "place town, donate town-01",
        "place town, donate town-01 with 1 iron ingot",
    ]
    s = play(s, "place town, donate town-14 with 1 iron ingot")
    assert (s.players[0].ore, s.players[0].ingots, s.players[0].towns) == ((1, 0, 0, 0), (0, 1, 0, 0), ("town-14",))


def test_sh_10_a_donation_is_no_more_and_no_less_than_the_town_asks_for():
    s = position(has("2 iron ore, 2 iron ingots, 1 gold ingot"), has(), shown_towns="1 4 0")  # 3 iron; 5 iron
    has_red = "red has 2 iron ore, 2 iron ingots, 1 gold ingot"
    words = f"town-01 takes 3 iron, in ore or ingots, and {has_red}; it can be paid with 1 iron ingot or 2 iron ingots, the rest in ore (SH-10)"
    assert refused(s, "place town, donate town-01") == words
    assert (
        refused(s, "place town, donate town-01 with 1 iron ingot, 1 gold ingot")
        == "town-01 takes 3 iron, in ore or ingots, and nothing beyond that (SH-10)"
    )
    assert refused(s, "place town, donate town-04 with 1 iron ingot") == f"town-04 takes 5 iron, in ore or ingots, and {has_red} (SH-10)"
    assert refused(s, "place town, donate town-20") == "town-20 is not among the town cards shown: town-01 and town-04 (SH-10)"


def test_sh_10_some_towns_pay_coins_at_once():
    s = play(position(has("3 iron ore"), has(), shown_towns="16 2 3"), "place town, donate town-16")
    assert s.players[0].coins == 3


def test_sh_18_players_never_trade_with_each_other():
    s = position(has("4 iron ore"), has("4 silver ore"), dwarves="silver furnace anvil")
    assert play(s, "place market, trade iron>silver ore x2").players[1] == s.players[1]
    assert {line.split()[0] for line in legal(s)} == {"place"}
