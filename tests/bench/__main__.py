"""`python -m tests.bench [NAME…]`: every measure, with what is wanted; status 1 when one is not met. Only ratios of one run mean much."""

from __future__ import annotations

import os
import sys

from tests.bench import bench_fold, bench_games, bench_http, bench_log, bench_site

BENCHES = {
    "fold": bench_fold.measures,
    "games": bench_games.measures,
    "log": bench_log.measures,
    "http": bench_http.measures,
    "site": bench_site.measures,
}


def main(names: list[str]) -> int:
    """The benches of these names, or all."""
    if unknown := [name for name in names if name not in BENCHES]:
        print(f"there is no bench {unknown[0]}; there are {', '.join(BENCHES)}")
        return 2
    load = os.getloadavg()[0]
    if load > 0.5:
        print(f"   this machine is busy (load {load:.1f}): times will look worse than they are")
    missed = 0
    for name in names or BENCHES:
        for measure in BENCHES[name]():
            print(measure, flush=True)
            missed += measure.met is False
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
