"""The command line of the processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from tests.servers import PATIENT
from tests.workers.office import PROJECT, Office, until


def run(*process: str, **environ: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "workers", *process],
        env={"PATH": os.environ["PATH"], **environ},
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_missing_setting_is_named_with_what_to_do():
    refused = run("clock")
    assert refused.returncode == 2
    assert "FORGEPOST_URL is not set: give it the address" in refused.stderr
    assert "Traceback" not in refused.stderr


def test_a_queue_that_there_is_not_is_refused_and_the_others_named():
    refused = run("worker", "chess")
    assert refused.returncode == 2
    assert "invalid choice: 'chess'" in refused.stderr
    assert "deadlines" in refused.stderr


def test_a_worker_ends_when_it_is_told_to(office: Office):
    running = office.start("worker", "notices")
    client = office.site.rq_redis
    until(lambda: any(client.hget(name, "state") == b"idle" for name in client.keys("rq:worker:*")))
    running.send_signal(signal.SIGTERM)
    assert running.wait(PATIENT) == 0


def test_a_clock_ends_when_it_is_told_to(office: Office):
    running = office.start("clock")
    until(lambda: office.site.redis.exists("{ops}:beats"))
    running.send_signal(signal.SIGINT)
    assert running.wait(PATIENT) == 0


def test_a_worker_waits_for_a_redis_that_is_not_there_yet(office: Office):
    office.redis.kill()
    running = office.start("worker", "notices")
    with pytest.raises(subprocess.TimeoutExpired):
        running.wait(3)
    office.redis.start()
    until(lambda: office.site.rq_redis.exists("rq:workers:notices"))


def test_a_worker_waits_for_a_redis_that_takes_no_writes_yet(office: Office):
    """As a new master does, until it has a replica."""
    with office.redis.client() as master:
        master.config_set("min-replicas-to-write", 1)
        try:
            running = office.start("worker", "notices")
            with pytest.raises(subprocess.TimeoutExpired):
                running.wait(3)
        finally:
            master.config_set("min-replicas-to-write", 0)
    until(lambda: office.site.rq_redis.exists("rq:workers:notices"))
