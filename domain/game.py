"""What a game is: a frozen record of pure functions over frozen values, and the words its answers are given in."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

import msgspec

from domain.picture import BY_PLACE, Look, Paint

Seat: TypeAlias = str


class Record(msgspec.Struct, frozen=True, gc=False):
    """A value: compared by content, never changed."""


class Action(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type"):
    """Base of every action: JSON with a `type`; each game's actions are a closed union of subclasses (repeat `frozen=True`, give `tag=`)."""


class Outcome(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind"):
    """Base of every chance outcome; the `kind` stands beside the outcome in the log, not in it."""


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Base of a game's options; bounds are `msgspec.Meta` annotations, what bounds cannot say is said by `Game.unfit`."""


class Standing(Record, frozen=True):
    """Who is where: `ranks` (1 is best, equal ranks are shared, one more than the seats strictly ahead) and `scores`, both by seat."""

    ranks: dict[Seat, int]
    scores: dict[Seat, int]


class Result(Standing, frozen=True):
    """A standing that is final, with the `reason` from the game's page."""

    reason: str


class Unreadable(ValueError):
    """A line that is no action of this game; the message says what would be."""


class Pick(Protocol):
    """A lot being drawn: `pick(n)` is one of 0 … n-1, each as likely as the others."""

    def __call__(self, n: int, /) -> int: ...


S = TypeVar("S")
A = TypeVar("A", bound=Action)
O = TypeVar("O", bound=Outcome)  # noqa: E741 - reads S, A, O: state, action, outcome

Bot: TypeAlias = Callable[[S, Seat, Pick], A]


def no_objection(_options: Any, _seats: tuple[Seat, ...]) -> str | None:
    """Every combination of options that fits its schema is playable."""
    return None


@dataclass(frozen=True)
class Scene(Generic[S, A]):
    """A position that the guide shows where it says `![…](board:name)`: for whom it is turned, and the last actions to mark."""

    state: S
    seat: Seat | None = None
    last: tuple[A, ...] = ()


@dataclass(frozen=True, kw_only=True, eq=False)
class Game(Generic[S, A, O]):
    """A set of rules. Every function is pure; at any moment exactly one of `awaited`, `chance_due`, `result` holds.

    `edition` rises when an old log would replay differently; the old edition stays playable.
    """

    id: str
    title: str
    edition: int
    seats: tuple[Seat, ...]  # every seat there can be, in the page's order
    sizes: tuple[int, ...]  # how many of them a match may use: always the first n
    options: type[Options]
    actions: Any  # the union of the Action types: codec and JSON Schema come from it
    outcomes: Any  # the union of the Outcome types; None for a game without chance
    views: Any  # the type of what `view` gives: JSON Schema comes from it
    guide: str  # how to play, Markdown
    scenes: Mapping[str, Scene[S, A]] = field(default_factory=dict)  # the positions that the guide shows, by name
    paints: tuple[Paint, ...] = BY_PLACE  # the colours of the seats, in pictures and beside their names; a game that calls them by colours says which
    shareable: bool = False  # may one player hold several seats?

    setup: Callable[[Any, tuple[Seat, ...]], S]
    seated: Callable[[S, tuple[tuple[Seat, ...], ...]], S] = lambda state, _players: state  # told each player's seats, before all else (FF-9)
    awaited: Callable[[S], tuple[Seat, ...]]
    chance_due: Callable[[S], bool]
    draw: Callable[[S, Pick], O]  # picks in the page's order of candidates; the outcome goes into the log
    legal: Callable[[S, Seat], Iterator[A]]  # lazy, canonical order, no duplicates
    legal_of: Callable[[S, Seat, str], Iterator[A]] | None = None  # those of one type, where `legal` is too long to look for them there
    objection: Callable[[S, Seat, A], str | None]  # the authority: why not, in words, naming the ruling
    apply: Callable[[S, Seat, A], S]  # total and trusting: replay never asks "may I?"
    apply_chance: Callable[[S, O], S]
    draws: Callable[[O], int] = lambda _outcome: 1  # how many single draws an outcome is made of
    result: Callable[[S], Result | None]
    standing: Callable[[S], Standing]  # how it would be ranked if it were ended by agreement now
    close: Callable[[S, str], S]  # ended by agreement or because players left: over as it stands, with that reason as its result's
    vacate: Callable[[S, Seat], S]
    caretaker: Callable[[S, Seat], A]  # what is played for a vacated seat that is awaited
    automatic: Callable[[A], bool] = lambda _action: False  # made by the server even where the match asks for every decision (FO-8)
    lapsed: Callable[[S, Seat], A | None] = lambda _state, _seat: None  # recorded for a seat whose time ran out instead of vacating it (FF-9)
    view: Callable[[S], Mapping[str, Any]]
    write: Callable[[A], str]
    read: Callable[[S, str], A]  # raises Unreadable; forgiving about case, blanks, dashes and arrows
    tell: Callable[[O], str]  # the chance outcome as a text line, with its leading "* "
    svg: Callable[[S, Look, Seat | None, tuple[A, ...]], str]  # for whom it is turned (or None), the last actions to mark
    text: Callable[[S], str]  # board for a proportional font, then the position as lists
    words: Callable[[S, Seat, tuple[str, ...]], Iterator[tuple[str, bool]]] | None = None  # next words of a line; None: found in `legal`
    bots: Mapping[str, Bot[S, A]] = field(default_factory=dict)  # house bots beside `random`; one of that name here where `legal` is too long to list
    unfit: Callable[[Any, tuple[Seat, ...]], str | None] = no_objection  # why these options cannot be played together
    components: Mapping[str, Any] = field(default_factory=dict)  # what lies in the box (cards), as JSON, served with the catalogue

    @property
    def look(self) -> Look:
        """How its pictures look in mails and by themselves: on light paper, the seats in their paints."""
        return Look(seats=tuple(paint.light for paint in self.paints))

    @property
    def sizes_said(self) -> str:
        """How many seats a match may have, in words: `4`, `2, 3 or 4`."""
        *others, last = map(str, self.sizes)
        return f"{', '.join(others)} or {last}" if others else last


def ranked(scores: Mapping[Seat, Any]) -> dict[Seat, int]:
    """Ranks from anything that can be ordered, higher is better: one more than the seats strictly ahead (1, 1, 3)."""
    return {seat: 1 + sum(other > score for other in scores.values()) for seat, score in scores.items()}
