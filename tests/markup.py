"""HTML held to its standard by html-validate, which knows what may stand where, and what those need who cannot see a page."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from subprocess import PIPE, run
from typing import Any

from tests.clients.tools import packages
from tests.node import node

RULES: dict[str, Any] = {"root": True, "extends": ["html-validate:standard", "html-validate:a11y"]}


def flaws(pages: Mapping[str, str], folder: Path, **rules: Any) -> list[str]:
    """What is wrong with pages (name → HTML), one line each; `rules` are laid over the standard's (`no_inline_style="off"`)."""
    over = {name.replace("_", "-"): level for name, level in rules.items()}
    (folder / ".htmlvalidate.json").write_text(json.dumps({**RULES, "rules": over}))
    for number, html in enumerate(pages.values()):
        (folder / f"{number:03d}.html").write_text(html)
    program = packages() / "html-validate" / "bin" / "html-validate.mjs"
    told = folder / "told.json"  # a file, since the program ends before a pipe has taken all that it says
    with told.open("w") as there:
        done = run([node(), str(program), "--formatter=json", "."], cwd=folder, stdout=there, stderr=PIPE, text=True, check=False, timeout=300)
    assert told.stat().st_size, done.stderr
    names = list(pages)
    return [
        f"{names[int(Path(found['filePath']).stem)]}:{each['line']}: {each['message']} ({each['ruleId']})"
        for found in json.loads(told.read_text())
        for each in found["messages"]
    ]
