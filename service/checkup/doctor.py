"""The doctor: what of a site is configured and alive, what is not, and what would not survive a crash."""

from __future__ import annotations

import ssl
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any
from urllib.parse import urlsplit

from redis.exceptions import RedisError
from rq import Worker

from domain.ports import LogUnavailable
from infra.beats import Beats
from infra.redis_log.gate import check, servers
from infra.settings import Settings
from infra.wiring import Site, site
from service.checkup.finding import Finding
from service.checkup.mail_room import mail

QUEUES = {
    "notices": "no mail is sent",
    "deadlines": "deadlines are enforced some seconds late, by the clock",
    "bots": "house bots do not play",
    "webhooks": "no webhook is told anything",
    "inbound": "replies are not read",
}
SILENT = 30_000  # ms without a beat after which a loop counts as dead; they beat every ten seconds
OVERDUE = 10_000  # ms after which a deadline should have been enforced, also with every worker dead
MOST = 10  # matches told of one by one
PATIENCE = 3.0  # seconds for a server to answer


def examine(settings: Settings, say: Callable[[str], object], dns: str = "") -> bool:
    """Say everything; True when nothing must be done. `dns`: the name server that is asked about the mail domain; usually the machine's own."""
    say("Configured")
    for variable, value in settings.configured():
        say(f"  {variable.name}={value}")
    here, healthy = site(settings), True
    rooms: dict[str, Callable[[Site], Iterator[Finding]]] = {**ROOMS, "Mail": partial(mail, dns=dns)}
    for name, look in rooms.items():
        say(name)
        try:
            found = list(look(here))
        except (LogUnavailable, RedisError) as gone:
            found = [Finding(sound=False, words=f"cannot be looked at: {gone}")]
        for finding in found:
            say(f"  {MARKS[finding.sound]}  {finding.words}")
            healthy = healthy and finding.sound is not False
    say("Nothing must be done." if healthy else "Something must be done: see the lines that begin with !!")
    return healthy


MARKS = {True: "ok", False: "!!", None: "--"}


def _redis(here: Site) -> Iterator[Finding]:
    wrong = check(here.redis, here.settings)
    yield from (Finding(sound=False, words=words) for words in wrong)
    for server in servers(here.redis):
        info: Any = server.info()
        if here.settings.replicas:
            yield _replicas(info, here.settings.replicas)
        if not wrong:
            yield Finding(sound=True, words=f"the log's Redis {info['redis_version']} has a move on disk before it answers")
    if here.settings.rq_redis_url != here.settings.events_redis_url:
        here.rq_redis.ping()
        yield Finding(sound=True, words="the queues' Redis answers")


def _replicas(info: dict[str, Any], wanted: int) -> Finding:
    """Whether those that a move waits for are there: without, every answer is 202, and soon no move is taken."""
    there = [value for name, value in info.items() if name.startswith("slave") and isinstance(value, dict) and value.get("state") == "online"]
    words = f"{len(there)} of the {wanted} replicas that a move waits for (REPLICAS) follow"
    return Finding(sound=True, words=words) if len(there) >= wanted else Finding(sound=False, words=f"{words}: see to the others")


def _crash(here: Site) -> Iterator[Finding]:
    """Acknowledged moves survive where the gate lets them be written at all; the rest is said here."""
    said: list[Any] = [server.info("replication") for server in servers(here.redis)]
    if not all(info["connected_slaves"] for info in said):
        yield Finding(
            sound=None, words="the log is on one disk: when that is lost, so are the matches; keep a replica, or backups (forgepost backup)"
        )
    yield from (Finding(sound=None, words=words) for words in here.settings.doubts())
    yield Finding(
        sound=None, words="jobs in the queues may be lost; what they were to do comes back from the outbox and the deadlines within a minute"
    )


def _processes(here: Site) -> Iterator[Finding]:
    yield _web(here.settings)
    now = here.clock()
    beats = Beats(here.redis).heard(now)
    newest: dict[str, int] = {}
    for loop, at in beats.items():
        name = loop.partition("@")[0]
        newest[name] = max(at, newest.get(name, 0))
    silent = sorted(name for name, at in newest.items() if now - at > SILENT)
    if not newest or len(silent) == len(newest):
        yield Finding(sound=False, words="no clock runs: no deadline is enforced and no mail is sent; start one with: forgepost clock")
    elif silent:
        yield Finding(sound=False, words=f"the clock's {' and '.join(silent)} did not get through for more than {SILENT // 1000} s: see its log")
    else:
        yield Finding(sound=True, words=f"a clock runs; its last beat was {(now - max(newest.values())) / 1000:.0f} s ago")
    at_work = [queue for each in Worker.all(connection=here.rq_redis) for queue in each.queue_names()]
    for queue, otherwise in QUEUES.items():
        if count := at_work.count(queue):
            yield Finding(sound=True, words=f"{count} worker{'s' * (count > 1)} for {queue}")
        else:
            yield Finding(sound=False, words=f"no worker for {queue}, so {otherwise}; start one with: forgepost worker {queue}")


def _web(settings: Settings) -> Finding:
    url = urlsplit(settings.url)
    kind = HTTPSConnection if url.scheme == "https" else HTTPConnection
    try:
        with closing(kind(url.hostname or "", url.port, timeout=PATIENCE)) as asked:
            asked.request("GET", "/readyz")
            status = asked.getresponse().status
    except ssl.SSLError as wrong:
        return Finding(sound=False, words=f"{settings.url} cannot be trusted ({wrong.reason or wrong}): see to its certificate")
    except (OSError, HTTPException) as gone:
        return Finding(sound=False, words=f"{settings.url} does not answer ({gone}): start a web server with: forgepost web")
    if status != 200:
        return Finding(sound=False, words=f"{settings.url}/readyz answers {status}: what it says there names the reason")
    return Finding(sound=True, words=f"{settings.url} is ready")


def _work(here: Site) -> Iterator[Finding]:
    overdue = here.dues.overdue(here.clock() - OVERDUE)
    if overdue:
        yield Finding(sound=False, words=f"deadlines of {len(overdue)} partitions are over and were not enforced: is a clock running?")
    else:
        yield Finding(sound=True, words="no deadline is overdue")
    if damaged := here.inbox.parked():
        yield Finding(sound=False, words=f"{len(damaged)} mails that came in could not be dealt with, and are kept: forgepost mail parked says why")
    if parked := here.outbox.parked():
        kinds = ", ".join(sorted({f"{notice.kind} of {notice.match}" for notice in parked})[:5])
        yield Finding(sound=False, words=f"{len(parked)} notices cannot be sent ({kinds}): forgepost mail parked says why")
    yield Finding(sound=None, words=f"{here.outbox.waiting()} notices wait for their time")


def _keeping(here: Site) -> Iterator[Finding]:
    """Matches that are read-only, and ends that do not fit together; what is found is only told here."""
    marked = here.readonly.marked()
    for match, why in sorted(marked.items())[:MOST]:
        yield Finding(sound=False, words=f"match {match} is read-only ({why}): look with forgepost match verify {match}")
    if len(marked) > MOST:
        yield Finding(sound=False, words=f"{len(marked) - MOST} more matches are read-only")
    found = here.audit.contradictions()
    for match, why in sorted(found.items())[:MOST]:
        yield Finding(sound=False, words=f"match {match} contradicts itself ({why}), and can be written to: forgepost match verify {match}")
    if not marked and not found:
        yield Finding(sound=True, words="the ends of all matches fit their heads and their witness")
    if not here.witness.place.exists():
        yield Finding(sound=None, words=f"no head was written to {here.witness.place} yet: without, what Redis lost would not be missed")


ROOMS: dict[str, Callable[[Site], Iterator[Finding]]] = {
    "Redis": _redis,
    "Processes": _processes,
    "Mail": mail,
    "Work": _work,
    "Keeping": _keeping,
    "What would not survive a crash": _crash,
}
