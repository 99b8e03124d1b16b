"""When what has failed is tried again: soon at first, then ever more seldom."""

from __future__ import annotations

from itertools import accumulate, chain, repeat
from typing import Final

WAITS: Final = (60_000, 300_000, 900_000, 3_600_000)  # ms between tries; the last one again and again


def next_try(since: int, now: int) -> int:
    """When (ms) something that was first tried at `since` is tried again: 1, 6, 21, 81 minutes after that, then every hour.

    So how often it was tried stands nowhere but in the time.
    """
    waits = chain(WAITS, repeat(WAITS[-1]))
    return next(at for at in accumulate(waits, initial=since) if at > now)
