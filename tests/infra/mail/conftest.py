"""A mail server that takes what it is given, and who sends to it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from infra.mail.smtp import Mailer
from infra.settings import Settings
from tests.post import Post, serving


@pytest.fixture
def post() -> Post:
    return Post()


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings.development(tmp_path)


@pytest.fixture
def mailer(post: Post, settings: Settings) -> Iterator[Mailer]:
    with serving(post) as port:
        yield Mailer(replace(settings, smtp_url=f"smtp://127.0.0.1:{port}"))
