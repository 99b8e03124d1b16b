"""Times as people read them."""

import pytest

from domain.times import clock, day, in_zone, machine, moment, span

NOON = 1_795_953_600_000  # 2026-11-29T12:00:00Z
JULY = 1_783_000_245_000  # 2026-07-02T13:50:45Z


def test_a_moment_names_weekday_date_clock_zone_and_offset():
    assert moment(NOON, "Europe/London") == "Sunday 29 November 2026, 12:00 Europe/London (UTC+00:00)"


def test_utc_is_said_once():
    assert moment(NOON, "UTC") == "Sunday 29 November 2026, 12:00 UTC"
    assert moment(NOON + 30_000, "UTC") == "Sunday 29 November 2026, 12:00:30 UTC"


def test_a_zone_keeps_its_own_summer_time():
    assert moment(NOON, "Europe/Berlin") == "Sunday 29 November 2026, 13:00 Europe/Berlin (UTC+01:00)"
    assert moment(JULY, "Europe/Berlin") == "Thursday 2 July 2026, 15:50:45 Europe/Berlin (UTC+02:00)"


def test_offsets_west_of_greenwich_and_with_half_hours_are_told():
    assert moment(NOON, "America/St_Johns") == "Sunday 29 November 2026, 08:30 America/St_Johns (UTC-03:30)"
    assert moment(NOON, "Asia/Kathmandu") == "Sunday 29 November 2026, 17:45 Asia/Kathmandu (UTC+05:45)"


def test_day_and_clock_are_those_of_the_zone_and_programs_read_utc():
    late = NOON + 11 * 3_600_000 + 65_000
    assert (day(late, "UTC"), clock(late, "UTC")) == ("Sunday 29 November 2026", "23:01:05")
    assert (day(late, "Europe/Berlin"), clock(late, "Europe/Berlin")) == ("Monday 30 November 2026", "00:01:05")
    assert machine(late) == "2026-11-29T23:01:05Z"


@pytest.mark.parametrize(
    ("ms", "said"),
    [
        (3 * 86_400_000, "3 days"),
        (3 * 86_400_000 - 65_000, "3 days"),
        (3 * 86_400_000 - 1_800_001, "2 days and 23 hours"),
        (2 * 86_400_000 + 5 * 3_600_000 + 29 * 60_000, "2 days and 5 hours"),
        (2 * 86_400_000 + 29 * 60_000, "2 days"),
        (86_400_000 - 20_000, "1 day"),
        (7_199_000, "2 hours"),
        (3_599_000, "59 minutes and 59 seconds"),
        (3_660_000, "1 hour and 1 minute"),
        (3_601_000, "1 hour"),
        (61_000, "1 minute and 1 second"),
        (40_999, "40 seconds"),
        (999, "a moment"),
        (0, "a moment"),
        (-5_000, "a moment"),
    ],
)
def test_a_span_is_told_in_its_two_largest_units_to_the_nearest_of_the_smaller(ms: int, said: str):
    assert span(ms) == said


def test_times_within_words_are_told_in_the_readers_own_zone():
    words = "that turn could be taken back until 2026-11-29T12:00:05Z"
    assert in_zone(words, "Europe/Vienna") == "that turn could be taken back until Sunday 29 November 2026, 13:00:05 Europe/Vienna (UTC+01:00)"
    assert in_zone("nothing here is a time, not even 2026-11-29", "UTC") == "nothing here is a time, not even 2026-11-29"
