"""Moments and spans of time as people say them: in a mail and on a page alike, in the reader's own zone."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

UTC_ZONE: Final = "UTC"  # for whoever has named no zone
STAMP: Final = re.compile(r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?Z")
UNITS: Final = (("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1))


def moment(at: int, zone: str) -> str:
    """A time (ms) in a zone (IANA name): `Sunday 29 November 2026, 13:00 Europe/Berlin (UTC+01:00)`; seconds where it is not a full minute."""
    local = _local(at, zone)
    time = f"{local:%H:%M}" if local.second == 0 else f"{local:%H:%M:%S}"
    return f"{day(at, zone)}, {time} {zone}" + ("" if zone == UTC_ZONE else f" ({_offset(local)})")


def in_zone(words: str, zone: str) -> str:
    """Words for everybody with the times in them (`2026-11-29T12:00:00Z`) as one reader has them."""
    return STAMP.sub(lambda found: moment(int(datetime.fromisoformat(found[0]).timestamp() * 1000), zone), words)


def day(at: int, zone: str) -> str:
    """The day of a time (ms) in a zone: `Sunday 29 November 2026`."""
    local = _local(at, zone)
    return f"{local:%A} {local.day} {local:%B} {local.year}"


def clock(at: int, zone: str) -> str:
    """The time of day of a time (ms) in a zone: `13:00:05`."""
    return f"{_local(at, zone):%H:%M:%S}"


def machine(at: int) -> str:
    """A time (ms) as HTML has it for programs: `2026-11-29T12:00:00Z`."""
    return f"{datetime.fromtimestamp(at // 1000, UTC):%Y-%m-%dT%H:%M:%SZ}"


def span(ms: int) -> str:
    """How long that is, in its two largest units, to the nearest of the smaller: `2 days and 23 hours`; less than a second is `a moment`.

    So three days that began a moment ago are `3 days`. Under an hour nothing is rounded up: there a second more is one too many.
    """
    rest, parts = max(ms, 0) // 1000, []
    for whole, nearest in ((86_400, 3_600), (3_600, 60)):
        if rest >= whole:
            rest = (rest + nearest // 2) // nearest * nearest
    for name, seconds in UNITS:
        count, rest = divmod(rest, seconds)
        if count:
            parts.append(f"{count} {name}" + ("s" if count > 1 else ""))
        elif parts:
            break  # "2 days", not "2 days and 5 minutes"
    return " and ".join(parts[:2]) or "a moment"


def _local(at: int, zone: str) -> datetime:
    return datetime.fromtimestamp(at // 1000, UTC).astimezone(ZoneInfo(zone))


def _offset(local: datetime) -> str:
    offset = local.utcoffset() or timedelta()
    hours, minutes = divmod(abs(offset) // timedelta(minutes=1), 60)
    return f"UTC{'-' if offset < timedelta() else '+'}{hours:02d}:{minutes:02d}"
