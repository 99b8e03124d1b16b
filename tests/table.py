"""A table to play at in tests: one match, its events so far, a clock that stands still unless told, and a lot that can be loaded."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from domain.chain import SeedLot
from domain.game import Action
from domain.match.codec import decode, encode
from domain.match.commands import Actor, Command, CreateMatch, Hold, House, Place, Submit
from domain.match.decide import decide
from domain.match.events import Event
from domain.match.match import Match, begin, evolve, fold
from domain.match.refusal import Refused
from domain.ports import Stored

NOON = 1_795_953_600_000  # 2026-11-29T12:00:00Z
MATCH = "07-0000000001"
SEED = bytes(range(32))


class LoadedDraws:
    """Draws whose falls were laid out before; after them, always the first candidate."""

    def __init__(self, falls: list[int], index: int) -> None:
        self.falls, self.index = falls, index

    def __call__(self, n: int, /) -> int:
        self.index += 1
        fall = self.falls.pop(0) if self.falls else 0
        assert 0 <= fall < n
        return fall


class LoadedLot(SeedLot):
    """A lot that falls as the test wants it."""

    def __init__(self, falls: Iterable[int] = ()) -> None:
        super().__init__(SEED, MATCH)
        self.falls = list(falls)

    def at(self, ply: int, index: int, entropy: bytes) -> Any:
        return LoadedDraws(self.falls, index)


class Table:
    """Given events, when a command, then events."""

    def __init__(self, lot: SeedLot | None = None) -> None:
        self.lot = lot or LoadedLot()
        self.now = NOON
        self.events: list[Event] = []
        self.match: Match | None = None

    @property
    def live(self) -> Match:
        assert self.match is not None
        return self.match

    def does(self, command: Command, after: int = 0) -> list[Any]:
        """The facts that the command brings, `after` so many ms."""
        self.now += after
        made = decide(self.match, command, self.lot, self.now)
        for event in made:
            self.match = begin(MATCH, event) if self.match is None else evolve(self.match, event)
            self.events.append(event)
        return [event.fact for event in made]

    def refuses(self, command: Command, after: int = 0) -> Refused:
        """The refusal that the command meets; nothing has happened then."""
        self.now += after
        try:
            made = decide(self.match, command, self.lot, self.now)
        except Refused as refused:
            return refused
        raise AssertionError(f"not refused: {made}")

    def plays(self, text: str, seat: str | None = None, player: str | None = None, after: int = 0) -> list[Any]:
        """A submission in words (several actions with `;`) by whoever is asked."""
        return self.does(self.said(text, seat, player), after)

    def said(self, text: str, seat: str | None = None, player: str | None = None) -> Submit:
        match = self.live
        seat = seat or match.asks[0].seat
        actions: tuple[Action, ...] = tuple(match.game.read(match.state, line) for line in text.split(";"))
        return Submit(Actor(player or match.chair(seat).player or "", "api"), seat, match.ply, actions)

    def stored(self) -> list[Stored]:
        """The events as the log would keep them."""
        return [Stored(version, *encode(event)) for version, event in enumerate(self.events, start=1)]

    def replayed(self) -> Match | None:
        """The match from its stored bytes alone."""
        return fold(MATCH, self.stored())

    def decoded(self) -> list[Event]:
        """The events from their stored bytes."""
        return [decode(self.live.game, stored) for stored in self.stored()]


def ann(via: str = "api") -> Actor:
    """The player who creates the matches of the tests."""
    return Actor("p-ann0000000", via)  # type: ignore[arg-type]


def creation(*places: Place, game: str = "fourfold", options: dict[str, Any] | None = None, **settings: Any) -> CreateMatch:
    """A match in the order of joining, unless said otherwise."""
    return CreateMatch(ann(), game, options or {}, {"seating": "joined", **settings}, places)


def four(*names: str) -> tuple[Place, ...]:
    """Seats for these players: a name that begins with `bot` is a house bot's."""
    return tuple(House("random", f"p-{name}") if name.startswith("bot") else Hold("p-ann0000000" if name == "ann" else f"p-{name}") for name in names)
