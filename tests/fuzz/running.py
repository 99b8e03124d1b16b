"""One run of schemathesis against one site."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from subprocess import PIPE, STDOUT, run

from infra.people.players import SCOPES
from tests.end_to_end.house import PROJECT, House
from tests.servers import PATIENT

CHECKED = "positive_data_acceptance"  # it knows the shape only; `refused_for_a_reason` stands for it
ENDLESS = "/stream$"  # whoever reads one reads for ever


def fuzz(house: House, paper: Path, examples: int, seed: int | None = None) -> str:
    """What schemathesis says of a house, with a token that may do everything; fails where it finds anything."""
    house.tell("player", "add", "Fuzz", "fuzz@example.org")
    token = house.tell("player", "token", "fuzz@example.org", *(part for scope in SCOPES for part in ("--scope", scope))).split()[-1]
    command = [
        str(Path(sys.executable).with_name("schemathesis")), "run", f"{house.url}/openapi.yaml",
        "--header", f"Authorization: Bearer {token}", "--checks", "all", "--exclude-checks", CHECKED,
        "--exclude-path-regex", ENDLESS, "--max-examples", str(examples), "--continue-on-failure", "--no-color", "--request-timeout", str(PATIENT),
        *(["--seed", str(seed)] if seed is not None else []),
    ]  # fmt: skip
    env = {**os.environ, "SCHEMATHESIS_HOOKS": "tests.fuzz.hooks", "PYTHONPATH": str(PROJECT)}
    done = run(command, cwd=paper, env=env, stdout=PIPE, stderr=STDOUT, text=True, check=False)
    assert done.returncode == 0, done.stdout
    return done.stdout
