"""A measure: what was found, what is wanted, and whether that is met."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from time import process_time


@dataclass(frozen=True)
class Measure:
    """`met` None: nothing was promised, it is good to know."""

    words: str
    found: str
    wanted: str = ""
    met: bool | None = None

    def __str__(self) -> str:
        mark = {True: "ok", False: "NO", None: "  "}[self.met]
        return f"{mark} {self.words:<64} {self.found:>22}  {self.wanted}"


def at_least(words: str, rate: float, wanted: float, unit: str) -> Measure:
    """More is better."""
    return Measure(words, f"{rate:,.0f} {unit}", f"at least {wanted:,.0f}", met=rate >= wanted)


def at_most(words: str, found: float, wanted: float, unit: str = "", digits: int = 0) -> Measure:
    """Less is better."""
    return Measure(words, f"{found:,.{digits}f} {unit}".rstrip(), f"at most {wanted:,.{digits}f}", met=found <= wanted)


def seconds(work: Callable[[], object], rounds: int = 5) -> float:
    """Seconds of processor time in the best of several rounds: what others do on the machine counts as little as it can."""
    best = float("inf")
    for _ in range(rounds):
        start = process_time()
        work()
        best = min(best, process_time() - start)
    return best


def middle(times: Sequence[float]) -> float:
    """Half of them took longer."""
    return median(times)
