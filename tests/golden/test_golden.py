"""Exports of the day when their format was new verify today, with all that can happen in a match among them, by both verifiers."""

import gzip
import json
from pathlib import Path

import pytest

from domain.games import GAMES
from domain.match.events import KINDS
from domain.proof.verify import verify
from domain.proof.witness import witness
from infra.seals.heads import signed
from tests.infra.seals.test_heads import PUBLIC
from tests.node import run_node

HERE = Path(__file__).parent
HEADS = dict(line.split() for line in (HERE / "heads.txt").read_text().splitlines())
PROGRAM = Path(__file__).parents[2] / "service" / "static" / "proof" / "verify.mjs"


def read(name: str) -> bytes:
    return gzip.decompress((HERE / f"{name}.ndjson.gz").read_bytes())


@pytest.mark.parametrize("name", HEADS)
def test_a_golden_export_verifies(name: str):
    report = verify(read(name), signed, PUBLIC, (witness(HEADS[name]),))
    assert report.flaws == ()
    assert {"form", "chain", "rules", "lots", "head"} <= set(report.holds)
    assert report.witnessed == (0,)


def test_every_file_has_its_head():
    assert {path.name.removesuffix(".ndjson.gz") for path in HERE.glob("*.ndjson.gz")} == set(HEADS)


def test_every_type_of_event_and_every_game_is_among_them():
    events = [json.loads(line) for name in HEADS for line in read(name).splitlines()[1:-1]]
    assert {f"{event['type']}.{event['schema']}" for event in events} >= set(KINDS.values())
    assert {event["data"]["game"] for event in events if event["type"] == "match.created"} >= set(GAMES)
    assert any("jws" in event["data"] for event in events)
    assert any("since" in event["data"] for event in events), "an absence of the site"


def test_the_second_verifier_agrees(tmp_path: Path):
    files = [tmp_path / f"{name}.ndjson" for name in HEADS]
    for file in files:
        file.write_bytes(read(file.stem))
    done = run_node(str(PROGRAM), *map(str, files))
    assert (done.returncode, done.stderr) == (0, "")
    assert [line for line in done.stdout.splitlines() if "; head signed" not in line] == []
    assert len(done.stdout.splitlines()) == len(files)
