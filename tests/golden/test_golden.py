"""Exports of the day when their format was new verify today, with all that can happen in a match among them, by both verifiers."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from runpy import run_path

import pytest

from domain.games import GAMES
from domain.match.events import KINDS
from domain.proof.verify import verify
from domain.proof.witness import witness
from infra.seals.heads import signed
from tests.exports import forged, opened
from tests.infra.seals.test_heads import PUBLIC
from tests.node import run_node

HERE = Path(__file__).parent
HEADS = dict(line.split() for line in (HERE / "heads.txt").read_text().splitlines())
PROJECT = Path(__file__).parents[2]
PROGRAM = PROJECT / "service" / "static" / "proof" / "verify.mjs"


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


# The program that docs/proof.md begins with


@pytest.fixture(scope="module")
def check() -> Callable[[bytes], str]:
    program: Callable[[bytes], str] = run_path(str(PROJECT / "examples" / "check_a_history.py"))["check"]
    return program


@pytest.mark.parametrize("name", HEADS)
def test_the_example_of_a_verifier_agrees(name: str, check: Callable[[bytes], str]):
    version, _, head = HEADS[name].partition(":")
    assert check(read(name)).endswith(f": {version} events, head {head}")


def test_the_example_of_a_verifier_finds_what_was_changed(check: Callable[[bytes], str]):
    raw = read("fourfold-signed")
    lines = raw.splitlines(keepends=True)
    move = next(line for line in lines if b'"jws"' in line)
    for changed, words in (
        (raw[:-1], "the last line is not complete"),
        (raw.replace(b'"at":"2026-', b'"at": "2026-', 1), "a line is not canonical"),
        (b"".join([*lines[:5], *lines[6:]]), "version 5: chain"),
        (b"".join([*lines[:-2], lines[-1]]), "the end was cut off, or is another one"),
        (raw.replace(b"https://turns.example.org", b"https://terns.example.org"), "the header is another one"),
        (raw.replace(move, move.replace(b'"via":"jws"', b'"via":"api"')), f"version {lines.index(move)}: chain"),
    ):
        with pytest.raises(AssertionError, match=words):
            check(changed)
    lines_of = opened(raw)
    at = next(place for place, line in enumerate(lines_of) if "jws" in line.get("data", {}))
    header, payload, _ = lines_of[at]["data"]["jws"].split(".")
    lines_of[at]["data"]["jws"] = f"{header}.{payload}.{'A' * 86}"
    with pytest.raises(AssertionError, match=f"version {at}: signature of a move"):
        check(forged(lines_of))
    lines_of = opened(read("four-forges-whole"))
    lines_of[-2]["data"]["seed"] = "11" * 32
    with pytest.raises(AssertionError, match="the seed is not the one that was committed to"):
        check(forged(lines_of))
