"""Folding and verifying Fourfold from stored bytes, in one process."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from random import Random

from domain.chain import SeedLot
from domain.desk import Desk
from domain.games.fourfold import GAME
from domain.match.match import fold
from domain.proof.export import export
from domain.proof.verify import verify
from tests.bench import bench_fourfold
from tests.bench.measure import Measure, at_least, seconds
from tests.memory_log import MemoryLog
from tests.people import People, Watch

MATCHES = 100


def measures() -> Iterator[Measure]:
    """Events a second, and what the rules alone would allow."""
    watch, log = Watch(), MemoryLog()
    desk = Desk(log, lambda match: SeedLot(bytes(32), match), watch)
    names = [f"07-{number:010d}" for number in range(MATCHES)]
    matches = [People(desk, watch, Random(name), lively=0).play(name, GAME.id) for name in names]
    stored = [(name, log.read(name)) for name in names]
    exports = [b"".join(export(match, desk.history(match.id), "https://turns.example.org", [])) for match in matches]
    events = sum(len(entries) for _, entries in stored)
    gc.freeze()  # a process that only folds or verifies has not played all this before

    def folded() -> None:
        for name, entries in stored:
            fold(name, entries)

    def verified() -> None:
        assert not any(verify(raw).flaws for raw in exports)

    yield at_least("fold stored events of Fourfold: decoding, match and rules", events / seconds(folded), 100_000, "events/s")
    yield at_least("fold positions of Fourfold: the rules alone", bench_fourfold.replay(), 100_000, "events/s")
    yield at_least("random playouts of Fourfold", bench_fourfold.playout(), 20_000, "actions/s")
    yield at_least("verify exports without signatures", events / seconds(verified), 50_000, "events/s")
