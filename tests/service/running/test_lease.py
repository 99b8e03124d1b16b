"""A data directory belongs to one run at a time, and says where that run is."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from service.running.lease import InUse, Lease, NotRunning, Run, running

RUN = Run(
    pid=os.getpid(),
    url="http://127.0.0.1:8000",
    host="127.0.0.1",
    port=8000,
    redis_port=21000,
    queues_port=21001,
    smtp_port=21002,
    mail_in_port=21003,
)


def test_a_run_is_found_by_its_directory(tmp_path: Path):
    with Lease(tmp_path) as lease:
        lease.tell(RUN)
        assert running(tmp_path) == RUN
        settings = running(tmp_path).settings(tmp_path)
    assert settings.url == "http://127.0.0.1:8000"
    assert (settings.events_redis_url, settings.rq_redis_url) == ("redis://127.0.0.1:21000/0", "redis://127.0.0.1:21001/0")
    assert settings.smtp_url == "smtp://127.0.0.1:21002"


def test_a_directory_in_use_is_refused_with_who_uses_it(tmp_path: Path):
    with Lease(tmp_path) as lease:
        lease.tell(RUN)
        with pytest.raises(InUse) as refused, Lease(tmp_path):
            pass
        assert str(refused.value) == (
            f"{tmp_path} is in use by process {os.getpid()}, at http://127.0.0.1:8000: stop that one, or give another directory with --data"
        )
        assert running(tmp_path) == RUN


def test_a_directory_is_free_again_after_its_run(tmp_path: Path):
    for _ in range(2):
        with Lease(tmp_path) as lease:
            lease.tell(RUN)
    with pytest.raises(NotRunning) as said:
        running(tmp_path)
    assert str(said.value) == f"no Forgepost runs on {tmp_path}; start it with: forgepost run --data {tmp_path}"


def test_what_a_killed_run_left_behind_is_told_from_a_run(tmp_path: Path):
    (tmp_path / "run.json").write_text(json.dumps({**{name: getattr(RUN, name) for name in RUN.__struct_fields__}, "pid": 99}))
    with pytest.raises(NotRunning) as said:
        running(tmp_path)
    assert "its run.json was left behind by process 99, which has ended; start it with: " in str(said.value)
    with Lease(tmp_path):
        assert not (tmp_path / "run.json").exists()


def test_a_directory_that_was_never_used_has_no_run(tmp_path: Path):
    with pytest.raises(NotRunning):
        running(tmp_path / "nowhere")


def test_a_directory_stays_taken_until_whoever_inherited_it_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("service.running.lease.LEAVING", 0.2)
    code = """
        import subprocess, sys
        from pathlib import Path
        from service.running.lease import Lease
        with Lease(Path(sys.argv[1])) as lease:
            print(subprocess.Popen(["sleep", "60"], pass_fds=[lease.fd], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).pid, flush=True)
    """
    done = subprocess.run([sys.executable, "-c", dedent(code), str(tmp_path)], capture_output=True, text=True, check=True)
    try:
        with pytest.raises(InUse, match="what is left of one that ended"), Lease(tmp_path):
            pass
    finally:
        os.kill(int(done.stdout), signal.SIGKILL)
    monkeypatch.setattr("service.running.lease.LEAVING", 60.0)
    with Lease(tmp_path):
        pass
