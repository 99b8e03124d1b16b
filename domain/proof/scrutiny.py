"""An export read with suspicion: each line for itself (form), and after the one before it (chain)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Literal, TypeAlias, TypeVar

import msgspec

from domain.chain import ORIGIN, canonical, link
from domain.game import Record
from domain.games import GAMES
from domain.match.codec import Damage, Line, decode, encode
from domain.match.events import Event
from domain.ports import Stored
from domain.proof.export import Header, Trailer

ENOUGH = 100  # flaws after which nobody reads on

Check: TypeAlias = Literal["form", "chain", "rules", "lots", "head"]


class Flaw(Record, frozen=True):
    """Something that does not hold; `line` counts from 1, and the words name the version."""

    check: Check
    line: int
    words: str


def exports(raw: bytes) -> list[bytes]:
    """The exports in a file, which may hold several, one after the other: each begins with its header."""
    lines = [line + b"\n" for line in raw.split(b"\n")]
    lines[-1] = lines[-1][:-1]
    starts = [at for at, line in enumerate(lines) if b'"forgepost":"history"' in line and at]
    return [b"".join(lines[start:end]) for start, end in zip([0, *starts], [*starts, len(lines)], strict=True)]


class Scrutiny(Record, frozen=True):
    """What could be read of an export, and what is wrong with it line by line; without flaws, header and trailer are there."""

    header: Header | None
    trailer: Trailer | None
    lines: tuple[Line, ...]
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
        flaws.append(Flaw("form", len(lines), "it does not end with the trailer of an export: its end was cut off"))
    first = 1 if header else 0
    said = lines[first : -1 if trailer else None]
    if not said:
        flaws.append(Flaw("form", len(lines) + 1, "it holds no events"))
    shown, log = _read(said, first, header, flaws)
    if trailer and not flaws:
        flaws += _at_its_end(trailer, shown[-1], len(lines))
        if trailer.header != sha256(lines[0]).hexdigest():
            flaws.append(Flaw("head", 1, "its header is not the one that its trailer names: one of the two was changed"))
    return Scrutiny(header, trailer, tuple(shown), tuple(log), tuple(flaws))


T = TypeVar("T", Header, Trailer)


def _framed(line: bytes, shape: type[T]) -> T | None:
    """A header or trailer, if this is one, canonical to the byte."""
    try:
        framed = msgspec.json.decode(line, type=shape)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None
    return framed if canonical(framed) == line else None


class _Body(msgspec.Struct, frozen=True):
    """The part of a line that the chain covers as stored."""

    at: msgspec.Raw
    by: msgspec.Raw
    data: msgspec.Raw
    ply: msgspec.Raw


_line = msgspec.json.Decoder(Line)


def _read(lines: Sequence[bytes], first: int, header: Header | None, flaws: list[Flaw]) -> tuple[list[Line], list[Event]]:
    """Each line for itself and after the one before: form, chain, and the event that it tells of."""
    shown: list[Line] = []
    log: list[Event] = []
    seen: set[int] = set()
    game = GAMES.get(header.game) if header else None
    for at, raw in enumerate(lines, start=first + 1):
        try:
            line = _line.decode(raw)
            ours = canonical(line) == raw
        except (msgspec.MsgspecError, ValueError, RecursionError):
            ours = False
        if len(flaws) >= ENOUGH:
            break
        if not ours:
            flaws.append(Flaw("form", at, f"line {at} is no event in canonical form"))
            continue
        stored = Stored(line.version, f"{line.type}.{line.schema}", canonical(_Body(line.at, line.by, line.data, line.ply)))
        flaws += _linked(line, stored, at, shown[-1] if shown else None, header, seen)
        seen.add(line.version)
        shown.append(line)
        try:
            event = decode(game if len(shown) > 1 else None, stored)
        except Damage as damage:
            flaws.append(Flaw("form", at, str(damage)))
            continue
        if encode(event) != (stored.kind, stored.body):
            flaws.append(Flaw("form", at, f"version {line.version} says more than an event of its type can, or says it in another form"))
        log.append(event)
    return shown, log


def _linked(line: Line, stored: Stored, at: int, before: Line | None, header: Header | None, seen: set[int]) -> Iterator[Flaw]:
    """The chain, from the line alone and then from the line before it."""
    version, due = line.version, before.version + 1 if before else 1
    try:
        made = link(bytes.fromhex(line.prev), line.match, stored.kind, stored.body).hex()
    except ValueError:
        made = ""
    if made != line.hash:
        yield Flaw("chain", at, f"version {version} was changed: its hash does not follow from what it says")
    if header and line.match != header.match:
        yield Flaw("chain", at, f"version {version} is of another match, {line.match}")
    if version in seen:
        yield Flaw("chain", at, f"version {version} stands a second time")
    elif version < due:
        yield Flaw("chain", at, f"version {version} stands after version {due - 1}: the order was changed")
    elif version > due:
        missing = f"version {due} is" if version == due + 1 else f"versions {due} to {version - 1} are"
        yield Flaw("chain", at, f"{missing} missing before version {version}")
    elif line.prev != (before.hash if before else ORIGIN.hex()):
        yield Flaw("chain", at, f"version {version} follows another event than the one before it")


def _at_its_end(trailer: Trailer, last: Line, at: int) -> Iterator[Flaw]:
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
