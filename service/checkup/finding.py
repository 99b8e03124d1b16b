"""What the doctor says about one thing."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    """What was found, in words; `sound` False: something must be done, None: good to know."""

    sound: bool | None
    words: str


def good(words: str) -> Finding:
    """It is as it should be."""
    return Finding(sound=True, words=words)


def known(words: str) -> Finding:
    """Good to know."""
    return Finding(sound=None, words=words)


def bad(words: str) -> Finding:
    """Something must be done."""
    return Finding(sound=False, words=words)
