"""Nothing that anybody sends breaks the server, and openapi.yaml says the truth about every answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.end_to_end.house import House
from tests.fuzz.running import LAST, fuzz


def test_schemathesis_finds_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A few requests of every kind; `make soak` asks many more."""
    monkeypatch.setenv("RATE_LIMITS", "off")  # or most would be refused before anybody reads them
    with House(tmp_path / "house") as house:
        said = fuzz(house, tmp_path, examples=3, seed=1, phases="examples,coverage,fuzzing")
        log = "\n".join(path.read_text() for path in (tmp_path / "house").rglob("*.log"))
    assert said.count("Test cases:") == 1 + len(LAST)
    assert "returned only 401/403" not in said, said  # whoever asks is still there
    assert "Traceback" not in log
