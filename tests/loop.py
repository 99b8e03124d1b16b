"""Coroutines in tests: run in a thread of their own, for a test in a browser leaves a loop running in the one that the tests run in."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from tests.servers import PATIENT

T = TypeVar("T")


def looped(coroutine: Coroutine[Any, Any, T]) -> T:
    """What it gives; raises what it raises."""
    with ThreadPoolExecutor(1) as another:
        return another.submit(asyncio.run, coroutine).result(PATIENT)
