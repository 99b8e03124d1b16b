"""From the feed to the outbox and the listing: every entry settled once, whoever dies, and one bad match stops no other."""

from __future__ import annotations

from threading import Event as Signal
from typing import Any

import pytest
from msgspec.structs import replace

from domain.match.commands import Actor, Resign
from infra.listing import MatchRow
from infra.outbox import Notice
from infra.redis_log import keys
from tests.infra.keeping.tables import anew, cut
from tests.workers.office import Office
from workers.relay import ListingRelay, NoticesRelay, Steps


def test_a_turn_and_its_reminder_are_in_the_outbox_as_long_as_it_is_not_answered(office: Office):
    sight = office.match("ann", "bo", "cy", "di", undo_seconds=0)
    office.relay()
    (ask,) = sight.match.asks
    player = sight.match.chair(ask.seat).player or ""
    turn = Notice("turn", sight.match.id, player, ask.seat, ask.version, 0, ask.version)
    reminder = replace(turn, kind="reminder")
    assert office.outbox() == {turn: ask.asked, reminder: ask.asked + 207_360_000}
    after = office.play(sight.match.id, ask)
    while after.match.ask(ask.seat) == ask:
        after = office.play(sight.match.id, ask)
    office.relay()
    assert not {turn, reminder} & set(office.outbox())


def test_an_entry_is_settled_once_also_when_it_is_read_twice(office: Office):
    office.match("ann", "bo", "cy", "di")
    relay = NoticesRelay(office.site, Signal())
    office.site.feed.ensure("notices")
    (entry,) = office.site.feed.read("notices", "one", 0, 10)
    relay.settle(entry)
    for notice in office.outbox():
        office.site.outbox.done(notice)
    relay.settle(entry)
    assert office.outbox() == {}


def test_what_a_process_read_and_did_not_settle_is_settled_by_the_process_that_is_started_after_it(office: Office):
    office.match("ann", "bo", "cy", "di")
    dead = NoticesRelay(office.site, Signal())
    office.site.feed.ensure("notices")
    assert office.site.feed.read("notices", dead._consumer, 0, 10)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(office.site.feed, "_behind", {})  # as in a new process
        NoticesRelay(office.site, Signal()).read(Signal())
    assert len(office.outbox()) == 2


def test_a_match_that_cannot_be_read_stands_still_alone_and_is_told_of(office: Office, caplog: pytest.LogCaptureFixture):
    bad = office.match("ann", "bo", "cy", "di").match
    office.site.redis.xadd(keys.events(bad.id), {"t": "board.eaten.1", "d": "{}"}, id=f"{bad.version + 1}-0")
    office.site.redis.xadd(keys.feed(int(bad.id[:2])), {"m": bad.id, "v": bad.version + 1, "n": f'{{"after":{bad.version},"types":[]}}'})
    good = office.match("eve", "fay", "gus", "hal").match
    relay = NoticesRelay(office.site, Signal())
    relay.read(Signal())
    assert {notice.match for notice in office.outbox()} == {bad.id, good.id}
    words = f"version {bad.version + 1} is of the unknown type board.eaten.1; this server is older than the event"
    assert [record.message for record in caplog.records] == [f"match {bad.id} stands still for notices: {words}"]
    pending: Any = office.site.redis.xpending(keys.feed(int(bad.id[:2])), "notices")
    assert pending["pending"] == 1, "the entry waits for a server that can read it"


def test_steps_are_the_same_whether_the_match_is_remembered_or_not(office: Office):
    match = office.match("ann", "bo", "cy", "di").match.id
    for _ in range(12):
        office.play(match, office.site.desk.look(match).match.asks[0])
    office.site.feed.ensure("notices")
    entries = office.site.feed.read("notices", "one", 0, 100)
    assert len(entries) == 13
    remembering = Steps(office.site.log)
    for entry in entries:
        assert remembering.step(entry) == Steps(office.site.log).step(entry)


def test_steps_go_by_the_log_that_is_there_also_where_a_fail_over_lost_an_event_and_another_took_its_place(office: Office):
    sight = office.match("ann", "bo", "cy", "di")
    match, remembering = sight.match.id, Steps(office.site.log)
    office.site.feed.ensure("notices")
    office.play(match, sight.match.asks[0])
    for entry in office.site.feed.read("notices", "one", 0, 100):
        remembering.step(entry)
    cut(office, match, 1)
    replaced = anew(office)
    ann, bo = (chair.player or "" for chair in sight.match.chairs[:2])
    for player in (ann, bo):
        replaced.desk.do(match, Resign(Actor(player, "web")))
    entries = office.site.feed.read("notices", "one", 0, 100)
    told = [remembering.step(entry) for entry in entries]
    assert told == [Steps(replaced.log).step(entry) for entry in entries]
    assert [after.vacated for _, _, after in told] == [("north",), ("north", "east")]


def test_the_listing_has_a_row_for_every_match_as_it_stands(office: Office):
    match = office.match("ann", "bot", "bo", "bot", visibility="public").match
    relay = ListingRelay(office.site)
    relay.read(Signal())
    (ask,) = match.asks
    row = MatchRow(
        match=match.id,
        version=match.version,
        game="fourfold",
        status="live",
        public=True,
        created=match.created,
        changed=match.at,
        ply=0,
        due=ask.due,
        players={seat: match.chair(seat).player or "" for seat in match.seats},
        bots=("east", "west"),
        awaited=(ask.seat,),
        creator=match.creator or "",
    )
    assert office.site.listing.find(game="fourfold") == ([row], "")
    ann, bo = (match.chair(seat).player or "" for seat in ("north", "south"))
    office.site.desk.do(match.id, Resign(Actor(ann, "web")))
    office.site.desk.do(match.id, Resign(Actor(bo, "web")))
    relay.read(Signal())
    assert [(row.status, row.awaited, row.due) for row in office.site.listing.find(player=ann)[0]] == [("over", (), None)]
