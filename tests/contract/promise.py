"""The committed contract, and the part of a description that a client relies on: everything but the words."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import yaml

CONTRACT = Path(__file__).parent / "v1.yaml"
WORDS = {"description", "summary", "title", "examples", "example", "tags", "info", "servers", "x-problem-types"}


def bare(said: Any, *, named: bool = False) -> Any:
    """Without its words. `named`: keys are names that somebody chose, not keywords."""
    if isinstance(said, list):
        return [bare(one) for one in said]
    if not isinstance(said, dict):
        return said
    return {
        key: bare(value, named=not named and key in ("properties", "schemas", "responses", "parameters", "headers", "paths", "mapping"))
        for key, value in said.items()
        if named or key not in WORDS
    }


@cache
def contract() -> dict[str, Any]:
    """What the last release promised."""
    read: dict[str, Any] = yaml.safe_load(CONTRACT.read_text("utf-8"))
    return read
