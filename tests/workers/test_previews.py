"""A mail of every kind with made-up data."""

from pathlib import Path
from typing import get_args

from infra.mail.mailbox import previews
from infra.outbox import Kind
from infra.settings import Settings
from workers.previews import make

NOON = 1_795_953_600_000


def test_there_is_one_of_every_kind_and_no_more_when_they_are_made_again(tmp_path: Path):
    settings = Settings.development(tmp_path)
    for _ in range(2):
        make(settings, NOON)
    kept = previews(settings.data, settings.url)
    raws = [kept.raw(mail.id) or b"" for mail in kept.mails()]
    kinds = {kind for kind in get_args(Kind) if kind not in ("bot", "bot-offer")}
    assert len(raws) == len(kinds)
    named = {kind for kind in kinds if any(f"<{kind}.".encode() in raw or f"<{kind}@".encode() in raw for raw in raws)}
    assert named == kinds
    assert all(mail.raw_url.endswith(f"/dev/previews/{mail.id}.eml") for mail in kept.mails())
    assert "Bo Ångström offers to end the match as it stands" in {mail.text.partition("\n")[0] for mail in kept.mails()}
