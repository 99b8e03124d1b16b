"""The relay reads the feed and settles what follows from each entry: notices into the outbox, the match's row into the listing."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Sequence
from logging import getLogger
from socket import gethostname
from threading import Event as Signal
from typing import Final

import msgspec

from domain.match.codec import Damage, decode
from domain.match.events import Event, name_of
from domain.match.match import Match, begin, evolve, fold
from domain.ports import EventLog, LogUnavailable, Stored
from infra import listing
from infra.redis_log.feed import FeedEntry
from infra.webhooks.keys import DUE
from infra.webhooks.queue import Item
from infra.wiring import Site
from workers.notices import following, newly_asked

log = getLogger(__name__)

WAIT: Final = 1000  # ms to wait for the next entry
COUNT: Final = 100  # entries of a partition at a time
RETRY: Final = 0.5  # seconds before a log that could not be reached is asked again
ABANDONED: Final = 5_000  # ms after which an entry that nobody settled is taken up by whoever is there; settling twice does no harm
LOOK: Final = 2_000  # ms between two looks for such entries
FOLLOWED: Final = 1024  # matches kept folded


class Steps:
    """The steps by which matches went on: for each feed entry the match before it, the events, and the match after it."""

    def __init__(self, source: EventLog) -> None:
        self._log = source
        self._known: OrderedDict[str, tuple[Match, Stored]] = OrderedDict()  # with the last event that led there

    def step(self, entry: FeedEntry) -> tuple[Match | None, list[Event], Match]:
        """Reads the entry's own events, and the match's earlier ones only where they are not remembered. Raises Damage and LogUnavailable."""
        before, news = self._read(entry.match, _Notes.read(entry).after, entry.version)
        happened: list[Event] = []
        after = before
        for stored in news:
            event = decode(after.game if after else None, stored)
            after = begin(entry.match, event) if after is None else evolve(after, event)
            happened.append(event)
        if after is None or after.version != entry.version:
            raise Damage(f"the feed names version {entry.version} of a match whose log ends before it")
        self._known[entry.match] = after, news[-1]
        self._known.move_to_end(entry.match)
        while len(self._known) > FOLLOWED:
            self._known.popitem(last=False)
        return before, happened, after

    def _read(self, match: str, start: int, end: int) -> tuple[Match | None, Sequence[Stored]]:
        """The match at a version, and its events from there to another.

        What is remembered counts only where the log still has its last event: after a fail-over that lost it, another one may stand in its place.
        """
        known, last = self._known.get(match, (None, None))
        if known is not None and known.version == start:
            found = self._log.read(match, start - 1, end - start + 1)
            if found and found[0] == last:
                return known, found[1:]
        return fold(match, self._log.read(match, 0, start)) if start else None, self._log.read(match, start, end - start)


class _Notes(msgspec.Struct, frozen=True):
    """What an append says about itself in the feed."""

    after: int

    @classmethod
    def read(cls, entry: FeedEntry) -> _Notes:
        return msgspec.json.decode(entry.notes, type=cls)


class Relay(ABC):
    """One group of the feed's readers. Several processes may read for the same group; each entry is settled once."""

    group: str

    def __init__(self, site: Site) -> None:
        self._site = site
        self._steps = Steps(site.log)
        self._consumer = gethostname()  # a process that is started again finds what the one before it had not settled
        self._ready = False
        self._looked = 0  # ms: when we last looked for what others left behind
        self._stuck: set[FeedEntry] = set()  # told of once

    def read(self, stopped: Signal) -> None:
        """Settle what has come, waiting a moment for it; now and then also what another process, or we ourselves, could not settle."""
        feed = self._site.feed
        if not self._ready:
            feed.ensure(self.group)
            self._ready = True
        try:
            self._settle_all(feed.read(self.group, self._consumer, WAIT, COUNT), stopped)
            if (now := self._site.clock()) - self._looked >= LOOK:
                self._settle_all(feed.claim_idle(self.group, self._consumer, ABANDONED, COUNT), stopped)
                self._looked = now
        except LogUnavailable:
            self._ready = False  # the server that comes back may be another one
            raise

    @abstractmethod
    def settle(self, entry: FeedEntry) -> None:
        """Do what follows from an entry, and acknowledge it."""

    def _settle_all(self, entries: list[FeedEntry], stopped: Signal) -> None:
        for entry in entries:
            trouble = ""
            while not stopped.is_set():
                try:
                    self.settle(entry)
                except LogUnavailable as gone:
                    if str(gone) != trouble:  # said once, not twice a second that it lasts
                        log.warning("%s: %s; trying again", self.group, gone)
                    trouble = str(gone)
                    stopped.wait(RETRY)
                    continue
                except Exception as wrong:  # left unsettled, so that a repaired match or a newer server still finds it; no other waits for it
                    if entry not in self._stuck:
                        trace = None if isinstance(wrong, Damage) else wrong
                        log.error("match %s stands still for %s: %s", entry.match, self.group, wrong, exc_info=trace)  # noqa: TRY400 - often no trace
                    self._stuck.add(entry)
                break


class NoticesRelay(Relay):
    """From what happened to the notices in the outbox; `told` is set when there are new ones."""

    group = "notices"

    def __init__(self, site: Site, told: Signal) -> None:
        super().__init__(site)
        self._told = told

    def settle(self, entry: FeedEntry) -> None:
        before, happened, after = self._steps.step(entry)
        wishes = {player: self._site.preferring.preferences(player, after.id).reminders for player in newly_asked(before, after)}
        follows = following(before, happened, after, wishes)
        if self._site.outbox.settle_entry(entry, self.group, follows.scheduled, withdrawn=follows.withdrawn):
            for event in happened:
                self._site.tally.count("events", name_of(event))
        if follows.scheduled:
            self._told.set()


class ListingRelay(Relay):
    """From what happened to the match's row in the listing."""

    group = listing.GROUP

    def settle(self, entry: FeedEntry) -> None:
        _, _, match = self._steps.step(entry)
        self._site.listing.record(listing.row(match))
        self._site.replicas.sure(self._site.redis, listing.ROWS)
        self._site.feed.ack(self.group, [entry])


class WitnessRelay(Relay):
    """From what happened to the signed heads that are kept outside Redis."""

    group = "witness"

    def settle(self, entry: FeedEntry) -> None:
        self._settle_all([entry], Signal())

    def _settle_all(self, entries: list[FeedEntry], _stopped: Signal) -> None:
        """All at once: of each match only the newest head is written down, and the disk is waited for once."""
        matches = {entry.match for entry in entries} - {""}
        heads = self._site.census.heads(sorted(matches))
        self._site.witness.record((match, head.version, bytes.fromhex(head.hash)) for match, head in heads.items() if head and not head.why)
        self._site.feed.ack(self.group, entries)


class WebhooksRelay(Relay):
    """From what happened to what webhooks are to be told of it: each event by itself, to those of whoever the match concerns."""

    group = "webhooks"

    def settle(self, entry: FeedEntry) -> None:
        _, happened, match = self._steps.step(entry)
        hooks = self._site.webhooks.of_all(sorted(match.concerned))
        first = entry.version - len(happened) + 1
        self._site.hook_queue.add(
            (hook.id, Item(match.id, version), event.at)
            for version, event in enumerate(happened, start=first)
            for hook in hooks
            if hook.wants(match.id, name_of(event))
        )
        if hooks:
            self._site.replicas.sure(self._site.redis, DUE)
        self._site.feed.ack(self.group, [entry])

    def _settle_all(self, entries: list[FeedEntry], stopped: Signal) -> None:
        """Where there are no webhooks at all, no match is looked at."""
        if entries and not self._site.webhooks.count():
            self._site.feed.ack(self.group, entries)
        else:
            super()._settle_all(entries, stopped)
