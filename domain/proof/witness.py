"""Heads seen elsewhere, in a mail, an answer of the API or on a page: whatever they were seen on must be in the history still."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from domain.game import Record
from domain.proof.export import HEAD
from domain.proof.scrutiny import Flaw, Place

SAID = re.compile(r"(?:([^:]+):)?([1-9][0-9]{0,9}):([0-9a-f]{16,64})")

Keys: TypeAlias = tuple[dict[str, Any], ...]  # public keys, as JWKs
Signed: TypeAlias = Callable[[Keys, str, str], dict[str, Any] | None]  # what a compact JWS of a type says, if one of these keys signed it


class Witness(Record, frozen=True):
    """Somebody saw a match at a version with a hash (hex, its first 16 digits at least); `match` "": whichever match it is asked about."""

    version: int
    hash: str
    match: str = ""


Seen: TypeAlias = Witness | str  # a string is a signed head, a compact JWS


def witness(said: str) -> Witness:
    """What `12:9f3a…` or `07-0123456789:12:9f3a…` says; ValueError for anything else."""
    if (found := SAID.fullmatch(said)) is None:
        raise ValueError(f"{said!r} is no head: write VERSION:HASH as in 12:9f3a…, with 16 digits of the hash at least, or MATCH:VERSION:HASH")
    return Witness(int(found[2]), found[3], found[1] or "")


def compared(seen: Seen, match: str, places: Sequence[Place], keys: Keys, signed: Signed | None) -> Flaw | bool:
    """What a head seen elsewhere says against a history; else whether it is of this match, and so for it."""
    last = len(places)
    if isinstance(seen, str):
        said = signed(keys, seen, HEAD) if signed else None
        if said is None:
            return Flaw("head", last + 2, "the signed head that was given was not signed with any of the server's keys")
        seen = Witness(said["version"], said["hash"], said["match"])
    if seen.match not in ("", match):
        return False
    if seen.version > last:
        return Flaw("head", last + 2, f"it ends with version {last}, and version {seen.version} was seen elsewhere: its end was cut off")
    if not (found := places[seen.version - 1].hash).startswith(seen.hash):
        words = f"version {seen.version} has the hash {found[:16]}…, and was seen with {seen.hash[:16]}…: it is another history"
        return Flaw("head", seen.version + 1, words)
    return True
