"""Times as people read them: weekday, date, time and zone, and how long it is until then."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

UTC_ZONE: Final = "UTC"
UNITS: Final = (("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1))


def moment(at: int, zone: str = UTC_ZONE) -> str:
    """A time (ms) in a zone (IANA name): `Sunday 29 November 2026, 13:00 Europe/Berlin (UTC+01:00)`; seconds where it is not on the minute's full."""
    local = datetime.fromtimestamp(at // 1000, UTC).astimezone(ZoneInfo(zone))
    clock = f"{local:%H:%M}" if local.second == 0 else f"{local:%H:%M:%S}"
    return f"{local:%A} {local.day} {local:%B} {local.year}, {clock} {zone} ({_offset(local)})"


def span(ms: int) -> str:
    """How long (ms), in its two largest units: `2 days 5 hours`, `1 minute`, `40 seconds`."""
    left = max(ms // 1000, 0)
    said: list[str] = []
    for name, seconds in UNITS:
        count, left = divmod(left, seconds)
        if count or (name == "second" and not said):
            said.append(f"{count} {name}{'' if count == 1 else 's'}")
        elif said:
            break
        if len(said) == 2:
            break
    return " ".join(said)


def _offset(local: datetime) -> str:
    offset = local.utcoffset() or timedelta()
    hours, minutes = divmod(abs(offset) // timedelta(minutes=1), 60)
    return f"UTC{'-' if offset < timedelta() else '+'}{hours:02d}:{minutes:02d}"
