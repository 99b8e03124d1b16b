"""What the domain asks of the world: a log of events, a lot to draw, the time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, Protocol, TypeAlias

from domain.chain import ORIGIN
from domain.game import Record

Clock: TypeAlias = Callable[[], int]  # milliseconds since 1970


class Draws(Protocol):
    """Draws in the making; `index` is how many single draws the match has made by now."""

    index: int

    def __call__(self, n: int, /) -> int: ...


class Lot(Protocol):
    """Nature's hand in one match: committed to before the first draw, opened after the last."""

    @property
    def commitment(self) -> str: ...
    def at(self, ply: int, index: int, entropy: bytes) -> Draws: ...
    def reveal(self) -> str: ...


class Tip(Record, frozen=True):
    """Where a match's log stands: its newest version and that event's hash."""

    version: int = 0
    hash: bytes = ORIGIN


class Stored(Record, frozen=True):
    """One event as it lies in the log: `kind` is type and schema (`action.taken.1`), `body` canonical JSON, byte for byte."""

    version: int
    kind: str
    body: bytes


class Key(Record, frozen=True):
    """An idempotency key, scoped to who used it; `fingerprint` tells the request it was first used for."""

    actor: str
    key: str
    fingerprint: str


Mode: TypeAlias = Literal["move", "timeout", "admin"]


class Append(Record, frozen=True):
    """Events to be written at once or not at all, onto exactly the tip they were decided on."""

    match: str
    expected: Tip
    entries: tuple[tuple[str, bytes], ...]  # kind and body of each
    hash: bytes  # the chain's head after them
    now: int  # ms; the time written in the events
    mode: Mode  # a move after the deadline and a time-out before it are refused
    status: str  # waiting, live or over
    due: int | None  # the next deadline, ms
    notes: bytes  # canonical JSON for the feed's readers: which types of events these are
    key: Key | None = None


class Appended(Record, frozen=True):
    """Written, and as durable as the log promises; `pending`: but for replicas that have not said yet that they have it, too."""

    pending: bool = False


class Replayed(Record, frozen=True):
    """This very request was written before, as the events after `after` up to and with `version`."""

    after: int
    version: int


class KeyReused(Record, frozen=True):
    """The idempotency key belongs to another request."""


class Conflict(Record, frozen=True):
    """Somebody else was first; the match stands at `version`."""

    version: int


class Closed(Record, frozen=True):
    """The match is over or archived: nothing is written to it any more."""


class Late(Record, frozen=True):
    """A move after its deadline."""

    due: int


class Early(Record, frozen=True):
    """A time-out before the deadline (or of a match without one: None)."""

    due: int | None


class Damaged(Record, frozen=True):
    """The log contradicts itself (TIP, CHAIN, BAD-TYPE): the match is read-only until somebody has looked."""

    what: str


Appending: TypeAlias = Appended | Replayed | KeyReused | Conflict | Closed | Late | Early | Damaged


class LogUnavailable(Exception):
    """The log cannot be reached, or may not be written to; the message says why and that nothing was acknowledged."""


class ClocksApart(LogUnavailable):
    """The log's clock says another time than the events: one of both is wrong, or the append was long on its way. Nothing was written."""


class EventLog(Protocol):
    """An append-only log per match. Reading an unknown match gives nothing."""

    def append(self, batch: Append) -> Appending:
        """Write, or say why not. Safe to repeat after a lost reply. Raises LogUnavailable."""
        ...

    def read(self, match: str, after: int = 0, limit: int | None = None) -> Sequence[Stored]:
        """The events after a version, oldest first. Raises LogUnavailable."""
        ...

    def recall(self, match: str, key: Key) -> Replayed | KeyReused | None:
        """What an idempotency key was used for in this match's partition, if anything. Raises LogUnavailable."""
        ...

    def vouch(self, match: str, tip: Tip) -> Conflict | Damaged | None:
        """None where the newest append left the match at exactly this tip; a Conflict where it has gone on since. Raises LogUnavailable.

        For whoever read all events without having seen them before: a tip that stored bytes come to is the match's only if its head says so.
        """
        ...

    def pending(self, match: str) -> bool:
        """Whether replicas have yet to say that they have all of the match. Raises LogUnavailable."""
        ...
