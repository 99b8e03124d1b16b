"""Killed as by `kill -9`, one process after the other, again and again: what was confirmed is played, once, and the match goes on."""

import os
import re
import signal
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import psutil
import pytest

from service.running.tether import tied
from tests.end_to_end.house import PROJECT, House, forgepost, until
from tests.end_to_end.paper import load
from tests.end_to_end.siege import VICTIMS, Siege
from tests.servers import PATIENT

KILLS = 20


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with House(tmp_path_factory.mktemp("kills")) as house:
        yield house


@pytest.fixture(scope="module")
def siege(house: House) -> Siege:
    """Ann plays while everything around her is killed."""
    siege = Siege(house, "ann@example.org", Random(3), undo_seconds="0", **{"fourfold.goals_to_win": "3"})
    siege.last(KILLS, 0.7)
    return siege


def test_no_confirmed_action_is_lost_or_doubled_whatever_is_killed_and_the_history_holds(siege: Siege):
    assert siege.killed.total() >= KILLS
    assert set(siege.killed) == set(VICTIMS)
    assert siege.matches
    for match in siege.matches:
        assert match.check().holds == ("form", "chain", "rules", "lots", "head")


def test_every_letter_came_and_a_doubled_one_can_be_told_by_its_id(house: House, siege: Siege):
    letters = [raw.read_text() for raw in sorted((house.data / "mail").glob("*.eml"))]
    ids = Counter(found[1] for letter in letters if (found := re.search(r"^Message-ID: (\S+)", letter, re.MULTILINE | re.IGNORECASE)))
    assert ids.total() == len(letters)
    doubled = ids.total() - len(ids)
    between = ("worker notices", "mailbox", "redis-server")  # killed between the mail and the note that it went, the same letter goes once more
    assert doubled <= sum(siege.killed[victim] for victim in between)


def test_the_supervisor_says_who_died(house: House, siege: Siege):
    for victim in {name for name in VICTIMS if name != "web worker"}:
        assert any(line.startswith(f"{victim} (process ") and " was ended by SIGKILL; it is started again in " in line for line in house.said)


def test_everything_runs_again_afterwards(house: House, siege: Siege):
    until(lambda: "Nothing must be done." in house.doctor(), pause=1.0)


def test_a_killed_web_server_leaves_no_worker_behind_that_holds_the_port(house: House):
    web = until(lambda: house.find("web"))
    workers = until(lambda: len(found := web.children()) == 2 and found)
    os.kill(web.pid, signal.SIGKILL)
    _, alive = psutil.wait_procs(workers, PATIENT)
    assert alive == []
    assert load(f"{house.url}/").status == 200


def test_a_killed_worker_of_the_web_server_is_replaced(house: House):
    web = until(lambda: house.find("web"))
    killed = house.kill("web worker")
    now = until(lambda: len(found := [child.pid for child in web.children()]) == 2 and killed not in found and found)
    assert killed not in now
    assert until(lambda: house.find("web")).pid == web.pid
    assert load(f"{house.url}/").status == 200


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_when_the_supervisor_goes_however_it_goes_nobody_stays(tmp_path: Path, number: signal.Signals):
    with House(tmp_path) as house:
        started = house.everybody()
        os.kill(house.pid, number)
        _, alive = psutil.wait_procs(started, PATIENT)
        assert alive == []
        if number == signal.SIGKILL:
            refused = subprocess.run([*forgepost("doctor"), "--data", str(tmp_path)], capture_output=True, text=True, check=False, cwd=PROJECT)
            assert "its run.json was left behind by process " in refused.stderr
        else:
            assert house.end() == 0


def test_a_house_starts_again_on_the_data_of_one_that_was_killed(tmp_path: Path):
    with House(tmp_path) as house:
        added = house.tell("player", "add", "Ann", "ann@example.org")
        os.kill(house.pid, signal.SIGKILL)
    with House(tmp_path) as house:
        assert house.tell("player", "add", "Ann", "ann@example.org") == added


def test_a_house_that_is_told_to_stop_while_it_starts_stops(tmp_path: Path):
    command = tied(forgepost("run", "--data", str(tmp_path), "--port", str(House(tmp_path).port)), signal.SIGTERM)
    said = "ready"
    while "ready" in said:  # where we were slow, and it was ready before it heard of us, it is started once more
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=PROJECT) as process:
            until((tmp_path / "run.json").exists)
            process.terminate()
            assert process.wait(PATIENT) == 0
            assert process.stdout is not None
            said = process.stdout.read()
