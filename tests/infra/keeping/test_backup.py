"""A backup taken while people play, put into another Redis, is the same site: every match holds, nobody gets a mail twice, and play goes on."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from threading import Thread
from time import sleep
from typing import Any

import pytest

from domain.chain import instant
from domain.match.commands import Actor, Resign
from domain.ports import Key
from infra.keeping.backup import CannotBackUp, back_up
from infra.keeping.inspection import inspect
from infra.keeping.restore import CannotRestore, restore, signed_by, verify_backup
from infra.redis_log import keys
from infra.redis_log.gate import RESTORING, check
from infra.seals.keys import Keys
from infra.settings import Settings
from infra.wiring import site
from tests.infra.keeping.tables import anew, finish, follow, match, play
from tests.servers import BINARIES, RedisServer, name_of
from tests.workers.office import Office, until


@pytest.fixture
def elsewhere(server: RedisServer, office: Office, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    """A new installation with the old one's secrets and mail server, and an empty Redis."""
    other = RedisServer(server.binary, tmp_path_factory.mktemp("other"))
    new = Office(other, office.settings.data)
    new.settings = Settings.development(office.settings.data, redis_port=other.port, smtp_port=office.post.port)
    yield new
    new.end()
    other.kill()


def held(office: Office) -> dict[Any, Any]:
    """What there is to keep, as it lies in Redis."""
    redis: Any = office.site.redis
    read: dict[bytes, Callable[[Any], Any]] = {
        b"hash": redis.hgetall,
        b"string": redis.get,
        b"set": redis.smembers,
        b"zset": lambda name: redis.zrange(name, 0, -1, withscores=True),
        b"stream": redis.xrange,
    }
    return {name: read[redis.type(name)](name) for name in redis.scan_iter() if not name.startswith((b"{ops}", b"rq:"))}


def test_everything_comes_back_as_it_was(office: Office, elsewhere: Office, tmp_path: Path):
    names = [match(office, visibility="public"), match(office)]
    play(office, names[0], 3)
    finish(office, match(office))
    office.site.players.new_token(office.player("Ann").id, ["matches:play"], "a program")
    follow(office)
    office.relay()
    play(office, names[1])
    manifest = back_up(office.site, tmp_path / "backup")
    assert (manifest.matches, manifest.damaged) == (3, {})
    done = restore(elsewhere.site, tmp_path / "backup")
    assert (done.late, done.behind) == ({}, {})
    follow(office)
    follow(elsewhere)
    assert held(elsewhere) == held(office)
    for of in {int(name[:2]) for name in names}:
        here, there = office.site.redis.xinfo_groups(keys.feed(of)), elsewhere.site.redis.xinfo_groups(keys.feed(of))
        assert [(group["name"], group["last-delivered-id"], group["pending"]) for group in there] == [
            (group["name"], group["last-delivered-id"], group["pending"]) for group in here
        ]
    elsewhere.relay()
    office.relay()
    assert elsewhere.outbox() == office.outbox()
    assert play(elsewhere, names[0]).match.ply > 3
    assert inspect(elsewhere.site, names[0]).damage == ()


def asks_somebody(office: Office, name: str) -> bool:
    """Whether the match waits for a person."""
    seen = office.site.desk.look(name).match
    return bool(seen.asks) and seen.chair(seen.asks[0].seat).bot is None


def gets_beyond(office: Office, name: str, ply: int) -> bool:
    """Whether the match has gone further, after the person's turn if it waits for one: a person can be asked twice running."""
    if asks_somebody(office, name):
        play(office, name)
    return office.site.desk.look(name).match.ply > ply


def beside(office: Office) -> Office:
    """The same site with connections of its own."""
    other = Office(office.redis, office.settings.data)
    other.settings = office.settings
    return other


def play_turns(office: Office, names: list[str], turns: int) -> None:
    """The person in each match plays so many turns, as they come."""
    for name in names * turns:
        until(partial(asks_somebody, office, name))
        play(office, name)


@pytest.mark.parametrize("server", BINARIES[:1], ids=name_of, indirect=True)
def test_a_backup_of_a_site_that_is_being_played_on_holds_and_goes_on_elsewhere(office: Office, elsewhere: Office, tmp_path: Path):
    office.post.open()
    office.start_all()
    long = {"goals_to_win": 10}  # and two seats: of one alone now and then the lots call for less than is played here
    names = [office.match("Ann", "Ann", "bot1", "bot2", options=long).match.id for _ in range(2)]
    manifests = []
    for number in range(3):
        hands = Thread(target=play_turns, args=(beside(office), names, 2))
        hands.start()
        manifests.append(back_up(anew(office), tmp_path / f"backup{number}"))
        hands.join()
    assert all(not manifest.damaged and manifest.matches == 2 for manifest in manifests)
    assert manifests[0].events < manifests[2].events
    office.end()
    shutil.rmtree(office.settings.data / "witness")
    office.post.open()
    restore(elsewhere.site, tmp_path / "backup2")
    plies = {name: elsewhere.site.desk.look(name).match.ply for name in names}
    before = len(office.post.mails)
    told = {mail["Message-ID"] for _, _, mail in office.post.mails}
    elsewhere.start_all()
    for name in names:
        until(partial(gets_beyond, elsewhere, name, plies[name] + 3))
        assert inspect(elsewhere.site, name).damage == ()
    again = [mail["Message-ID"] for _, _, mail in office.post.mails[before:] if mail["Message-ID"] in told]
    assert len(again) <= len(names)  # those that were on their way at that moment; their ids tell mail programs so


def turns(office: Office) -> list[str]:
    """The mailboxes to which turn mails came, in their order."""
    return [to for _, to, mail in office.post.mails if ":turn" in str(mail["Feedback-ID"])]


@pytest.mark.parametrize("server", BINARIES[:1], ids=name_of, indirect=True)
def test_a_mail_that_was_sent_is_not_sent_again_and_one_that_waits_is_sent_once(office: Office, elsewhere: Office, tmp_path: Path):
    others = ["eve@example.org", "fay@example.org", "gus@example.org", "hal@example.org"]
    office.post.open()
    office.post.says = dict.fromkeys(others, "451 4.2.0 try again later")
    office.start_all()
    match(office, undo_seconds=0)
    waits = office.match("Eve", "Fay", "Gus", "Hal", undo_seconds=0).match.id
    until(lambda: len(turns(office)) == 1 and [notice.match for notice in office.outbox() if notice.kind == "turn"] == [waits])
    back_up(office.site, tmp_path / "backup")
    office.end()
    office.post.open()
    office.post.says = {}
    restore(elsewhere.site, tmp_path / "backup")
    assert [notice.kind for notice in elsewhere.outbox()].count("turn") == 1
    now = elsewhere.site.clock()
    for notice in elsewhere.outbox():
        if notice.kind == "turn":
            elsewhere.site.outbox.later(notice, now)
    elsewhere.start_all()
    until(lambda: len(turns(office)) == 2)
    sleep(2)
    assert len(turns(office)) == 2
    assert turns(office)[1] in others


def test_a_request_repeated_after_the_restore_finds_its_answer(office: Office, elsewhere: Office, tmp_path: Path):
    name = match(office)
    seen = office.site.desk.look(name).match
    key = Key("p-ann0000000", "once", "x")
    office.site.desk.do(name, Resign(Actor(seen.chairs[0].player or "", "web")), key)
    back_up(office.site, tmp_path / "backup")
    restore(elsewhere.site, tmp_path / "backup")
    assert elsewhere.site.desk.do(name, Resign(Actor(seen.chairs[0].player or "", "web")), key).replayed


def test_a_damaged_match_is_reported_and_kept_as_it_is_and_is_read_only_elsewhere(office: Office, elsewhere: Office, tmp_path: Path):
    torn, whole = match(office), match(office)
    version = play(office, torn).tip.version
    office.site.redis.xdel(keys.events(torn), f"{version}-0")
    manifest = back_up(office.site, tmp_path / "backup")
    assert list(manifest.damaged) == [torn]
    restore(elsewhere.site, tmp_path / "backup")
    assert elsewhere.site.readonly.marked() == {torn: manifest.damaged[torn]}
    assert elsewhere.site.redis.xrange(keys.events(torn)) == office.site.redis.xrange(keys.events(torn))
    assert play(elsewhere, whole).match.ply > 0


def test_deadlines_that_passed_meanwhile_are_told_and_enforced_by_nobody_but_a_clock(office: Office, elsewhere: Office, tmp_path: Path):
    name = match(office, clock={"kind": "per-turn", "seconds": 60})
    due = office.site.desk.look(name).match.due
    assert due
    back_up(office.site, tmp_path / "backup")
    late = replace(elsewhere.site, clock=lambda: due + 1)
    done = restore(late, tmp_path / "backup")
    assert done.late == {name: due}
    assert elsewhere.site.desk.look(name).match.status == "live"
    assert elsewhere.site.vigil.last() == instant(done.manifest.at), (
        "from then on nobody has watched over deadlines, and a clock gives that time back"
    )


def test_nothing_is_overwritten(office: Office, elsewhere: Office, tmp_path: Path):
    match(office)
    back_up(office.site, tmp_path / "backup")
    with pytest.raises(CannotBackUp, match="a backup overwrites nothing"):
        back_up(office.site, tmp_path / "backup")
    elsewhere.site.redis.set("somebody:else", 1)
    with pytest.raises(CannotRestore, match=r"is not empty \(1 keys: somebody:else, …\)"):
        restore(elsewhere.site, tmp_path / "backup")
    assert elsewhere.site.redis.dbsize() == 1


def test_a_backup_that_failed_leaves_nothing_behind(office: Office, server: RedisServer, tmp_path: Path):
    match(office)
    server.kill()
    with pytest.raises(Exception, match="Redis does not serve the log"):
        back_up(office.site, tmp_path / "backups" / "one")
    assert list((tmp_path / "backups").iterdir()) == []


def test_only_its_owner_can_read_a_backup(office: Office, tmp_path: Path):
    match(office)
    back_up(office.site, tmp_path / "backup")
    for path in [tmp_path / "backup", *(tmp_path / "backup").iterdir()]:
        assert path.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("harm", ["changed", "cut", "gone", "no manifest"])
def test_a_backup_that_was_harmed_is_refused_before_anything_is_written(office: Office, elsewhere: Office, tmp_path: Path, harm: str):
    name = match(office)
    back_up(office.site, tmp_path / "backup")
    sheet = tmp_path / "backup" / f"partition-{name[:2]}.ndjson"
    raw = sheet.read_bytes()
    match harm:
        case "changed":
            sheet.write_bytes(raw.replace(b"seat.taken", b"seat.tooke", 1))
        case "cut":
            sheet.write_bytes(raw[:-20])
        case "gone":
            sheet.unlink()
        case _:
            (tmp_path / "backup" / "manifest.json").unlink()
    with pytest.raises(CannotRestore):
        restore(elsewhere.site, tmp_path / "backup")
    assert elsewhere.site.redis.dbsize() == 0


def test_a_changed_event_is_found_also_under_a_manifest_that_was_made_to_fit(office: Office, tmp_path: Path):
    name = match(office)
    back_up(office.site, tmp_path / "backup")
    sheet, manifest = tmp_path / "backup" / f"partition-{name[:2]}.ndjson", tmp_path / "backup" / "manifest.json"
    raw = sheet.read_bytes().replace(b'\\"via\\":\\"link\\"', b'\\"via\\":\\"mail\\"').replace(b'\\"via\\":\\"web\\"', b'\\"via\\":\\"api\\"')
    said = json.loads(manifest.read_bytes())
    for listed in said["files"]:
        if listed["name"] == sheet.name:
            assert listed["sha256"] != sha256(raw).hexdigest()
            listed["sha256"] = sha256(raw).hexdigest()
    sheet.write_bytes(raw)
    manifest.write_text(json.dumps(said))
    with pytest.raises(CannotRestore, match=f"the events of match {name} in .* do not come to its head"):
        verify_backup(tmp_path / "backup")


def test_a_backup_that_this_site_did_not_sign_is_put_back_only_by_who_says_so(office: Office, elsewhere: Office, tmp_path: Path):
    name = match(office)
    back_up(office.site, tmp_path / "backup")
    manifest, signature = tmp_path / "backup" / "manifest.json", tmp_path / "backup" / "manifest.jws"
    mine = signature.read_text()
    kid = office.site.keys.public()[0]["kid"]
    assert signed_by(tmp_path / "backup", office.site.keys.public(), "ours") == kid
    stranger = Keys(replace(office.settings, secrets=(("b", b"b" * 32),)))
    digest = sha256(manifest.read_bytes()).digest()
    for words, said in (
        ("is not signed: it has no manifest.jws", None),
        (f"was signed with the key {stranger.public()[0]['kid']}, which is none of FORGEPOST_SECRETS", stranger.sign_backup(digest)),
        ("the signature in .* is not one of this manifest", office.site.keys.sign_backup(bytes(32))),
        ("the signature in .* is not one of this manifest", f"{mine.rpartition('.')[0]}.{'A' * 86}"),
        ("manifest.jws cannot be read: its `typ` is “forgepost-head\\+jws”", office.site.keys.sign_head(name, 1, digest)),
        ("manifest.jws cannot be read: it is no compact JWS", "é"),
    ):
        signature.unlink(missing_ok=True)
        if said is not None:
            signature.write_text(said)
        with pytest.raises(CannotRestore, match=f"{words}.*restore it with --unproven"):
            restore(elsewhere.site, tmp_path / "backup")
        assert elsewhere.site.redis.dbsize() == 0
    assert restore(elsewhere.site, tmp_path / "backup", unproven=True).manifest.matches == 1


def test_a_backup_is_signed_by_a_secret_that_was_followed_by_another(office: Office, elsewhere: Office, tmp_path: Path):
    match(office)
    back_up(office.site, tmp_path / "backup")
    rotated = site(replace(elsewhere.settings, secrets=(("b", b"b" * 32), *elsewhere.settings.secrets)))
    assert restore(rotated, tmp_path / "backup").manifest.matches == 1


def test_another_seed_secret_is_refused_before_anything_is_written(office: Office, elsewhere: Office, tmp_path: Path):
    name = match(office)
    back_up(office.site, tmp_path / "backup")
    other = Office(elsewhere.redis, tmp_path / "others")
    with pytest.raises(CannotRestore, match=f"match {name} was begun under another FORGEPOST_SEED_SECRET"):
        restore(other.site, tmp_path / "backup")
    assert elsewhere.site.redis.dbsize() == 0
    other.end()


def test_a_restore_that_was_broken_off_is_not_played_on(elsewhere: Office):
    elsewhere.site.redis.set(RESTORING, "2026-11-29T10:00:00.000Z")
    assert check(elsewhere.site.redis, elsewhere.settings) == [
        "a restore was broken off, so not everything is there: empty this Redis and restore again"
    ]
