"""One notice as one mail: looked at again just before it goes, sent once as far as SMTP allows, and put off, dropped or parked where it cannot go."""

from __future__ import annotations

from logging import getLogger
from typing import Final

from redis.exceptions import RedisError
from rq.timeouts import JobTimeoutException

from domain.ports import LogUnavailable
from infra.mail.bounces import bounced
from infra.mail.smtp import Refusal, TryLater
from infra.outbox import PERSONAL, Notice
from infra.wiring import Site
from workers.drafting import Ready, about_a_basket, about_a_match, about_a_player, about_an_answer, went
from workers.letters.envelope import Addresses
from workers.retries import WAITS, next_try

log = getLogger(__name__)

SENDING: Final = 40_000  # ms under which one job has a notice to itself; longer than a job may take
AT_ONCE: Final = 5_000  # ms until the next try where nobody listens, as when the mail server is being started again
PATIENCE: Final = 5 * 86_400_000  # ms, as long as mail servers try themselves


def send(site: Site, notice: Notice) -> None:
    """Send a notice, unless it is done already or somebody else is at it. Raises LogUnavailable and RedisError: the outbox brings it back then."""
    if not site.outbox.claim(notice, SENDING):
        return
    if notice.kind != "digest":
        _send(site, notice)
    elif site.baskets.claim(notice.player, SENDING):
        try:
            _send(site, notice)
        finally:
            site.baskets.let_go(notice.player)
    else:
        site.outbox.later(notice, site.clock() + AT_ONCE)


def _send(site: Site, notice: Notice) -> None:
    try:
        ready = _draft(site, notice)
    except (LogUnavailable, RedisError, JobTimeoutException):
        raise
    except Exception as wrong:
        log.exception("ALARM: no mail can be made of %s; it is parked", notice)
        site.outbox.park(notice, site.clock(), f"no mail can be made of it: {type(wrong).__name__}: {wrong}")
        return
    if ready is None:
        site.outbox.done(notice)
    elif isinstance(ready, int):
        site.outbox.later(notice, ready)
    else:
        _hand_over(site, notice, ready)


def _draft(site: Site, notice: Notice) -> Ready | int | None:
    """The mail; None where there is none to send, or when (ms) the notice is to be looked at again."""
    if notice.kind == "digest":
        return about_a_basket(site, notice)
    if notice.kind == "answer":
        return about_an_answer(site, notice)
    return about_a_player(site, notice) if notice.kind in PERSONAL else about_a_match(site, notice)


def _hand_over(site: Site, notice: Notice, ready: Ready) -> None:
    """Give the mail to the mail server, and note what it said."""
    player, to = ready.player, ready.to
    bounces = Addresses(site.keys, site.settings.mail_domain).bounce(player.id)
    try:
        site.mailer.send(ready.message, to, bounces)
    except (TryLater, JobTimeoutException) as later:
        site.tally.count("mails", "put off")
        words = str(later).replace(to, player.id)  # no addresses in the log
        _put_off(site, notice, words, ready.since, refused=isinstance(later.__cause__, ConnectionRefusedError))
    except Refusal as refusal:
        site.tally.count("mails", "refused")
        if refusal.recipient is None:
            log.error("ALARM: the mail server does not take %s; it is parked: %s", notice, refusal)  # noqa: TRY400 - the words say all
            site.outbox.park(notice, site.clock(), str(refusal).replace(to, player.id))
            return
        if to == player.address:  # a new address that takes no mail is simply not theirs
            bounced(site, player.id, str(refusal), hard=True)
        site.outbox.done(notice)
    except ValueError as wrong:
        log.exception("ALARM: the mail for %s cannot be written down; it is parked", notice)
        site.outbox.park(notice, site.clock(), f"it cannot be written down: {wrong}".replace(to, player.id))
    else:
        site.tally.count("mails", "sent")
        if notice.kind not in (*PERSONAL, "answer"):
            went(site, player.id, ready.told)
        site.outbox.done(notice)
        log.info("%s of match %s mailed to player %s", notice.kind, notice.match or "-", notice.player)


def _put_off(site: Site, notice: Notice, words: str, since: int, *, refused: bool) -> None:
    now = site.clock()
    if now - since > PATIENCE:
        log.error("ALARM: %s could not be sent for %d days; it is parked: %s", notice, PATIENCE // 86_400_000, words)
        site.outbox.park(notice, now, f"given up after {PATIENCE // 86_400_000} days: {words}")
        bounced(site, notice.player, words, hard=False)
        return
    at = next_sending(since, now, refused=refused)
    log.warning("%s of match %s to player %s put off for %d s: %s", notice.kind, notice.match, notice.player, (at - now) // 1000, words)
    site.outbox.later(notice, at, words)


def next_sending(since: int, now: int, *, refused: bool) -> int:
    """When (ms) a notice that was first due at `since` is tried again; `refused`: nobody listens there at all, which may be over in a moment."""
    return now + AT_ONCE if refused and now - since < WAITS[0] else next_try(since, now)
