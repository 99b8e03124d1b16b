"""What takes a second to make and is the same for everybody: whoever asks first makes it, and who asks meanwhile waits instead of making it, too."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from threading import Lock
from typing import TypeVar

T = TypeVar("T")


def once(make: Callable[[], T]) -> Callable[[], T]:
    """The same function, called once only, however many threads ask; one that raises is called again by the next."""
    pen, kept = Lock(), cache(make)

    def made() -> T:
        with pen:
            return kept()

    return made
