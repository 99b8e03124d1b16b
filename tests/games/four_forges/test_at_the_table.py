"""Four Forges as a match: offers and their answers, time that runs out, seats that are vacated, several seats of one player."""

import pytest

from domain.games.four_forges import GAME
from domain.match.commands import Actor, Hold, House, Resign, TakeBack, TimeOut
from domain.match.events import ActionTaken, ChanceDrawn, MatchFinished, SeatVacated
from tests.table import LoadedLot, Table, ann, creation, four

DAY = 86_400_000
CLOCK = {"kind": "per-turn", "seconds": 86_400}


def table(*names: str, lot: LoadedLot | None = None, mining: bool = False, **settings: object) -> Table:
    """Ann is ochre, Bo malachite, Cy lead, Di azurite; every first anvil is empty, on the others lie six black, six silver, six grey."""
    made = Table(lot)
    options = {"trading": True, "mining": mining}
    made.does(creation(*four(*(names or ("ann", "bo", "cy", "di"))), game="four-forges", options=options, **{"clock": CLOCK, **settings}))
    return made


def asked(at: Table) -> list[tuple[str, int]]:
    """Who is asked, and since which ply."""
    return [(ask.seat, ask.ply) for ask in at.live.asks]


def test_the_stones_are_dealt_when_the_match_starts_and_nineteen_draws_are_counted_for_each_seat():
    at = table()
    dealt = [event.fact for event in at.events if isinstance(event.fact, ChanceDrawn)]
    assert [(fact.kind, fact.index, fact.text) for fact in dealt] == [
        ("deal", 0, "* deal ochre O1 - O2 6b O3 6s O4 6g"),
        ("deal", 19, "* deal malachite M1 - M2 6b M3 6s M4 6g"),
        ("deal", 38, "* deal lead L1 - L2 6b L3 6s L4 6g"),
        ("deal", 57, "* deal azurite A1 - A2 6b A3 6s A4 6g"),
    ]
    assert (asked(at), at.live.draws) == ([("ochre", 0)], 76)


def test_ff_9_the_partner_is_asked_with_a_deadline_of_its_own_and_then_the_offering_seat_again():
    at = table()
    at.plays("trade O2 1b for L3 1s", after=DAY // 2)
    assert asked(at) == [("lead", 1)]
    assert at.live.due == at.now + DAY
    assert at.refuses(at.said("break O2 black", "ochre")).kind == "not-your-turn"
    at.plays("decline", after=DAY // 2)
    assert asked(at) == [("ochre", 2)]
    assert at.live.due == at.now + DAY


def test_ff_9_an_answer_that_is_not_given_in_time_is_a_no_and_costs_nobody_the_seat():
    at = table()
    at.plays("trade O2 1b for L3 1s")
    (taken,) = at.does(TimeOut(), after=DAY + 1)
    assert isinstance(taken, ActionTaken)
    assert (taken.text, taken.timeout, taken.forced) == ("decline", True, False)
    assert (at.events[-1].by.seat, at.events[-1].by.via, at.events[-1].ply) == ("lead", "clock", 2)
    assert (asked(at), at.live.vacated) == ([("ochre", 2)], ())
    assert at.replayed() == at.live


def test_an_offer_can_be_taken_back_like_any_turn_as_long_as_nobody_has_answered():
    at = table()
    at.plays("trade O2 1b for L3 1s")
    at.does(TakeBack(ann(), "ochre"), after=30_000)
    assert (asked(at), at.live.game.view(at.live.state)["turn"]["offers_left"]) == ([("ochre", 0)], 3)
    at.plays("trade O2 1b for L3 1s")
    at.plays("decline")
    assert at.refuses(TakeBack(ann(), "ochre")).kind == "nothing-to-take-back"


def test_ff_9_a_seat_whose_own_turn_runs_out_is_vacated_all_the_same():
    at = table()
    (left,) = at.does(TimeOut(), after=DAY + 1)
    assert left == SeatVacated("ochre", "timeout")
    assert asked(at) == [("malachite", 0)]


@pytest.mark.parametrize(("who", "to_act", "offers"), [("p-cy", "ochre", 2), ("p-ann0000000", "malachite", 3), ("p-di", "lead", 2)])
def test_ff_9_an_offer_lapses_without_a_ply_when_either_side_leaves(who: str, to_act: str, offers: int):
    at = table()
    at.plays("trade O2 1b for L3 1s")
    at.does(Resign(Actor(who, "web")))
    assert (asked(at)[0][0], at.live.ply) == (to_act, 1)
    assert at.live.game.view(at.live.state)["turn"]["offers_left"] == offers
    assert at.replayed() == at.live


def test_ff_9_a_submission_cannot_go_on_past_an_offer():
    refused = (at := table()).refuses(at.said("trade O2 1b for L3 1s; break O2 black"))
    assert (refused.kind, refused.action) == ("interrupted", 1)


def test_ff_9_nobody_trades_with_another_seat_of_their_own_whoever_sits_where():
    at = table("ann", "bo", "ann", "di")
    refused = at.refuses(at.said("trade O2 1b for L3 1s"))
    assert (refused.kind, refused.ruling) == ("illegal-action", "FF-9")
    assert at.plays("trade O2 1b for M3 1s")


def test_ff_9_that_holds_for_seats_given_by_lot_too():
    at = table("ann", "bo", "ann", "di", lot=LoadedLot([1, 0, 0, 0]), seating="random")
    assert [chair.player for chair in at.live.chairs] == ["p-bo", "p-ann0000000", "p-ann0000000", "p-di"]
    at.plays("trade O2 1b for M3 1s")
    at.plays("accept", player="p-ann0000000")
    assert at.refuses(at.said("trade M2 1b for L3 1s")).ruling == "FF-9"
    assert at.replayed() == at.live


def test_ff_9_house_bots_of_one_kind_are_players_of_their_own():
    at = Table()
    places = (Hold("p-ann0000000"), House("random", "p-b1"), House("random", "p-b2"), House("random", "p-b3"))
    at.does(creation(*places, game="four-forges", options={"trading": True}))
    assert at.live.state.holders == (0, 1, 2, 3)


def test_ff_14_the_turns_of_a_vacated_seat_are_skipped_without_a_ply():
    at = table()
    assert at.does(Resign(Actor("p-bo", "web"))) == [SeatVacated("malachite", "resignation")]
    at.plays("O2>O1 black; O2>O1 black; O2>O1 black")
    assert (asked(at), at.live.ply) == ([("lead", 3)], 3)


def test_ff_14_a_player_leaves_with_two_seats_and_the_turn_goes_to_the_next_that_is_left():
    at = table("ann", "ann", "cy", "di")
    at.plays("O2>O1 black")
    assert at.does(Resign(Actor("p-ann0000000", "web"))) == [SeatVacated("ochre", "resignation"), SeatVacated("malachite", "resignation")]
    assert asked(at) == [("lead", 1)]
    assert at.replayed() == at.live


def test_the_last_player_left_wins_and_vacated_seats_rank_below():
    at = table("ann", "bo", "cy", "cy")
    at.does(Resign(Actor("p-ann0000000", "web")))
    *_, finished, _ = at.does(Resign(Actor("p-bo", "web")))
    assert isinstance(finished, MatchFinished)
    assert finished.outcome == {
        "ranks": {"ochre": 4, "malachite": 3, "lead": 1, "azurite": 1},
        "scores": {"ochre": 0, "malachite": 0, "lead": 0, "azurite": 0},
        "reason": "resignation",
    }


def test_a_leaving_that_ends_the_last_round_too_is_told_as_the_leaving_that_it_is():
    made = Table()
    made.does(creation(*four("ann", "bo", "bo", "bo"), game="four-forges", options={"max_rounds": 1}, clock=CLOCK))
    for line in ("O2>O1 b; O2>O1 b; O2>O1 b", "M2>M1 b; M2>M1 b; M2>M1 b", "L2>L1 b; L2>L1 b; L2>L1 b"):
        made.plays(line)
    *_, finished, _ = made.does(Resign(Actor("p-bo", "web")))
    assert finished.outcome["reason"] == "resignation"
    assert GAME.text(made.live.state).splitlines()[:2] == [
        "Over in round 1: ochre wins with 0 stones.",
        "It was ended as it stands, since the others have left.",
    ]


def test_ff_7_stones_from_the_mine_are_drawn_before_the_turn_goes_on():
    at = table(mining=True)
    taken, drawn = at.plays("mine O1")
    assert (taken.text, drawn.kind, drawn.text, drawn.index) == ("mine O1", "mine", "* mine O1 6b", 76)
    assert (asked(at), at.live.draws, at.live.mark) == ([("ochre", 0)], 82, None)
    assert at.refuses(at.said("smelt O1; mine O1")).kind == "illegal-action"


def test_ff_7_a_submission_cannot_go_on_past_a_draw_from_the_mine():
    refused = (at := table(mining=True)).refuses(at.said("mine O1; break O2 black"))
    assert (refused.kind, refused.action) == ("interrupted", 1)
