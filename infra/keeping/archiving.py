"""Moving matches that are over to the archive: written first, read back, and only then taken out of Redis; safe to repeat after any crash."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

from infra.keeping.archive import ArchiveUnavailable, digest, events_of
from infra.keeping.inspection import inspect, proof
from infra.redis_log import keys
from infra.redis_log.unavailable import in_words
from infra.wiring import Site

MOVE = files("infra.redis_log").joinpath("archive.lua").read_text()
DAY = 86_400_000  # ms


def old_enough(site: Site, days: int) -> list[str]:
    """The matches that are over and were last written to so many days ago, not read-only. Raises LogUnavailable."""
    until = site.clock() - days * DAY
    heads = site.census.heads(sorted(site.census.matches()))
    return [match for match, head in heads.items() if head and head.status == "over" and head.at <= until and not head.why]


def archive(site: Site, match: str) -> str:
    """Move one match; why it was not moved, "" if it was or had been. Raises LogUnavailable."""
    found = inspect(site, match)
    if found.head is None or found.match is None:
        return "there is no such match" if not found.known else "it cannot be read"
    if found.head.status == "archived":
        return ""
    if found.head.status != "over":
        return f"it is {found.head.status}: only matches that are over go to the archive"
    if found.damage or found.head.why:
        return f"it does not hold ({[*found.damage, found.head.why][0]})"
    bundle = proof(site, found.match, list(site.log.read(match)))
    there = site.archive.get(match)
    try:
        if there is not None:
            events_of(match, there, found.tip.hash.hex())
    except ArchiveUnavailable as other:  # another history under this name stays where it is, and this one in Redis
        return str(other)
    site.archive.put(match, bundle)
    back = site.archive.get(match)
    if back != bundle:
        return "what was written to the archive did not come back as it was"
    script = site.redis.register_script(MOVE)
    with in_words(writing=True):
        moved: Any = script(keys=[keys.head(match), keys.events(match)], args=[found.tip.version, found.tip.hash.hex(), digest(bundle)])
    return "" if moved else _now(site, match)


def _now(site: Site, match: str) -> str:
    """A script that was sent twice after a lost reply finds its own work."""
    head = site.census.heads([match])[match]
    return "" if head and head.status == "archived" else "it changed meanwhile: try again"
