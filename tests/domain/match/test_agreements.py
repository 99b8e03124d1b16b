"""What all must agree to, beside the end: going back to before somebody's last turn, and letting the clock stand still."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import UNSET

from domain.match.commands import Actor, Answer, Hold, House, Offer, Resign, TakeBack, TimeOut
from domain.match.events import ClockChanged, OfferAnswered, OfferLapsed, OfferMade, TurnTakenBack
from domain.match.match import fold
from tests.table import MATCH, NOON, LoadedLot, Table, ann, creation, four

HOUR, DAY = 3_600_000, 86_400_000
CLOCK = {"kind": "per-turn", "seconds": 86_400}
BO = Actor("p-bo", "api")


def chessboard(*falls: int, **settings: Any) -> Table:
    """Penny Ante, where turns follow each other without lots."""
    made = Table(LoadedLot(falls))
    made.does(creation(Hold("p-ann0000000"), Hold("p-bo"), game="penny-ante", **{"clock": CLOCK, **settings}))
    return made


def play(made: Table, times: int = 1) -> None:
    """Whoever is asked plays the first action there is."""
    for _ in range(times):
        seat = made.live.asks[0].seat
        action = next(iter(made.live.game.legal(made.live.state, seat)))
        made.plays(made.live.game.write(action))


def both(made: Table) -> tuple[Actor, Actor]:
    """Who played last, and the other."""
    last = made.live.chair(made.live.marks[-1].seat).player
    return (ann(), BO) if last == "p-ann0000000" else (BO, ann())


def test_a_turn_can_be_taken_back_after_others_have_played_if_all_agree():
    made = chessboard()
    play(made)
    first = made.live
    play(made)
    mover, _ = both(made)
    asker = BO if mover == ann() else ann()
    made.now += 2 * 60_000
    assert made.does(Offer(asker, "take-back")) == [OfferMade(1, "take-back")]
    assert made.does(Answer(mover, 1, "accept")) == [OfferAnswered(1, "accept"), TurnTakenBack(0)]
    assert made.events[-1].by.kind == "server"
    assert (made.live.ply, made.live.asks[0].seat) == (0, first.marks[0].seat)
    assert made.live.offer is None
    assert made.live.state == first.marks[0].state
    assert fold(MATCH, made.stored()) == made.live


def test_whoever_goes_back_by_agreement_has_a_whole_turn_again():
    made = chessboard()
    play(made, 2)
    mover, other = both(made)
    made.now += DAY - HOUR
    made.does(Offer(other, "take-back"))
    made.does(Answer(mover, 1, "accept"))
    assert made.live.due == made.now + DAY


def test_only_the_last_turn_of_each_is_kept_and_later_ones_go_with_it():
    made = chessboard()
    play(made, 3)
    mover, other = both(made)
    made.does(Offer(other, "take-back"))
    assert made.does(Answer(mover, 1, "accept"))[-1] == TurnTakenBack(1)
    assert made.refuses(Offer(mover, "take-back")).kind == "nothing-to-take-back"


def test_who_has_played_nothing_has_nothing_to_ask_back():
    made = chessboard()
    assert made.refuses(Offer(ann(), "take-back")).kind == "nothing-to-take-back"
    play(made)
    _, other = both(made)
    assert made.refuses(Offer(other, "take-back")).words.startswith("you have no turn that could be taken back")


def test_no_turn_goes_back_past_a_lot():
    made = Table(LoadedLot([2, 1]))
    made.does(creation(*(Hold(f"p-{name}") for name in ("ann", "bo", "cy", "di"))))
    made.plays("deploy c1; S1>c2")
    assert made.live.marks == ()
    assert made.refuses(Offer(Actor("p-cy", "api"), "take-back")).kind == "nothing-to-take-back"


def test_no_turn_goes_back_past_a_leaving():
    made = Table(LoadedLot([0, 0]))
    made.does(creation(*four("ann", "bo", "cy", "di"), game="four-forges"))
    for _ in range(6):
        if made.live.marks:
            break
        play(made)
    assert made.live.marks
    mover = made.live.chair(made.live.marks[-1].seat).player
    made.does(Resign(Actor("p-di" if mover != "p-di" else "p-cy", "api")))
    assert made.live.marks == ()


def test_the_clock_stands_still_when_all_agree_and_everybody_keeps_what_they_had():
    made = chessboard()
    made.now += HOUR
    assert made.does(Offer(ann(), "pause", 7_200)) == [OfferMade(1, "pause", 7_200)]
    assert made.does(Answer(BO, 1, "accept"), after=HOUR) == [OfferAnswered(1, "accept"), ClockChanged("2026-11-29T16:00:00.000Z")]
    assert made.live.paused_until == NOON + 4 * HOUR
    assert made.live.due == NOON + DAY + 2 * HOUR
    made.now = NOON + DAY
    assert made.refuses(TimeOut()).kind == "nobody-is-late"


def test_a_turn_that_begins_in_a_pause_has_its_whole_time_after_it():
    made = chessboard()
    made.does(Offer(ann(), "pause", 86_400))
    made.does(Answer(BO, 1, "accept"))
    play(made)
    assert made.live.due == NOON + 2 * DAY


def test_a_turn_taken_back_in_a_pause_keeps_its_time_too():
    made = chessboard(undo_seconds=600)
    play(made)
    mover, other = both(made)
    made.does(Offer(mover, "pause", 86_400))
    made.does(Answer(other, 1, "accept"))
    made.does(TakeBack(mover, made.live.mark.seat if made.live.mark else ""), after=1000)
    assert made.live.due == NOON + 2 * DAY


def test_a_longer_pause_counts_and_a_shorter_one_is_refused():
    made = chessboard()
    made.does(Offer(ann(), "pause", 86_400))
    made.does(Answer(BO, 1, "accept"))
    assert made.refuses(Offer(BO, "pause", 7_200)).words == ("the clock stands still until 2026-11-30T12:00:00.000Z already; offer a longer pause")
    made.does(Offer(BO, "pause", 2 * 86_400))
    made.does(Answer(ann(), 2, "accept"))
    assert (made.live.paused_until, made.live.due) == (NOON + 2 * DAY, NOON + 3 * DAY)


@pytest.mark.parametrize("seconds", [UNSET, 0, 3_599, 2_592_001])
def test_a_pause_lasts_from_an_hour_to_thirty_days(seconds):
    made = chessboard()
    assert made.refuses(Offer(ann(), "pause", seconds)).words == "a pause takes `seconds` from 3600 (an hour) to 2592000 (thirty days)"


def test_only_a_pause_takes_seconds():
    assert chessboard().refuses(Offer(ann(), "end", 7_200)).words == "only a pause takes `seconds`; leave them out"


def test_an_offer_of_a_pause_lapses_with_the_next_action():
    made = chessboard()
    made.does(Offer(ann(), "pause", 86_400))
    seat = made.live.asks[0].seat
    assert made.plays(made.live.game.write(next(iter(made.live.game.legal(made.live.state, seat)))))[0] == OfferLapsed(1)
    assert made.live.paused_until == 0


def test_alone_with_a_bot_one_waits_for_its_answer():
    made = Table(LoadedLot())
    made.does(creation(Hold("p-ann0000000"), House("random", "p-bot"), game="penny-ante"))
    assert made.does(Offer(ann(), "pause", 86_400)) == [OfferMade(1, "pause", 86_400)]
