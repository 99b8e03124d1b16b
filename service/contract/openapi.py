"""`python -m service.contract.openapi` writes openapi.yaml anew from the code; with `--check` it says whether the file is what would be written."""

from __future__ import annotations

import sys
from pathlib import Path

from service.app import routed
from service.contract.description import described

FILE = Path(__file__).parents[2] / "openapi.yaml"


def main(arguments: list[str]) -> int:
    """The exit status: 1 when the file is another."""
    text = described(routed())
    if arguments == ["--check"]:
        if FILE.exists() and FILE.read_text("utf-8") == text:
            return 0
        sys.stderr.write("openapi.yaml is not what the code says: run `make openapi`, and look at what has changed\n")
        return 1
    if arguments:
        sys.stderr.write("usage: python -m service.contract.openapi [--check]\n")
        return 2
    FILE.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
