"""The `forgepost` command: every part of it says in words what is wrong and what to do, and scripts can tell by its status."""

import json
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner, Result

from domain.chain import SeedLot
from domain.desk import Desk
from domain.proof.export import export
from infra.heads import signed
from infra.keys import Keys
from infra.settings import Settings
from service.cli import main
from tests.memory_log import MemoryLog
from tests.people import People, Watch


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch: pytest.MonkeyPatch):
    """Nothing is configured unless a test says so."""
    for name in ("FORGEPOST_URL", "EVENTS_REDIS_URL", "FORGEPOST_SECRETS", "SMTP_URL", "FORGEPOST_DEV"):
        monkeypatch.delenv(name, raising=False)


def forgepost(*arguments: str | Path, said: bytes | None = None) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments], input=said)


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Keys:
    return Keys(Settings.development(tmp_path_factory.mktemp("keys")))


@pytest.fixture
def file(tmp_path: Path, keys: Keys) -> Path:
    """The signed history of a match that is over."""
    watch, file = Watch(), tmp_path / "match.ndjson"
    desk = Desk(MemoryLog(), lambda match: SeedLot(bytes(32), match), watch)
    match = People(desk, watch, Random(1), lively=0).play("07-0000000001")
    file.write_bytes(b"".join(export(match, desk.history(match.id), "https://turns.example.org", keys.public(), keys)))
    return file


def test_help_names_every_part():
    shown = forgepost("--help").output
    for name in ("run", "web", "worker", "clock", "mailbox", "player", "history", "doctor"):
        assert f"\n  {name} " in shown


def test_a_history_that_holds_is_told_in_one_line_with_status_0(file: Path):
    done = forgepost("history", "verify", file)
    assert done.exit_code == 0
    assert done.output.startswith(f"{file}: match 07-0000000001 (fourfold) holds: unaltered chain of ")
    assert done.output.endswith("; head signed; not checked: that its keys are those of https://turns.example.org\n")
    assert done.output.count("\n") == 1


def test_with_the_servers_keys_nothing_is_left_unchecked(file: Path, keys: Keys, tmp_path: Path):
    jwks = tmp_path / "jwks.json"
    jwks.write_text(json.dumps({"keys": keys.public()}))
    done = forgepost("history", "verify", file, "--keys", jwks)
    assert done.exit_code == 0
    assert "not checked" not in done.output
    jwks.write_text(json.dumps({"keys": []}))
    assert "its head was not signed with any of the server's keys" in forgepost("history", "verify", file, "--keys", jwks).output
    jwks.write_text("[]")
    done = forgepost("history", "verify", file, "--keys", jwks)
    assert done.exit_code == 2
    assert "is no set of public keys" in done.output


def test_a_changed_history_is_told_with_status_1_and_the_others_are_checked_too(file: Path, tmp_path: Path):
    changed = tmp_path / "changed.ndjson"
    changed.write_bytes(file.read_bytes().replace(b'"ply":3', b'"ply":4', 1))
    done = forgepost("history", "verify", changed, file)
    assert done.exit_code == 1
    first, second = done.output.splitlines()
    assert "does NOT hold: version " in first
    assert " holds: " in second


def test_a_signature_of_another_match_is_found(file: Path, keys: Keys):
    lines = file.read_bytes().splitlines()
    trailer = json.loads(lines[-1])
    assert signed(keys.public(), trailer["signature"]) == {name: trailer[name] for name in ("hash", "match", "version")}
    trailer["signature"] = keys.sign_head("07-0000000002", trailer["version"], bytes.fromhex(trailer["hash"]))
    file.write_bytes(b"\n".join([*lines[:-1], json.dumps(trailer, separators=(",", ":"), sort_keys=True).encode(), b""]))
    done = forgepost("history", "verify", file)
    assert done.exit_code == 1
    assert "its signature is of another head" in done.output


def test_several_matches_in_one_file_or_on_the_way_in_are_a_line_each(file: Path):
    twice = file.read_bytes() * 2
    done = forgepost("history", "verify", "-", said=twice)
    assert done.exit_code == 0
    assert [line.split(":")[0] for line in done.output.splitlines()] == ["-", "-"]


def test_programs_read_it_as_json(file: Path):
    said = json.loads(forgepost("history", "verify", file, "--json").output)
    assert said["sound"] is True
    assert said["match"] == "07-0000000001"
    assert said["holds"] == ["form", "chain", "rules", "lots", "head"]
    assert said["outcome"]["reason"] == "goals"


@pytest.mark.parametrize("raw", [b"", b"\n", b"\xff\xfe", b"{}", b"not a history\n", b'{"forgepost":"history"}\n' * 3])
def test_whatever_is_no_history_is_refused_in_words(raw: bytes, tmp_path: Path):
    file = tmp_path / "file"
    file.write_bytes(raw)
    done = forgepost("history", "verify", file)
    assert done.exit_code == 1
    assert "does NOT hold" in done.output


def test_a_file_that_is_not_there_is_named():
    done = forgepost("history", "verify", "/nowhere/match.ndjson")
    assert done.exit_code == 2
    assert "/nowhere/match.ndjson" in done.output


@pytest.mark.parametrize("command", [["player", "add", "Ann", "ann@example.org"], ["doctor"]])
def test_without_a_running_site_it_says_how_to_start_one(command: list[str], tmp_path: Path):
    done = forgepost(*command, "--data", tmp_path)
    assert done.exit_code == 1
    assert done.output == f"Error: no Forgepost runs on {tmp_path}; start it with: forgepost run --data {tmp_path}\n"


@pytest.mark.parametrize("command", [["web"], ["worker", "notices"], ["clock"], ["mailbox"]])
def test_a_process_without_its_settings_says_which_are_missing(command: list[str]):
    done = forgepost(*command)
    assert done.exit_code == 1
    for name in ("FORGEPOST_URL", "FORGEPOST_SECRETS", "EVENTS_REDIS_URL", "SMTP_URL"):
        assert f"{name} is not set" in done.output


def test_a_port_that_is_none_is_refused():
    assert forgepost("run", "--port", "70000").exit_code == 2
