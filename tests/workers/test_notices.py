"""Given a match, when something happens, then these notices: each once, none too early, none without cause."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from domain.chain import SeedLot
from domain.desk import Desk
from domain.match.codec import decode
from domain.match.commands import Actor, Answer, Fill, Hold, House, Invite, Join, Leave, Offer, Open, Resign, TakeBack, TimeOut
from domain.match.events import Event
from domain.match.match import Match, begin, evolve
from infra.outbox import Kind, Notice
from infra.people.preferences import Preferences
from tests.memory_log import MemoryLog
from tests.people import People, Watch
from tests.table import MATCH, NOON, SEED, LoadedLot, Table, ann, creation, four
from workers.cadence import reminded
from workers.notices import following, newly_asked, stands

ANN, BO, CY, DI = "p-ann0000000", "p-bo", "p-cy", "p-di"
DAY = 86_400_000
CLOCK = {"kind": "per-turn", "seconds": 86_400}


def opening(*names: str, first: int = 0, **settings: Any) -> Table:
    """A match in which the team `first` (0: north) is the first to deploy."""
    table = Table(LoadedLot([first]))
    table.does(creation(*four(*names), **{"clock": CLOCK, **settings}))
    return table


def court(*names: str, **settings: Any) -> Table:
    """Four runners on the court: N1, E1, S1, W1 move in turn, and nothing is drawn until a goal is made. North is asked first."""
    table = Table(LoadedLot([0, 1, 2, 3]))
    table.does(creation(*four(*names), options={"max_runners": 4}, **{"clock": CLOCK, **settings}))
    for line in ("deploy b5; N1>b4", "deploy e4; E1>d4", "deploy d1; S1>d2", "deploy a2; W1>b2"):
        table.plays(line)
    assert [ask.seat for ask in table.live.asks] == ["north"]
    return table


def reached(events: list[Event]) -> Match | None:
    match = None
    for event in events:
        match = begin(MATCH, event) if match is None else evolve(match, event)
    return match


def told(table: Table, since: int) -> dict[tuple[str, str], int]:
    """Kind and player of every notice that follows from the events after a version, and when it goes out (ms after noon)."""
    scheduled = following(reached(table.events[:since]), table.events[since:], table.live).scheduled
    assert len({notice for notice, _ in scheduled}) == len(scheduled)
    return {(notice.kind, notice.player): at - NOON for notice, at in scheduled}


def told_by(table: Table, line: str, after: int = 0) -> dict[tuple[str, str], int]:
    """What follows when the asked seat plays a line."""
    since = len(table.events)
    table.plays(line, after=after)
    return told(table, since)


def test_whoever_is_asked_first_is_told_at_once_and_reminded_when_four_fifths_of_the_time_have_gone():
    assert told(opening("ann", "bo", "cy", "di"), 0) == {("turn", ANN): 0, ("reminder", ANN): DAY * 4 // 5}


def test_a_house_bot_is_told_at_once_and_never_reminded():
    assert told(opening("bot", "ann", "cy", "di"), 0) == {("bot", "p-bot"): 0}


def test_a_turn_is_told_only_when_the_turn_before_can_no_longer_be_taken_back():
    told_when = told_by(court("ann", "bo", "cy", "di"), "N1>b3", after=5_000)
    assert told_when == {("turn", BO): 65_001, ("reminder", BO): 5_000 + DAY * 4 // 5}


def test_where_nothing_can_be_taken_back_the_turn_is_told_at_once():
    assert told_by(court("ann", "bo", "cy", "di", undo_seconds=0), "N1>b3", after=5_000)["turn", BO] == 5_000


def test_after_a_draw_the_turn_is_told_at_once():
    table = opening("ann", "bo", "cy", "di")
    table.lot.falls = [1]  # type: ignore[attr-defined]
    assert told_by(table, "deploy b5; N1>b4", after=5_000)["turn", BO] == 5_000


def test_a_turn_after_a_house_bot_is_told_at_once():
    assert told_by(court("bot", "ann", "cy", "di"), "N1>b3")["turn", ANN] == 0


def test_a_bot_need_not_wait_until_a_turn_can_no_longer_be_taken_back():
    assert told_by(court("ann", "bot", "cy", "di"), "N1>b3", after=5_000) == {("bot", "p-bot"): 5_000}


def test_who_holds_the_next_seat_too_is_told_at_once():
    assert told_by(court("ann", "ann", "cy", "di"), "N1>b3")["turn", ANN] == 0


def test_a_turn_is_told_while_half_of_its_time_is_still_to_come_however_long_turns_can_be_taken_back():
    table = court("ann", "bo", "cy", "di", clock={"kind": "per-turn", "seconds": 20}, undo_seconds=3600)
    assert told_by(table, "N1>b3") == {("turn", BO): 10_000, ("reminder", BO): 16_000}


def test_the_rest_of_a_turn_is_told_after_ten_seconds_without_an_action():
    table = opening("ann", "bo", "cy", "di")
    assert told_by(table, "deploy b5", after=5_000) == {("turn", ANN): 15_000}
    since = len(table.events)
    notice = Notice("turn", MATCH, ANN, "north", table.live.asks[0].version, 1, since)
    assert stands(table.live, table.events, notice)
    table.lot.falls = [0]  # type: ignore[attr-defined]
    table.plays("N1>b4")
    assert table.live.ask("north") is not None, "north was drawn again, so the turn goes on under the same ask"
    assert not stands(table.live, table.events, notice)


def test_an_answered_turn_withdraws_its_notices():
    table = court("ann", "bo", "cy", "di")
    (north,) = table.live.asks
    since = len(table.events)
    table.plays("N1>b3")
    withdrawn = following(reached(table.events[:since]), table.events[since:], table.live).withdrawn
    kinds: tuple[tuple[Kind, int], ...] = (("turn", 0), ("reminder", 0), ("reminder", 1), ("reminder", 2))
    assert withdrawn == tuple(Notice(kind, MATCH, ANN, "north", north.version, north.ply, north.version, number) for kind, number in kinds)


def test_what_is_withdrawn_is_what_was_scheduled():
    table = opening("ann", "bot", "cy", "di")
    scheduled = {notice for notice, _ in following(None, table.events, table.live).scheduled}
    since = len(table.events)
    table.lot.falls = [1, 0]  # type: ignore[attr-defined]
    table.plays("deploy b5; N1>b4")
    step = following(reached(table.events[:since]), table.events[since:], table.live)
    assert scheduled < set(step.withdrawn), "also the reminders that nobody had wanted"
    since = len(table.events)
    table.plays("deploy e4; E1>d4")
    assert {notice for notice, _ in step.scheduled} == set(following(reached(table.events[:since]), table.events[since:], table.live).withdrawn)


def test_who_takes_a_turn_back_is_told_of_it_after_a_pause_and_the_next_player_is_not_told_any_more():
    table = court("ann", "bo", "cy", "di")
    table.plays("N1>b3")
    (east,) = table.live.asks
    since = len(table.events)
    table.does(TakeBack(ann(), "north"), after=20_000)
    assert told(table, since) == {("turn", ANN): 30_000, ("reminder", ANN): 20_000 + (DAY - 20_000) * 4 // 5}
    assert not stands(table.live, table.events, Notice("turn", MATCH, BO, "east", east.version, east.ply, east.version))


def test_an_offer_is_told_to_all_who_have_not_agreed_and_bots_answer_it():
    table = court("ann", "bo", "bot", "di")
    since = len(table.events)
    table.does(Offer(ann()), after=1_000)
    assert told(table, since) == {("offer", BO): 1_000, ("bot-offer", "p-bot"): 1_000, ("offer", DI): 1_000}
    to_bo, to_di = (Notice("offer", MATCH, player, "", 0, 8, since + 1) for player in (BO, DI))
    table.does(Answer(Actor(BO, "link"), 1, "accept"))
    assert not stands(table.live, table.events, to_bo)
    assert stands(table.live, table.events, to_di)
    table.plays("N1>b3")
    assert not stands(table.live, table.events, to_di)


def test_a_second_offer_is_not_told_by_the_notice_of_the_first():
    table = court("ann", "bo", "cy", "di")
    table.does(Offer(ann()))
    first = Notice("offer", MATCH, BO, "", 0, 8, len(table.events))
    table.does(Answer(Actor(CY, "link"), 1, "decline"))
    table.does(Offer(ann()))
    assert not stands(table.live, table.events, first)


def test_a_pause_is_told_to_all_people_and_a_reminder_from_before_it_waits():
    table = opening("ann", "bo", "cy", "bot1", first=2)
    asked = table.live.asks[0]
    table.does(Offer(ann(), "pause", 86_400))
    table.does(Answer(Actor("p-bo", "api"), 1, "accept"))
    table.does(Answer(Actor("p-cy", "api"), 1, "accept"))
    since = len(table.events)
    table.does(Answer(Actor("p-bot1", "bot"), 1, "accept"))
    assert told(table, since) == {("paused", ANN): 0, ("paused", BO): 0, ("paused", CY): 0}
    (paused,) = table.live.asks
    assert (paused.version, reminded(Preferences(), "UTC", paused)) == (asked.version, [asked.asked + 2 * DAY * 4 // 5])


def test_an_offer_that_was_declined_is_told_to_whoever_made_it():
    table = court("ann", "bo", "cy", "di")
    table.does(Offer(ann()))
    table.does(Answer(Actor(BO, "link"), 1, "accept"))
    since = len(table.events)
    table.does(Answer(Actor(CY, "link"), 1, "decline"), after=1_000)
    assert told(table, since) == {("declined", ANN): 1_000}
    notice = Notice("declined", MATCH, ANN, "", 0, 8, since + 1)
    assert stands(table.live, table.events, notice)
    for player in (ANN, BO, CY):
        table.does(Resign(Actor(player, "link")))
    assert not stands(table.live, table.events, notice)


def test_an_invitation_that_was_declined_is_told_to_whoever_opened_the_match():
    table = Table()
    table.does(creation(Hold(ANN), Invite(BO), House("random", "p-bot"), Open()))
    since = len(table.events)
    table.does(Leave(Actor(BO, "link")), after=1_000)
    assert told(table, since) == {("turned-down", ANN): 1_000}
    notice = Notice("turned-down", MATCH, ANN, "", 0, 0, since + 1)
    assert stands(table.live, table.events, notice)
    table.does(Leave(ann()))
    assert not stands(table.live, table.events, notice)


def test_who_gives_back_a_seat_that_they_had_taken_is_no_mail():
    table = Table()
    table.does(creation(Hold(ANN), Invite(BO), House("random", "p-bot"), Open()))
    table.does(Join(Actor(BO, "link")))
    since = len(table.events)
    table.does(Leave(Actor(BO, "link")))
    assert told(table, since) == {}


def test_the_end_is_told_once_to_every_person_also_to_who_has_left():
    table = court("ann", "bo", "cy", "cy")
    table.does(Resign(Actor(BO, "link")))
    since = len(table.events)
    table.does(Resign(Actor(CY, "link")), after=1_000)
    assert table.live.status == "over"
    assert told(table, since) == {("over", player): 1_000 for player in (ANN, BO, CY)}
    assert stands(table.live, table.events, Notice("over", MATCH, BO, "", 0, table.live.ply, table.live.version))


def test_a_leaving_is_told_to_the_others_but_for_whom_it_is_their_turn_now():
    table = court("ann", "bo", "cy", "di")
    since = len(table.events)
    table.does(Resign(ann()), after=1_000)
    (east,) = table.live.asks
    assert east.seat == "east"
    assert told(table, since) == {("turn", BO): 1_000, ("reminder", BO): 1_000 + DAY * 4 // 5, ("vacated", CY): 1_000, ("vacated", DI): 1_000}


def test_who_is_out_by_the_clock_is_told_so():
    table = court("ann", "bo", "cy", "di")
    since = len(table.events)
    table.does(TimeOut(), after=DAY + 1)
    assert ("vacated", ANN) in told(table, since)


def test_invited_people_are_told_and_told_when_the_match_is_called_off():
    table = Table()
    table.does(creation(Hold(ANN), Invite(BO), House("random", "p-bot"), Open()))
    assert told(table, 0) == {("invitation", BO): 0}
    invitation = Notice("invitation", MATCH, BO, "", 0, 0, len(table.events))
    assert stands(table.live, table.events, invitation)
    since = len(table.events)
    table.does(Leave(ann()))
    assert told(table, since) == {("aborted", BO): 0}
    assert not stands(table.live, table.events, invitation)


def test_an_invitation_that_was_taken_needs_no_mail():
    table = Table()
    table.does(creation(Hold(ANN), Invite(BO), House("random", "p-bot"), Open()))
    table.does(Join(Actor(BO, "link")))
    assert not stands(table.live, table.events, Notice("invitation", MATCH, BO, "", 0, 0, 4))


@pytest.mark.parametrize("kind", ["turn", "reminder", "bot"])
def test_a_notice_about_a_turn_falls_with_the_turn(kind: Kind):
    table = court("ann", "bo", "cy", "di")
    (north,) = table.live.asks
    notice = Notice(kind, MATCH, ANN, "north", north.version, north.ply, north.version)
    assert stands(table.live, table.events, notice)
    table.plays("N1>b3")
    assert not stands(table.live, table.events, notice)


@pytest.mark.parametrize("seed", range(12))
def test_however_a_match_goes_every_turn_is_told_once_and_nothing_is_left_at_its_end(seed: int):
    log, watch = MemoryLog(), Watch()
    desk = Desk(log, lambda match: SeedLot(SEED, match), watch)
    match = People(desk, watch, Random(seed), lively=0.2).play(MATCH, options={"max_runners": 4, "goals_to_win": 2})
    outbox: set[Notice] = set()
    asked: list[tuple[str, int]] = []
    before: Match | None = None
    events = [decode(match.game if version else None, stored) for version, stored in enumerate(log.read(MATCH))]
    for event in events:  # one event at a time is the finest way in which a match can go on
        after = begin(MATCH, event) if before is None else evolve(before, event)
        step = following(before, [event], after)
        assert len({notice for notice, _ in step.scheduled}) == len(step.scheduled)
        outbox -= set(step.withdrawn)
        for notice, at in step.scheduled:
            assert at >= event.at
            assert notice not in outbox
            outbox.add(notice)
        asked += [(ask.seat, ask.version) for ask in after.asks if ask.version == after.version]
        born = [notice for notice, _ in step.scheduled if notice.ask == after.version and notice.kind in {"turn", "bot"}]
        assert [(notice.seat, notice.ask) for notice in born] == [(ask.seat, ask.version) for ask in after.asks if ask.version == after.version]
        before = after
    assert asked
    assert not [notice for notice in outbox if notice.kind in {"reminder", "bot"}], "answered turns leave nothing behind"
    assert match.status == "over"


def test_whoever_wants_other_reminders_gets_those_and_each_is_withdrawn_with_the_turn():
    table = court("ann", "bo", "cy", "di", undo_seconds=0)
    since = len(table.events)
    table.plays("N1>b3")
    before = reached(table.events[:since])
    step = following(before, table.events[since:], table.live, {BO: ("50%", "6h", "99%")})
    asked = table.live.asks[0].asked - NOON
    assert {notice.again: at - NOON - asked for notice, at in step.scheduled if notice.kind == "reminder"} == {
        0: DAY // 2,
        1: DAY * 3 // 4,
        2: DAY * 99 // 100,
    }
    none = following(before, table.events[since:], table.live, {BO: ()})
    assert [notice.kind for notice, _ in none.scheduled] == ["turn"]
    since = len(table.events)
    table.plays("E1>c4")
    gone = following(reached(table.events[:since]), table.events[since:], table.live).withdrawn
    assert {notice for notice, _ in step.scheduled} <= set(gone)


def test_who_is_newly_asked_is_told_apart_from_who_was_asked_before():
    table = court("ann", "bo", "cy", "di")
    since = len(table.events)
    table.plays("N1>b3")
    assert newly_asked(reached(table.events[:since]), table.live) == [BO]
    assert newly_asked(table.live, table.live) == []


def test_who_was_told_of_a_turn_that_is_taken_back_reads_that_it_is_not_theirs_any_more():
    table = court("ann", "bo", "cy", "di", undo_seconds=86_400)
    table.plays("N1>b3")
    since = len(table.events)
    table.does(TakeBack(ann(), "north"), after=DAY * 3 // 4)
    assert ("taken-back", BO) in told(table, since)
    notice = Notice("taken-back", MATCH, BO, "", 0, table.live.ply, table.live.version)
    assert stands(table.live, table.events, notice)
    table.plays("N1>a3")
    assert not stands(table.live, table.events, notice), "by now it is Bo's turn again, and the turn's own mail says so"


def test_whose_seat_a_house_bot_gets_reads_it():
    table = Table()
    table.does(creation(Hold(ANN), Invite(BO), House("random", "p-bot"), Open()))
    since = len(table.events)
    table.does(Fill(ann(), "east", House("random", "p-bot2")), after=1_000)
    assert told(table, since) == {("given-away", BO): 1_000}
    assert stands(table.live, table.events, Notice("given-away", MATCH, BO, "", 0, 0, since + 1))
    since = len(table.events)
    table.does(Fill(ann(), "west", House("random", "p-bot3")), after=1_000)
    assert ("given-away", BO) not in told(table, since), "nobody had been invited to that seat"
