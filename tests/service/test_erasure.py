"""Erasing a player: nothing is left of them but an id that says nothing, and no history changes by a byte."""

from collections.abc import Callable
from threading import Event as Signal
from typing import Any, cast

import pytest
from flask import Flask

from domain.match.commands import Actor, Join
from infra.beats import Beats
from infra.listing import row
from infra.mail.inbox import name_of
from infra.mail.mailbox import Envelope
from infra.people import erasure
from infra.people.players import Player, Players
from infra.seals.links import to_reply_out_of_turn
from infra.wiring import Site
from service.app import create_app
from service.export import export
from tests.people import Watch
from tests.servers import RedisServer
from tests.service.api.person import API, ME, OPEN, RANDOM, Person, answered, refused
from tests.service.pages.parlour import Parlour, words
from tests.service.pages.visitor import Visitor
from tests.workers.office import until
from workers.clock import Clock


@pytest.fixture
def app(site: Site) -> Flask:
    return create_app(site)


@pytest.fixture
def parlour(site: Site, watch: Watch) -> Parlour:
    return Parlour(site, watch)


@pytest.fixture
def person(app: Flask, parlour: Parlour, site: Site) -> Callable[[str], Person]:
    def person(name: str) -> Person:
        player = parlour.person(name)
        scopes = ("matches:read", "matches:play", "matches:create", "player:read", "player:write")
        return Person(app.test_client(), player.id, site.players.new_token(player.id, scopes, "tests"))

    return person


def erase(who: Person) -> Any:
    return who.asks("DELETE", f"{API}/me", json={"erase": who.id})


def everything(site: Site) -> str:
    """Whatever Redis holds, as text."""
    read: dict[bytes, Callable[[Any], Any]] = {
        b"string": site.redis.get,
        b"hash": site.redis.hgetall,
        b"set": site.redis.smembers,
        b"stream": site.redis.xrange,
        b"zset": lambda key: site.redis.zrange(key, 0, -1, withscores=True),
    }
    keys, kind = cast("Any", site.redis.keys("*")), cast("Any", site.redis.type)
    return repr({key: read[kind(key)](key) for key in keys})


def listed(site: Site, *matches: str) -> None:
    for match in matches:
        site.listing.record(row(site.desk.look(match).match))


def test_whoever_names_another_player_erases_nobody(person: Callable[[str], Person]):
    ann, bo = person("Ann"), person("Bo")
    for body in ({"erase": "yes"}, {"erase": bo.id}, {"erase": None}, {"sure": True}):
        refused(ann.asks("DELETE", f"{API}/me", json=body), 422, "invalid-request")
    answered(ann.get("/me"), 200)


def test_it_takes_no_body(person: Callable[[str], Person]):
    ann = person("Ann")
    assert ann.asks("DELETE", f"{API}/me").status_code == 204
    refused(ann.get("/me"), 401, "not-authenticated")


def test_nothing_is_left_of_the_player_and_every_key_is_dead_at_once(person: Callable[[str], Person], app: Flask, site: Site, parlour: Parlour):
    ann = person("Ann")
    here = Visitor(app, site).signs_in(parlour.person("Ann"))
    way_in = here.way_in(parlour.person("Ann"))
    site.player_keys.add(ann.id, "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo", "laptop")
    here.post("/me/settings", do="mail", cadence="off", hours="", hour="", reminders="", quiet_from="", quiet_to="")
    here.post("/me/settings", do="address", address="new@example.net")
    assert erase(ann).status_code == 204
    refused(ann.get("/me"), 401, "not-authenticated")
    refused(erase(ann), 401, "not-authenticated")
    assert here.get("/me").status_code == 303
    assert here.get(way_in).status_code == here.post(way_in).status_code == 404
    assert site.players.get(ann.id) is None
    for word in ("Ann", "example.org", "example.net", "laptop", "11qYAYKx"):
        assert word not in everything(site)
    assert site.redis.keys(f"*{ann.id}*") == []


def test_mails_that_came_in_from_the_player_go_with_them_and_those_of_others_stay(person: Callable[[str], Person], site: Site, parlour: Parlour):
    ann, bo = person("Ann"), person("Bo")
    match = answered(ann.post("/matches", {"game": "fourfold", "seats": [{"player": "me"}, OPEN, OPEN, OPEN]}), 201)["id"]
    sight = site.desk.look(match)
    reply = f"r+{site.tokens.seal(to_reply_out_of_turn(sight.match, sight.match.seats[0], site.clock()))}@forgepost.localhost"
    mine = (
        (b"From: Ann <ANN@example.org>\r\n\r\nhello\r\n", Envelope("", (), 1)),
        (b"From: elsewhere@example.net\r\n\r\nmy secret\r\n", Envelope("elsewhere@example.net", (reply,), 1)),
        (f"To: {reply}\r\n\r\nmy other secret\r\n".encode(), Envelope("", (), 1)),
        (b"From: MAILER-DAEMON\r\n\r\nno such user\r\n", Envelope("", (f"b+{ann.id}.abc@forgepost.localhost",), 1)),
    )
    theirs = (b"From: bo@example.org\r\n\r\nhello\r\n", Envelope("bo@example.org", ("play@forgepost.localhost",), 1))
    for raw, envelope in (*mine, theirs):
        site.inbox.keep(raw, envelope)
        site.inbox.park(name_of(raw, envelope.to), 1, "a fault of ours")
    erase(ann)
    assert site.inbox.parked() == [name_of(theirs[0], theirs[1].to)]
    assert [secret in everything(site) for secret in ("my secret", "my other secret", "no such user", "ANN@")] == [False] * 4
    erase(bo)
    assert site.inbox.parked() == []


def test_the_same_address_later_is_somebody_new(person: Callable[[str], Person], site: Site):
    ann = person("Ann")
    erase(ann)
    assert site.players.add("Ann", "ann@example.org").id != ann.id


def test_running_matches_are_resigned_waiting_ones_left_and_own_ones_called_off(person: Callable[[str], Person], site: Site):
    ann, bo = person("Ann"), person("Bo")
    live = ann.creates(ME, {"invite": "bo@example.org"}, RANDOM, RANDOM)["id"]
    answered(bo.post(f"/matches/{live}/join"), 201)
    joined = bo.creates(ME, OPEN, OPEN, RANDOM)["id"]
    answered(ann.post(f"/matches/{joined}/join"), 201)
    invited = bo.creates(ME, {"invite": "ann@example.org"}, OPEN, RANDOM)["id"]
    alone = ann.creates(ME, {"invite": "bo@example.org"}, OPEN, RANDOM)["id"]
    unseated = ann.creates({"invite": "bo@example.org"}, OPEN, OPEN, RANDOM)["id"]
    hosted = ann.creates(ME, OPEN, OPEN, RANDOM)["id"]
    answered(bo.post(f"/matches/{hosted}/join"), 201)
    listed(site, live, joined, invited, alone, unseated, hosted)
    assert erase(ann).status_code == 204

    def now(match: str) -> tuple[str, list[str | None]]:
        seen = site.desk.look(match).match
        return seen.status, [chair.player if chair.player in (ann.id, bo.id) else chair.invited for chair in seen.chairs]

    assert now(live)[0] == "live"
    assert [site.desk.look(live).match.chair(seat).player for seat in site.desk.look(live).match.vacated] == [ann.id]
    assert now(joined) == ("waiting", [bo.id, None, None, None])
    assert now(invited) == ("waiting", [bo.id, None, None, None])
    assert now(alone)[0] == now(unseated)[0] == "aborted"
    assert now(hosted) == ("waiting", [None, bo.id, None, None])


def test_a_history_stays_as_it_was_and_tells_of_a_former_player(person: Callable[[str], Person], app: Flask, site: Site, parlour: Parlour):
    ann = person("Ann")
    match = parlour.through(parlour.start("Ann", "Bo", options={"goals_to_win": 1}, visibility="public"))
    before = export(site, site.desk.look(match.id))
    link = parlour.link(match, "view", seat="north")
    assert app.test_client().get(link).status_code == 200
    listed(site, match.id)
    assert erase(ann).status_code == 204
    assert export(site, site.desk.look(match.id)) == before
    page = words(app.test_client().get(f"/matches/{match.id}/history").text)
    assert "North (a former player) played" in page or "A former player took" in page
    assert "Ann" not in page
    assert "Bo" in page
    for path in (link, f"{link}/history"):
        assert app.test_client().get(path).status_code == 404, "their links are dead"


def test_a_link_to_a_turn_dies_with_its_player(person: Callable[[str], Person], app: Flask, site: Site, parlour: Parlour):
    ann = person("Ann")
    match = parlour.choosing("Ann", "Bo")
    listed(site, match.id)
    link, line = parlour.link(match), parlour.legal(match)[0]
    assert app.test_client().get(link).status_code == 200
    erase(ann)
    version = parlour.look(match).version
    assert app.test_client().get(link).status_code == 404
    assert app.test_client().post(link, data={"ply": match.ply, "action": line}).status_code == 404
    assert parlour.look(match).version == version


def test_whatever_is_cut_off_is_gone_on_with_by_the_clock(person: Callable[[str], Person], site: Site, watch: Watch, monkeypatch: pytest.MonkeyPatch):
    """The process may die after any of its steps."""
    ann = person("Ann")
    match = ann.creates(ME, OPEN, OPEN, RANDOM)["id"]
    listed(site, match)
    with monkeypatch.context() as patched:
        patched.setattr(Players, "forget", killed)
        with pytest.raises(Killed):
            erasure.erase(site, ann.id, "api")
    assert erasure.under_way(site) == {ann.id}
    watch.now += erasure.SOON
    with monkeypatch.context() as patched:
        patched.setattr(erasure, "_leave", killed)
        with pytest.raises(Killed):
            erasure.go_on(site)
    assert site.players.get(ann.id) is None
    Clock(site, Signal())._care()
    assert site.desk.look(match).match.status == "aborted"
    assert erasure.under_way(site) == {ann.id}, "once more, for what the list had not heard of yet"
    late = Parlour(site, watch).start("Bo", more_open=True)
    site.desk.do(late.id, Join(Actor(ann.id, "api")))
    listed(site, late.id)
    watch.now += erasure.AGAIN
    Clock(site, Signal())._care()
    assert erasure.under_way(site) == set()
    assert ann.id not in [chair.player for chair in site.desk.look(late.id).match.chairs]
    erasure.go_on(site)


def test_a_seat_that_the_list_has_not_heard_of_for_an_hour_is_given_up_all_the_same(person: Callable[[str], Person], site: Site, watch: Watch):
    """While no clock runs, nobody makes the list; when one starts again, it may come to the erasure first."""
    ann = person("Ann")
    match = Parlour(site, watch).start("Bo", more_open=True).id
    site.desk.do(match, Join(Actor(ann.id, "api")))
    erase(ann)
    watch.now += 3_600_000
    Clock(site, Signal())._care()
    assert ann.id not in [chair.player for chair in site.desk.look(match).match.chairs]
    assert erasure.under_way(site) == set()


def test_an_erasure_that_fails_holds_up_no_other_and_no_sign_of_life(
    person: Callable[[str], Person], site: Site, watch: Watch, monkeypatch: pytest.MonkeyPatch
):
    people = [person(name) for name in ("Ann", "Bo")]
    for who in people:
        erase(who)
    forget = site.players.forget
    monkeypatch.setattr(site.players, "forget", lambda player: killed() if player == people[0].id else forget(player))
    watch.now += erasure.AGAIN
    clock = Clock(site, Signal())
    clock._beats["notices"] = watch.now
    with pytest.raises(Killed):
        clock._care()
    assert erasure.under_way(site) == {people[0].id}
    assert list(Beats(site.redis).heard(watch.now).values()) == [watch.now]


def test_what_is_on_the_disk_of_redis_is_written_anew_without_the_player(
    person: Callable[[str], Person], site: Site, watch: Watch, site_redis: RedisServer
):
    ann = person("Annabella")

    def on_disk() -> bool:
        return any(b"Annabella" in paper.read_bytes() for paper in site_redis.data.rglob("*") if paper.is_file())

    assert on_disk()
    erase(ann)
    watch.now += erasure.AGAIN
    # Another test's rewriting may be under way, begun before this player went; the minute that really passes here ends it.
    until(lambda: not site.redis.info("persistence")["aof_rewrite_in_progress"])
    erasure.go_on(site)
    until(lambda: not on_disk())


class Killed(Exception):
    """As `kill -9`, for this test."""


def killed(*_: object) -> None:
    raise Killed


def test_the_page_asks_for_a_word_and_says_what_becomes_of_matches(app: Flask, site: Site, parlour: Parlour):
    match = parlour.choosing("Ann", "Bo")
    listed(site, match.id)
    ann: Player = parlour.person("Ann")
    here = Visitor(app, site).signs_in(ann)
    assert "You leave 1 match: in running ones you resign" in words(here.get("/me/settings").text)
    page = here.post("/me/settings", do="erase", word="yes")
    assert page.status_code == 422
    assert "You are still here: to be erased, type the word “erase” into the field first." in words(page.text)
    done = here.post("/me/settings", do="erase", word=" Erase ")
    assert (done.status_code, "You are erased" in words(done.text), "Sign in" in words(done.text)) == (200, True, True)
    assert site.players.get(ann.id) is None
    assert parlour.look(match).vacated
    assert here.get("/me").status_code == 303
