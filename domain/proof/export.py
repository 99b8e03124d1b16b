"""An export: everything that happened in a match, one canonical line per event, between a header and a trailer (api.md)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from domain.chain import ORIGIN, canonical
from domain.match.codec import Line
from domain.match.lobby import card_hash
from domain.match.match import Match


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line: what the lines are about, who wrote them, and the public keys (JWKs) that its heads are signed with."""

    forgepost: Literal["history"]
    format: Literal[1]
    match: str
    game: str
    edition: int
    server: str  # its public base URL
    keys: tuple[dict[str, Any], ...]
    components: str | UnsetType = UNSET  # SHA-256 (hex) of the game's cards, for games that have some


class Trailer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The last line: where the match stood when it was exported, so that a tail cut off is missed; the signature is a compact JWS."""

    forgepost: Literal["head"]
    match: str
    version: int
    hash: str
    signature: str | UnsetType = UNSET


def export(match: Match, lines: Iterable[Line], server: str, keys: Iterable[dict[str, Any]], signature: str | UnsetType = UNSET) -> Iterator[bytes]:
    """The lines of a whole history, each with its LF; `signature` is that of the last line's head."""
    game = match.game
    yield canonical(Header("history", 1, match.id, game.id, game.edition, server, tuple(keys), card_hash(game))) + b"\n"
    version, head = 0, ORIGIN.hex()
    for line in lines:
        yield canonical(line) + b"\n"
        version, head = line.version, line.hash
    yield canonical(Trailer("head", match.id, version, head, signature)) + b"\n"
