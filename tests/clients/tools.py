"""What the tests of generated clients need: the Node packages, installed once, and the clients made from openapi.yaml."""

from __future__ import annotations

import sys
from fcntl import LOCK_EX, flock
from hashlib import sha256
from pathlib import Path
from subprocess import PIPE, STDOUT, run

from tests.node import node, npm

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
STORE = ROOT / ".node"  # ignored by git
DESCRIPTION = ROOT / "openapi.yaml"
CONFIG = "post_hooks: []\ncontent_type_overrides: {image/png: application/octet-stream, image/svg+xml: application/octet-stream}\n"


def does(*command: str, cwd: Path | None = None, env: dict[str, str] | None = None) -> str:
    """What a command prints; fails with all of it where it fails."""
    done = run(command, cwd=cwd, env=env, stdout=PIPE, stderr=STDOUT, text=True, check=False, timeout=600)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}"
    return done.stdout


def packages() -> Path:
    """Where the Node packages of package-lock.json are; installed here where they are not, or are others, by one process at a time."""
    stamp, wanted = STORE / "installed", sha256((HERE / "package-lock.json").read_bytes()).hexdigest()
    STORE.mkdir(exist_ok=True)
    with (STORE / "lock").open("w") as lock:
        flock(lock, LOCK_EX)
        _installed(stamp, wanted)
    return STORE / "node_modules"


def _installed(stamp: Path, wanted: str) -> None:
    if not stamp.exists() or stamp.read_text() != wanted:
        for name in ("package.json", "package-lock.json"):
            (STORE / name).write_bytes((HERE / name).read_bytes())
        command = [*npm(), "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"]
        done = run(command, cwd=STORE, stdout=PIPE, stderr=STDOUT, text=True, check=False, timeout=600)
        assert done.returncode == 0, f"the Node packages of these tests could not be installed; is the network there?\n{done.stdout}"
        stamp.write_text(wanted)


def tool(script: str, *arguments: str, cwd: Path) -> str:
    """What a Node program from these packages prints."""
    return does(node(), str(packages() / script), *arguments, cwd=cwd)


def python_client(into: Path) -> Path:
    """A directory with the package `forgepost_client` in it, and the program that plays with it."""
    (into / "config.yaml").write_text(CONFIG)
    asked = ["generate", "--path", str(DESCRIPTION), "--output-path", str(into / "forgepost_client"), "--meta", "none"]
    does(sys.executable, "-m", "openapi_python_client", *asked, "--config", str(into / "config.yaml"))
    (into / "play.py").write_bytes((HERE / "play.py").read_bytes())
    return into


def typescript_client(into: Path) -> Path:
    """A directory with the types in it, and the program that plays with them, compiled."""
    (into / "node_modules").symlink_to(packages())
    for name in ("package.json", "tsconfig.json", "play.ts"):
        (into / name).write_bytes((HERE / name).read_bytes())
    tool("openapi-typescript/bin/cli.js", str(DESCRIPTION), "--default-non-nullable=false", "-o", "schema.d.ts", cwd=into)
    tool("typescript/bin/tsc", "--project", ".", cwd=into)
    return into
