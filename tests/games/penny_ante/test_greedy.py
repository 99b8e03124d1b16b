"""The greedy bot: what it never misses, and that it wins."""

from collections import Counter
from random import Random

import pytest

from domain.games.penny_ante import GAME, greedy
from domain.games.penny_ante.chessboard import OWN, SEATS, SeatName
from domain.games.penny_ante.sound import sound
from domain.games.penny_ante.state import Options, State
from domain.games.penny_ante.worth import worth
from tests.games.penny_ante.positions import START, crowded, play, position

MATCHES = 20


def chosen(s: State, seed: int = 0) -> str:
    return GAME.write(GAME.bots["greedy"](s, s.turn, Random(seed).randrange))


def winner(seed: int, ours: SeatName) -> SeatName | None:
    """Who wins a match of the greedy bot in this seat against the random bot; None for a draw."""
    chance = Random(seed)
    s = GAME.setup(Options(pennies=chance.choice((40, 100, 400)), max_plies=600), GAME.seats)
    while (result := GAME.result(s)) is None:
        bot = GAME.bots["greedy" if s.turn == ours else "random"]
        s = GAME.apply(s, s.turn, bot(s, s.turn, chance.randrange))
    return next(seat for seat in SEATS if result.ranks[seat] == 1) if result.reason == "fortresses" else None


def test_it_beats_the_random_bot_at_least_nine_times_in_ten_from_either_seat():
    for seat in SEATS:
        won = Counter(winner(seed, seat) for seed in range(MATCHES))
        assert won[seat] >= 0.9 * MATCHES, (seat, won)


def test_it_takes_the_last_fortress():
    for seed in range(5):
        line = chosen(position("d4 F1, d5 F, g3 F, b4 F, c3 10.10, c2 5"), seed)
        assert line.startswith("capture")
        assert " d5>" in line


def test_it_captures_what_can_be_captured():
    s = position("d4 F2, d5 F, e4 F3, e5 F2, a1 1, h7 1")
    assert " d5>" in chosen(s)
    assert chosen(s).startswith("capture")


def test_it_does_not_leave_a_fortress_to_be_captured():
    s = position("d4 F, d5 F10, e7 F5, b2 F5, a1 1, h7 1")  # light could take d4 from c4 or e4
    after = play(s, chosen(s))
    taken = [action for action in GAME.legal(after, "light") if type(action).__name__ == "Capture"]
    assert taken == []


def test_it_places_a_guard_on_its_fortress_first():
    assert chosen(START) == "place d4"
    assert chosen(play(START, "place a1")) == "place d5"


@pytest.mark.parametrize("seed", range(5))
def test_it_looks_at_a_few_hundred_actions_of_the_millions_there_are(seed: int):
    s = crowded(Random(seed))
    looked_at = sound(s, s.turn)
    assert 20 < len(looked_at) < 1_000
    assert len(set(map(GAME.write, looked_at))) == len(looked_at)
    assert [GAME.objection(s, s.turn, action) for action in looked_at] == [None] * len(looked_at)
    assert GAME.objection(s, s.turn, GAME.read(s, chosen(s))) is None


@pytest.mark.parametrize("seed", range(10))
def test_it_looks_at_a_few_thousand_positions_at_most_wherever_it_is(seed: int, monkeypatch: pytest.MonkeyPatch):
    looked_at = [0]

    def counted(s: State, seat: SeatName) -> float:
        looked_at[0] += 1
        return worth(s, seat)

    monkeypatch.setattr(greedy, "worth", counted)
    chosen(crowded(Random(seed)))
    assert 100 < looked_at[0] < 4_000


def test_it_has_an_action_where_no_sound_one_is_left():
    """More pennies than there can be: nothing can move, and only piles as tall as can be are left to be arranged."""
    full = ", ".join(f"{at} 10.10" for at in OWN["dark"] if at != "a1")
    s = position(f"a1 F10, {full}, d5 F, e4 F, b5 F", pool=0)
    assert chosen(s).startswith("fortify")


def test_the_lot_decides_between_equals():
    assert len({chosen(play(START, "place d4", "place d5", "place c3", "place c6"), seed) for seed in range(30)}) > 1
