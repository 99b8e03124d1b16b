"""The bots in examples/: a newcomer starts them against `make run` with a token, and they play a match to its end."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator
from subprocess import PIPE, Popen
from typing import Any
from urllib.request import Request, urlopen

import pytest

from tests.end_to_end.house import PROJECT, House
from tests.node import node

BOTS: dict[str, Callable[[], list[str]]] = {
    "Python": lambda: [sys.executable, str(PROJECT / "examples" / "bot.py")],
    "JavaScript": lambda: [node(), str(PROJECT / "examples" / "bot.mjs")],
}
WAIT = 600  # seconds that a match takes at most, on a busy machine


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with House(tmp_path_factory.mktemp("house")) as house:
        yield house


def token(house: House, name: str) -> str:
    """A token as a newcomer makes it."""
    return house.tell("player", "add", name, f"{name.lower()}@example.org", "--token").split()[-1]


def started(command: list[str], *arguments: str) -> Popen[str]:
    return Popen([*command, *arguments], stdout=PIPE, stderr=PIPE, text=True)


def ended(bot: Popen[str]) -> list[str]:
    """What it printed; fails where it failed."""
    said, complaints = bot.communicate(timeout=WAIT)
    assert (bot.returncode, complaints) == (0, "")
    return said.splitlines()


@pytest.mark.parametrize("language", BOTS)
def test_a_bot_plays_a_match_of_its_own_to_the_end(house: House, language: str):
    """Of Four Forges, where everybody has a turn in every round."""
    said = ended(started(BOTS[language](), house.url, token(house, language), "--game", "four-forges", "--options", '{"max_rounds": 3}'))
    assert said[0].startswith("match ")
    assert len(said) > 3
    assert said[-1].startswith("over ")
    assert json.loads(said[-1].removeprefix("over "))["reason"] == "round-limit"


def asks(house: House, token: str, path: str, body: Any = None) -> Any:
    """What the API answers."""
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    with urlopen(Request(f"{house.url}/api/v1{path}", None if body is None else json.dumps(body).encode(), headers)) as answer:  # noqa: S310 - our own
        return json.load(answer)


def test_the_bots_play_each_other(house: House):
    """One in Python, one in JavaScript, in a match that somebody else has opened; it is private, as matches are unless somebody says otherwise."""
    host = token(house, "Host")
    seats = [{"open": True}, {"open": True}, {"bot": "random"}, {"bot": "random"}]
    match = asks(house, host, "/matches", {"game": "fourfold", "options": {"goals_to_win": 1}, "seats": seats})["id"]
    bots = [started(bot(), house.url, token(house, f"{language}-2"), "--join", match) for language, bot in BOTS.items()]
    said = [ended(bot) for bot in bots]
    assert json.loads(said[0][-1].removeprefix("over ")) == json.loads(said[1][-1].removeprefix("over "))
    events = asks(house, host, f"/matches/{match}/history?limit=1000")["events"]
    played = [f"{event['by']['seat']}: {event['data']['text']}" for event in events if event["by"].get("via") == "api" and event["by"].get("seat")]
    assert sorted(said[0][1:-1] + said[1][1:-1]) == sorted(played)


def test_each_is_shorter_than_100_lines_and_needs_no_library():
    assert all(len((PROJECT / "examples" / file).read_text().splitlines()) < 100 for file in ("bot.py", "bot.mjs"))
    python = (PROJECT / "examples" / "bot.py").read_text()
    assert set(re.findall(r"^(?:from|import) (\w+)", python, re.MULTILINE)) <= sys.stdlib_module_names
    assert set(re.findall(r"from '(\w+):", (PROJECT / "examples" / "bot.mjs").read_text())) == {"node"}
