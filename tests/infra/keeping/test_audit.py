"""After a restart of Redis, whatever it lost is missed before anything is written, and only the matches that lost something stand still."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from domain.match.commands import Actor, Submit
from domain.match.refusal import Refused
from infra.keeping.inspection import inspect
from infra.redis_log import keys
from infra.redis_log.gate import epoch
from tests.infra.keeping.tables import anew, cut, follow, match, play
from tests.servers import RedisServer
from tests.workers.office import Office


def refused(office: Office, name: str) -> str:
    """What a process that has just started says about the next action."""
    here = Office(office.redis, office.settings.data)
    here.settings = office.settings
    with pytest.raises(Refused) as said:
        play(here, name)
    assert said.value.kind == "match-damaged"
    return said.value.words


def run(office: Office) -> str:
    return epoch(office.site.redis)


def test_an_older_append_only_file_is_missed_and_matches_that_lost_nothing_go_on(office: Office, server: RedisServer, tmp_path: Path):
    torn, whole = match(office), match(office)
    earlier = play(office, torn).tip.version
    server.kill()
    shutil.copytree(tmp_path / "redis", tmp_path / "older")
    server.start()
    version = play(office, torn).tip.version
    follow(office)
    server.kill()
    shutil.rmtree(tmp_path / "redis")
    shutil.move(tmp_path / "older", tmp_path / "redis")
    server.start()
    assert f"(LOST: version {version} of it was signed, and it ends at {earlier})" in refused(office, torn)
    assert anew(office).readonly.marked() == {torn: f"LOST: version {version} of it was signed, and it ends at {earlier}"}
    assert play(Office(server, tmp_path), whole).match.ply == 1


def test_a_match_that_is_read_only_can_be_read(office: Office, server: RedisServer):
    name = match(office)
    version = play(office, name, 2).tip.version
    follow(office)
    cut(office, name, 1)
    anew(office).audit.run()
    assert anew(office).desk.look(name).tip.version == version - 1
    assert len(anew(office).desk.history(name)) == version - 1


def test_a_stream_that_lost_its_end_is_found_without_any_witness(office: Office):
    name = match(office)
    version = play(office, name).tip.version
    office.site.redis.xdel(keys.events(name), f"{version}-0")
    assert anew(office).audit.run() == {name: f"TIP: its head says version {version}, its stream ends at {version - 1}"}


def test_another_history_of_the_same_length_is_found(office: Office):
    name = match(office)
    play(office, name)
    follow(office)
    office.site.audit.after_start(run(office))
    cut(office, name, 1)
    later = Office(office.redis, office.settings.data)
    later.settings = office.settings
    seen = later.site.desk.look(name).match
    first, second, *_ = seen.game.legal(seen.state, seen.asks[0].seat)
    assert first != second
    later.site.desk.do(name, Submit(Actor(seen.chair(seen.asks[0].seat).player or "", "link"), seen.asks[0].seat, seen.ply, (second,)))
    found = anew(office).audit.run()
    assert found[name].startswith("FORK: its version ")


def test_a_match_of_which_nothing_is_left_is_missed(office: Office):
    name = match(office)
    follow(office)
    office.site.redis.delete(keys.events(name), keys.head(name), keys.due(int(name[:2])))
    assert anew(office).audit.run() == {
        name: f"GONE: version {office.site.witness.newest()[name].version} of it was signed, and nothing of it is there"
    }


def test_a_run_of_the_server_is_audited_once_and_every_new_one_again(office: Office, server: RedisServer):
    name = match(office)
    follow(office)
    office.site.audit.after_start(run(office))
    cut(office, name, 1)
    play(Office(server, office.settings.data), match(office))
    assert anew(office).readonly.marked() == {}
    server.kill()
    server.start()
    play(Office(server, office.settings.data), match(Office(server, office.settings.data)))
    assert list(anew(office).readonly.marked()) == [name]


def test_it_is_done_without_waiting_for_a_write(office: Office, server: RedisServer):
    name = match(office)
    follow(office)
    cut(office, name, 1)
    later = anew(office)
    later.audit.catch_up()
    assert list(later.readonly.marked()) == [name]


def test_a_witness_that_nobody_of_ours_signed_stops_no_match(office: Office, tmp_path: Path, caplog: pytest.LogCaptureFixture):
    name = match(office)
    follow(office)
    paper = tmp_path / "witness" / "heads.ndjson"
    foreign = Office(office.redis, tmp_path / "elsewhere").site.keys.sign_head(name, 99, bytes(32))
    paper.write_text(paper.read_text() + f'{{"head":"{foreign}"}}\nnot a line\n')
    assert anew(office).audit.run() == {}
    assert "was not signed with a key that we have" in caplog.text


def test_what_was_changed_in_the_middle_is_found_by_inspection(office: Office):
    name = match(office)
    play(office, name, 3)
    assert inspect(office.site, name).damage == ()
    redis = office.site.redis
    rows: Any = redis.xrange(keys.events(name))
    redis.delete(keys.events(name))
    for row, fields in rows:
        redis.xadd(keys.events(name), {key: value.replace(b'"via":"link"', b'"via":"api"') for key, value in fields.items()}, id=row)
    [chain] = inspect(anew(office), name).damage
    assert chain.startswith(f"CHAIN: its {len(rows)} events come to the hash ")
    assert chain.endswith(": an event was changed")


def test_a_head_from_a_mail_is_a_witness_too(office: Office):
    name = match(office)
    tip = play(office, name).tip
    mailed = office.site.keys.sign_head(name, tip.version, tip.hash)
    assert inspect(anew(office), name, (mailed,)).damage == ()
    cut(office, name, 1)
    assert inspect(anew(office), name, (mailed,)).damage == (
        f"LOST: the head that was given is of version {tip.version}, and the log ends at {tip.version - 1}",
    )
    assert inspect(anew(office), name, (mailed[:-9] + "AAAAAAAAA",)).damage == (
        "HEAD: the head that was given was not signed with a key of this site",
    )
