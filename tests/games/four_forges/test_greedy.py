"""The house bots: `greedy` plays to win, `random` plays anything, and neither ever lists the trades."""

from itertools import islice
from random import Random
from time import process_time

import pytest
from msgspec.structs import replace

from domain.games.four_forges import GAME, greedy, rules, whim
from domain.games.four_forges.state import AcceptTrade, DeclineTrade, Options, State
from tests.games.four_forges.positions import FULL, play, position

BOTH = Options(mining=True, trading=True)


def decided(s: State, bot: str = "greedy", seed: int = 0) -> str:
    """What the bot does, as a line."""
    return GAME.write(GAME.bots[bot](s, GAME.awaited(s)[0], Random(seed).randrange))


def turn(s: State) -> State:
    """The position after the rest of a turn by greedy."""
    before = s.turn
    while s.turn == before:
        s = play(s, decided(s))
    return s


def finished(seed: int, bots: tuple[str, ...], options: Options) -> State:
    """The end of a match between these bots, in turn order."""
    chance = Random(seed)
    s = GAME.setup(options, GAME.seats)
    while not s.reason:
        if GAME.chance_due(s):
            s = GAME.apply_chance(s, GAME.draw(s, chance.randrange))
        else:
            (seat,) = GAME.awaited(s)
            s = GAME.apply(s, seat, GAME.bots[bots[GAME.seats.index(seat)]](s, seat, chance.randrange))
    return s


@pytest.mark.parametrize("options", [Options(), BOTH], ids=["plain", "mining-and-trading"])
def test_greedy_wins_against_three_randoms(options: Options):
    won = 0
    for seed in range(8):
        bots = tuple("greedy" if place == seed % 4 else "random" for place in range(4))
        result = GAME.result(finished(seed, bots, options))
        assert result is not None
        won += result.ranks[GAME.seats[seed % 4]] == 1
    assert won >= 7


def test_four_greedies_come_to_an_end_with_most_stones_in_their_chests():
    s = finished(1, ("greedy",) * 4, Options())
    assert s.reason == "forge-empty"
    assert sum(map(sum, s.chests)) > 36


def test_greedy_takes_what_can_be_smelted_and_what_one_move_brings():
    assert turn(position("O1 1b1s1g O3 4b M1 1b")).chests[0] == (3, 1, 1)  # the three on O1, and two of O3 after one of the four has left
    assert turn(position("O1 1b1s O2 1g O4 1b M1 1b", actions_left=2)).chests[0] == (1, 1, 1)


def test_greedy_ends_the_match_when_it_leads_and_not_when_it_is_behind():
    ahead, behind = ((3, 0, 0), (0, 0, 0), (0, 0, 0), (0, 0, 0)), ((0, 0, 0), (3, 0, 0), (0, 0, 0), (0, 0, 0))
    assert GAME.result(play(position("O1 1b M1 1b", chests=ahead), decided(position("O1 1b M1 1b", chests=ahead))))
    assert decided(position("O1 1b M1 1b", chests=behind)) == "O1>O2 black"
    emptied = position("M1 1b", options=Options(mining=True), actions_left=0, mine=(2, 2, 2))
    assert decided(replace(emptied, chests=ahead)) == "declare end"
    assert decided(replace(emptied, chests=behind)) == "end turn"


def test_greedy_mines_for_an_empty_forge():
    s = position("M1 1b", options=Options(mining=True), mine=(24, 24, 24), chests=((0, 0, 0), (1, 1, 1), (0, 0, 0), (0, 0, 0)))
    assert decided(s).startswith("mine O")


def test_greedy_accepts_a_trade_that_is_good_for_it_and_no_other():
    s = position("O1 2b1g M1 1b2s M3 3g", options=Options(trading=True))
    good = play(s, "trade O1 1g for M1 1s")
    assert GAME.bots["greedy"](good, "malachite", Random(0).randrange) == AcceptTrade()
    bad = play(s, "trade O1 1b for M3 3g")
    assert GAME.bots["greedy"](bad, "malachite", Random(0).randrange) == DeclineTrade()


def test_greedy_breaks_ties_by_lot():
    assert len({decided(position("O1 2b2s2g O4 2b2s2g M1 1b M4 1b"), seed=seed) for seed in range(20)}) > 1


def test_greedy_decides_in_time():
    """100 ms a decision, of which it gets no more than half here."""
    chance, s, taken = Random(3), finished(3, ("random",) * 4, Options()), list[float]()
    s = GAME.setup(BOTH, GAME.seats)
    for _ in range(60):
        if GAME.chance_due(s):
            s = GAME.apply_chance(s, GAME.draw(s, chance.randrange))
            continue
        (seat,) = GAME.awaited(s)
        start = process_time()
        action = GAME.bots["greedy"](s, seat, chance.randrange)
        taken.append(process_time() - start)
        s = GAME.apply(s, seat, action)
    assert sorted(taken)[len(taken) * 9 // 10] < 0.05


@pytest.mark.parametrize("bot", ["greedy", "random"])
def test_no_bot_lists_the_trades(bot: str, monkeypatch: pytest.MonkeyPatch):
    def listed(_s: State):
        raise AssertionError("the trades were listed")
        yield

    monkeypatch.setattr(rules, "offers", listed)
    s = position(FULL, options=Options(trading=True))
    for seed in range(30):
        decided(s, bot, seed)


def test_random_does_everything_that_can_be_done_and_trades_now_and_then():
    s = position("O1 1b1s M1 1g", options=BOTH, mine=(2, 2, 2))
    done = {decided(s, "random", seed) for seed in range(400)}
    assert done == {GAME.write(action) for action in GAME.legal(s, "ochre")}
    assert {decided(play(s, "trade O1 1b for M1 1g"), "random", seed) for seed in range(20)} == {"accept", "decline"}


def test_random_is_as_likely_to_trade_as_to_do_any_other_single_thing():
    s = position(FULL, options=Options(trading=True))
    asked: list[int] = []
    whim.whim(s, "ochre", lambda n: asked.append(n) or 0)  # type: ignore[func-returns-value]
    assert asked == [42 + 1]
    assert len(list(islice(rules.actions(s), 100))) == 42


def test_a_prospect_is_best_where_three_stones_lie_right():
    assert greedy.prospect((1, 1, 1)) > greedy.prospect((3, 0, 0)) > greedy.prospect((2, 1, 0)) > greedy.prospect((6, 6, 6))
    assert greedy.prospect((0, 0, 0)) == 0
