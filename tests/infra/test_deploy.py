"""What stands in infra/deploy works as it is: the settings are read, the Redis files pass the gate, and every unit starts a command that exists."""

import re
import shlex
import subprocess
import sys
from pathlib import Path
from shutil import copytree, which
from time import monotonic

import click
import pytest
from click.testing import CliRunner
from redis import Redis
from redis.exceptions import RedisError

from infra.redis_log.gate import check
from infra.settings import Settings, variables
from service.cli import main
from service.running.household import QUEUES
from tests.servers import BINARIES, PATIENT, free_port

DEPLOY = Path(__file__).parents[2] / "infra" / "deploy"
UNITS = sorted((DEPLOY / "systemd").iterdir())
FORGEPOST = "/opt/forgepost/.venv/bin/forgepost"


def example() -> dict[str, str]:
    """The settings of the example, with the secrets that it leaves out."""
    lines = [line for line in (DEPLOY / "forgepost.env").read_text().splitlines() if line and not line.startswith("#")]
    said = dict(line.split("=", 1) for line in lines)
    return {**said, "FORGEPOST_SECRETS": f"a:{bytes(range(32)).hex()}", "FORGEPOST_SEED_SECRET": bytes(range(32, 64)).hex()}


def test_the_example_s_settings_are_settings_of_ours():
    names = {variable.name for variable in variables().values()}
    named = re.findall(r"^#?([A-Z_]+)=", (DEPLOY / "forgepost.env").read_text(), re.MULTILINE)
    assert set(named) <= names
    settings = Settings.from_env(example())
    assert (settings.url, settings.mail_domain, settings.doubts()) == ("https://turns.example.org", "turns.example.org", [])


def test_its_secrets_have_to_be_made_first():
    said = (DEPLOY / "forgepost.env").read_text()
    assert "FORGEPOST_SECRETS=a:put-64-hex-digits-here\nFORGEPOST_SEED_SECRET=put-64-other-hex-digits-here\n" in said


@pytest.mark.parametrize("queue", ["matches", "queues"])
def test_a_redis_started_with_the_file_starts_and_that_of_the_matches_passes_the_gate(queue: str, tmp_path: Path):
    port, settings = free_port(), Settings.from_env(example())
    url = settings.events_redis_url if queue == "matches" else settings.rq_redis_url
    file = DEPLOY / f"redis-{queue}.conf"
    assert re.search(r"^port (\d+)$", file.read_text(), re.MULTILINE)[1] == url.rpartition(":")[2].partition("/")[0]  # type: ignore[index]
    command = [BINARIES[0], str(file), "--port", str(port), "--dir", str(tmp_path)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        with Redis(port=port) as client:
            await_answer(client, server)
            wrong = check(client, settings)
    finally:
        server.kill()
        server.wait()
    if queue == "matches":
        assert wrong == []
    else:
        assert wrong == [
            (
                "Redis answers before a move is on disk (appendfsync everysec): set `appendfsync always`, "
                "or ALLOW_LOSS_WINDOW=1 to accept that a crash loses the last second"
            )
        ]


def await_answer(client: Redis, server: subprocess.Popen[bytes]) -> None:
    end = monotonic() + PATIENT
    while monotonic() < end:
        try:
            client.ping()
        except RedisError:
            assert server.poll() is None
            with pytest.raises(subprocess.TimeoutExpired):
                server.wait(0.05)
        else:
            return
    raise AssertionError("it does not answer")


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_a_unit_starts_a_command_that_exists(unit: Path):
    for line in re.findall(r"^ExecStart=(.*)$", unit.read_text(), re.MULTILINE):
        words = shlex.split(line.replace("%%", "%").replace("$$", "$"))
        if words[:2] == ["/bin/sh", "-c"]:
            words = words[2].removeprefix("exec ").split()
        if words[0] != FORGEPOST:
            assert words[0] == "/usr/bin/redis-server"
            assert {(DEPLOY / Path(words[1].replace("%i", kind)).name).is_file() for kind in ("matches", "queues")} == {True}
            continue
        shown = CliRunner().invoke(main, [*words[1:], "--help"])
        assert shown.exit_code == 0, shown.output
        assert shown.output.startswith(f"Usage: main {words[1]} ")


def test_the_target_wants_a_worker_for_every_queue_and_only_units_that_are_there():
    wanted = re.findall(r"[\w@-]+\.service", (DEPLOY / "systemd" / "forgepost.target").read_text())
    assert {name.removeprefix("forgepost-worker@").removesuffix(".service") for name in wanted if name.startswith("forgepost-worker@")} == set(QUEUES)
    assert {re.sub(r"@.*\.", "@.", name) for name in wanted} <= {unit.name for unit in UNITS}


@pytest.mark.skipif(
    which("systemd-analyze") is None,
    reason="only systemd can judge its units, and a machine without it (a container, say) cannot run any; what they start is tested above everywhere",
)
def test_systemd_has_nothing_to_say_against_the_units(tmp_path: Path):
    copytree(DEPLOY / "systemd", tmp_path, dirs_exist_ok=True)
    here = Path(sys.executable).parent / "forgepost"
    for unit in tmp_path.iterdir():
        unit.write_text(unit.read_text().replace(FORGEPOST, str(here)).replace("/usr/bin/redis-server", BINARIES[0]))
    asked = ["forgepost.target", "forgepost-backup.timer", "forgepost-worker@notices.service", "forgepost-redis@matches.service"]
    done = subprocess.run(
        ["systemd-analyze", "verify", *(str(tmp_path / name) for name in asked)],
        env={"PATH": "/usr/bin:/bin", "SYSTEMD_UNIT_PATH": f"{tmp_path}:"},
        capture_output=True,
        text=True,
        check=False,
    )
    about_ours = [line for line in done.stderr.splitlines() if "forgepost" in line]
    assert (done.returncode, about_ours) == (0, [])


@pytest.mark.parametrize("page", ["docs/operating.md", "README.md"])
def test_every_command_in_a_guide_exists(page: str):
    written = re.findall(r"(?:`|^|/)forgepost ([a-z][a-z -]*[a-z])", (DEPLOY.parents[1] / page).read_text(), re.MULTILINE)
    assert len(written) > 10
    for words in {words.partition(" -")[0] for words in written}:
        command: click.Command = main
        for word in words.split():
            if not isinstance(command, click.Group):
                break  # the rest are arguments
            assert word in command.commands, f"forgepost {words}"
            command = command.commands[word]


def test_every_setting_in_the_guide_is_one_of_ours_or_of_somebody_named_there():
    names = {variable.name for variable in variables().values()}
    named = set(re.findall(r"\b(?:[A-Z]+_)+[A-Z]+\b", (DEPLOY.parents[1] / "docs" / "operating.md").read_text()))
    assert len(named) > 10
    assert named <= names
