"""Matches that have been over for long go to the archive by themselves, where the site is told to (ARCHIVE_AFTER_DAYS)."""

from __future__ import annotations

from typing import Final

from infra.keeping import archiving
from infra.wiring import Site
from workers.jobs import Jobs

LOOK: Final = 3_600_000  # ms between two looks for such matches,
MORE: Final = 10_000  # and where one found more than a job's worth
MATCHES: Final = 20  # a job's worth
AGAIN: Final = 86_400_000  # ms until a match that is still there is tried again


class Archivist:
    """Has matches archived by jobs, a few at a time. One that cannot be moved is tried once a day, and its job says why: jobs may be lost, too."""

    def __init__(self, site: Site, jobs: Jobs) -> None:
        self._site, self._jobs = site, jobs
        self._next = 0  # ms
        self._tried: dict[str, int] = {}  # match → until when (ms) it is left alone

    def look(self) -> None:
        """Make a job of some of what is old enough, now and then."""
        now = self._site.clock()
        if not self._site.settings.archive_after or now < self._next:
            return
        self._tried = {match: until for match, until in self._tried.items() if until > now}
        found = [match for match in archiving.old_enough(self._site, self._site.settings.archive_after) if match not in self._tried]
        if found[:MATCHES]:
            self._jobs.archive(found[:MATCHES])
        self._tried |= dict.fromkeys(found[:MATCHES], now + AGAIN)
        self._next = now + (MORE if len(found) > MATCHES else LOOK)
