"""The clock process: it sees to it that what is due is done, by jobs where workers live and by itself where they do not."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from logging import getLogger
from socket import gethostname
from threading import Event as Signal
from threading import Thread
from typing import Final

from redis.exceptions import RedisError

from domain.ports import LogUnavailable
from domain.times import span
from infra.beats import Beats
from infra.keeping.absence import absence, make_up
from infra.people import erasure
from infra.redis_log.gate import check
from infra.wiring import Site
from workers.archiving import Archivist
from workers.deadlines import MATCHES, time_out
from workers.jobs import Jobs
from workers.relay import ListingRelay, NoticesRelay, WebhooksRelay, WitnessRelay

log = getLogger(__name__)

TICK: Final = 0.1  # seconds between two looks at what is due
CARE: Final = 10.0  # seconds between two rounds of tidying up
TROUBLE: Final = 1.0  # seconds before a loop that failed tries again
LOOPS: Final = 9

VIGIL: Final = 10_000  # ms after which it is written down anew that somebody watches over the deadlines
PATIENCE: Final = 5_000  # ms that the workers have for a deadline before the clock enforces it itself
STUCK: Final = 60_000  # ms before a deadline that could not be enforced is tried again

LEASE: Final = 15_000  # ms after which a notice whose job is not done comes back; longer when jobs have to queue
BACKLOG: Final = 50  # jobs in a queue that lengthen the lease once more
TAKEN: Final = 20  # notices of a partition at a time
WEBHOOKS: Final = 100  # webhooks at a time


class Sweep:
    """Deadlines that are over: a job for each partition that has one, and the clock itself for what is still due five seconds later."""

    def __init__(self, site: Site, jobs: Jobs) -> None:
        self._site, self._jobs = site, jobs
        self._ours: dict[tuple[str, int], int] = {}  # match and deadline → when (ms) it becomes ours to enforce
        self._watched = 0  # ms: when the vigil last heard of us

    def sweep(self) -> None:
        """One look at all partitions. A deadline seen before brings no second job: the set keeps it until the append is made."""
        now = self._site.clock()
        if now - self._watched >= VIGIL:
            self._watch(now)
        ours: dict[tuple[str, int], int] = {}
        overdue = self._site.dues.overdue(now)
        for partition in sorted(overdue, key=overdue.__getitem__):
            due = self._site.dues.due(partition, now, MATCHES)
            if any(each not in self._ours for each in due):
                self._ask_for(partition)
            ours |= {(match, deadline): self._ours.get((match, deadline), now + PATIENCE) for match, deadline in due}
        late = [each for each, at in ours.items() if at <= now]
        if late and absence(self._site):  # which may begin at any moment: with a Redis that takes the place of a newer one
            self._watch(now)
            return
        self._ours = ours | dict.fromkeys(late, now + STUCK)
        for match, deadline in late:
            log.warning("the deadline of match %s passed %d ms ago: no worker enforced it, so the clock does", match, now - deadline)
            time_out(self._site, match)

    def _watch(self, now: int) -> None:
        """Say that somebody is there, after making up for what time it was that nobody was."""
        if since := absence(self._site):
            made = make_up(self._site, since)
            log.warning("nobody watched over deadlines for %s: that time was given back in %d matches", span(now - since), made)
        self._site.vigil.keep(now)
        self._watched = now

    def _ask_for(self, partition: int) -> None:
        try:
            self._jobs.enforce(partition)
        except RedisError as gone:  # the queue may be in another Redis than the matches
            log.warning("no job could be made for the deadlines of partition %d: %s", partition, gone)


class Pump:
    """Notices whose time has come, from the outbox to the workers."""

    def __init__(self, site: Site, jobs: Jobs) -> None:
        self._site, self._jobs = site, jobs
        self._lease = LEASE

    def pump(self) -> None:
        """Make a job of each. One that is lost comes back when its lease ends: the later the longer the queues are, or they would only grow."""
        taken = self._site.outbox.take(self._site.clock(), self._lease, TAKEN)
        for notice in taken:
            self._jobs.serve(notice)
        if taken:
            self._lease = LEASE * (1 + max(self._jobs.waiting("notices"), self._jobs.waiting("bots")) // BACKLOG)


class Intake:
    """Mails that came in, from the inbox to the workers."""

    def __init__(self, site: Site, jobs: Jobs) -> None:
        self._site, self._jobs = site, jobs

    def take_in(self) -> None:
        """Make a job of each; one that is lost comes back when its lease ends."""
        lease = LEASE * (1 + self._jobs.waiting("inbound") // BACKLOG)
        for mail in self._site.inbox.take(self._site.clock(), lease, TAKEN):
            self._jobs.read(mail)


class Clock:
    """The loops of one clock process. Any number of processes may run them at once."""

    def __init__(self, site: Site, stopped: Signal) -> None:
        self._site, self._stopped = site, stopped
        self._jobs = Jobs(site.rq_redis)
        self._archivist = Archivist(site, self._jobs)
        self._beats: dict[str, int] = {}
        self._told = Signal()
        self._relays = NoticesRelay(site, self._told), ListingRelay(site), WitnessRelay(site), WebhooksRelay(site)

    def run(self) -> None:
        """Run until stopped. A loop that fails says so and goes on; none ends before the process does."""
        sweep, pump, intake = Sweep(self._site, self._jobs), Pump(self._site, self._jobs), Intake(self._site, self._jobs)
        loops: dict[str, tuple[Callable[[], None], Callable[[], object]]] = {
            "deadlines": (sweep.sweep, partial(self._stopped.wait, TICK)),
            "outbox": (pump.pump, self._until_told),
            "deliveries": (partial(_hand_on, self._site, self._jobs), partial(self._stopped.wait, TICK)),
            "inbox": (intake.take_in, partial(self._stopped.wait, TICK)),
            "care": (self._care, self._until_care),
        }
        for relay in self._relays:
            loops[relay.group] = partial(relay.read, self._stopped), partial(self._stopped.wait, 0)
        threads = [Thread(target=self._keep, args=(name, *loop), name=name) for name, loop in loops.items()]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def _keep(self, name: str, work: Callable[[], None], pause: Callable[[], object]) -> None:
        trouble = ""
        while not self._stopped.is_set():
            try:
                work()
            except (LogUnavailable, RedisError) as gone:
                if str(gone) != trouble:  # said once, not every second that it lasts
                    log.warning("%s: %s", name, gone)
                trouble = str(gone)
                self._stopped.wait(TROUBLE)
            except Exception:
                log.exception("%s failed and is tried again", name)
                self._stopped.wait(TROUBLE)
            else:
                if trouble:
                    log.info("%s goes on", name)
                trouble = ""
                self._beats[name] = self._site.clock()
                pause()

    def _until_told(self) -> None:
        """Until there is news for the outbox, or time has passed that may have made something due."""
        self._told.wait(TICK)
        self._told.clear()

    def _care(self) -> None:
        """What needs to be done now and then: a Redis started anew is audited, the feed trimmed, signs of life are given, erasures go on.

        What may fail by what it finds, or wants the other Redis, comes last.
        """
        if not check(self._site.redis, self._site.settings):
            self._site.audit.catch_up()
        self._site.feed.trim(relay.group for relay in self._relays)
        self._site.signing.keep_published()
        self._site.tally.say()
        host = gethostname()
        Beats(self._site.redis).record({f"{name}@{host}": at for name, at in self._beats.copy().items()})
        erasure.go_on(self._site)
        self._archivist.look()

    def _until_care(self) -> None:
        """A while; less as long as some loop has not got through for the first time, so that a clock is seen soon after its start."""
        self._stopped.wait(CARE if len(self._beats) == LOOPS else TROUBLE)


def _hand_on(site: Site, jobs: Jobs) -> None:
    """Webhooks for which something is due, to the worker."""
    for hook in site.hook_queue.take(site.clock(), LEASE, WEBHOOKS):
        jobs.deliver(hook)
