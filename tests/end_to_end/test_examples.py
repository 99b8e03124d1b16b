"""The small clients that README shows: each signs a move with another library than ours, and a real server takes it."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from subprocess import run
from typing import Any
from urllib.request import Request, urlopen

import pytest

from tests.end_to_end.house import PROJECT, House
from tests.node import node

EXAMPLES = PROJECT / "examples"
CLIENTS: dict[str, Callable[[], list[str]]] = {
    "Python": lambda: [sys.executable, str(EXAMPLES / "sign_a_move.py")],
    "JavaScript": lambda: [node(), str(EXAMPLES / "sign_a_move.mjs")],
}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with House(tmp_path_factory.mktemp("house")) as house:
        yield house


@pytest.fixture(scope="module")
def token(house: House) -> str:
    """Ann's."""
    return house.tell("player", "add", "Ann", "ann@example.org", "--token").split()[-1]


def asks(house: House, token: str, path: str, body: Any = None) -> Any:
    """What the API answers."""
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    with urlopen(Request(f"{house.url}/api/v1{path}", None if body is None else json.dumps(body).encode(), headers)) as answer:  # noqa: S310 - our own
        return json.load(answer)


@pytest.mark.parametrize("language", CLIENTS)
def test_a_small_client_signs_a_move_that_the_server_takes_and_the_verifier_believes(house: House, token: str, language: str, tmp_path: Path):
    mine = {"game": "fourfold", "settings": {"visibility": "public"}, "seats": [{"player": "me"}] * 4}
    match = asks(house, token, "/matches", mine)["id"]
    for _ in range(3):
        done = run([*CLIENTS[language](), house.url, token, match], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.strip()
    assert (tmp_path / "forgepost-key.json").stat().st_mode & 0o777 == 0o600
    key = json.loads((tmp_path / "forgepost-key.json").read_text())
    taken = [event for event in asks(house, token, f"/matches/{match}/history")["events"] if event["by"].get("via") == "jws"]
    assert len(taken) == 3
    assert key["x"] in [one["kid"] for one in asks(house, token, "/me/keys")["keys"]]
    export = tmp_path / "export.ndjson"
    with urlopen(Request(f"{house.url}/api/v1/matches/{match}/history", headers={"Accept": "application/x-ndjson"})) as answer:  # noqa: S310 - our own
        export.write_bytes(answer.read())
    command = [sys.executable, "-m", "service.cli", "history", "verify", "--json", str(export)]
    report = json.loads(run(command, cwd=PROJECT, capture_output=True, check=True).stdout)
    assert (report["sound"], report["signed"]) == (True, 3)
    assert list(report["signers"].values()) == [[key["x"]]]


def test_what_readme_shows_of_them_stands_in_them():
    """Every block of code in the section about signing, line by line."""
    section = (PROJECT / "README.md").read_text().partition("## Signing moves")[2].partition("\n## ")[0]
    for language, file in (("python", "sign_a_move.py"), ("js", "sign_a_move.mjs")):
        shown = section.partition(f"```{language}\n")[2].partition("```")[0].rstrip()
        assert len(shown.splitlines()) > 3
        assert shown in (EXAMPLES / file).read_text()
