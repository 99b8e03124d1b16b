"""When a mail may go out, by what its reader wants: pure, and right by the reader's own clock also when that is set forward or back."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from typing import assert_never
from zoneinfo import ZoneInfo

from domain.match.match import Ask
from infra.people.preferences import Preferences, Quiet, Reminder

HOUR = 3_600_000  # ms


def opens(wanted: Preferences, zone: str, last: int, now: int) -> int | None:
    """When (ms) the next mail to a player may go, who got the `last` one (ms; 0: none yet) then; None: no mail at all."""
    match wanted.cadence:
        case "each":
            at = now
        case "every":
            at = max(now, spaced(wanted, last))
        case "daily":
            at = next(each for each in _daily(wanted.hour, zone, now) if each > now)
        case "off":
            return None
        case _ as never:
            assert_never(never)
    return loud(at, wanted.quiet, zone)


def spaced(wanted: Preferences, last: int) -> int:
    """When (ms) enough time has passed since the last mail (ms)."""
    return last + wanted.hours * HOUR if wanted.cadence == "every" and last else 0


def reminders(wishes: tuple[Reminder, ...], ask: Ask) -> list[int]:
    """When (ms) a seat that has not answered is to be reminded, wish by wish: so much of its time gone, or so many hours left."""
    return [
        ask.asked + round((ask.due - ask.asked) * int(wish[:-1]) / 100) if wish.endswith("%") else ask.due - int(wish[:-1]) * HOUR for wish in wishes
    ]


def reminded(wanted: Preferences, zone: str, ask: Ask) -> list[int]:
    """The same, out of the quiet hours: before them where there is time, after them otherwise, and within them rather than too late."""
    return [_reminded(at, wanted.quiet, zone, ask) for at in reminders(wanted.reminders, ask)]


def _reminded(at: int, quiet: Quiet | None, zone: str, ask: Ask) -> int:
    after = loud(at, quiet, zone)
    if quiet is None or after == at:
        return at
    before = max(each for each in _daily(quiet.start, zone, at - 24 * HOUR) if each <= at)
    return before if before > ask.asked else after if after < ask.due else at


def loud(at: int, quiet: Quiet | None, zone: str) -> int:
    """The time (ms) itself, or the end of the quiet hours that it lies in."""
    if quiet is None:
        return at
    hour = _local(at, zone).hour
    within = quiet.start <= hour < quiet.end if quiet.start < quiet.end else not quiet.end <= hour < quiet.start
    return next(each for each in _daily(quiet.end, zone, at) if each > at) if within else at


def _daily(hour: int, zone: str, since: int) -> Iterator[int]:
    """The full hour of each day from the day of a time on: the one after it where the clocks leave it out, the first where it comes twice."""
    day: date = _local(since, zone).date()
    for days in range(4):
        yield int(datetime.combine(day + timedelta(days), time(hour), ZoneInfo(zone)).astimezone(UTC).timestamp()) * 1000


def _local(at: int, zone: str) -> datetime:
    return datetime.fromtimestamp(at // 1000, UTC).astimezone(ZoneInfo(zone))
