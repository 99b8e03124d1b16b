"""Schemathesis asks a real site whatever openapi.yaml allows, and what it does not; no answer may be another than is promised."""

from __future__ import annotations

import os
import re
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from tests.end_to_end.house import House
from tests.fuzz.running import fuzz


def run(count: int, seed: int, say: Callable[[str], object]) -> Counter[str]:
    """So many requests of every kind for each operation; fails with what was asked and answered where anything is wrong."""
    os.environ["RATE_LIMITS"] = "off"  # or most would be refused before anybody reads them
    with tempfile.TemporaryDirectory() as data, House(Path(data) / "house") as house:
        said = fuzz(house, Path(data), count, seed)
    found = sum(map(int, re.findall(r"(\d+) generated", said)))
    assert found, said
    say(f"schemathesis sent {found} requests or rows of them")
    return Counter({"requests": found})
