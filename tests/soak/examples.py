"""The tests that are tried with made-up examples, with others in every round; `make test` tries the same ones each time."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from subprocess import PIPE, STDOUT
from subprocess import run as process

from tests.end_to_end.house import PROJECT


def run(rounds: int, seed: int, say: Callable[[str], object]) -> Counter[str]:
    """So many rounds, each from a seed of its own; fails with the example that brings it back where one does not hold."""
    for number in range(seed, seed + rounds):
        asked = ["-q", "-p", "no:cacheprovider", "-m", "hypothesis", "--hypothesis-profile=soak", f"--hypothesis-seed={number}"]
        done = process([sys.executable, "-m", "pytest", *asked], cwd=PROJECT, stdout=PIPE, stderr=STDOUT, text=True, check=False)
        assert done.returncode == 0, done.stdout
        say(f"seed {number}: {done.stdout.splitlines()[-1]}")
    return Counter({"rounds": rounds})
