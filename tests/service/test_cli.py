"""The `forgepost` command: every part of it says in words what is wrong and what to do, and scripts can tell by its status."""

from collections.abc import Iterator
from pathlib import Path

import click
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


WHOLE = {
    "FORGEPOST_URL": "https://turns.example.org",
    "FORGEPOST_SECRETS": f"a:{bytes(range(32)).hex()}",
    "FORGEPOST_SEED_SECRET": bytes(range(32, 64)).hex(),
    "EVENTS_REDIS_URL": "redis://127.0.0.1:1/0",
    "SMTP_URL": "smtp://127.0.0.1:1",
}
PROCESSES = ["web", "worker notices", "clock", "mail-in", "mailbox", "mail test ann@example.org"]  # they become another program
LOOKING = [
    "player list",
    "player show ann@example.org",
    "player token ann@example.org",
    "player suppress ann@example.org",
    "match show 07-0123456789",
    "match verify --all",
    "match release --all --i-have-looked",
    "match archive --older-than 3",
    "rebuild",
    "restore .",
    "mail waiting",
    "mail parked",
    "mail retry --all",
    "mail drop --all --yes",
    "mail received",
    "mail suppressed",
]


@pytest.mark.parametrize("command", [*PROCESSES, *LOOKING, "doctor"])
@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"FORGEPOST_URL": "turns"}, "FORGEPOST_URL is no address that begins with https:// or http:// and names a host"),
        (
            {"EVENTS_REDIS_URL": "localhost:6379"},
            (
                "EVENTS_REDIS_URL is no address that begins with redis:// or rediss:// or unix:// or redis+sentinel:// or rediss+sentinel:// "
                "or redis+cluster:// or rediss+cluster:// and names a host"
            ),
        ),
        ({"EVENTS_REDIS_URL": "redis://127.0.0.1:1/zero"}, "EVENTS_REDIS_URL must end with the number of a database, as in redis://127.0.0.1:6379/0"),
        (
            {"EVENTS_REDIS_URL": "redis://127.0.0.1:1/0?timeout=x"},
            "EVENTS_REDIS_URL has an option that a Redis client does not take: Invalid value for 'timeout' in connection URL.",
        ),
        ({"EVENTS_REDIS_URL": "redis://127.0.0.1:1/0?colour=red"}, "EVENTS_REDIS_URL has an option that a Redis client does not take: "),
        ({"FORGEPOST_SECRETS": "a:1234"}, "FORGEPOST_SECRETS holds a secret of 2 bytes, and 32 are needed: "),
    ],
)
def test_a_setting_that_is_wrong_is_named_by_every_command(command: str, wrong: dict[str, str], words: str, monkeypatch: pytest.MonkeyPatch):
    for name, value in {**WHOLE, **wrong}.items():
        monkeypatch.setenv(name, value)
    done = forgepost(*command.split())
    assert done.exit_code == 1
    assert done.output.startswith(f"Error: {words}")
    assert isinstance(done.exception, SystemExit)


@pytest.mark.parametrize("command", [command for command in LOOKING if command != "restore ."])
def test_a_redis_that_is_not_there_is_said_in_words(command: str, monkeypatch: pytest.MonkeyPatch):
    for name, value in WHOLE.items():
        monkeypatch.setenv(name, value)
    done = forgepost(*command.split())
    assert (done.exit_code, type(done.exception)) == (1, SystemExit)
    assert done.output.startswith("Error: ")
    assert "127.0.0.1:1" in done.output


def test_a_queue_that_is_none_is_refused_with_those_that_there_are():
    done = forgepost("worker", "nonsense")
    assert done.exit_code == 2
    assert "'nonsense' is not one of 'notices', 'deadlines', 'bots', " in done.output


def every_command(group: click.Group, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """The command and all below it."""
    yield path, group
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from every_command(command, (*path, name))
        else:
            yield (*path, name), command


def test_every_command_and_every_option_says_what_it_is_for():
    silent = []
    for path, command in every_command(main):
        shown = forgepost(*path, "--help")
        assert shown.exit_code == 0
        if not command.help or not command.help.strip().endswith("."):
            silent.append(" ".join(path))
        silent += [
            f"{' '.join(path)} {option.name}"
            for option in command.params
            if isinstance(option, click.Option) and not option.help and option.name != "scopes"
        ]
    assert silent == []


def test_in_a_list_of_commands_no_word_is_cut_off():
    for path, command in every_command(main):
        if isinstance(command, click.Group):
            listed = forgepost(*path, "--help").output.partition("Commands:\n")[2]
            assert not [line for line in listed.splitlines() if line.endswith("...")]
