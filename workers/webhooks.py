"""Telling webhooks what has happened: in order and one at a time for each, many webhooks at once, so that a dead one holds up no other.

A webhook whose server does not answer rests, ever longer, and what waits for it keeps its order. What a server answers and does not take
is tried again by itself, over days, while later events go on. Nothing here is lost with a process: whatever was begun and not finished
comes back when the lease of its webhook ends, under the same message id.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from logging import getLogger
from threading import BoundedSemaphore, Lock
from threading import Event as Signal
from typing import Final

from msgspec.structs import replace

from domain.chain import canonical, stamp
from domain.game import Record
from domain.match.codec import Damage, Line, lines
from domain.match.refusal import Refused
from domain.ports import LogUnavailable, Stored, Tip
from infra.outbox import Notice
from infra.webhooks.destination import Unfit, destination
from infra.webhooks.posting import Answered, Unanswered, post
from infra.webhooks.queue import Delivery, Item
from infra.webhooks.signature import signed
from infra.webhooks.webhooks import Webhook
from infra.wiring import Site

log = getLogger(__name__)

SECOND, MINUTE, HOUR, DAY = 1_000, 60_000, 3_600_000, 86_400_000  # ms
# After each refusal; what is refused once more after the last of these is given up.
WAITS: Final = (5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR)
RESTS: Final = (5 * SECOND, 30 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR)  # after each silence; the last one again and again
PATIENCE: Final = 5 * DAY  # without a single delivery; then the webhook is switched off
LONGEST_REST: Final = DAY  # however long a server asks for
AWAY: Final = (429, 502, 503, 504)  # answers that say no more than silence does

COURIERS: Final = 16  # webhooks at once in one process
STRETCH: Final = 15 * SECOND  # for as long one webhook is told one thing after the other, before others have their turn
CLAIM: Final = 40 * SECOND  # longer than a stretch and one more delivery
SOON: Final = 2 * SECOND  # until its owner is told that a webhook was switched off
SHOWN: Final = 500  # characters of an answer that its owner may read
FOLLOWED: Final = 1024  # matches of which the last event told is remembered


def send_out(site: Site, name: str) -> None:
    """Have a courier deliver what is due at a webhook; waits for one while all are out."""
    _free.acquire()
    try:
        out = _couriers.submit(_errand, site, name)
    except BaseException:
        _free.release()
        raise
    out.add_done_callback(lambda _: _free.release())


def come_home() -> None:
    """Nobody sets out any more; whoever is out finishes what they hold."""
    _home.set()
    _couriers.shutdown()


_free, _home = BoundedSemaphore(COURIERS), Signal()
_couriers = ThreadPoolExecutor(COURIERS, thread_name_prefix="courier")


def _errand(site: Site, name: str) -> None:
    try:
        deliver(site, name, lambda: not _home.is_set())
    except LogUnavailable as gone:
        log.warning("webhook %s comes back later: %s", name, gone)
    except Exception:
        log.exception("webhook %s failed and comes back", name)


def deliver(site: Site, name: str, go_on: Callable[[], bool] = lambda: True) -> None:
    """Tell a webhook what is due, one after the other. Raises LogUnavailable: its lease brings it back then."""
    queue = site.hook_queue
    claim = queue.claim(name, CLAIM)
    if claim is None:
        return
    rests, until = 0, site.clock() + STRETCH
    try:
        while (now := site.clock()) < until and go_on():
            hook = site.webhooks.find(name)
            if hook is None:
                queue.drop(name)
                break
            rests = hook.rests
            if rests > now or (item := queue.first(name, now)) is None:
                break
            rests = _tell(site, hook, item).rests
    finally:
        queue.finish(name, claim, rests)


class Said(Record, frozen=True):
    """What is told: the type of the message, and its body."""

    type: str
    body: bytes


def _tell(site: Site, hook: Webhook, item: Item) -> Webhook:
    """Try one delivery, and write down what became of it; the webhook as it is after that."""
    queue = site.hook_queue
    try:
        said = _said(site, hook, item)
    except Refused as wrong:  # a match that stands still until somebody has looked at it, or is written to faster than it can be read
        log.error("webhook %s is told version %d of match %s later: %s", hook.id, item.version, item.match, wrong.words)  # noqa: TRY400 - the words say all
        queue.later(hook.id, item, queue.tries(hook.id, item), site.clock() + (SOON if wrong.kind == "busy" else HOUR))
        return hook
    if said is None:
        queue.done(hook.id, item)
        return hook
    at, (tries, refused) = site.clock(), queue.tries(hook.id, item)
    came = _posted(site, hook, item, said.body, at)
    answered = isinstance(came, Answered) and came.status not in AWAY  # silence counts against the webhook alone, and what waits keeps its place
    tries, refused = tries + 1, refused + answered
    site.tally.count("deliveries", _outcome(came))
    after, again = _judged(hook, item, came, refused, site.clock())
    status, answer, words = (came.status, _shown(came.body), "") if isinstance(came, Answered) else (0, "", came.words)
    queue.note(
        hook.id,
        Delivery(item.message(hook.id), said.type, item.match, item.version if item.match else 0, at, tries, came.ms, status, answer, words, again),
    )
    if again:
        queue.later(hook.id, item, (tries, refused), again if answered else None)
    else:
        queue.done(hook.id, item)
    if after.off and not hook.off:
        log.warning("webhook %s of player %s is switched off: %s", hook.id, hook.player, after.off)
        now = site.clock()  # told first, for a mail about a webhook that is on is not sent, and one about which nothing was said never would be
        site.outbox.schedule(0, [(Notice("webhook-off", "", hook.player, "", 0, 0, 0, again=now // MINUTE, webhook=hook.id), now + SOON)])
        return site.webhooks.switch_off(after, after.off)
    if after != hook:
        site.webhooks.keep(after, "failures", "failing", "rests", "delivered")
    return after


def _outcome(came: Answered | Unanswered) -> str:
    if isinstance(came, Unanswered):
        return "unanswered"
    return "delivered" if 200 <= came.status < 300 else "refused"


def _judged(hook: Webhook, item: Item, came: Answered | Unanswered, refused: int, now: int) -> tuple[Webhook, int]:
    """The webhook after a try, and when (ms) the same thing is tried again; 0: not at all."""
    if isinstance(came, Answered) and 200 <= came.status < 300:
        return replace(hook, failures=0, failing=0, rests=0, delivered=now), 0
    failing = replace(hook, failures=hook.failures + 1, failing=hook.failing or now)
    if isinstance(came, Answered) and came.status == 410:
        return replace(failing, off=hook.off or "gone"), 0
    if not item.match or hook.off:  # a test is tried once; so is what its owner sends to a webhook that is off
        return hook, 0
    if now - failing.failing >= PATIENCE:
        return replace(failing, off="failing"), 0
    if isinstance(came, Answered) and came.status not in AWAY:
        again = now + WAITS[refused - 1] if refused <= len(WAITS) else 0
        return replace(failing, rests=now + RESTS[0]), again
    asked = (came.again or 0) * 1000 if isinstance(came, Answered) else 0
    rests = now + max(RESTS[min(failing.failures, len(RESTS)) - 1], min(asked, LONGEST_REST))
    return replace(failing, rests=rests), rests


def _posted(site: Site, hook: Webhook, item: Item, body: bytes, at: int) -> Answered | Unanswered:
    allowed = site.settings.webhooks_private
    numbers = [hook.number, hook.number - 1] if hook.overlap > at else [hook.number]
    secrets = [site.keys.webhook_secret(hook.id, number) for number in numbers]
    headers = {"Content-Type": "application/json", "User-Agent": "Forgepost", **signed(secrets, item.message(hook.id), at // 1000, body)}
    try:
        to = destination(hook.wish.url, allowed)
    except Unfit as unfit:  # it was allowed once
        return Unanswered(f"the URL {unfit}", 0)
    return post(to, body, headers, allowed)


def _said(site: Site, hook: Webhook, item: Item) -> Said | None:
    """The message, or None where there is none (any more): its owner may not see the match, or the log has lost it. Raises Refused."""
    if not item.match:
        return Said("webhook.test", message("webhook.test", stamp(item.version), canonical({"webhook": hook.id})))
    try:
        if hook.player not in site.desk.look(item.match).match.concerned:
            return None
        line = _followed.line(site, item.match, item.version)
    except (Refused, Damage) as wrong:
        if isinstance(wrong, Refused) and wrong.kind != "no-such-match":
            raise
        log.error("webhook %s is not told version %d of match %s: %s", hook.id, item.version, item.match, wrong)  # noqa: TRY400 - the words say all
        return None
    return Said(line.type, message(line.type, stamp_of(line), canonical(line)))


def message(kind: str, at: str, data: bytes) -> bytes:
    """The body of a delivery: what Standard Webhooks wants, with the event just as it stands in an export."""
    return b'{"data":%b,"timestamp":%b,"type":%b}' % (data, canonical(at), canonical(kind))


def stamp_of(line: Line) -> str:
    """When the event was."""
    return bytes(line.at).decode().strip('"')


class Followed:
    """The events that were told last, so that the hash before the next one need not be made from the beginning."""

    def __init__(self) -> None:
        self._tips: OrderedDict[str, tuple[Tip, Stored | None]] = OrderedDict()  # with the event that was told
        self._pen = Lock()

    def line(self, site: Site, match: str, version: int) -> Line:
        """An event as it is shown everywhere. Raises Damage and LogUnavailable."""
        tip, news = self._news(site, match, version)
        found = lines(match, tip, news)
        if not found or found[-1].version != version:
            raise Damage(f"there is no version {version}")
        with self._pen:
            self._tips[match] = Tip(version, bytes.fromhex(found[-1].hash)), news[-1]
            self._tips.move_to_end(match)
            while len(self._tips) > FOLLOWED:
                self._tips.popitem(last=False)
        return found[-1]

    def _news(self, site: Site, match: str, version: int) -> tuple[Tip, list[Stored]]:
        """Where the match was told last, and its events from there on; from the beginning where the log has another event there by now."""
        tip, last = self._tips.get(match, (Tip(), None))
        if last is not None and tip.version < version:
            found = list(site.log.read(match, tip.version - 1, version - tip.version + 1))
            if found[:1] == [last]:
                return tip, found[1:]
        return Tip(), list(site.log.read(match, 0, version))


_followed = Followed()


def _shown(body: bytes) -> str:
    """The beginning of an answer as text."""
    return body[: 4 * SHOWN].decode(errors="replace")[:SHOWN]
