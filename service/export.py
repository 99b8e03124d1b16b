"""The history of a match as a file that proves itself: the same from the API and from the pages."""

from __future__ import annotations

from domain.desk import Sight
from domain.proof.export import export as written
from infra.wiring import Site

MEDIA = "application/x-ndjson"


def export(site: Site, sight: Sight) -> bytes:
    """All events up to the version seen, one canonical line each, between header and signed trailer."""
    match, tip = sight.match, sight.tip
    lines = site.desk.history(match.id, limit=tip.version)
    return b"".join(written(match, lines, site.settings.url, site.signing.public(), site.signing))


def named(sight: Sight) -> str:
    """What the file is called where it is saved."""
    return f"{sight.match.game.id}-{sight.match.id}.ndjson"
