"""RQ: real workers that do our jobs and nobody else's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rq import Callback, Queue
from rq.registry import FailedJobRegistry
from rq.serializers import JSONSerializer

from infra.outbox import Notice
from tests.workers.office import Office, until
from workers.jobs import Jobs

BOT = Notice("bot", "07-0000000000", "p-0000000000", "north", 1, 0, 1)
TURN = Notice("turn", "07-0000000000", "p-0000000000", "north", 1, 0, 1)


def test_a_job_that_names_another_function_is_not_run(office: Office, tmp_path: Path):
    office.start("worker", "notices")
    harm = tmp_path / "harm"
    client = office.site.rq_redis
    queue = Queue("notices", connection=client, serializer=JSONSerializer)
    job = queue.enqueue_call("os.mkdir", args=[str(harm)], timeout=600)
    until(lambda: job.id in FailedJobRegistry("notices", connection=client, serializer=JSONSerializer))
    assert not harm.exists()
    result = job.latest_result()
    assert result
    assert "this worker does not know os.mkdir" in str(result.exc_string)


def test_a_job_cannot_bring_its_own_callback(office: Office, tmp_path: Path):
    office.start("worker", "deadlines")
    harm = tmp_path / "harm"
    client = office.site.rq_redis
    queue = Queue("deadlines", connection=client, serializer=JSONSerializer)
    job = queue.enqueue_call("workers.jobs.enforce_deadlines", args=[0], timeout=600, result_ttl=600, on_success=Callback("os.mkdir"))
    until(lambda: job.get_status() == "finished")
    assert not harm.exists()


def test_each_notice_goes_into_its_queue_under_a_name_of_its_own_that_rq_can_read(office: Office):
    jobs = Jobs(office.site.rq_redis)
    jobs.serve(BOT)
    jobs.serve(TURN)
    jobs.serve(TURN)
    jobs.enforce(7)
    jobs.enforce(7)
    assert [jobs.waiting(queue) for queue in ("notices", "bots", "deadlines")] == [2, 1, 2]
    names: Any = office.site.rq_redis.lrange("rq:queue:notices", 0, -1)
    assert len(set(names)) == 1
    assert names[0].decode().replace("-", "").isalnum()


def test_a_job_done_leaves_nothing_in_redis(office: Office):
    office.start("worker", "deadlines")
    jobs = Jobs(office.site.rq_redis)
    for partition in range(4):
        jobs.enforce(partition)
    client = office.site.rq_redis
    until(lambda: not client.keys("rq:job:*") and jobs.waiting("deadlines") == 0)
    assert client.keys("rq:results:*") == []
