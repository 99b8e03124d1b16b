"""One notice as one mail: looked at again just before it goes, sent once as far as SMTP allows, and put off, dropped or parked where it cannot go."""

from __future__ import annotations

from collections.abc import Sequence
from email.message import EmailMessage
from logging import getLogger
from typing import Final

from redis.exceptions import RedisError
from rq.timeouts import JobTimeoutException

from domain.clocks import reminder
from domain.desk import Sight
from domain.game import Record
from domain.match.events import Event
from domain.match.match import Match
from domain.match.telling import named
from domain.ports import LogUnavailable
from infra import pictures
from infra.outbox import PERSONAL, Notice
from infra.players import NoSuchPlayer, Player
from infra.smtp import Refusal, TryLater
from infra.wiring import Site
from workers.letters import personal
from workers.letters.envelope import Addresses, mail
from workers.letters.links import Links
from workers.letters.writing import Facts, letter, picture
from workers.letters.written import written
from workers.notices import early, stands
from workers.retries import WAITS, next_try

log = getLogger(__name__)

SENDING: Final = 40_000  # ms under which one job has a notice to itself; longer than a job may take
AT_ONCE: Final = 5_000  # ms until the next try where nobody listens, as when the mail server is being started again
PATIENCE: Final = 5 * 86_400_000  # ms, as long as mail servers try themselves
WIDTH: Final = 800  # pixels of the board, half as many again as it takes up, for sharp screens; more cost more time than the rest of the mail


class Ready(Record, frozen=True):
    """A mail, whom it is for, the address it goes to, and when (ms) there was first cause to send it."""

    message: EmailMessage
    player: Player
    to: str
    since: int


def send(site: Site, notice: Notice) -> None:
    """Send a notice, unless it is done already or somebody else is at it. Raises LogUnavailable and RedisError: the outbox brings it back then."""
    if not site.outbox.claim(notice, SENDING):
        return
    try:
        ready = _about_a_player(site, notice) if notice.kind in PERSONAL else _about_a_match(site, notice)
    except (LogUnavailable, RedisError, JobTimeoutException):
        raise
    except Exception:
        log.exception("ALARM: no mail can be made of %s; it is parked", notice)
        site.outbox.park(notice, site.clock())
        return
    if ready is None:
        site.outbox.done(notice)
    elif isinstance(ready, int):
        site.outbox.later(notice, ready)
    else:
        _hand_over(site, notice, ready)


def _about_a_match(site: Site, notice: Notice) -> Ready | int | None:
    """The mail, if its notice still has its cause; or when (ms) it is to be looked at again."""
    sight = site.desk.look(notice.match)
    history = site.desk.events(sight.match)
    player = site.players.get(notice.player)
    if player is None or player.suppressed or not stands(sight.match, history, notice):
        return None
    if at := early(sight.match, notice, site.clock()):
        return at
    return Ready(compose(site, notice, sight, history, player), player, player.address, _first_due(sight.match, history, notice))


def _about_a_player(site: Site, notice: Notice) -> Ready | None:
    """The same for a mail that its reader asked for, which goes also to a mailbox that took none lately: it may take this one."""
    player = site.players.get(notice.player)
    made = personal.ready(site, notice, player) if player else None
    return Ready(made.message, player, made.to, notice.again * personal.MINUTE) if player and made else None


def compose(site: Site, notice: Notice, sight: Sight, history: Sequence[Event], player: Player) -> EmailMessage:
    """The mail that a notice asks for."""
    match, now = sight.match, site.clock()
    told = history[notice.version - 1].by.player or notice.player  # who said no to an invitation has no seat by which to be named
    people = [who for who in (_record(site, name, player) for name in {*named(match), told}) if who is not None]
    facts = Facts(
        notice=notice,
        sight=sight,
        history=history,
        to=player.name,
        zone=player.zone,
        names={who.id: who.name for who in people},
        unreached=frozenset(who.id for who in people if who.suppressed),
        now=now,
    )
    addresses = Addresses(site.keys, site.settings.mail_domain)
    board = None if match.state is None else pictures.png(picture(facts), WIDTH)
    text = written(notice.kind, letter(facts, Links(site.tokens, site.settings.url)), addresses.picture_id(notice) if board else None)
    return mail(facts, player, text, board, addresses, site.signing.sign_head(match.id, sight.tip.version, sight.tip.hash))


def _hand_over(site: Site, notice: Notice, ready: Ready) -> None:
    """Give the mail to the mail server, and note what it said."""
    player, to = ready.player, ready.to
    bounces = Addresses(site.keys, site.settings.mail_domain).bounce(player.id)
    try:
        site.mailer.send(ready.message, to, bounces)
    except (TryLater, JobTimeoutException) as later:
        words = str(later).replace(to, player.id)  # no addresses in the log
        _put_off(site, notice, words, ready.since, refused=isinstance(later.__cause__, ConnectionRefusedError))
    except Refusal as refusal:
        if refusal.recipient is None:
            log.error("ALARM: the mail server does not take %s; it is parked: %s", notice, refusal)  # noqa: TRY400 - the words say all
            site.outbox.park(notice, site.clock())
            return
        log.warning("no more mail to player %s: %s", player.id, str(refusal).replace(to, player.id))
        if to == player.address:  # a new address that takes no mail is simply not theirs
            _suppress(site, player.id, str(refusal))
        site.outbox.done(notice)
    except ValueError:
        log.exception("ALARM: the mail for %s cannot be written down; it is parked", notice)
        site.outbox.park(notice, site.clock())
    else:
        site.outbox.done(notice)
        log.info("%s of match %s mailed to player %s", notice.kind, notice.match or "-", notice.player)


def _suppress(site: Site, player: str, words: str) -> None:
    try:
        site.players.suppress(player, words)
    except NoSuchPlayer:
        log.info("player %s has left meanwhile", player)


def _put_off(site: Site, notice: Notice, words: str, since: int, *, refused: bool) -> None:
    now = site.clock()
    if now - since > PATIENCE:
        log.error("ALARM: %s could not be sent for %d days; it is parked: %s", notice, PATIENCE // 86_400_000, words)
        site.outbox.park(notice, now)
        return
    at = next_sending(since, now, refused=refused)
    log.warning("%s of match %s to player %s put off for %d s: %s", notice.kind, notice.match, notice.player, (at - now) // 1000, words)
    site.outbox.later(notice, at)


def next_sending(since: int, now: int, *, refused: bool) -> int:
    """When (ms) a notice that was first due at `since` is tried again; `refused`: nobody listens there at all, which may be over in a moment."""
    return now + AT_ONCE if refused and now - since < WAITS[0] else next_try(since, now)


def _first_due(match: Match, history: Sequence[Event], notice: Notice) -> int:
    """When (ms) there was first cause to send a notice."""
    ask = match.ask(notice.seat) if notice.kind == "reminder" else None
    return reminder(ask.asked, ask.due) if ask else history[notice.version - 1].at


def _record(site: Site, player: str, known: Player) -> Player | None:
    return known if player == known.id else site.players.get(player)
