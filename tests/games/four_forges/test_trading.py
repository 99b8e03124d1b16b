"""The ruling on trading, FF-9, at the board: what can be offered and to whom, and what becomes of it."""

from math import prod
from random import Random

import pytest

from domain.games.four_forges import GAME
from domain.games.four_forges import trading as trading_of
from domain.games.four_forges.state import DeclineTrade, Options, State
from domain.games.four_forges.trading import offers, some_offer
from tests.games.four_forges.positions import FULL, ended, idle, legal, lies, play, position, refused

TRADING = Options(trading=True)
SMALL = "O1 1b1s M2 1g L3 1s A4 1b"
OFFERED = "trade O1 1b for M2 1g"


def trading(stones: str = SMALL) -> State:
    return position(stones, options=TRADING)


def offered(s: State) -> list[str]:
    return [line for line in legal(s) if line.startswith("trade")]


def test_ff_9_a_trade_is_offered_only_where_the_match_has_trading():
    assert offered(position(SMALL)) == []
    assert refused(position(SMALL), OFFERED) == "there is no trading in this match: it is played without the option `trading` (FF-9)"


def test_ff_9_trades_are_listed_by_anvil_given_stones_other_anvil_and_taken_stones():
    assert offered(trading()) == [
        "trade O1 1s for M2 1g",
        "trade O1 1s for A4 1b",
        "trade O1 1b for M2 1g",
        "trade O1 1b for L3 1s",
        "trade O1 1b1s for M2 1g",
        "trade O1 1b1s for L3 1s",
        "trade O1 1b1s for A4 1b",
    ]


def test_ff_9_triples_ascend_as_black_silver_grey():
    assert [line.split()[2] for line in offered(position("O1 1b1s1g M1 2b", options=TRADING)) if line.endswith("2b")] == [
        "1g", "1s", "1s1g", "1b", "1b1g", "1b1s", "1b1s1g",
    ]  # fmt: skip


def test_ff_9_trades_come_last():
    lines = legal(trading())
    first = next(place for place, line in enumerate(lines) if line.startswith("trade"))
    assert all(line.startswith("trade") for line in lines[first:])


def test_ff_9_the_other_seat_answers_and_only_it_is_to_act():
    s = play(trading(), OFFERED)
    assert GAME.awaited(s) == ("malachite",)
    assert legal(s) == ["accept", "decline"]
    assert GAME.view(s)["turn"] == {"seat": "ochre", "actions_left": 3, "offers_left": 2}
    assert GAME.view(s)["pending_trade"] == {
        "by": "ochre",
        "from": "O1",
        "give": {"black": 1, "silver": 0, "grey": 0},
        "with": "malachite",
        "to": "M2",
        "take": {"black": 0, "silver": 0, "grey": 1},
    }
    assert refused(s, "break O1 black", "ochre") == "it is not ochre's turn: malachite is to answer the trade that ochre has offered (FF-9)"
    assert refused(s, "break M2 grey") == "ochre has offered a trade, and malachite first answers it: accept or decline (FF-9)"


def test_ff_9_accepted_the_stones_change_anvils_and_the_turn_is_over():
    s = play(position("O1 4b2s M3 1s2g L1 1b A1 1b", options=TRADING), "trade O1 3b1s for M3 2g", "accept")
    assert lies(s, "O1", "M3") == "O1 1b1s2g M3 3b2s"
    assert (GAME.awaited(s), s.actions_left, GAME.view(s)["pending_trade"]) == (("malachite",), 3, None)


def test_ff_9_declined_the_offering_seat_goes_on_and_may_offer_again():
    s = play(trading(), OFFERED, "decline")
    assert (GAME.awaited(s), s.anvils, s.actions_left) == (("ochre",), trading().anvils, 3)
    s = play(s, OFFERED, "decline")
    assert "break O1 black" in legal(s)
    assert len(offered(s)) == 7


def test_ff_9_there_are_so_many_offers_a_turn():
    s = play(trading(), OFFERED, "decline", OFFERED, "decline", OFFERED)
    assert GAME.view(s)["turn"] == {"seat": "ochre", "actions_left": 3, "offers_left": 0}
    s = play(s, "decline")
    assert offered(s) == []
    assert refused(s, OFFERED) == "ochre has made all 3 offers that a turn allows: it goes on with its actions (FF-9)"
    once = play(position(SMALL, options=Options(trading=True, trade_offers_per_turn=1)), OFFERED, "decline")
    assert refused(once, OFFERED) == "ochre has made the 1 offer that a turn allows: it goes on with its actions (FF-9)"


def test_ff_9_the_next_turn_has_its_offers_again():
    s = play(trading(FULL), "trade O2 1b for M1 1g", "decline", "O2>O1 black; O2>O1 black; O2>O1 grey")
    assert GAME.view(s)["turn"] == {"seat": "malachite", "actions_left": 3, "offers_left": 3}


def test_ff_9_only_before_the_first_action_of_a_turn():
    s = play(trading(), "O1>O2 black")
    assert offered(s) == []
    assert GAME.view(s)["turn"]["offers_left"] == 0
    words = "a trade takes the place of a whole turn, and ochre has acted in this one already: it goes on with its actions (FF-9)"
    assert refused(s, "trade O1 1s for M2 1g") == words


def test_ff_9_what_is_given_and_what_is_taken_must_differ():
    s = position("O1 1b M1 1b1s", options=TRADING)
    assert offered(s) == ["trade O1 1b for M1 1s", "trade O1 1b for M1 1b1s"]
    assert refused(s, "trade O1 1b for M1 1b") == "what is given and what is taken must differ, and both are 1b (FF-9)"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("trade O1 - for M2 1g", "a trade gives at least one stone: on O1 lies 1b1s (FF-9)"),
        ("trade O1 1b for M2 -", "a trade takes at least one stone: on M2 lies 1g (FF-9)"),
        ("trade O1 2b for M2 1g", "2b cannot be given from O1, where 1b1s lies (FF-9)"),
        ("trade O2 1b for M2 1g", "1b cannot be given from O2, where no stone lies (FF-9)"),
        ("trade O1 1b for M2 1g1s", "1s1g cannot be taken from M2, where 1g lies (FF-9)"),
        ("trade M2 1g for O1 1b", "ochre gives stones from one of its own anvils, O1 to O4, and not from M2 (FF-9)"),
        ("trade O1 1b for O1 1s", "O1 is ochre's own: ochre can trade with malachite, lead or azurite (FF-9)"),
    ],
)
def test_ff_9_at_least_one_stone_of_an_own_anvil_for_at_least_one_of_another_seats(line: str, words: str):
    assert refused(trading(), line) == words


def test_ff_9_nobody_trades_with_a_vacated_seat():
    s = GAME.vacate(trading(), "malachite")
    assert [line for line in offered(s) if " M2 " in line] == []
    assert refused(s, OFFERED) == "M2 is malachite's, whose player has left: ochre can trade with lead or azurite (FF-9)"


def test_ff_9_nobody_trades_with_another_seat_of_their_own():
    s = GAME.seated(trading(), (("ochre", "lead"), ("malachite",), ("azurite",)))
    assert {line.split()[4] for line in offered(s)} == {"M2", "A4"}
    assert (
        refused(s, "trade O1 1b for L3 1s") == "L3 is lead's, which is the same player's as ochre: ochre can trade with malachite or azurite (FF-9)"
    )
    alone = GAME.seated(trading(), (GAME.seats,))
    assert offered(alone) == []
    assert refused(alone, OFFERED) == "M2 is malachite's, which is the same player's as ochre: there is nobody to trade with (FF-9)"


def test_ff_9_a_late_answer_is_a_no():
    s = play(trading(), OFFERED)
    assert GAME.lapsed(s, "malachite") == DeclineTrade()
    assert GAME.lapsed(s, "ochre") is None
    assert GAME.lapsed(trading(), "ochre") is None


@pytest.mark.parametrize("line", ["accept", "decline"])
def test_ff_9_there_is_nothing_to_answer_where_nothing_was_offered(line: str):
    assert refused(trading(), line) == "no trade has been offered that could be answered: ochre goes on with its turn (FF-9)"


def test_ff_9_an_offer_lapses_and_counts_when_the_seat_that_was_to_answer_is_vacated():
    s = GAME.vacate(play(trading(), OFFERED), "malachite")
    assert (GAME.awaited(s), s.trade, GAME.view(s)["turn"]["offers_left"]) == (("ochre",), None, 2)


def test_ff_9_an_offer_lapses_with_the_seat_that_made_it_and_its_turn():
    s = GAME.vacate(play(trading(), OFFERED), "ochre")
    assert (GAME.awaited(s), s.trade, s.anvils) == (("malachite",), None, trading().anvils)


def test_ff_9_an_offer_stays_when_a_third_seat_is_vacated():
    s = GAME.vacate(play(trading(), OFFERED), "lead")
    assert GAME.awaited(s) == ("malachite",)
    assert lies(play(s, "accept"), "O1", "M2") == "O1 1s1g M2 1b"


def test_ff_9_the_end_of_a_round_can_come_with_a_trade():
    s = position(SMALL, "azurite", Options(trading=True, max_rounds=1))
    assert ended(play(s, "trade A4 1b for O1 1s", "accept")) == "round-limit"


def test_there_can_be_over_ten_thousand_trades_and_the_first_come_at_once():
    s = position(FULL, options=TRADING)
    own, others = s.anvils[:4], s.anvils[4:]
    same = sum(prod(min(ours, theirs) + 1 for ours, theirs in zip(one, other, strict=True)) - 1 for one in own for other in others)
    assert sum(1 for _ in offers(s)) == (26 + 23 + 23) * (23 + 19 + 23 + 23 + 23 + 26 + 23 + 23 + 19) - same == 14_148
    assert next(GAME.legal(s, "ochre")) == GAME.read(s, "break O2 black")


def test_a_trade_drawn_at_random_is_one_of_those_that_can_be_offered():
    chance = Random(1)
    s = trading()
    drawn = {GAME.write(some_offer(s, chance.randrange)) for _ in range(300)}
    assert drawn == set(offered(s))
    assert GAME.objection(play(s, idle(s)), "malachite", some_offer(play(s, idle(s)), chance.randrange)) is None


def test_however_many_great_heaps_there_were_only_a_boards_worth_is_kept_in_mind():
    for black in range(100):
        assert len(trading_of.portions((black, 8, 8))) == (black + 1) * 81 - 1
    assert trading_of._portions_of_many.cache_info().currsize == 16
