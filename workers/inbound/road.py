"""The road of a mail that came in: opened, sorted, given to whom it speaks for, read, done, answered; whatever it is, it stops nothing else."""

from __future__ import annotations

import re
from logging import getLogger
from typing import Final

from msgspec.structs import replace
from redis.exceptions import RedisError
from rq.timeouts import JobTimeoutException

from domain.game import Unreadable
from domain.match.match import Match
from domain.ports import LogUnavailable
from infra.mail import bounces
from infra.mail.inbox import Became, Reply
from infra.mail.mailbox import Envelope
from infra.outbox import Notice
from infra.people.players import NoSuchPlayer
from infra.people.spelling import same_box
from infra.wiring import Site
from workers.inbound.doing import Outcome, do, how_to, said
from workers.inbound.html import text_of
from workers.inbound.manners import bare, greets
from workers.inbound.opening import Opened, Unopenable, opened
from workers.inbound.sorting import Sorted, sorted_out
from workers.inbound.speaker import Speaker, Stray, author, forged, speaker
from workers.inbound.wishes import Playing, Show, wish_of
from workers.inbound.written import line_of, written
from workers.letters.envelope import SENDER, Addresses

log = getLogger(__name__)

MOST_ANSWERS: Final = 60  # an hour to one player: more is no person's correspondence
HOUR: Final = 3_600_000  # ms
MOST_ACTIONS: Final = 40  # lines of one mail that are read as actions
ASKING: Final = re.compile(r"(?:can|could|may|should|shall) i (?:do |play )?|(?:what about|how about|is) ", re.IGNORECASE)


def deal(site: Site, mail: str) -> None:
    """Deal with a mail, unless somebody has. Raises LogUnavailable and RedisError: the inbox brings it back then."""
    kept = site.inbox.open(mail)
    if kept is None:
        return
    try:
        _deal(site, mail, *kept)
    except (LogUnavailable, RedisError, JobTimeoutException):
        raise
    except Unopenable as wrong:
        log.error("ALARM: mail %s cannot be opened, and is parked: %s", mail, wrong)  # noqa: TRY400 - the words say all
        site.inbox.park(mail, site.clock(), str(wrong))
    except Exception as wrong:
        log.exception("ALARM: mail %s could not be dealt with, and is parked", mail)
        site.inbox.park(mail, site.clock(), f"a fault of ours: {type(wrong).__name__}: {wrong}")


def _deal(site: Site, mail: str, raw: bytes, envelope: Envelope) -> None:
    found = opened(raw)
    kind = sorted_out(found, envelope, site.settings.mail_domain)
    became = Became(kind.sort, kind.words, site.clock())
    if kind.sort == "bounce":
        became = replace(became, player=_bounced(site, found, envelope, kind))
    if kind.sort != "letter":
        _end(site, mail, became)
        return
    try:
        who = speaker(site, found, envelope)
    except Stray as stray:
        _end(site, mail, replace(became, sort="stray", words=str(stray)))
        return
    outcome = _outcome(site, mail, found, who)
    became = replace(became, words=outcome.words, match=who.match.id, player=who.player.id)
    if outcome.reply is None or not _may_answer(site, who):
        _end(site, mail, became)
        return
    _end(site, mail, became, (_notice(site, who, mail), site.clock() + outcome.after, replace(outcome.reply, to=_id_of(found))), outcome.once)


def _end(site: Site, mail: str, became: Became, answer: tuple[Notice, int, Reply] | None = None, once: str = "") -> None:
    if site.inbox.dealt(mail, became, answer, once):
        log.info("mail %s was a %s: %s (match %s, player %s)", mail, became.sort, became.words, became.match or "-", became.player or "-")


def _outcome(site: Site, mail: str, found: Opened, who: Speaker) -> Outcome:
    """What becomes of a letter: from whoever the seat belongs to, what it says; from anybody else, nothing before the right one has confirmed it."""
    texts = [text for text in (found.text, text_of(found.html) if found.html else "") if text.strip()]
    read = [lines for text in texts if (lines := _lines(who.match, who, written(text, (SENDER, site.settings.mail_domain), who.player.name)))]
    if author(found) != same_box(who.player.address) or forged(found, site.settings.authserv_id):
        return _somebody_else(who, read[0] if read else ())
    _confirm(site, who)
    if not read:
        words = (
            "Your mail is encrypted or sealed, so that we cannot read it."
            if found.sealed
            else "We found nothing in your mail that you wrote yourself."
        )
        reply = Reply(headline="Nothing was played", words=(f"{words} Nothing was done.", *how_to(who.match, who)))
        return Outcome("nothing written", reply, once=f"unread:{who.match.id}:{who.seat}:{who.ask.version if who.ask else who.about}")
    lines = next((lines for lines in read if not isinstance(wish_of(lines), Playing) or _readable(who.match, who, lines)), read[0])
    return do(site, who, wish_of(lines), mail)


def _somebody_else(who: Speaker, lines: tuple[str, ...]) -> Outcome:
    """The seat's own address is asked, once for its turn; nothing is told of a stranger's words but an action."""
    named = f"“{said(lines)}” " if lines and isinstance(wish_of(lines), Playing) and _readable(who.match, who, lines) else ""
    words = (
        f"Somebody replied {named}to a mail of ours to you, from another address than this one or without proof that it was really this one.",
        "Nothing was done. If it was you, do it here, or reply from this address; if not, there is nothing that you must do.",
    )
    return Outcome(
        "from another address",
        Reply(headline="Was that you?", words=words),
        once=f"stranger:{who.match.id}:{who.seat}:{who.ask.version if who.ask else 0}",
    )


def _lines(match: Match, who: Speaker, paragraphs: list[list[str]]) -> tuple[str, ...]:
    """The first paragraph; and those after it as long as all they say are actions, too, for some mail programs put a blank line after every line."""
    said_lines = [[line for part in paragraph for each in part.split(";") if (line := line_of(each))] for paragraph in paragraphs]
    said_lines = _beyond_greetings(match, who, [lines for lines in said_lines if lines])
    if not said_lines:
        return ()
    found = _meant(match, who, said_lines[0][:MOST_ACTIONS])
    if isinstance(wish_of(tuple(found)), Playing) and _readable(match, who, tuple(found)):
        for lines in said_lines[1:]:
            if not isinstance(wish_of(tuple(lines)), Playing) or not _readable(match, who, (*found, *lines)):
                break
            found = [*found, *lines]
    return tuple(found[:MOST_ACTIONS])


def _beyond_greetings(match: Match, who: Speaker, paragraphs: list[list[str]]) -> list[list[str]]:
    """From the first line on that says more than hello, where there is one."""
    rest = paragraphs
    while rest and greets(rest[0][0]) and not _says_something(match, who, rest[0][:1]):
        rest = [rest[0][1:], *rest[1:]] if len(rest[0]) > 1 else rest[1:]
    return rest or paragraphs


def _meant(match: Match, who: Speaker, lines: list[str]) -> list[str]:
    """Lines as they are if they say something, else without what is only courtesy; what ends with a question mark is a question, and only tried."""
    plain = [bare(line, who.player.name) for line in lines]
    asked = [*plain[:-1], bare(plain[-1].rstrip("? "), who.player.name)] if plain[-1].endswith("?") and len(plain[-1]) > 1 else []
    for read in (lines, plain):
        if _says_something(match, who, read):
            return read
    if not asked or not asked[0]:
        return lines
    wish = wish_of(tuple(asked))
    if isinstance(wish, Show) or (isinstance(wish, Playing) and wish.only_try and _says_something(match, who, asked)):
        return asked
    asked[0] = ASKING.sub("", asked[0])
    return [f"check {asked[0]}", *asked[1:]] if isinstance(wish_of(tuple(asked)), Playing) and _readable(match, who, tuple(asked)) else lines


def _says_something(match: Match, who: Speaker, lines: list[str]) -> bool:
    """Whether lines are a word of ours, or actions."""
    wish = wish_of(tuple(lines))
    return bool(lines[0]) and (not isinstance(wish, Playing) or _readable(match, who, wish.lines) or (wish.only_try and not wish.lines))


def _readable(match: Match, who: Speaker, lines: tuple[str, ...]) -> bool:
    """Whether lines are actions of the game, each read in the position after those before it, as far as those can be played."""
    if match.status != "live":
        return False
    game, state = match.game, match.state
    for line in lines:
        try:
            action = game.read(state, line)
        except Unreadable:
            return False
        if who.seat in game.awaited(state) and game.objection(state, who.seat, action) is None:
            state = game.apply(state, who.seat, action)
    return True


def _confirm(site: Site, who: Speaker) -> None:
    """Whoever answers reads what we send there."""
    if who.player.suppressed or not who.player.confirmed:
        try:
            site.players.confirm(who.player.id)
        except NoSuchPlayer:
            log.info("player %s has left meanwhile", who.player.id)


def _bounced(site: Site, found: Opened, envelope: Envelope, kind: Sorted) -> str:
    """Whose mail came back; a mailbox that is gone gets no more."""
    addresses = Addresses(site.keys, site.settings.mail_domain)
    boxes = (*envelope.to, *found.all("x-original-to"), *found.all("delivered-to"), *found.all("to"))
    player = next((player for box in boxes[:50] if (player := addresses.bounced(box))), "")
    if player:
        bounces.bounced(site, player, kind.words, hard=kind.hard)
    return player


def _may_answer(site: Site, who: Speaker) -> bool:
    """So many answers an hour; what goes on for ever is no person."""
    return site.inbox.count(f"{who.player.id}:{site.clock() // HOUR}", HOUR) <= MOST_ANSWERS


def _notice(site: Site, who: Speaker, mail: str) -> Notice:
    match = site.desk.look(who.match.id).match
    ask = match.ask(who.seat)
    return Notice("answer", match.id, who.player.id, who.seat, ask.version if ask else 0, match.ply, match.version, mail=mail)


def _id_of(found: Opened) -> str:
    """The mail's id, where it can stand in a header of ours."""
    name = found.first("message-id")
    return name if 3 < len(name) <= 250 and name.isascii() and name.isprintable() and " " not in name and name[0] + name[-1] == "<>" else ""
