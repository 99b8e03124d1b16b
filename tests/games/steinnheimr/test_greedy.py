"""The house bot `greedy`: quick, legal, and better than chance."""

from random import Random
from time import process_time

import pytest

from domain.bots import choose, kinds
from domain.games.steinnheimr import GAME, choices, greedy
from domain.games.steinnheimr.state import Options, State
from tests.games.steinnheimr.positions import drawn, has, play, position


def won(bots: tuple[str, ...], seed: int) -> list[str]:
    """The bots that win a match."""
    chance, s = Random(seed), GAME.setup(Options(), GAME.seats[: len(bots)])
    while (result := GAME.result(s)) is None:
        if GAME.chance_due(s):
            s = GAME.apply_chance(s, GAME.draw(s, chance.randrange))
        else:
            (seat,) = GAME.awaited(s)
            s = GAME.apply(s, seat, choose(GAME, bots[s.turn], s, seat, chance.randrange))  # type: ignore[arg-type]  # of this game
    return [bot for bot, rank in zip(bots, result.ranks.values(), strict=True) if rank == 1]


def written(s: State) -> str:
    (seat,) = GAME.awaited(s)
    action = GAME.bots["greedy"](s, seat, Random(0).randrange)
    assert GAME.objection(s, seat, action) is None
    return GAME.write(action)


def test_there_are_two_kinds_of_house_bots():
    assert kinds(GAME) == ("greedy", "random")


def test_it_beats_random_at_least_nine_times_in_ten():
    wins = [won(("greedy", "random") if seed % 2 else ("random", "greedy"), seed) == ["greedy"] for seed in range(20)]
    assert sum(wins) >= 18


def test_it_wins_at_least_half_of_the_matches_against_three_randoms():
    wins = [
        won(("greedy", "random", "random", "random")[-seed % 4 :] + ("greedy", "random", "random", "random")[: -seed % 4], seed) for seed in range(8)
    ]
    assert wins.count(["greedy"]) >= 4


def test_it_takes_what_it_can_have():
    s = position(has("5 iron ingots"), has(), shown_items="20 0 0 0")
    assert written(s) == "place anvil, craft item-20"


def test_it_thinks_of_the_second_action_when_it_takes_the_first():
    s = position(has("2 iron ore, 1 silver ingot"), has(), dwarves="anvil market guild", shown_items="27 0 0 0", shown_towns="0 0 0")
    s = play(s, written(s))  # item-27 takes an iron ore, 2 iron ingots and a silver ingot
    assert written(s).startswith("remove")


def test_it_crafts_with_the_second_action_what_the_first_has_made_possible():
    s = position(has("5 iron ore"), has(), dwarves="silver anvil market", shown_items="20 0 0 0", shown_towns="0 0 0")
    s = play(s, written(s))
    assert s.dwarves == ("silver", "furnace", "anvil", "market")
    assert written(s) == "remove anvil, craft item-20"


def test_it_ends_the_match_when_it_is_ahead():
    s = position(has("1 iron ingot, 2 coins", items="1 2 3 4 5"), has(items="6"), options=Options(items_to_end=6), bonus=())
    assert written(s) == "place anvil, craft item-31"


def test_it_discards_what_it_misses_least_without_listing_all_ways():
    rich = has("6 iron ore, 5 silver ore, 5 gold ore, 2 mithril ore, 6 iron ingots, 5 silver ingots, 5 gold ingots, 2 mithril ingots")
    s = position(rich, has(), step="discard", placed="gold", shown_items="20 0 0 0", shown_towns="0 0 0")
    start = process_time()
    line = written(s)
    assert process_time() - start < 0.1
    assert "mithril ingot" not in line


def test_it_refreshes_when_it_has_coins_to_spare_and_nothing_to_spend_them_on():
    assert written(position(has("9 coins"), has(), shown_upgrades="26 0 0")) == "refresh"
    assert written(position(has("5 coins"), has(), shown_upgrades="26 0 0")) != "refresh"


@pytest.mark.parametrize("seats", [2, 4])
def test_it_decides_within_a_tenth_of_a_second(seats: int):
    chance, s, spent = Random(seats), drawn(GAME.setup(Options(), GAME.seats[:seats])), []
    while GAME.result(s) is None:
        (seat,) = GAME.awaited(s)
        start = process_time()
        action = greedy.greedy(s, seat, chance.randrange)
        spent.append(process_time() - start)
        s = drawn(GAME.apply(s, seat, action))
    assert sorted(spent)[len(spent) * 95 // 100] < 0.1


def test_it_never_looks_at_more_than_a_few_hundred_actions(monkeypatch: pytest.MonkeyPatch):
    seen = 0
    listed = choices.legal

    def counting(s: State, seat: str):
        nonlocal seen
        for action in listed(s, seat):
            seen += 1
            yield action

    monkeypatch.setattr(greedy, "legal", counting)
    for seed in range(3):
        chance, s = Random(seed), GAME.setup(Options(), GAME.seats[:3])
        while GAME.result(s) is None:
            if GAME.chance_due(s):
                s = GAME.apply_chance(s, GAME.draw(s, chance.randrange))
            else:
                (seat,) = GAME.awaited(s)
                seen = 0
                s = GAME.apply(s, seat, greedy.greedy(s, seat, chance.randrange))
                assert seen < 1000
