"""An export is the same, byte for byte, whichever process writes it and whenever."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from random import Random
from subprocess import run

from domain.desk import Desk
from infra import wiring
from infra.redis_log.log import RedisLog
from infra.seals.lot import lots
from infra.settings import Settings
from tests.people import People, Watch
from tests.servers import RedisServer

NAME = "07-0000000001"
WRITER = f"""
import sys
from infra.settings import Settings
from infra.wiring import site
from service.export import export
here = site(Settings.from_env(dict(part.split("=", 1) for part in sys.argv[1:])))
sys.stdout.buffer.write(export(here, here.desk.look("{NAME}")))
"""


def test_processes_that_know_nothing_of_each_other_write_the_same_bytes(site_redis: RedisServer, tmp_path: Path):
    environ = {
        "FORGEPOST_DEV": "1",
        "FORGEPOST_DATA": str(tmp_path),
        "FORGEPOST_URL": "https://turns.example.org",
        "EVENTS_REDIS_URL": site_redis.url,
        "SMTP_URL": "smtp://127.0.0.1:1",
        "FORGEPOST_SECRETS": f"b:{bytes(range(64, 96)).hex()},a:{bytes(range(32)).hex()}",
        "FORGEPOST_SEED_SECRET": bytes(range(32, 64)).hex(),
    }
    here, watch = wiring.site(Settings.from_env(environ)), Watch()
    here.redis.flushall()
    log = RedisLog(here.redis, here.settings.partitions, skew_ms=1 << 50)
    People(Desk(log, lots(here.keys), watch), watch, Random(5)).play(NAME, "four-forges", {"mining": True})
    written = []
    for seed in ("0", "4711"):
        said = [f"{name}={value}" for name, value in environ.items()]
        done = run([sys.executable, "-c", WRITER, *said], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True)
        written.append(done.stdout)
    assert written[0].count(b"\n") == here.desk.look(NAME).match.version + 2
    assert written[0] == written[1]
    here.redis.close()
    here.rq_redis.close()
