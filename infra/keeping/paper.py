"""What a backup is on paper: one canonical JSON value a line, and a manifest that counts them and knows their hashes."""

from __future__ import annotations

from base64 import b64decode, b64encode
from typing import Any, Literal, TypeAlias

import msgspec

from domain.chain import canonical

MANIFEST = "manifest.json"
SIGNATURE = "manifest.jws"  # by the site that made the backup, over the SHA-256 of the manifest
SITE = "site.ndjson"  # what belongs to no partition: players, addresses, tokens, keys


class EventLine(msgspec.Struct, frozen=True, tag="event", tag_field="line"):
    """One event as it is stored; `body` is its canonical JSON, byte for byte."""

    match: str
    version: int
    kind: str
    body: str


class MatchLine(msgspec.Struct, frozen=True, tag="match", tag_field="line"):
    """A match's head, after its events."""

    match: str
    head: dict[str, str]


Type: TypeAlias = Literal["string", "list", "set", "hash", "zset", "stream"]


class KeyLine(msgspec.Struct, frozen=True, tag="key", tag_field="line"):
    """Any other key of Redis. `value`: a text (string), texts (list, set), pairs (hash, zset) or a `Stream`.

    A text that is no UTF-8 is `{"base64": …}`.
    """

    key: str
    type: Type
    value: Any
    expires: int | None = None  # ms since 1970


class Group(msgspec.Struct, frozen=True):
    """How far a group of readers has come: the last entry that it was given, and those before it that it has not finished with."""

    name: str
    last: str
    pending: tuple[str, ...]


class Stream(msgspec.Struct, frozen=True):
    """A stream's entries (id and pairs), the last id that it ever gave, and its groups."""

    entries: tuple[tuple[str, tuple[tuple[Any, Any], ...]], ...]
    last: str
    groups: tuple[Group, ...]


Line: TypeAlias = EventLine | MatchLine | KeyLine


class Sheet(msgspec.Struct, frozen=True):
    """A file of the backup."""

    name: str
    lines: int
    bytes: int
    sha256: str


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the backup holds. `damaged`: matches whose log contradicted itself when it was made, and how; they are kept as they were."""

    forgepost: Literal["backup"]
    format: Literal[1]
    at: str
    server: str
    partitions: int
    matches: int
    events: int
    damaged: dict[str, str]
    keys: tuple[dict[str, Any], ...]  # the server's public keys
    files: tuple[Sheet, ...]


read_line = msgspec.json.Decoder(Line).decode
read_manifest = msgspec.json.Decoder(Manifest).decode


def written(line: Line) -> bytes:
    """The line with its LF."""
    return canonical(line) + b"\n"


def said(raw: bytes) -> Any:
    """Bytes as JSON can say them."""
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return {"base64": b64encode(raw).decode()}


def meant(text: Any) -> bytes:
    """The bytes behind `said`."""
    return b64decode(text["base64"]) if isinstance(text, dict) else str(text).encode()
