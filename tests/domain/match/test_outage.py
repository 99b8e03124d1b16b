"""An absence of the site costs nobody their time, and the history says so to whoever checks it."""

from __future__ import annotations

from typing import Any

from domain.match.commands import Answer, MakeUp, Offer, Resign, TakeBack, TimeOut
from domain.match.events import ClockChanged
from domain.proof.verify import verify
from tests.domain.match.test_agreements import BO, DAY, HOUR, both, chessboard, play
from tests.exports import Lines, first, forged, found, opened
from tests.table import MATCH, NOON, Table, ann

MINUTE = 60_000


def exported(made: Table) -> Lines:
    """The table's events as lines of an export, between a header and a trailer."""
    head = {"edition": 1, "forgepost": "history", "format": 1, "game": made.live.game.id, "keys": [], "match": MATCH, "server": "https://x.example"}
    lines: Lines = [head]
    for entry in made.stored():
        kind, _, schema = entry.kind.rpartition(".")
        body = opened(entry.body)[0]
        lines.append({**body, "hash": "", "match": MATCH, "prev": "", "schema": int(schema), "type": kind, "version": entry.version})
    return [*lines, {"forgepost": "head", "hash": "", "header": "", "match": MATCH, "version": 0}]


def away(since: int = NOON + HOUR, back: int = NOON + 11 * HOUR) -> Table:
    """A match whose site was away between these times, and came back."""
    made = chessboard()
    made.now = back
    made.does(MakeUp(since))
    return made


def test_a_deadline_that_passed_while_the_site_was_away_is_moved_by_its_absence_and_an_hour_to_come_back():
    made = chessboard()
    made.now = NOON + 3 * DAY
    assert made.does(MakeUp(NOON + 23 * HOUR)) == [ClockChanged("2026-12-02T13:00:00.000Z", "2026-11-30T11:00:00.000Z")]
    assert (made.events[-1].by.kind, made.events[-1].by.via) == ("clock", "clock")
    assert made.live.due == NOON + 3 * DAY + HOUR + HOUR, "the hour that was left when it went, from an hour after it came back"
    assert made.refuses(TimeOut(), after=HOUR).kind == "nobody-is-late"
    play(made)
    assert made.replayed() == made.live


def test_after_a_short_absence_the_clock_stands_still_no_longer_than_that_beyond_it():
    made = chessboard()
    made.now = NOON + HOUR
    assert made.does(MakeUp(NOON + 50 * MINUTE)) == [ClockChanged("2026-11-29T13:10:00.000Z", "2026-11-29T12:50:00.000Z")]
    assert made.live.due == NOON + DAY + 20 * MINUTE


def test_only_time_after_the_last_event_is_given_back():
    made = chessboard()
    made.now = NOON + 5 * HOUR
    play(made)
    asked = made.live.due
    made.now += 2 * HOUR
    assert made.does(MakeUp(NOON)) == [ClockChanged("2026-11-29T20:00:00.000Z", "2026-11-29T17:00:00.000Z")]
    assert asked
    assert made.live.due == asked + 3 * HOUR


def test_nothing_is_given_twice():
    made = away()
    due = made.live.due
    assert made.refuses(MakeUp(NOON + HOUR), after=MINUTE).words == "since 2026-11-29T23:00:00.000Z no time was lost that would have to be given back"
    assert made.refuses(MakeUp(NOON + HOUR), after=6 * MINUTE).words == "the clock stands still until 2026-11-30T00:00:00.000Z already"
    assert made.live.due == due


def test_what_is_shorter_than_five_minutes_is_no_absence():
    made = chessboard()
    made.now = NOON + HOUR
    assert made.refuses(MakeUp(made.now - 5 * MINUTE + 1)).kind == "nobody-is-late"
    assert made.does(MakeUp(made.now - 5 * MINUTE))


def test_an_absence_in_a_pause_gives_back_only_what_was_beyond_it():
    made = chessboard()
    made.does(Offer(ann(), "pause", 2 * 3_600))
    made.does(Answer(BO, 1, "accept"))
    assert made.live.due == NOON + DAY + 2 * HOUR
    made.now = NOON + 4 * HOUR
    made.does(MakeUp(NOON + HOUR))
    assert made.live.due == NOON + DAY + 5 * HOUR
    assert made.live.paused_until == NOON + 5 * HOUR


def test_an_offer_on_the_table_and_a_turn_that_may_be_taken_back_outlast_an_absence():
    made = chessboard(undo_seconds=86_400)
    play(made)
    mover, other = both(made)
    made.does(Offer(mover))
    made.does(MakeUp(0), after=10 * HOUR)
    assert made.live.offer
    made.does(Answer(other, 1, "decline"))
    made.does(TakeBack(mover, made.live.mark.seat if made.live.mark else ""))
    assert made.live.due == NOON + DAY + 11 * HOUR


def test_a_match_that_is_over_needs_no_time():
    made = chessboard()
    made.does(Resign(BO))
    assert made.refuses(MakeUp(NOON), after=DAY).kind == "match-over"


def test_the_verifier_believes_an_absence_and_says_that_it_cannot_know():
    made = away()
    play(made)
    report = verify(forged(exported(made)))
    assert report.flaws == ()
    version = next(at for at, event in enumerate(made.events, start=1) if isinstance(event.fact, ClockChanged))
    words = f"that the site was away from 2026-11-29T13:00:00.000Z to 2026-11-29T23:00:00.000Z, as version {version} says"
    assert words in report.unchecked


def test_a_server_that_makes_an_absence_up_is_held_to_what_it_could_give():
    changes: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
        'its “paused_until” should be "2026-11-30T00:00:00.000Z", not "2026-12-30T00:00:00.000Z"': ({"paused_until": "2026-12-30T00:00:00.000Z"}, {}),
        'its “since” should be "2026-11-29T12:00:00.000Z", not "2026-11-29T08:00:00.000Z"': ({"since": "2026-11-29T08:00:00.000Z"}, {}),
        "since 2026-11-29T22:59:00.000Z no time was lost": ({"since": "2026-11-29T22:59:00.000Z"}, {}),
        "its “since” is no time": ({"since": "yesterday"}, {}),
        'its “by” should be {"kind":"clock","via":"clock"}': ({}, {"kind": "player", "player": "p-bo", "via": "web"}),
    }
    for words, (data, by) in changes.items():
        lines = exported(away())
        at = first(lines, "clock.changed")
        lines[at]["data"].update(data)
        lines[at]["by"].update(by)
        check, said = found(forged(lines))
        assert (check, words in said) == ("rules", True), said
    lines = exported(away())
    del lines[first(lines, "clock.changed")]["data"]["since"]
    assert "nothing brought clock.changed" in found(forged(lines))[1]
