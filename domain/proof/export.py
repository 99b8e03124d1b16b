"""An export: everything that happened in a match, one canonical line per event, between a header and a trailer (api.md)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import Annotated, Any, Literal, Protocol, TypeAlias

import msgspec
from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import replace

from domain.chain import ORIGIN, canonical
from domain.match.codec import Line
from domain.match.lobby import card_hash
from domain.match.match import Match

HEAD, EXPORT = "forgepost-head+jws", "forgepost-export+jws"  # the two things that a site signs, told apart by the JWS's `typ`


Jwk: TypeAlias = dict[Annotated[str, Meta(pattern="^[a-z0-9_#]+$(?!\n)")], str]  # one that can be written in one way only


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line: what the lines are about, who wrote them, and the public keys (JWKs) that its heads are signed with."""

    forgepost: Literal["history"]
    format: Literal[1]
    match: str
    game: str
    edition: int
    server: str  # its public base URL
    keys: tuple[Jwk, ...]
    components: str | UnsetType = UNSET  # SHA-256 (hex) of the game's cards, for games that have some


class Trailer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The last line: where the match stood when it was exported, so that a tail cut off is missed, and which header belongs to it.

    Two compact JWS: `signature` is over the head, the same that stands beside a match everywhere; `seal` is over head and header.
    """

    forgepost: Literal["head"]
    match: str
    version: int
    hash: str
    header: str  # SHA-256 (hex) of the header line, without its LF
    signature: str | UnsetType = UNSET
    seal: str | UnsetType = UNSET


class Signer(Protocol):
    """Whoever signs for the site."""

    def sign_head(self, match: str, version: int, head: bytes, /) -> str: ...
    def sign_export(self, match: str, version: int, head: bytes, header: bytes, /) -> str: ...


def export(match: Match, lines: Iterable[Line], server: str, keys: Iterable[dict[str, Any]], signer: Signer | None = None) -> Iterator[bytes]:
    """The lines of a whole history, each with its LF."""
    game = match.game
    header = canonical(Header("history", 1, match.id, game.id, game.edition, server, tuple(keys), card_hash(game)))
    yield header + b"\n"
    version, head = 0, ORIGIN.hex()
    for line in lines:
        yield canonical(line) + b"\n"
        version, head = line.version, line.hash
    digest = sha256(header)
    trailer = Trailer("head", match.id, version, head, digest.hexdigest())
    if signer:
        said = match.id, version, bytes.fromhex(head)
        trailer = replace(trailer, signature=signer.sign_head(*said), seal=signer.sign_export(*said, digest.digest()))
    yield canonical(trailer) + b"\n"
