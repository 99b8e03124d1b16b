"""A client made from openapi.yaml by a machine is enough: it compiles under the strictest settings, and plays whole matches over HTTP."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from domain.games import GAMES
from tests.clients.tools import DESCRIPTION, does, python_client, tool, typescript_client
from tests.end_to_end.house import House
from tests.end_to_end.test_every_game import SHORT
from tests.node import node

ASKED = [json.dumps({"game": game, "options": SHORT[game]}) for game in sorted(GAMES)]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with House(tmp_path_factory.mktemp("house")) as house:
        yield house


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return python_client(tmp_path_factory.mktemp("python"))


@pytest.fixture(scope="module")
def typescript(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return typescript_client(tmp_path_factory.mktemp("typescript"))


def token(house: House, name: str) -> str:
    return house.tell("player", "add", name, f"{name.lower()}@example.org", "--token").split()[-1]


def hold(printed: str) -> dict[str, Any]:
    """What was printed of each match, by its game; fail unless one of every game was played to its end."""
    played = [json.loads(line) for line in printed.splitlines()]
    assert [match["game"] for match in played] == sorted(GAMES)
    for match in played:
        assert match["status"] == "over", match
        assert match["outcome"]["ranks"], match
        assert match["actions"] > 5, match
        assert match["told"], match  # by the stream, every event once and in order
        assert match["options"].items() >= SHORT[match["game"]].items(), match  # they came through both ways
    return {match["game"]: match for match in played}


def test_a_validator_of_another_family_accepts_the_description(tmp_path: Path):
    """It is one in JavaScript, and also holds every example against its schema."""
    (tmp_path / "redocly.yaml").write_text("extends: [spec]\nrules: {no-invalid-media-type-examples: error, no-invalid-schema-examples: error}\n")
    printed = tool("@redocly/cli/bin/cli.js", "lint", str(DESCRIPTION), cwd=tmp_path)
    assert "is valid" in printed
    broken = tmp_path / "broken.yaml"
    broken.write_text(DESCRIPTION.read_text().replace("operationId: show_match", "operationId: submit"))
    with pytest.raises(AssertionError, match="operation-operationId-unique"):
        tool("@redocly/cli/bin/cli.js", "lint", str(broken), cwd=tmp_path)


def test_the_python_client_and_its_use_have_no_error_of_types(python: Path):
    printed = does(sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(python / "cache"), "play.py", "forgepost_client", cwd=python)
    assert printed.startswith("Success: no issues found")


def test_the_python_client_plays_a_match_of_every_game(python: Path, house: House):
    played = hold(does(sys.executable, "play.py", house.url, token(house, "Python"), *ASKED, cwd=python))
    assert {game: match["fields"] for game, match in played.items()} == {
        "four-forges": ["anvils", "bag", "chests", "mine", "pending_trade", "round", "rounds_without_progress", "scores", "turn"],
        "fourfold": ["court", "deployed", "due", "goals", "moved_this_turn", "order", "phase", "turn", "waiting"],
        "penny-ante": ["fortresses", "phase", "plies_without_progress", "pool", "spaces", "to_place", "turn"],
        "steinnheimr": [
            "bonus", "decks", "due", "dwarves", "ending", "first_player", "players", "round", "scores", "shown", "supply", "turn"
        ],
    }  # fmt: skip


def test_the_typescript_client_plays_a_match_of_every_game(typescript: Path, house: House):
    played = hold(does(node(), "made/play.js", house.url, token(house, "TypeScript"), *ASKED, cwd=typescript))
    counted = {game: match["counted"] for game, match in played.items()}
    assert counted["four-forges"] == 144  # stones, each somewhere
    assert 1 <= counted["fourfold"] <= 16  # runners
    assert 1 <= counted["penny-ante"] <= 40  # pennies; those that were removed are nowhere
    assert 50 <= counted["steinnheimr"] <= 54  # items; up to four are shown
