"""When mails may go out: every so many hours, daily, out of quiet hours, and right also on the days when the clocks are changed."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from domain.match.match import Ask
from infra.people.preferences import Preferences, Quiet
from workers.cadence import loud, opens, reminded, reminders

VIENNA = "Europe/Vienna"
HOUR = 3_600_000
NIGHT = Quiet(22, 7)


def at(text: str, zone: str = VIENNA) -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).timestamp()) * 1000


def local(ms: int, zone: str = VIENNA) -> str:
    return f"{datetime.fromtimestamp(ms / 1000, ZoneInfo(zone)):%Y-%m-%dT%H:%M%z}"


def test_a_mail_for_each_turn_goes_at_once_and_with_no_mail_none_ever():
    now = at("2026-11-30T10:00")
    assert opens(Preferences(), VIENNA, now - 1, now) == now
    assert opens(Preferences("off"), VIENNA, 0, now) is None


def test_at_most_every_six_hours_is_six_hours_after_the_last_mail_whatever_the_clocks_do():
    now = at("2026-11-30T10:00")
    assert opens(Preferences("every", 6), VIENNA, 0, now) == now
    assert opens(Preferences("every", 6), VIENNA, now - 2 * HOUR, now) == now + 4 * HOUR
    assert opens(Preferences("every", 6), VIENNA, now - 7 * HOUR, now) == now
    late = at("2026-10-25T00:30")
    assert local(opens(Preferences("every", 6), VIENNA, late, late) or 0) == "2026-10-25T05:30+0100"


@pytest.mark.parametrize(
    ("now", "hour", "expected"),
    [
        ("2026-11-30T07:59", 8, "2026-11-30T08:00+0100"),
        ("2026-11-30T08:00", 8, "2026-12-01T08:00+0100"),
        ("2026-11-30T23:30", 0, "2026-12-01T00:00+0100"),
        ("2026-03-28T09:00", 8, "2026-03-29T08:00+0200"),
        ("2026-03-28T09:00", 2, "2026-03-29T03:00+0200"),
        ("2026-10-24T09:00", 8, "2026-10-25T08:00+0100"),
        ("2026-10-24T09:00", 2, "2026-10-25T02:00+0200"),
        ("2026-10-25T02:30", 2, "2026-10-26T02:00+0100"),
    ],
)
def test_one_mail_a_day_comes_at_its_hour_by_the_readers_own_clock(now: str, hour: int, expected: str):
    assert local(opens(Preferences("daily", hour=hour), VIENNA, 0, at(now)) or 0) == expected


def test_a_whole_year_of_daily_mails_has_one_on_each_day():
    when, days = at("2026-01-01T12:00"), []
    for _ in range(365):
        when = opens(Preferences("daily", hour=2), VIENNA, 0, when) or 0
        days.append(local(when)[:10])
    assert len(set(days)) == 365
    assert (days[0], days[-1]) == ("2026-01-02", "2027-01-01")


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        ("2026-11-30T21:59", "2026-11-30T21:59+0100"),
        ("2026-11-30T22:00", "2026-12-01T07:00+0100"),
        ("2026-12-01T03:00", "2026-12-01T07:00+0100"),
        ("2026-12-01T07:00", "2026-12-01T07:00+0100"),
        ("2026-03-28T23:00", "2026-03-29T07:00+0200"),
        ("2026-10-24T23:00", "2026-10-25T07:00+0100"),
    ],
)
def test_no_mail_comes_in_quiet_hours_over_midnight(now: str, expected: str):
    assert local(loud(at(now), NIGHT, VIENNA)) == expected
    assert local(opens(Preferences(quiet=NIGHT), VIENNA, 0, at(now)) or 0) == expected


def test_quiet_hours_within_a_day_are_those_of_the_readers_zone():
    siesta = Quiet(13, 15)
    assert local(loud(at("2026-11-30T13:30", "Asia/Kolkata"), siesta, "Asia/Kolkata"), "Asia/Kolkata") == "2026-11-30T15:00+0530"
    assert loud(at("2026-11-30T13:30", "Asia/Kolkata"), siesta, VIENNA) == at("2026-11-30T13:30", "Asia/Kolkata")


def test_reminders_come_by_share_of_the_time_or_by_hours_left():
    ask = Ask("north", 3, 7, at("2026-11-30T10:00"), at("2026-12-03T10:00"))
    wishes = ("80%", "12h", "5%")
    assert [local(each) for each in reminders(wishes, ask)] == ["2026-12-02T19:36+0100", "2026-12-02T22:00+0100", "2026-11-30T13:36+0100"]


@pytest.mark.parametrize(
    ("asked", "due", "expected"),
    [
        ("2026-11-30T10:00", "2026-12-03T04:00", "2026-12-02T22:00+0100"),  # 5 h before: 23:00 on the evening before, so an hour earlier
        ("2026-12-02T23:00", "2026-12-03T09:00", "2026-12-03T07:00+0100"),  # asked within the quiet hours: after them
        ("2026-12-02T23:00", "2026-12-03T06:00", "2026-12-03T01:00+0100"),  # after them would be too late
        ("2026-11-30T10:00", "2026-12-03T18:00", "2026-12-03T13:00+0100"),
    ],
)
def test_a_reminder_keeps_out_of_quiet_hours_but_never_comes_too_late(asked: str, due: str, expected: str):
    ask = Ask("north", 3, 7, at(asked), at(due))
    assert [local(each) for each in reminded(Preferences(reminders=("5h",), quiet=NIGHT), VIENNA, ask)] == [expected]
