"""People play by mail while the processes around them are killed; every match that was over must hold whatever was confirmed."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

from tests.end_to_end.house import House
from tests.end_to_end.siege import Siege

PAUSE = 5.0  # seconds between two kills: as long as it takes to start again on a busy machine, or nothing would ever be done


def run(count: int, seed: int, say: Callable[[str], object]) -> Counter[str]:
    """So many kills in one house; who was killed how often. Fails when anything that was confirmed is lost or doubled."""
    with tempfile.TemporaryDirectory() as data, House(Path(data)) as house:
        siege = Siege(house, "ann@example.org", Random(seed), undo_seconds="0")
        siege.last(count, PAUSE)
        say(f"{len(siege.matches)} matches were played through it, {sum(len(match.played) for match in siege.matches)} actions confirmed by mail")
        return siege.killed
