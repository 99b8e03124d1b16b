"""`forgepost backup` and `restore` say what they did, and scripts can tell by their status."""

from __future__ import annotations

from pathlib import Path

import pytest

from infra.redis_log import keys
from tests.infra.keeping.tables import anew, follow, match, play
from tests.servers import RedisServer
from tests.service.commands.calling import forgepost
from tests.workers.office import Office


def test_a_backup_can_be_made_checked_and_put_back(office: Office, server: RedisServer, tmp_path: Path):
    name = match(office)
    version = play(office, name).tip.version
    made = forgepost("backup", tmp_path / "backup")
    assert made.output.startswith(f"{tmp_path}/backup: 1 matches with {version} events, made at 2")
    assert made.output.endswith(f", signed with the key {office.site.keys.public()[0]['kid']}\n")
    assert made.exit_code == 0
    assert forgepost("backup", "--check", tmp_path / "backup").output == made.output
    refused = forgepost("restore", tmp_path / "backup")
    assert refused.exit_code == 1
    assert "stop everything that uses it, and give an empty one; a restore overwrites nothing" in refused.output
    play(office, name)
    follow(office)
    newer = office.site.desk.look(name).tip.version
    office.site.redis.flushall()
    done = forgepost("restore", tmp_path / "backup")
    assert done.exit_code == 0
    assert done.output.splitlines()[0].startswith(f"restored 1 matches with {version} events, as they were at 2")
    assert done.output.splitlines()[1:] == [
        "1 matches had gone on after the backup; they will be read-only until you have looked:",
        f"  match {name}: LOST: version {newer} of it was signed, and it ends at {version}",
    ]
    assert anew(office).desk.look(name).tip.version == version


def test_an_unsigned_backup_is_put_back_when_somebody_vouches_for_it(office: Office, tmp_path: Path):
    match(office)
    forgepost("backup", tmp_path / "backup")
    (tmp_path / "backup" / "manifest.jws").unlink()
    office.site.redis.flushall()
    for order in (("backup", "--check"), ("restore",)):
        done = forgepost(*order, tmp_path / "backup")
        assert done.exit_code == 1
        assert f"{tmp_path}/backup is not signed: it has no manifest.jws." in done.output
        assert "restore it with --unproven if you know from elsewhere that it is yours" in done.output
    assert forgepost("restore", "--unproven", tmp_path / "backup").output.startswith("restored 1 matches with ")


def test_a_damaged_match_is_named_and_the_status_says_so(office: Office, tmp_path: Path):
    name = match(office)
    version = play(office, name).tip.version
    office.site.redis.xdel(keys.events(name), f"{version}-0")
    made = forgepost("backup", tmp_path / "backup")
    assert made.exit_code == 1
    assert f"match {name} does NOT hold: its head says version {version} and " in made.output
    office.site.redis.flushall()
    assert f"match {name} did not hold when the backup was made: it is read-only" in forgepost("restore", tmp_path / "backup").output


@pytest.mark.parametrize("order", [("backup", "{here}"), ("restore", "{here}"), ("backup", "--check", "{here}")], ids=" ".join)
def test_what_is_no_backup_is_refused_in_words(office: Office, tmp_path: Path, order: tuple[str, ...]):
    done = forgepost(*(part.format(here=tmp_path) for part in order))
    assert done.exit_code == 1
    assert done.output.startswith("Error: ")
    assert "overwrites nothing" in done.output or "is no backup: it has no manifest.json" in done.output
