"""An export read with suspicion: each line for itself (form), and after the one before it (chain)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from typing import Literal, TypeAlias, TypeVar

import msgspec

from domain.chain import ORIGIN, canonical, link
from domain.game import Record
from domain.games import EDITIONS
from domain.match.codec import Damage, decode, faithful
from domain.match.events import Event, MatchCreated
from domain.ports import Stored
from domain.proof.export import Header, Trailer

ENOUGH = 100  # flaws after which nobody reads on
SHORTEST = 200  # bytes: no event has less, and a line counts for as many, since it takes about as much room
LARGEST = 1 << 26  # bytes; an export that is larger is none

Check: TypeAlias = Literal["form", "chain", "rules", "lots", "moves", "head"]


class Flaw(Record, frozen=True):
    """Something that does not hold; `line` counts from 1, and the words name the version."""

    check: Check
    line: int
    words: str


def exports(lines: Iterable[bytes]) -> Iterator[bytes]:
    """The exports in a file, given line by line, which may hold many, one after the other: each begins with its header.

    Behind one that is too large to be any, nobody reads on: it does not hold, and so the file does not.
    """
    kept: list[bytes] = []
    size = 0
    for line in lines:
        if size > LARGEST:
            break
        if kept and b'"forgepost":"history"' in line:
            yield b"".join(kept)
            kept, size = [], 0
        kept.append(line)
        size += max(len(line), SHORTEST)
    yield b"".join(kept)


class Place(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The part of a line behind `at`, `by` and `data`: an event's place in the chain, and its ply."""

    hash: str
    match: str
    ply: int
    prev: str
    schema: int
    type: str
    version: int


class Scrutiny(Record, frozen=True):
    """What could be read of an export, and what is wrong with it line by line; without flaws, header and trailer are there."""

    header: Header | None
    trailer: Trailer | None
    places: tuple[Place, ...]
    log: tuple[Event, ...]
    flaws: tuple[Flaw, ...]


def scrutinise(export: bytes) -> Scrutiny:
    """Read one export, line by line."""
    flaws: list[Flaw] = []
    *lines, rest = export.split(b"\n")
    if rest:
        flaws.append(Flaw("form", len(lines) + 1, "its last line is not complete"))
    header = _framed(lines[0] if lines else b"", Header)
    trailer = _framed(lines[-1] if lines else b"", Trailer)
    if header is None:
        flaws.append(Flaw("form", 1, "it does not begin with the header of an export that this verifier knows"))
    if trailer is None:
        flaws.append(Flaw("form", max(len(lines), 1), "it does not end with the trailer of an export: its end was cut off"))
    first = 1 if header else 0
    said = lines[first : -1 if trailer else None]
    if not said:
        flaws.append(Flaw("form", len(lines) + 1, "it holds no events"))
    places, log = _read(said, first, header, flaws)
    if trailer and not flaws:
        flaws += _at_its_end(trailer, places[-1], len(lines))
        if trailer.header != sha256(lines[0]).hexdigest():
            flaws.append(Flaw("head", 1, "its header is not the one that its trailer names: one of the two was changed"))
    return Scrutiny(header, trailer, tuple(places), tuple(log), tuple(flaws))


T = TypeVar("T", Header, Trailer)


def _framed(line: bytes, shape: type[T]) -> T | None:
    """A header or trailer, if this is one, canonical to the byte."""
    try:
        framed = msgspec.json.decode(line, type=shape)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None
    return framed if canonical(framed) == line else None


_place = msgspec.json.Decoder(Place)


def _split(raw: bytes) -> tuple[Place, Stored] | None:
    """A line as its place in the chain and what the log stores; None for what is no canonical line. What is stored is not looked into."""
    said, found, rest = raw.rpartition(b',"hash":"')
    try:
        place = _place.decode(tail := b'{"hash":"' + rest)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None
    if not found or canonical(place) != tail:
        return None
    return place, Stored(place.version, f"{place.type}.{place.schema}", b'%b,"ply":%d}' % (said, place.ply))


def _read(lines: Sequence[bytes], first: int, header: Header | None, flaws: list[Flaw]) -> tuple[list[Place], list[Event]]:
    """Each line for itself and after the one before: form, chain, and the event that it tells of."""
    places: list[Place] = []
    log: list[Event] = []
    game, unknown = None, False
    match, version, head = header.match if header else "", 0, ORIGIN.hex()
    for at, raw in enumerate(lines, start=first + 1):
        if len(flaws) >= ENOUGH:
            break
        if (split := _split(raw)) is None:
            flaws.append(Flaw("form", at, f"line {at} is no event in canonical form"))
            continue
        place, stored = split
        made = _made(place, stored)
        if (place.version, place.prev, place.hash, place.match) != (version + 1, head, made, match):
            flaws += _astray(place, made, at, places[-1] if places else None, header, {other.version for other in places})
        version, head = place.version, place.hash
        places.append(place)
        if unknown:
            continue
        try:
            event = decode(game, stored)
        except Damage as damage:
            flaws.append(Flaw("form", at, str(damage)))
            continue
        if not faithful(event, stored):
            flaws.append(Flaw("form", at, f"version {place.version} says more than an event of its type can, or says it in another form"))
        log.append(event)
        if game is None and isinstance(created := event.fact, MatchCreated):
            game = EDITIONS.get((created.game, created.edition))
            if unknown := game is None:
                flaws.append(Flaw("rules", at, _unknown(created)))
    return places, log


def _unknown(created: MatchCreated) -> str:
    return f"version 1: the rules of {created.game}, edition {created.edition}, are not known here: verify it with a Forgepost that has them"


def _made(place: Place, stored: Stored) -> str:
    """The hash that follows from what a line says; nothing where what it follows is no hash."""
    try:
        return link(bytes.fromhex(place.prev), place.match, stored.kind, stored.body).hex()
    except ValueError:
        return ""


def _astray(place: Place, made: str, at: int, before: Place | None, header: Header | None, seen: set[int]) -> Iterator[Flaw]:
    """What is wrong with a line in the chain, first by itself and then after the line before it."""
    version, due = place.version, before.version + 1 if before else 1
    if made != place.hash:
        yield Flaw("chain", at, f"version {version} was changed: its hash does not follow from what it says")
    if header and place.match != header.match:
        yield Flaw("chain", at, f"version {version} is of another match, {place.match}")
    if version in seen:
        yield Flaw("chain", at, f"version {version} stands a second time")
    elif version < due:
        yield Flaw("chain", at, f"version {version} stands after version {due - 1}: the order was changed")
    elif version > due:
        missing = f"version {due} is" if version == due + 1 else f"versions {due} to {version - 1} are"
        yield Flaw("chain", at, f"{missing} missing before version {version}")
    elif place.prev != (before.hash if before else ORIGIN.hex()):
        yield Flaw("chain", at, f"version {version} follows another event than the one before it")


def _at_its_end(trailer: Trailer, last: Place, at: int) -> Iterator[Flaw]:
    """The trailer's head against the last event."""
    version = last.version
    if trailer.match != last.match:
        yield Flaw("head", at, f"its trailer is of another match, {trailer.match}")
    elif trailer.version > version:
        yield Flaw("head", at, f"it ends with version {version}, and its trailer names version {trailer.version}: its end was cut off")
    elif trailer.version < version:
        yield Flaw("head", at, f"it goes on to version {version}, beyond version {trailer.version} that its trailer names")
    elif trailer.hash != last.hash:
        yield Flaw("head", at, f"version {version} is not the one that its trailer names")
