"""The `forgepost` command: every part of it says in words what is wrong and what to do, and scripts can tell by its status."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from service.cli import main


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch: pytest.MonkeyPatch):
    """Nothing is configured unless a test says so."""
    for name in ("FORGEPOST_URL", "EVENTS_REDIS_URL", "FORGEPOST_SECRETS", "SMTP_URL", "FORGEPOST_DEV"):
        monkeypatch.delenv(name, raising=False)


def forgepost(*arguments: str | Path, said: bytes | None = None) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments], input=said)


def test_help_names_every_part():
    shown = forgepost("--help").output
    for name in ("run", "web", "worker", "clock", "mailbox", "player", "history", "doctor"):
        assert f"\n  {name} " in shown


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


def test_a_data_directory_that_cannot_be_made_is_said_in_words(tmp_path: Path):
    (tmp_path / "file").touch()
    done = forgepost("run", "--data", tmp_path / "file" / "inside")
    assert done.exit_code == 1
    assert done.output == f"Error: the data directory {tmp_path / 'file' / 'inside'} cannot be made: Not a directory\n"
