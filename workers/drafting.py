"""From a notice to a mail that is ready to go; or to nothing, where it has no cause any more, comes too early, or is not wanted so often."""

from __future__ import annotations

from collections.abc import Sequence
from email.message import EmailMessage
from logging import getLogger
from typing import Final

from domain.desk import Sight
from domain.game import Record
from domain.match.events import Event
from domain.match.refusal import Refused
from domain.match.telling import named
from infra import pictures
from infra.mail.baskets import SECOND, basket, digest
from infra.mail.inbox import Reply
from infra.outbox import Notice
from infra.people.players import Player
from infra.people.preferences import Preferences
from infra.redis_log.keys import notices
from infra.wiring import Site
from workers.cadence import loud, opens, reminded, reminders, spaced
from workers.letters import digests, personal
from workers.letters.envelope import Addresses, mail
from workers.letters.letter import Letter
from workers.letters.links import Links
from workers.letters.writing import Facts, answer, letter, picture
from workers.letters.written import written
from workers.notices import overtaken, stands

log = getLogger(__name__)

WIDTH: Final = 800  # pixels of the board, half as many again as it takes up, for sharp screens; more cost more time than the rest of the mail
LATE: Final = 15 * 60_000  # ms after which a mail that could not go has probably company
GATHERING: Final = 5_000  # ms in which that company comes together


class Ready(Record, frozen=True):
    """A mail, whom it is for, the address it goes to, when (ms) there was first cause to send it, and what of their basket it tells."""

    message: EmailMessage
    player: Player
    to: str
    since: int
    told: tuple[Notice, ...] = ()


class Cause(Record, frozen=True):
    """A notice that still has its cause, with the match as it is."""

    notice: Notice
    sight: Sight
    history: Sequence[Event]
    wanted: Preferences

    @property
    def since(self) -> int:
        """When (ms) there was first cause to send it."""
        notice = self.notice
        ask = self.sight.match.ask(notice.seat) if notice.kind == "reminder" else None
        if ask:
            return reminders(self.wanted.reminders, ask)[notice.again]
        return notice.again * personal.MINUTE or self.history[notice.version - 1].at


def about_a_match(site: Site, notice: Notice) -> Ready | int | None:
    """The mail, if its notice still has its cause; or when (ms) it is to be looked at again. What is not to go alone is put into the basket."""
    player = site.players.get(notice.player)
    cause = _cause(site, notice) if player and not player.suppressed else None
    if player is None or cause is None:
        return None
    now, ask = site.clock(), cause.sight.match.ask(notice.seat) if notice.seat else None
    if notice.kind == "reminder":
        times = reminded(cause.wanted, player.zone, ask) if ask and cause.wanted.cadence != "off" else []
        if notice.again >= len(times):
            return None
        if times[notice.again] > now:
            return times[notice.again]
    elif not notice.again:  # what somebody has just asked for goes at once
        at = opens(cause.wanted, player.zone, site.baskets.last_mail(player.id), now)
        if at is None:
            return None
        alone = cause.wanted.cadence == "each" and at <= now and now - cause.since <= LATE
        if not alone and not (ask and at >= ask.due):  # a turn that could not be played any more goes at once, too
            _put_by(site, notice, max(at, now + GATHERING))
            return None
    return Ready(compose(site, cause, player), player, player.address, cause.since)


def about_a_basket(site: Site, notice: Notice) -> Ready | int | None:
    """One mail of all that waits for a player and still has its cause: of a single notice its own mail, of several a digest."""
    player, held, now = site.players.get(notice.player), site.baskets.held(notice.player), site.clock()
    if player is None or player.suppressed:
        site.baskets.take_out(notice.player, held)
        return None
    causes = [cause for each in held if (cause := _basketed(site, each)) and cause.wanted.cadence != "off"]
    site.baskets.take_out(player.id, set(held) - {cause.notice for cause in causes})
    if not causes:
        return None
    last, quiet = site.baskets.last_mail(player.id), site.preferring.preferences(player.id).quiet
    at = min(max(held[cause.notice], spaced(cause.wanted, last)) for cause in causes)
    if (at := loud(max(at, now), quiet, player.zone)) > now:
        return at
    told = tuple(cause.notice for cause in causes)
    if len(causes) == 1:
        return Ready(compose(site, causes[0], player), player, player.address, causes[0].since, told)
    facts = [_facts(site, cause, player) for cause in causes]
    message = digests.mail(notice, player, facts, Addresses(site.keys, site.settings.mail_domain), Links(site.tokens, site.settings.url), now)
    return Ready(message, player, player.address, notice.again * SECOND, told)


def about_a_player(site: Site, notice: Notice) -> Ready | None:
    """The same for a mail that its reader asked for, which goes also to a mailbox that took none lately: it may take this one."""
    player = site.players.get(notice.player)
    made = personal.ready(site, notice, player) if player else None
    return Ready(made.message, player, made.to, notice.again * personal.MINUTE) if player and made else None


def about_an_answer(site: Site, notice: Notice) -> Ready | None:
    """What is answered to a mail that came in, as things stand by now. No cadence keeps it, but a receipt goes only if no other mail goes instead."""
    player, reply = site.players.get(notice.player), site.inbox.reply(notice.mail)
    if player is None or player.suppressed or reply is None:
        return None
    sight = site.desk.look(notice.match)
    if overtaken(reply, sight.match, player.id) and _goes_at_once(site, player, notice.match):
        return None
    cause = Cause(notice, sight, site.desk.events(sight.match), Preferences())
    facts = _facts(site, cause, player)
    made = answer(facts, Links(site.tokens, site.settings.url), reply, site.desk.look(reply.onto).match if reply.onto else None)
    return Ready(_mailed(site, facts, player, made, reply), player, player.address, cause.since)


def went(site: Site, player: str, told: Sequence[Notice]) -> None:
    """A mail about matches has gone, and what it told is out of the basket."""
    site.baskets.note_mail(player, site.clock())
    site.baskets.take_out(player, told)


def compose(site: Site, cause: Cause, player: Player) -> EmailMessage:
    """The mail that a notice asks for."""
    facts = _facts(site, cause, player)
    return _mailed(site, facts, player, letter(facts, Links(site.tokens, site.settings.url)))


def _goes_at_once(site: Site, player: Player, match: str) -> bool:
    """Whether a mail about a match that has its cause now would go now, for all that its reader has chosen."""
    now = site.clock()
    return opens(site.preferring.preferences(player.id, match), player.zone, site.baskets.last_mail(player.id), now) == now


def _mailed(site: Site, facts: Facts, player: Player, said: Letter, reply: Reply | None = None) -> EmailMessage:
    notice, tip = facts.notice, facts.sight.tip
    addresses = Addresses(site.keys, site.settings.mail_domain)
    pictured = reply is None or reply.board
    board = pictures.png(picture(facts), WIDTH) if pictured and facts.seats and facts.match.state is not None else None
    text = written(notice.kind, said, addresses.picture_id(notice) if board else None)
    head = site.signing.sign_head(notice.match, tip.version, tip.hash)
    return mail(facts, player, text, board, addresses, head, reply)


def _put_by(site: Site, notice: Notice, at: int) -> None:
    """Into the basket, and have that mailed at a time (ms) later than that of any mail which is just being made of it."""
    site.baskets.add(notice, at)
    site.outbox.schedule(0, [(digest(notice.player, at), at)])
    site.replicas.sure(site.redis, basket(notice.player), notices(0))


def _cause(site: Site, notice: Notice) -> Cause | None:
    """None where there is none any more. Raises Refused for a match that cannot be read."""
    sight = site.desk.look(notice.match)
    history = site.desk.events(sight.match)
    wanted = site.preferring.preferences(notice.player, notice.match)
    if not stands(sight.match, history, notice) or (notice.kind == "unreachable" and not _unreached(site, sight, notice.player)):
        return None
    return Cause(notice, sight, history, wanted)


def _unreached(site: Site, sight: Sight, reader: str) -> bool:
    """Whether there still is somebody in the match whom mails do not reach."""
    others = (site.players.get(player) for player in named(sight.match) if player != reader)
    return any(other is not None and other.suppressed for other in others)


def _basketed(site: Site, notice: Notice) -> Cause | None:
    """The same, where a match that cannot be read keeps back its own notice and no others."""
    try:
        return _cause(site, notice)
    except Refused as refused:
        log.error("ALARM: no mail can be made of %s; it is parked: %s", notice, refused.words)  # noqa: TRY400 - the words say all
        site.outbox.park(notice, site.clock(), f"no mail can be made of it: {refused.words}")
        return None


def _facts(site: Site, cause: Cause, player: Player) -> Facts:
    match = cause.sight.match
    told = cause.history[cause.notice.version - 1].by.player or player.id  # who said no to an invitation has no seat by which to be named
    people = [who for who in (_record(site, name, player) for name in {*named(match), told}) if who is not None]
    return Facts(
        notice=cause.notice,
        sight=cause.sight,
        history=cause.history,
        to=player.name,
        zone=player.zone,
        names={who.id: who.name for who in people},
        unreached=frozenset(who.id for who in people if who.suppressed),
        now=site.clock(),
    )


def _record(site: Site, player: str, known: Player) -> Player | None:
    return known if player == known.id else site.players.get(player)
