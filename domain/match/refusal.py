"""No, in words: what kind of refusal it is, why, and what a person can do next."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal, TypeAlias

from domain.shapes import Fault

Kind: TypeAlias = Literal[
    "invalid-match",  # the game, options, settings or seats asked for do not fit together
    "no-such-match",
    "not-seated",  # whoever asks has no seat in this match
    "not-your-seat",
    "no-such-seat",  # no seat of this match has that name
    "seat-taken",
    "not-live",  # the match has not begun
    "match-over",
    "not-over",  # what is only for a match that has ended
    "stale-ply",
    "stale-head",  # a signed move was made for a head that the position has left behind, or that this match never had
    "precondition-failed",  # the match is not at the version that whoever asks said it must be at
    "not-your-turn",
    "deadline-passed",
    "interrupted",  # chance, another seat or a forced action comes in between
    "illegal-action",
    "unreadable-text",
    "no-such-offer",
    "offer-pending",  # one offer at a time lies on the table
    "invalid-offer",  # an offer that says what none can say
    "nothing-to-take-back",
    "nobody-is-late",
    "key-reused",
    "match-damaged",
    "busy",  # others were first, several times in a row
]

RULING = re.compile(r"\(([A-Z]{2}-\d+)[,)]")


class Refused(Exception):
    """A command that was not done. Nothing was written; `action` is the index of the first action that cannot be."""

    faults: tuple[Fault, ...] = ()  # where several things can be wrong with what was asked for: each of them, and where

    def __init__(self, kind: Kind, words: str, *, action: int | None = None, due: int | None = None, since: tuple[str, ...] = ()) -> None:
        super().__init__(words)
        self.kind: Kind = kind
        self.words = words
        self.action = action
        self.due = due  # the deadline that passed, ms
        self.since = since  # what was played meanwhile, as text lines

    @classmethod
    def of(cls, kind: Kind, faults: Iterable[Fault]) -> Refused:
        """A refusal that names every fault."""
        found = tuple(faults)
        refused = cls(kind, "; ".join(dict.fromkeys(fault.words for fault in found)))
        refused.faults = found
        return refused

    @property
    def ruling(self) -> str | None:
        """The ruling that the words name, if they do."""
        named = RULING.search(self.words)
        return named[1] if named else None
