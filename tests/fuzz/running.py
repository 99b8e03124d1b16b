"""Schemathesis against one site, with a player who has a part in all that there is."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from subprocess import PIPE, STDOUT, run

from infra.people.players import SCOPES
from tests.end_to_end.house import PROJECT, House
from tests.fuzz.world import World, furnish
from tests.servers import PATIENT

CHECKED = "positive_data_acceptance"  # it knows the shape only; `refused_for_a_reason` stands for it
ENDLESS = "/stream$"  # whoever reads one reads for ever
LAST = (  # what takes away that which all others ask for, and in the end whoever asks
    ("resign", "leave_match"),
    ("delete_webhook", "revoke_token", "revoke_key"),
    ("erase_me",),
)


def fuzz(house: House, paper: Path, examples: int, seed: int | None = None, phases: str = "examples,coverage,fuzzing,stateful") -> str:
    """What schemathesis says of a house, with a token that may do everything; fails where it finds anything.

    What it asks follows from the seed, but for the last phase, which goes on from what was answered.
    """
    mine, other = (_token(house, name) for name in ("Fuzz", "Other"))
    world = furnish(house.url, mine, other)
    common = [
        str(Path(sys.executable).with_name("schemathesis")), "run", f"{house.url}/openapi.yaml",
        "--header", f"Authorization: Bearer {mine}", "--checks", "all", "--exclude-checks", CHECKED,
        "--exclude-path-regex", ENDLESS, "--phases", phases, "--max-examples", str(examples), "--continue-on-failure", "--no-color",
        "--request-timeout", str(PATIENT),
        *(["--seed", str(seed)] if seed is not None else []),
    ]  # fmt: skip
    said = [_run([*common, *(f"--exclude-operation-id={name}" for names in LAST for name in names)], paper, world)]
    said += [_run([*common, *(f"--include-operation-id={name}" for name in names)], paper, world) for names in LAST]
    return "\n".join(said)


def _token(house: House, name: str) -> str:
    address = f"{name.lower()}@example.org"
    house.tell("player", "add", name, address)
    return house.tell("player", "token", address, *(part for scope in SCOPES for part in ("--scope", scope))).split()[-1]


def _run(command: list[str], paper: Path, world: World) -> str:
    env = {**os.environ, "SCHEMATHESIS_HOOKS": "tests.fuzz.hooks", "PYTHONPATH": str(PROJECT), "FUZZ_WORLD": json.dumps(world)}
    done = run(command, cwd=paper, env=env, stdout=PIPE, stderr=STDOUT, text=True, check=False)
    assert done.returncode == 0, done.stdout
    return done.stdout
