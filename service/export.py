"""The history of a match to take away: as a file that proves itself, and as a text to read. The same from the API and from the pages."""

from __future__ import annotations

from domain.desk import Sight
from domain.match.record import record
from domain.match.telling import Cast
from domain.proof.export import export as written
from infra.wiring import Site

MEDIA = "application/x-ndjson"
TEXT = "text/plain"


def export(site: Site, sight: Sight) -> bytes:
    """All events up to the version seen, one canonical line each, between header and signed trailer."""
    match, tip = sight.match, sight.tip
    lines = site.desk.history(match.id, limit=tip.version)
    return b"".join(written(match, lines, site.settings.url, site.signing.public(), site.signing))


def readable(site: Site, sight: Sight, cast: Cast) -> bytes:
    """The same in words, with players called as in the cast."""
    match, tip = sight.match, sight.tip
    signature = site.signing.sign_head(match.id, tip.version, tip.hash)
    return record(site.desk.events(match), cast, tip.hash.hex(), signature).encode()


def named(sight: Sight, ending: str = "ndjson") -> str:
    """What the file is called where it is saved."""
    return f"{sight.match.game.id}-{sight.match.id}.{ending}"
