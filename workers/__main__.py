"""`python -m workers worker QUEUE | clock | mail-in | mailbox --port N | trial ADDRESS`: one process of the post and clock face, until a signal."""

from __future__ import annotations

import logging
import os
import signal
import sys
from argparse import ArgumentParser
from threading import Event as Signal
from time import sleep

from redis import Redis
from redis.exceptions import RedisError

from infra.settings import Settings, SettingsError
from infra.stop import Stop
from infra.wiring import site
from workers import jobs, mail_in, mailbox
from workers.clock import Clock
from workers.trial import try_out

log = logging.getLogger("workers")


def main() -> int:
    """Read the command line and the environment, and be that process."""
    asked = _parser().parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s", stream=sys.stderr)
    logging.getLogger("mail.log").setLevel(logging.WARNING)  # aiosmtpd tells every line of every talk
    try:
        settings = Settings.from_env(os.environ)
    except SettingsError as wrong:
        print(wrong, file=sys.stderr)  # noqa: T201 - whoever started it reads this
        return 2
    if asked.process == "worker":
        client = site(settings).rq_redis
        _wait_for(client)
        jobs.work(asked.queue, client)
        return 0
    if asked.process == "trial":
        return 0 if try_out(site(settings), asked.address, print) else 1
    stopped = Stop()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopped.set())
    if asked.process == "clock":
        Clock(site(settings), stopped).run()
        return 0
    if asked.process == "mail-in":
        return _take_mail(settings, stopped)
    try:
        mailbox.serve(settings, asked.port, stopped)
    except OSError as taken:
        print(f"port {asked.port} of this machine cannot be used for mail: {taken}", file=sys.stderr)  # noqa: T201 - the same
        return 1
    return 0


def _take_mail(settings: Settings, stopped: Signal) -> int:
    try:
        mail_in.serve(site(settings), stopped)
    except (mail_in.Nothing, OSError) as wrong:
        print(f"no mail can be taken in: {wrong}", file=sys.stderr)  # noqa: T201 - whoever started it reads this
        return 1
    return 0


def _parser() -> ArgumentParser:
    parser = ArgumentParser(prog="python -m workers", description="One process of the post and clock face of a Forgepost site.")
    processes = parser.add_subparsers(dest="process", required=True)
    worker = processes.add_parser("worker", help="work through one queue")
    worker.add_argument("queue", choices=jobs.QUEUES)
    processes.add_parser("clock", help="see to it that what is due is done")
    processes.add_parser("trial", help="send a mail to try the way").add_argument("address")
    processes.add_parser("mail-in", help="take replies from our mail server, or from a mailbox")
    box = processes.add_parser("mailbox", help="the development mail server")
    box.add_argument("--port", type=int, required=True)
    return parser


def _wait_for(client: Redis) -> None:
    """A worker may be started before its Redis is, or before that may be written to, as after a fail-over."""
    said = False
    while True:
        try:
            client.delete("rq:worker:nobody")  # which a replica, or a master that waits for one, refuses though it would answer a ping
        except RedisError as gone:
            if not said:
                log.warning("waiting for the Redis of the queues: %s", gone)
            said = True
            sleep(1)
        else:
            return


if __name__ == "__main__":
    sys.exit(main())
