"""Every game by its rules alone, in one process: random playouts and replay; what limits each stands with its bench."""

from __future__ import annotations

from collections.abc import Iterator

from tests.bench import bench_four_forges, bench_fourfold, bench_links, bench_penny_ante, bench_steinnheimr
from tests.bench.measure import Measure, at_least, at_most


def measures() -> Iterator[Measure]:
    """Actions and events a second, and what one link and one signature cost."""
    yield at_least("random playouts of Fourfold", bench_fourfold.playout(), 30_000, "actions/s")
    yield at_least("random playouts of Four Forges", bench_four_forges.playout(), 20_000, "actions/s")
    yield at_least("random playouts of Steinnheimr", bench_steinnheimr.playout(), 10_000, "actions/s")
    yield at_least("random playouts of Penny Ante, sampled", bench_penny_ante.playout(), 5_000, "actions/s")
    yield at_least("replay of Fourfold", bench_fourfold.replay(), 100_000, "events/s")
    yield at_least("replay of Four Forges", bench_four_forges.replay(), 100_000, "events/s")
    yield at_least("replay of Steinnheimr", bench_steinnheimr.replay(), 100_000, "events/s")
    yield at_least("replay of Penny Ante", bench_penny_ante.replay(), 50_000, "events/s")
    yield at_most("an objection in Four Forges", bench_four_forges.judged(), 50, "µs", 1)
    yield at_most("an objection in Penny Ante", bench_penny_ante.judged() * 1e6, 50, "µs", 1)
    yield at_most("an objection in Steinnheimr", bench_steinnheimr.judging(), 50, "µs", 1)
    yield from bench_links.measures()
