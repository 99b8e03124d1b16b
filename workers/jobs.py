"""RQ carries hints that there is work; what the work is stands in the log and the outbox. So a lost job costs seconds, and a doubled one nothing.

What RQ does by itself and how that is met here:

- A job names its function as text, and RQ would import whatever stands there, also with JSON as serializer: only the functions in `WORK` run.
- A worker of several queues loses a job for ever when it dies at the wrong moment: one queue a worker.
- Without `Retry` a job whose worker died is given up. Waiting between tries would need RQ's scheduler, which rounds down to whole
  seconds and stalls when it fails: a retry comes at once, and whatever has to wait waits in the outbox.
- The default worker forks for each job. Ours hand a mail to a mail server or append to a log and cannot crash on player's input in a
  way that an exception does not tell; a fork costs ten times the job and throws away the matches that the desk has folded. So no fork:
  a worker that does die is started again by its supervisor, and the lease of its job runs out.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from logging import getLogger
from secrets import token_hex
from typing import Any, Final, Literal, TypeAlias, assert_never, get_args

import msgspec
from redis import Redis
from rq import Queue as RqQueue
from rq import Retry, SimpleWorker
from rq.job import Job as RqJob
from rq.serializers import JSONSerializer

from domain.chain import canonical
from infra.keeping import archiving
from infra.outbox import Notice
from infra.settings import Settings
from infra.wiring import Site, site
from workers import bots, deadlines, mail_out, webhooks
from workers.inbound import road

log = getLogger(__name__)

Queue: TypeAlias = Literal["notices", "deadlines", "bots", "webhooks", "inbound"]

QUEUES: Final[tuple[Queue, ...]] = get_args(Queue)
RETRIES: Final = 2
LONGEST: Final = 30  # seconds that a job may take: less than its claim holds (mail_out.SENDING), so that no two ever send one notice
REMEMBERED: Final = 3600  # seconds that RQ keeps a job that failed, for whoever looks into it
CARE: Final = 60  # seconds between RQ's rounds of tidying up after workers that died
ALIVE: Final = 60  # seconds after which a worker that says nothing counts as dead


@cache
def _site() -> Site:
    """The site of this worker process, put together at its first job."""
    made = site(Settings.from_env(os.environ))
    made.tally.keep_saying()
    return made


def send_notice(notice: dict[str, Any]) -> None:
    """Mail one notice, if it is still true and nobody else is at it."""
    mail_out.send(_site(), msgspec.convert(notice, Notice))


def play_bot(notice: dict[str, Any]) -> None:
    """Play for a house bot as long as it is asked."""
    bots.play(_site(), msgspec.convert(notice, Notice))


def answer_offer(notice: dict[str, Any]) -> None:
    """Answer an offer for a house bot."""
    bots.answer(_site(), msgspec.convert(notice, Notice))


def read_mail(mail: str) -> None:
    """Deal with a mail that came in, if nobody has yet."""
    road.deal(_site(), mail)


def enforce_deadlines(partition: int) -> None:
    """Do what becomes of the seats of one partition whose time has run out."""
    deadlines.enforce(_site(), partition)


def archive_matches(matches: list[str]) -> None:
    """Move matches that are over to the archive."""
    site = _site()
    for match in matches:
        if why := archiving.archive(site, match):
            log.error("match %s was not archived: %s", match, why)


def deliver_webhook(webhook: str) -> None:
    """Have a webhook told what is due; the job is over as soon as one of the couriers has set out."""
    webhooks.send_out(_site(), webhook)


OURS: Final[tuple[Callable[..., None], ...]] = (
    archive_matches,
    send_notice,
    play_bot,
    answer_offer,
    read_mail,
    enforce_deadlines,
    deliver_webhook,
)
WORK: Final = {f"{__name__}.{ours.__name__}": ours for ours in OURS}


class NotOurWork(Exception):
    """A job in one of our queues that names none of our functions."""


class Job(RqJob):
    """A job that can call nothing but the functions in `WORK`, and calls nothing back."""

    @property
    def func(self) -> Callable[..., None]:
        name = str(self.func_name)
        if self.instance is not None or name not in WORK:
            raise NotOurWork(f"this worker does not know {name}")
        return WORK[name]

    @property
    def success_callback(self) -> None:
        return None

    failure_callback = stopped_callback = success_callback

    def send_webhooks(self, *_args: Any, **_more: Any) -> None:
        """Nobody outside is told about jobs."""


class Jobs:
    """Puts jobs into the queues."""

    def __init__(self, client: Redis) -> None:
        self._queues = {name: RqQueue(name, connection=client, job_class=Job, serializer=JSONSerializer) for name in QUEUES}

    def waiting(self, queue: Queue) -> int:
        """How many jobs nobody has begun yet."""
        return self._queues[queue].count

    def serve(self, notice: Notice) -> None:
        """Have a notice done. Its job always has the same id: one that still waits in the queue when another is made for it is that other."""
        name = f"n-{sha256(canonical(notice)).hexdigest()[:32]}"
        match notice.kind:
            case "bot":
                self._put("bots", play_bot, name, msgspec.to_builtins(notice))
            case "bot-offer":
                self._put("bots", answer_offer, name, msgspec.to_builtins(notice))
            case (
                "turn"
                | "reminder"
                | "over"
                | "invitation"
                | "offer"
                | "declined"
                | "turned-down"
                | "vacated"
                | "paused"
                | "aborted"
                | "sign-in"
                | "address"
                | "moving"
                | "digest"
                | "taken-back"
                | "given-away"
                | "unreachable"
                | "answer"
                | "webhook-off"
            ):
                self._put("notices", send_notice, name, msgspec.to_builtins(notice))
            case _ as never:
                assert_never(never)

    def read(self, mail: str) -> None:
        """Have a mail that came in dealt with; its job always has the same id, too."""
        self._put("inbound", read_mail, f"m-{mail}", mail)

    def enforce(self, partition: int) -> None:
        """Have a partition's deadlines enforced. Each job has an id of its own: RQ forgets a name when the first job of that name is done."""
        self._put("deadlines", enforce_deadlines, f"d-{partition:02d}-{token_hex(8)}", partition)

    def archive(self, matches: list[str]) -> None:
        """Have matches archived, behind the bots' moves, which can wait."""
        self._put("bots", archive_matches, f"a-{token_hex(8)}", matches)

    def deliver(self, webhook: str) -> None:
        """Have a webhook told what is due."""
        self._put("webhooks", deliver_webhook, f"h-{webhook}", webhook)

    def _put(self, queue: Queue, work: Callable[..., None], name: str, *args: Any) -> None:
        self._queues[queue].enqueue_call(
            work, args=args, job_id=name, timeout=LONGEST, result_ttl=0, failure_ttl=REMEMBERED, retry=Retry(max=RETRIES), description=name
        )


def work(queue: Queue, client: Redis) -> None:
    """Be the worker of one queue until told to stop."""
    worker = SimpleWorker(
        [queue],
        connection=client,
        job_class=Job,
        serializer=JSONSerializer,
        maintenance_interval=CARE,
        worker_ttl=ALIVE,
        log_job_description=False,
    )
    worker.log_result_lifespan = False
    worker.work(logging_level="WARNING")
    webhooks.come_home()
