"""Words that are the same everywhere: numbers off stacks, counted things, names in a row."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from domain.games.penny_ante.stacks import Stacks


def joined(numbers: Stacks) -> str:
    """`2.2.0`."""
    return ".".join(map(str, numbers))


def told(stacks: Stacks) -> str:
    """`5.3` with how many stacks these are."""
    return f"{joined(stacks)} ({counted(len(stacks), 'stack')})"


def counted(number: int, name: str) -> str:
    """`1 penny`, `2 pennies`."""
    return f"{number} {name}" if number == 1 else f"{number} {name.removesuffix('y')}ies" if name.endswith("y") else f"{number} {name}s"


def one_of(names: Iterable[str]) -> str:
    """`b2, c2 or d2`."""
    *most, last = names
    return f"{', '.join(most)} or {last}" if most else last


def all_of(names: Sequence[str]) -> str:
    """`b2, c2 and d2`."""
    return " and ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)


def which_of(names: Sequence[str], most: int = 8) -> str:
    """All of them, or how many there are and some from either end."""
    return one_of(names) if len(names) <= most else f"{', '.join(names[:3])}, … or {names[-1]} ({len(names)} ways)"
