"""After an absence of the site: the time in which nobody watched over the deadlines is given back before any of them is enforced."""

from __future__ import annotations

from logging import getLogger
from typing import Final

from domain.match.commands import MakeUp
from domain.match.outage import COMING_BACK, UNNOTICED
from domain.match.refusal import Refused
from infra.wiring import Site

log = getLogger(__name__)

ALL: Final = 1 << 30
NOTHING_LOST: Final = frozenset({"nobody-is-late", "match-over", "not-live"})


def absence(site: Site) -> int | None:
    """Since when (ms) nobody has watched over the deadlines; None where that is not worth mentioning. Raises LogUnavailable."""
    last = site.vigil.last()
    return last if last is not None and site.clock() - last >= UNNOTICED else None


def make_up(site: Site, since: int) -> int:
    """Give back the time since then in all matches in which somebody has less left than the absence lasted, or than it takes to come back.

    In how many that was. Who has more time left can still use it; repeated, it gives nobody anything twice. Raises LogUnavailable.
    """
    horizon = 2 * site.clock() - since + COMING_BACK
    due = [match for of in range(site.settings.partitions) for match, _ in site.dues.due(of, horizon, ALL)]
    return sum(not made_up(site, match, since) for match in due)


def made_up(site: Site, match: str, since: int) -> str:
    """Give back the time since then in a match, or say why not. A damaged one waits for a person, who gives it then. Raises LogUnavailable."""
    try:
        site.desk.do(match, MakeUp(since))
    except Refused as refused:
        if refused.kind not in NOTHING_LOST:
            log.error("the time that match %s lost cannot be given back: %s", match, refused.words)  # noqa: TRY400 - the words say all
        return refused.words
    return ""
