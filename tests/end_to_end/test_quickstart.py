"""The quickstart of /docs, command by command in a shell, as a newcomer copies it."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from shutil import which
from subprocess import run

from domain.proof.verify import verify
from infra.seals.heads import signed
from service.pages.reading.docs import HERE, QUICKSTART
from tests.end_to_end.house import PROJECT, House


def test_from_a_token_to_the_first_move_by_what_the_page_says(tmp_path: Path):
    assert which("curl"), "this test runs the commands of the quickstart and needs curl: install it"
    commands = re.findall(r"```\n(.*?)```", QUICKSTART.read_text(), re.DOTALL)[:5]  # the last is about generated clients: tests/clients
    with House(tmp_path / "house") as house:
        forgepost = f"{sys.executable} -m service.cli"
        script = "\n".join(commands).replace(".venv/bin/forgepost", forgepost).replace("--token |", f"--token --data {house.data} |")
        script = script.replace(HERE, house.url).replace("match.ndjson", str(tmp_path / "match.ndjson"))
        done = run(["bash", "-eu", "-o", "pipefail", "-c", script], capture_output=True, text=True, check=False, cwd=PROJECT)
        assert done.returncode == 0, done.stderr
    legal, played = (json.loads(line) for line in done.stdout.replace("}{", "}\n{").splitlines())
    assert (legal["seat"], legal["ply"]) == ("dark", 0)
    assert "place c3" in [action["text"] for action in legal["actions"]]
    assert played["events"][0]["data"]["text"] == "place c3"
    report = verify((tmp_path / "match.ndjson").read_bytes(), signed)
    assert report.flaws == (), report.words
