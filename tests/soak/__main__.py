"""`python -m tests.soak`: the long runs, each as long as it is asked to be; status 1 when something does not hold."""

from __future__ import annotations

from argparse import ArgumentParser
from collections import Counter
from time import time

from tests.soak import changes, examples, failovers, kills, matches, playouts, requests


def main() -> None:
    """Run what was asked for and say how it went; a failure names the seed that brings it back."""
    parser = ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--playouts", type=int, default=10_000, help="random matches of each game, by the rules alone")
    parser.add_argument("--matches", type=int, default=10_000, help="random matches on a real Redis")
    parser.add_argument("--changes", type=int, default=100_000, help="bytes of exports to change")
    parser.add_argument("--kills", type=int, default=300, help="processes to kill")
    parser.add_argument("--failovers", type=int, default=30, help="fail-overs of Redis, each of a site that was just started")
    parser.add_argument("--requests", type=int, default=200, help="requests of every kind for each operation of the API, at least")
    parser.add_argument("--examples", type=int, default=10, help="rounds of all tests that are tried with made-up examples")
    parser.add_argument("--seed", type=int, default=int(time()), help="where chance begins")
    asked = parser.parse_args()
    print(f"seed {asked.seed}", flush=True)
    if asked.playouts:
        _told("playouts", playouts.run(asked.playouts, asked.seed, _say))
    if asked.matches:
        _told("matches", matches.run(asked.matches, asked.seed, _say))
    if asked.changes:
        _told("changes", changes.run(asked.changes, asked.seed, _say))
    if asked.kills:
        _told("kills", kills.run(asked.kills, asked.seed, _say))
    if asked.failovers:
        _told("events around fail-overs", failovers.run(asked.failovers, asked.seed, _say))
    if asked.requests:
        _told("requests", requests.run(asked.requests, asked.seed, _say))
    if asked.examples:
        _told("examples", examples.run(asked.examples, asked.seed, _say))


def _told(what: str, counted: Counter[str]) -> None:
    for name, count in sorted(counted.items()):
        print(f"{count:>7}  {name}")
    print(f"{counted.total():>7}  {what}, and everything held", flush=True)


def _say(words: str) -> None:
    print(words, flush=True)


if __name__ == "__main__":
    main()
