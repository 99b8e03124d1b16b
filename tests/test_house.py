"""The house is in order: rooms small enough to read, described, alike, and nothing left lying about."""

import ast
import re
import tomllib
from pathlib import Path
from subprocess import run

import pytest

ROOT = Path(__file__).parent.parent
HOUSES = ("domain", "infra", "service", "workers", "tests")
ROOMS = sorted(path for house in HOUSES for path in (ROOT / house).rglob("*") if path.suffix in {".py", ".lua", ".html", ".css", ".js", ".md"})
HANDFUL = {"__init__.py", "state.py", "rules.py", "notation.py", "board.py", "guide.md"}
PIN = re.compile(r"(?P<name>[A-Za-z0-9._-]+)==[0-9A-Za-z.!]+")
LEFTOVER = re.compile(
    r"-----BEGIN [A-Z ]*PRIVATE KEY-----"
    r"|\b(AKIA[0-9A-Z]{16}|gh[pousr]_[A-Za-z0-9]{36})\b"
    r"|(?i:secret|password|token)\w*\s*[:=]\s*[\"'][A-Za-z0-9+/=_-]{32,}[\"']"
)


def plain(name: str) -> str:
    """The name of a distribution as the packaging standards compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def test_no_room_is_longer_than_400_lines():
    lengths = {str(path.relative_to(ROOT)): len(path.read_text().splitlines()) for path in ROOMS}
    assert {path: lines for path, lines in lengths.items() if lines > 400} == {}


def test_every_module_says_what_it_is():
    modules = [path for path in ROOMS if path.suffix == ".py"]
    assert [str(path.relative_to(ROOT)) for path in modules if not ast.get_docstring(ast.parse(path.read_text()))] == []


def test_every_game_has_the_same_handful_of_files():
    games = [path for path in (ROOT / "domain" / "games").iterdir() if (path / "__init__.py").exists()]
    assert games, "domain/games holds no game"
    assert {game.name: missing for game in games if (missing := HANDFUL - {path.name for path in game.iterdir()})} == {}


def test_every_dependency_is_pinned_and_no_pin_names_a_place():
    pins = [line for line in (ROOT / "constraints.txt").read_text().splitlines() if not line.startswith("#")]
    assert [line for line in pins if not PIN.fullmatch(line)] == []
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    asked = {plain(re.split(r"[^A-Za-z0-9._-]", wish)[0]) for wish in [*project["dependencies"], *project["optional-dependencies"]["dev"]]}
    assert asked - {plain(line.split("==")[0]) for line in pins} == set(), "run `make lock`"


def test_another_port_reaches_what_make_runs():
    said = run(["make", "--dry-run", "run", "PORT=8100"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert said.splitlines()[-1].endswith("forgepost run --port 8100")


def test_no_secret_was_left_behind():
    files = [*ROOMS, *(path for path in ROOT.iterdir() if path.is_file())]
    assert [str(path.relative_to(ROOT)) for path in files if LEFTOVER.search(path.read_text(errors="replace"))] == []


@pytest.mark.parametrize(
    "line",
    ["-----BEGIN EC " + "PRIVATE KEY-----", "x = AKIA" + "Q" * 16, "gho_" + "a1" * 18, "mail_password = '" + "s3cret/+" * 4 + "'"],
    ids=["private-key", "cloud-key", "forge-token", "password"],
)
def test_a_secret_would_be_noticed(line: str):
    assert LEFTOVER.search(line)
