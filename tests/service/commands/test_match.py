"""`forgepost match` says where a match stands and what is wrong with it, and lets it go on when a person has looked."""

import pytest

from domain.chain import stamp
from domain.match import outage
from domain.match.refusal import Refused
from infra.redis_log import keys
from tests.infra.keeping.tables import anew, finish, follow, match, play
from tests.servers import RedisServer
from tests.service.commands.calling import forgepost
from tests.workers.office import Office, until


def test_a_match_is_shown_with_its_seats_and_who_is_to_act(office: Office):
    name = match(office)
    sight = play(office, name)
    [ask] = sight.match.asks
    said = forgepost("match", "show", name).output.splitlines()
    assert said[0] == f"{name}  fourfold, live, version {sight.tip.version}"
    assert said[1] == f"  head       {sight.tip.hash.hex()}, written {stamp(sight.match.at)}"
    assert said[2:6] == [f"  {seat:<10} {chair.player}" for seat, chair in zip(sight.match.seats, sight.match.chairs, strict=True)]
    assert said[6:] == [f"  to act     {ask.seat}, until {stamp(ask.due)}"]


def test_a_match_that_is_not_there_is_said_to_be_none(office: Office):
    done = forgepost("match", "show", "07-0000000000")
    assert (done.exit_code, done.output) == (1, "Error: there is no match 07-0000000000\n")
    done = forgepost("match", "verify", "07-0000000000")
    assert (done.exit_code, done.output) == (1, "07-0000000000: there is no such match\n")


def test_what_is_no_id_is_refused(office: Office):
    done = forgepost("match", "show", "seven")
    assert done.exit_code == 2
    assert "seven is no id of a match; one looks like 07-0123456789" in done.output


def test_all_matches_are_verified_in_one_go(office: Office):
    one, two = sorted([match(office), match(office)])
    versions = {name: play(office, name).tip.version for name in (one, two)}
    done = forgepost("match", "verify", "--all")
    assert (done.exit_code, done.output.splitlines()) == (
        0,
        [f"{name} holds: {versions[name]} events, chain, head and rules" for name in (one, two)],
    )


def test_verifying_says_what_is_wrong_and_changes_nothing(office: Office):
    name = match(office)
    version = play(office, name).tip.version
    office.site.redis.xdel(keys.events(name), f"{version}-0")
    done = forgepost("match", "verify", name)
    assert done.exit_code == 1
    assert done.output.splitlines() == [
        f"{name} does NOT hold:",
        f"  TIP: its head says version {version}, its stream ends at {version - 1}",
    ]
    assert office.site.readonly.marked() == {}


def test_a_match_goes_on_from_what_is_stored_when_a_person_has_looked(office: Office, server: RedisServer):
    name, other = match(office), match(office)
    earlier = play(office, name)
    version = play(office, name).tip.version
    follow(office)
    office.site.redis.xdel(keys.events(name), *(f"{lost}-0" for lost in range(earlier.tip.version + 1, version + 1)))
    server.kill()
    server.start()
    play(Office(server, office.settings.data), other)
    assert list(office.site.readonly.marked()) == [name]
    assert forgepost("match", "release", name).exit_code == 2
    done = forgepost("match", "release", name, "--i-have-looked")
    assert done.output.splitlines() == [
        f"{name} goes on from version {earlier.tip.version}",
        "Restart the web servers and workers: they may remember these matches as they were.",
    ]
    assert done.exit_code == 0
    assert forgepost("match", "verify", name).exit_code == 0
    assert anew(office).audit.contradictions() == {}
    dues = anew(office).dues.due(int(name[:2]), 1 << 50, 10)  # the other match may be of the same partition
    assert [due for due in dues if due[0] != other] == [(name, earlier.match.due)]
    assert play(Office(server, office.settings.data), name).match.ply > earlier.match.ply


def test_a_process_that_remembers_what_was_lost_stops_the_match_again_rather_than_go_on_from_it(office: Office):
    name = match(office)
    version = play(office, name).tip.version
    office.site.redis.xdel(keys.events(name), f"{version}-0")
    office.site.readonly.mark(name, "as found")
    forgepost("match", "release", name, "--i-have-looked")
    with pytest.raises(Refused, match=f"LOST: {name} had {version} events, and its log has {version - 1}"):
        play(office, name)
    assert forgepost("match", "release", "--all", "--i-have-looked").exit_code == 0
    assert play(office, name).match.version > version - 1


def test_a_match_that_has_a_hole_cannot_go_on(office: Office):
    name = match(office)
    play(office, name)
    office.site.redis.xdel(keys.events(name), "3-0")
    office.site.readonly.mark(name, "as found")
    done = forgepost("match", "release", name, "--i-have-looked")
    assert done.exit_code == 1
    assert done.output.startswith(f"{name} cannot go on: EVENTS: ")
    assert list(office.site.readonly.marked()) == [name]


def test_a_match_that_is_gone_is_no_longer_waited_for_when_a_person_has_looked(office: Office):
    name = match(office)
    follow(office)
    office.site.redis.delete(keys.events(name), keys.head(name), keys.due(int(name[:2])))
    office.site.audit.run()
    done = forgepost("match", "release", "--all", "--i-have-looked")
    assert done.output.startswith(f"{name} is gone, and nobody waits for it any more\n")
    assert anew(office).audit.contradictions() == {}
    assert anew(office).readonly.marked() == {}


def test_time_in_which_nobody_could_play_is_given_back(office: Office, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(outage, "UNNOTICED", 500)
    monkeypatch.setattr(outage, "COMING_BACK", 60_000)
    name, over = match(office), finish(office, match(office)).match.id
    before = office.site.desk.look(name).match
    until(lambda: office.site.clock() > before.at + 500)
    done = forgepost("match", "make-up", "--since", "2026-01-01T00:00Z", "--all")
    now = office.site.desk.look(name).match
    assert (done.exit_code, done.output) == (0, f"{name} waits until {stamp(now.due or 0)}\n")
    assert now.version == before.version + 1
    assert (now.due or 0) - (before.due or 0) >= 2 * 500
    refused = forgepost("match", "make-up", "--since", "2026-01-01T00:00Z", over, "07-0000000000")
    assert refused.exit_code == 1
    assert f"{over}: this match is over\n" in refused.output
    assert "07-0000000000: there is no such match" in refused.output
    for wrong, words in (
        (("--since", "2126-01-01T00:00Z", name), "2126-01-01T00:00:00.000Z is yet to come; times are in UTC"),
        (("--since", "yesterday", name), "'yesterday' does not match the formats"),
        (("--since", "2026-01-01T00:00Z"), "name matches by their ids, or say --all"),
        ((name,), "Missing option '--since'"),
    ):
        done = forgepost("match", "make-up", *wrong)
        assert (done.exit_code, words in done.output) == (2, True), done.output


def test_a_match_that_goes_on_after_somebody_looked_has_the_time_back_in_which_nobody_could_play(office: Office, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(outage, "UNNOTICED", 500)
    name = match(office, clock={"kind": "per-turn", "seconds": 1})
    office.site.readonly.mark(name, "as found")
    before = office.site.desk.look(name).match
    until(lambda: office.site.clock() > (before.due or 0))
    done = forgepost("match", "release", name, "--i-have-looked")
    now = anew(office).desk.look(name).match
    assert now.due
    assert done.output.splitlines()[:2] == [
        f"{name} goes on from version {before.version}",
        f"  the time since its last event was given back: it waits until {stamp(now.due)}",
    ]
    assert now.due - now.at >= 1_000
    assert [due for due in anew(office).dues.due(int(name[:2]), 1 << 50, 10) if due[0] == name] == [(name, now.due)]
