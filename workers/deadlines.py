"""Deadlines: every seat whose time has run out, as a normal command through the desk, which alone judges whether it really has."""

from __future__ import annotations

from logging import getLogger
from typing import Final

from domain.match.commands import TimeOut
from domain.match.refusal import Refused
from infra.keeping.absence import absence
from infra.wiring import Site

log = getLogger(__name__)

MATCHES: Final = 100  # a job's worth

# Somebody played in the last moment, or another copy of this job was faster: nothing is left to do.
SETTLED: Final = frozenset({"nobody-is-late", "match-over", "not-live", "busy"})


def enforce(site: Site, partition: int) -> None:
    """What is due in a partition, the longest overdue first. Any number of these may run at once, early or late.

    It never waits for a deadline that is near: while it did, those of other partitions would pass behind it. After an absence of the site
    nothing is enforced before a clock has given back what time it cost.
    """
    if absence(site):
        return
    for match, _ in site.dues.due(partition, site.clock(), MATCHES):
        time_out(site, match)


def time_out(site: Site, match: str) -> None:
    """Do what becomes of the late seats of a match, if any are. A match that cannot be read stops itself and no other."""
    try:
        site.desk.do(match, TimeOut())
    except Refused as refused:
        if refused.kind not in SETTLED:
            log.error("the deadlines of match %s cannot be enforced: %s", match, refused.words)  # noqa: TRY400 - the words say all
