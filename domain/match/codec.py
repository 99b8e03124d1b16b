"""Events to stored bytes and back; the one place where an old schema is read as today's."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Generic, TypeAlias, TypeVar

import msgspec

from domain.chain import canonical, instant, link, stamp
from domain.game import Game, Record
from domain.match.events import KINDS, ActionTaken, By, Event, Fact
from domain.ports import Stored, Tip


class Damage(Exception):
    """Stored events that cannot be understood; stops their match and no other."""


F = TypeVar("F")


class _Body(msgspec.Struct, Generic[F], frozen=True):
    at: str
    by: By
    data: F
    ply: int


_FACTS: dict[str, type[Record]] = {kind: fact for fact, kind in KINDS.items()}

Upcaster: TypeAlias = Callable[[dict[str, Any]], dict[str, Any]]

# What an event was called and what it is called since, with the data of the one as data of the other: reading goes on from there until the
# kind is one of today's. Stored bytes are never rewritten.
UPCASTERS: dict[str, tuple[str, Upcaster]] = {}


@cache
def _decoder(kind: str, game: Game[Any, Any, Any] | None) -> msgspec.json.Decoder[_Body[Fact]]:
    """Reads a whole body in one go, a game's actions included. KeyError for an unknown kind."""
    fact: Any = _FACTS[kind]
    body: Any = _Body
    return msgspec.json.Decoder(body[fact[game.actions] if fact is ActionTaken and game else fact])


def encode(event: Event) -> tuple[str, bytes]:
    """Kind and canonical body of an event, as the log stores them."""
    return KINDS[type(event.fact)], canonical(_Body(stamp(event.at), event.by, event.fact, event.ply))


def decode(game: Game[Any, Any, Any] | None, stored: Stored) -> Event:
    """The event behind stored bytes; the game is None only for a match's first event. Raises Damage."""
    try:
        kind, raw = (stored.kind, stored.body) if stored.kind in _FACTS else _upcast(stored)
        body = _decoder(kind, game).decode(raw)
        return Event(instant(body.at), body.by, body.ply, body.data)
    except KeyError:
        raise Damage(f"version {stored.version} is of the unknown type {stored.kind}; this server is older than the event") from None
    except (msgspec.MsgspecError, ValueError) as wrong:
        raise Damage(f"version {stored.version} ({stored.kind}) cannot be read: {wrong}") from wrong


def faithful(event: Event, stored: Stored) -> bool:
    """Whether stored bytes say what was read from them and nothing else, in canonical form; of an old kind, whether they are canonical."""
    if stored.kind in _FACTS:
        return encode(event) == (stored.kind, stored.body)
    said = msgspec.json.decode(stored.body)
    return set(said) == set(_Body.__struct_fields__) and canonical(said) == stored.body


def _upcast(stored: Stored) -> tuple[str, bytes]:
    """An old event as it would be stored today; as it is where nothing is known about its kind."""
    kind, body = stored.kind, msgspec.json.decode(stored.body)
    while kind not in _FACTS and kind in UPCASTERS:
        was, (kind, upcaster) = kind, UPCASTERS[kind]
        try:
            body["data"] = upcaster(body["data"])
        except Exception as wrong:  # whatever a damaged event makes it stumble over
            raise ValueError(f"it is no {was}: {wrong!r}") from wrong
    return kind, canonical(body)


class Line(msgspec.Struct, frozen=True):
    """One event as it is shown everywhere (API, stream, export): the stored values with their place in the chain beside them."""

    at: msgspec.Raw
    by: msgspec.Raw
    data: msgspec.Raw
    hash: str
    match: str
    ply: msgspec.Raw
    prev: str
    schema: int
    type: str
    version: int


class _Shown(msgspec.Struct, frozen=True):
    at: msgspec.Raw
    by: msgspec.Raw
    data: msgspec.Raw
    ply: msgspec.Raw


_shown = msgspec.json.Decoder(_Shown)


def line(match: str, version: int, kind: str, body: bytes, prev: bytes, now: bytes) -> Line:
    """A stored event as a shown event, with the hash before it and its own."""
    shown = _shown.decode(body)
    name, _, schema = kind.rpartition(".")
    return Line(shown.at, shown.by, shown.data, now.hex(), match, shown.ply, prev.hex(), int(schema), name, version)


def lines(match: str, tip: Tip, entries: list[Stored]) -> list[Line]:
    """Stored events that follow a tip as shown events; hashes are made anew from the bytes. Raises Damage when one is missing."""
    shown, prev = [], tip.hash
    for version, stored in enumerate(entries, start=tip.version + 1):
        if stored.version != version:
            raise Damage(f"version {stored.version} stands where version {version} belongs")
        now = link(prev, match, stored.kind, stored.body)
        shown.append(line(match, version, stored.kind, stored.body, prev, now))
        prev = now
    return shown
