"""Moments and spans of time as people say them."""

from __future__ import annotations

from datetime import UTC, datetime

UNITS = (("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1))


def moment(at: int) -> str:
    """A time (ms since 1970) in words: `Thursday 3 December 2026, 10:05 UTC`."""
    when = datetime.fromtimestamp(at // 1000, UTC)
    return f"{when:%A} {when.day} {when:%B %Y, %H:%M} UTC"


def machine(at: int) -> str:
    """A time (ms since 1970) for the `datetime` attribute: `2026-12-03T10:05:00Z`."""
    return f"{datetime.fromtimestamp(at // 1000, UTC):%Y-%m-%dT%H:%M:%SZ}"


def clock(at: int) -> str:
    """The time of day (UTC) of a time (ms since 1970): `10:05:00`."""
    return f"{datetime.fromtimestamp(at // 1000, UTC):%H:%M:%S}"


def span(ms: int) -> str:
    """How long that is, in its two largest units: `2 days and 23 hours`; what is shorter than a second is `a moment`."""
    rest, parts = max(ms, 0) // 1000, []
    for name, seconds in UNITS:
        count, rest = divmod(rest, seconds)
        if count:
            parts.append(f"{count} {name}" + ("s" if count > 1 else ""))
        elif parts:
            break  # "2 days", not "2 days and 5 minutes"
    return " and ".join(parts[:2]) or "a moment"
