"""Projections made anew from the log: whatever can be told from a match's events is compared with them and put right, and nobody is told."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from importlib.resources import files
from typing import Any, Final, TypeAlias

from domain.chain import link
from domain.match.codec import Damage
from domain.match.match import Match, fold
from domain.ports import Tip
from infra.ids import partition
from infra.keeping.archive import ArchiveUnavailable
from infra.listing import row
from infra.redis_log import keys
from infra.redis_log.unavailable import in_words
from infra.wiring import Site

UNREADABLE: Final = "its events cannot be read"
MEND = files("infra.redis_log").joinpath("mend.lua").read_text()

# What was wrong with one match, in words that go before "put right"; "" if nothing was.
Projection: TypeAlias = Callable[[Site, Match, Tip], str]


def _deadline(site: Site, match: Match, tip: Tip) -> str:
    """The head's status and deadline, and the index that the clock goes by."""
    status = "over" if match.status == "aborted" else match.status
    script = site.redis.register_script(MEND)
    with in_words(writing=True):
        differed: Any = script(
            keys=[keys.head(match.id), keys.due(partition(match.id))],
            args=[match.id, tip.version, tip.hash.hex(), status, "" if match.due is None else match.due],
        )
    return " and ".join(word.decode() for word in differed)


def _listing(site: Site, match: Match, _tip: Tip) -> str:
    return "listing" if site.listing.mend(row(match)) else ""


PROJECTIONS: Final[tuple[Projection, ...]] = (_deadline, _listing)


def rebuild(site: Site, matches: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Each match with what of it was wrong and is right now, "" if nothing was. Raises LogUnavailable.

    A match whose log contradicts itself, or is in an archive that is away, is left as it is: there is nothing to make it anew from.
    """
    for name in matches:
        try:
            entries = site.log.read(name)
        except ArchiveUnavailable as away:
            yield name, f"{UNREADABLE} ({away}), so nothing was"
            continue
        tip = Tip()
        for entry in entries:
            tip = Tip(entry.version, link(tip.hash, name, entry.kind, entry.body))
        try:
            match = fold(name, entries)
        except Damage as damage:
            yield name, f"{UNREADABLE} ({damage}), so nothing was"
            continue
        if match is None:
            yield name, "it has no events, so nothing was"
            continue
        yield name, " and ".join(words for mend in PROJECTIONS if (words := mend(site, match, tip)))


def tidy(site: Site) -> int:
    """Take out of the listing what no match stands for; how many entries went. Raises LogUnavailable."""
    known = site.census.matches()
    return site.listing.sweep(lambda match: match in known or site.census.heads([match])[match] is not None)
