"""Submissions: who may, when, for which position, how many at once; taking back, resigning, running out of time."""

from __future__ import annotations

from typing import Any

import pytest

from domain.games.fourfold.state import Advance, Deploy
from domain.match.commands import Actor, Answer, Offer, Resign, Submit, TakeBack, TimeOut
from domain.match.events import (
    ActionTaken,
    ChanceDrawn,
    MatchFinished,
    OfferAnswered,
    OfferLapsed,
    OfferMade,
    SeatVacated,
    SeedRevealed,
    TurnTakenBack,
)
from domain.match.match import Ask
from tests.table import NOON, SEED, LoadedLot, Table, ann, creation, four

DAY = 86_400_000
CLOCK = {"kind": "per-turn", "seconds": 86_400}


def table(*falls: int, names: tuple[str, ...] = ("ann", "bo", "cy", "di"), **settings: Any) -> Table:
    """Ann is north, Bo east, Cy south, Di west; the first fall draws the first team."""
    made = Table(LoadedLot(falls))
    made.does(creation(*four(*names), **{"clock": CLOCK, **settings}))
    return made


def test_an_action_is_taken_and_what_follows_by_itself_follows():
    cy = table(2, 1)
    assert cy.plays("deploy c1") == [ActionTaken(Deploy("c1"), "deploy c1", forced=False)]
    assert cy.plays("S1>c2") == [
        ActionTaken(Advance("S1", "c2"), "S1>c2", forced=False),
        ChanceDrawn("team", {"seat": "east", "for": "opening"}, "* east deploys", 1),
    ]
    assert cy.live.ply == 2
    assert cy.live.version == 10


def test_a_submission_of_several_actions_is_done_whole():
    cy = table(2)
    assert [fact.text for fact in cy.plays("deploy c1; S1>d2")] == ["deploy c1", "S1>d2", "* north deploys"]


def test_a_submission_with_one_bad_action_is_refused_whole_and_the_action_named():
    cy = table(2)
    submission = Submit(Actor("p-cy", "api"), "south", 0, (Deploy("c1"), Advance("S1", "e5")))
    refused = cy.refuses(submission)
    assert (refused.kind, refused.action, refused.ruling) == ("illegal-action", 1, "FO-2")
    assert cy.live.ply == 0


def test_a_submission_may_not_go_on_past_a_draw():
    cy = table(2, 2)
    actions = (Deploy("c1"), Advance("S1", "c2"), Deploy("c1"))
    refused = cy.refuses(Submit(Actor("p-cy", "api"), "south", 0, actions))
    assert (refused.kind, refused.action) == ("interrupted", 2)
    assert refused.words.startswith("action 2 (counted from 0) cannot follow at once: lots are drawn before it")
    assert cy.lot.falls == [2]  # type: ignore[attr-defined]  # nothing was drawn


def test_the_nonce_of_a_submission_is_kept_once_and_mixed_into_the_next_draw():
    cy = table(2)
    cy.does(Submit(Actor("p-cy", "api"), "south", 0, (Deploy("c1"), Advance("S1", "c2")), "salt"))
    taken = [event.fact for event in cy.events if isinstance(event.fact, ActionTaken)]
    assert taken[0].nonce == "salt"
    assert "nonce" not in cy.stored()[8].body.decode()
    assert cy.live.entropy == b"salt\n"


@pytest.mark.parametrize(
    ("player", "seat", "ply", "kind"),
    [
        ("p-cy", "south", 1, "stale-ply"),
        ("p-bo", "south", 0, "not-your-seat"),
        ("p-cy", "up", 0, "no-such-seat"),
        ("p-bo", "east", 0, "not-your-turn"),
        ("p-bo", "east", 7, "stale-ply"),
    ],
)
def test_who_is_not_asked_just_now_is_refused(player, seat, ply, kind):
    assert table(2).refuses(Submit(Actor(player, "api"), seat, ply, (Deploy("c1"),))).kind == kind


def test_a_submission_without_actions_is_refused():
    assert table(2).refuses(Submit(Actor("p-cy", "api"), "south", 0, ())).words == "a submission needs at least one action"


def test_the_last_millisecond_of_a_turn_is_in_time_and_the_next_is_not():
    assert table(2).plays("deploy c1", after=DAY)
    late = table(2)
    refused = late.refuses(late.said("deploy c1"), after=DAY + 1)
    assert (refused.kind, refused.due) == ("deadline-passed", NOON + DAY)


def test_a_seat_keeps_its_ask_through_its_own_actions_and_while_lots_are_drawn():
    cy = table(2, 2, 0)
    first = cy.live.asks
    assert first == (Ask("south", ply=0, version=7, asked=NOON, due=NOON + DAY),)
    cy.plays("deploy c1; S1>c2", after=1000)
    assert cy.live.asks == first
    cy.plays("deploy c1; S2>b2", after=1000)
    assert cy.live.asks == (Ask("north", ply=4, version=13, asked=NOON + 2000, due=NOON + 2000 + DAY),)


def test_the_only_action_there_is_is_made_by_the_server_unless_the_match_asks_for_all():
    def crowded(**settings: Any) -> Table:
        made = table(2, 2, 2, 2, 2, **settings)
        made.plays("deploy a1; S1>a2")
        made.plays("deploy b1; S2>b2")
        return made

    made = crowded()
    facts = made.plays("deploy a1")  # a2 and b2 are taken: S3 can do nothing but pass
    assert [(fact.text, getattr(fact, "forced", None)) for fact in facts] == [("deploy a1", False), ("S3 pass", True), ("* south deploys", None)]
    assert made.events[-2].by.via == "server"
    assert [fact.text for fact in crowded(auto_forced=False).plays("deploy a1")] == ["deploy a1", "S3 pass", "* south deploys"]


def test_a_turn_can_be_taken_back_until_lots_are_drawn():
    cy = table(2)
    cy.plays("deploy c1", after=1000)
    assert cy.does(TakeBack(Actor("p-cy", "link"), "south"), after=59_000) == [TurnTakenBack(0)]
    assert (cy.live.ply, cy.live.state.order) == (0, ())
    assert cy.live.asks == (Ask("south", ply=0, version=9, asked=NOON + 60_000, due=NOON + DAY),)
    cy.plays("deploy c1; S1>c2")
    assert cy.refuses(TakeBack(Actor("p-cy", "link"), "south")).kind == "nothing-to-take-back"


def test_a_turn_cannot_be_taken_back_too_late_or_by_others_or_where_the_match_forbids_it():
    cy = table(2)
    cy.plays("deploy c1")
    assert cy.refuses(TakeBack(Actor("p-bo", "link"), "east")).kind == "nothing-to-take-back"
    assert cy.refuses(TakeBack(Actor("p-bo", "link"), "south")).kind == "not-your-seat"
    assert cy.refuses(TakeBack(Actor("p-cy", "link"), "south"), after=60_001).kind == "nothing-to-take-back"
    strict = table(2, undo_seconds=0)
    strict.plays("deploy c1")
    assert strict.refuses(TakeBack(Actor("p-cy", "link"), "south")).words == "in this match no turn can be taken back"


def test_who_resigns_leaves_with_all_seats_and_the_match_goes_on_with_a_caretaker():
    made = table(0, names=("ann", "bo", "ann", "di"))
    facts = made.does(Resign(ann()))
    assert facts[:2] == [SeatVacated("north", "resignation"), SeatVacated("south", "resignation")]
    assert [(fact.text, fact.forced) for fact in facts[2:4]] == [("deploy a5", True), ("N1>a4", True)]
    assert made.events[9].by.via == "caretaker"
    assert made.live.status == "live"
    assert {ask.seat for ask in made.live.asks} <= {"east", "west"}
    assert made.refuses(Resign(ann())).kind == "not-seated"
    assert made.refuses(made.said("deploy a5", "north")).words == "north was vacated; others play on without it"


def test_who_had_resigned_from_a_match_that_is_over_is_told_that_it_is_over():
    made = table(2)
    for actor in (Actor("p-cy", "web"), Actor("p-bo", "web"), ann("web")):
        made.does(Resign(actor))
    assert made.live.status == "over"
    for wish in (made.said("deploy a5", "north"), TakeBack(ann(), "north")):
        refused = made.refuses(wish)
        assert (refused.kind, refused.words) == ("match-over", "this match is over")


def test_when_only_one_player_is_left_the_match_ends_and_the_leavers_rank_below_in_the_order_of_leaving():
    made = table(2)
    made.does(Resign(Actor("p-cy", "web")))
    made.does(Resign(Actor("p-bo", "web")))
    facts = made.does(Resign(ann("web")))
    assert facts == [
        SeatVacated("north", "resignation"),
        MatchFinished(
            {
                "ranks": {"north": 2, "east": 3, "south": 4, "west": 1},
                "scores": {"north": 0, "east": 0, "south": 0, "west": 0},
                "reason": "resignation",
            }
        ),
        SeedRevealed(SEED.hex()),
    ]
    assert (made.live.status, made.live.due) == ("over", None)
    assert made.refuses(Resign(Actor("p-di", "web"))).kind == "match-over"


def test_when_only_house_bots_are_left_the_match_ends_as_it_stands():
    made = table(1, names=("ann", "bot1", "bot2", "bot3"))
    assert made.does(Resign(ann()))[1].outcome["ranks"] == {"north": 4, "east": 1, "south": 1, "west": 1}


def test_a_seat_whose_time_ran_out_is_vacated_and_not_a_millisecond_before():
    made = table(2)
    assert made.refuses(TimeOut(), after=DAY).kind == "nobody-is-late"
    facts = made.does(TimeOut(), after=1)
    assert facts[0] == SeatVacated("south", "timeout")
    assert (made.events[7].by.kind, made.events[7].by.via) == ("clock", "clock")
    assert made.live.due == NOON + DAY + 1 + DAY


def test_a_match_ends_by_agreement_when_every_seat_not_vacated_has_agreed():
    made = table(2, names=("ann", "bo", "cy", "bo"))
    assert made.does(Offer(ann())) == [OfferMade(1, "end")]
    assert made.refuses(Offer(Actor("p-bo", "api"))).words == "offer 1 is on the table already: answer it first"
    assert made.refuses(Offer(ann())).words == "offer 1 is on the table already: you have agreed to it; decline it first"
    assert made.does(Answer(Actor("p-bo", "api"), 1, "accept")) == [OfferAnswered(1, "accept")]
    facts = made.does(Answer(Actor("p-cy", "api"), 1, "accept"))
    assert facts[1].outcome == {
        "ranks": {"north": 1, "east": 1, "south": 1, "west": 1},
        "scores": {"north": 0, "east": 0, "south": 0, "west": 0},
        "reason": "agreement",
    }


def test_an_offer_ends_with_a_decline_and_dies_with_the_position_it_was_made_for():
    made = table(2)
    made.does(Offer(ann()))
    made.does(Answer(Actor("p-di", "api"), 1, "decline"))
    assert made.refuses(Answer(Actor("p-cy", "api"), 1, "accept")).kind == "no-such-offer"
    assert made.does(Offer(ann())) == [OfferMade(2, "end")]
    assert made.plays("deploy c1")[0] == OfferLapsed(2)
    assert made.refuses(Answer(Actor("p-cy", "api"), 2, "accept")).kind == "no-such-offer"


def test_nobody_without_a_seat_can_resign_or_offer():
    assert table(2).refuses(Resign(Actor("p-x", "api"))).kind == "not-seated"
    assert table(2).refuses(Offer(Actor("p-x", "api"))).kind == "not-seated"
