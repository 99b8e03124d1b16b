"""Signing in by a mailed link: no scanner does it, no stranger learns anything, and it ends when its player says so."""

from dataclasses import replace
from typing import Any

import pytest
from flask import Flask

from domain.ports import LogUnavailable
from infra.outbox import Notice
from infra.people.sessions import Sessions
from infra.seals.links import IN_TIME
from infra.wiring import Site
from service.app import create_app
from service.pages.account.sign_in import ONE_CLICK
from tests.people import Watch
from tests.service.pages.parlour import Parlour, words
from tests.service.pages.visitor import MINUTE, Visitor


@pytest.fixture
def visitor(app: Flask, site: Site) -> Visitor:
    return Visitor(app, site)


def mails(site: Site) -> list[Notice]:
    return [notice for notice in site.outbox.take(1 << 50, 1, 100) if not notice.match]


def test_the_form_answers_the_same_whether_anybody_plays_there(visitor: Visitor, parlour: Parlour):
    ann = parlour.person("Ann")
    known, unknown = visitor.post("/sign-in", address="Ann@example.org"), visitor.post("/sign-in", address="eve@example.org")
    assert (known.status_code, known.location) == (unknown.status_code, unknown.location) == (303, "/sign-in/mailed")
    assert known.text == unknown.text
    assert known.headers.getlist("Set-Cookie") == unknown.headers.getlist("Set-Cookie") == []
    assert [(notice.kind, notice.player) for notice in mails(parlour.site)] == [("sign-in", ann.id)]


def test_a_mailbox_gets_at_most_five_such_mails_an_hour(visitor: Visitor, parlour: Parlour, watch: Watch):
    parlour.person("Ann")
    for _ in range(8):
        assert visitor.post("/sign-in", address="ann@example.org").status_code == 303
        watch.now += MINUTE
    assert len(mails(parlour.site)) == 5


def test_what_is_no_address_is_said_beside_the_field(visitor: Visitor):
    page = visitor.post("/sign-in", address="ann at example")
    assert page.status_code == 422
    assert "“ann at example” is no mail address" in words(page.text)


def test_somebody_becomes_a_player_without_a_match(visitor: Visitor, site: Site):
    assert visitor.post("/sign-up", name="Zoë", new_address="zoe@example.org").location == "/sign-in/mailed"
    zoe = site.players.by_address("zoe@example.org")
    assert zoe
    assert [(notice.kind, notice.player) for notice in mails(site)] == [("sign-in", zoe.id)]
    page = visitor.post("/sign-up", name="you", new_address="r@forgepost.localhost")
    assert page.status_code == 422
    assert "“you” is what we call somebody" in words(page.text)
    assert "r@forgepost.localhost is an address of this site itself" in words(page.text)


def test_whoever_opens_the_link_is_shown_a_button_and_nothing_is_written(visitor: Visitor, parlour: Parlour):
    ann = parlour.person("Ann")
    link = visitor.way_in(ann)
    before = parlour.written()
    for _ in range(3):
        page = visitor.get(link)
        assert page.status_code == 200
        assert page.headers.getlist("Set-Cookie") == []
    assert "Somebody plays here as Ann with this address" in words(page.text)
    assert parlour.written() == before


def test_the_button_signs_in_and_proves_the_address(visitor: Visitor, parlour: Parlour):
    ann = parlour.person("Ann")
    done = visitor.post(visitor.way_in(ann))
    assert (done.status_code, done.location) == (303, "/me")
    (cookie,) = done.headers.getlist("Set-Cookie")
    assert cookie.startswith("forgepost-8000=")
    assert {part.strip().partition("=")[0] for part in cookie.split(";")[1:]} == {"Expires", "Max-Age", "HttpOnly", "Path", "SameSite"}
    assert "SameSite=Lax" in cookie
    assert parlour.person("Ann").confirmed
    page = visitor.get("/me")
    assert "My matches" in words(page.text)
    assert page.headers["Cache-Control"] == "no-store"


def test_behind_https_the_cookie_goes_nowhere_else(site: Site, parlour: Parlour):
    secure = replace(site, settings=replace(site.settings, url="https://turns.example.org"))
    visitor = Visitor(create_app(secure), secure)
    (cookie,) = visitor.post(visitor.way_in(parlour.person("Ann"))).headers.getlist("Set-Cookie")
    assert cookie.startswith("__Host-forgepost=")
    assert "; Secure;" in cookie


def test_a_link_is_good_once_but_for_a_double_click(visitor: Visitor, app: Flask, parlour: Parlour, watch: Watch):
    link = visitor.way_in(parlour.person("Ann"))
    assert visitor.post(link).status_code == 303
    assert visitor.post(link).location == "/me"
    watch.now += ONE_CLICK + 1
    assert visitor.post(link).location == "/me", "who is in is in"
    other = Visitor(app, parlour.site).post(link)
    assert other.status_code == 404
    assert other.headers.getlist("Set-Cookie") == []
    assert "This link is not good any more" in words(other.text)


def test_a_link_is_not_good_for_long(visitor: Visitor, parlour: Parlour, watch: Watch):
    link = visitor.way_in(parlour.person("Ann"))
    watch.now += IN_TIME + 10 * MINUTE + 1
    assert visitor.get(link).status_code == visitor.post(link).status_code == 404


@pytest.mark.parametrize("token", ["", "x", "0" * 45, "é" * 45])
def test_what_is_no_link_opens_nothing(visitor: Visitor, token: str):
    assert visitor.get(f"/s/{token}").status_code == visitor.post(f"/s/{token}").status_code == 404


def test_a_link_into_a_match_signs_nobody_in(visitor: Visitor, parlour: Parlour):
    token = parlour.token(parlour.choosing("Ann"))
    assert visitor.get(f"/s/{token}").status_code == visitor.post(f"/s/{token}").status_code == 404
    assert visitor.get(visitor.way_in(parlour.person("Ann")).replace("/s/", "/m/")).status_code == 404


def test_another_site_can_sign_nobody_in(visitor: Visitor, parlour: Parlour):
    link = visitor.way_in(parlour.person("Ann"))
    assert visitor.post(link, headers={"Sec-Fetch-Site": "cross-site"}).status_code == 404
    assert visitor.post(link, headers={"Sec-Fetch-Site": "same-origin"}).status_code == 303


def test_a_link_to_the_address_that_somebody_has_left_is_dead(visitor: Visitor, parlour: Parlour, watch: Watch):
    ann = parlour.person("Ann")
    link = visitor.way_in(ann)
    watch.now += MINUTE
    parlour.site.players.wish_to_move(ann.id, "ann@example.net", watch.now // MINUTE)
    assert visitor.post(visitor.new_address(ann)).status_code == 200
    assert parlour.site.players.by_address("ann@example.net")
    assert visitor.post(link).status_code == 404
    watch.now += MINUTE
    assert visitor.post(visitor.way_in(ann)).status_code == 303


def test_a_new_address_needs_the_link_of_the_newest_wish(visitor: Visitor, parlour: Parlour, watch: Watch):
    ann, bo = parlour.person("Ann"), parlour.person("Bo")
    parlour.site.players.wish_to_move(ann.id, "ann@example.net", watch.now // MINUTE)
    old = visitor.new_address(ann)
    watch.now += MINUTE
    parlour.site.players.wish_to_move(ann.id, bo.address, watch.now // MINUTE)
    assert visitor.get(old).status_code == visitor.post(old).status_code == 404
    page = visitor.post(visitor.new_address(ann))
    assert page.status_code == 409
    assert "Another player of yours has this address already" in words(page.text)
    assert parlour.person("Bo").id == bo.id


def test_who_is_not_signed_in_is_led_to_where_they_can(visitor: Visitor):
    for path in ("/me", "/me/settings", "/me/data.json"):
        assert (visitor.get(path).status_code, visitor.get(path).location) == (303, "/sign-in")
    assert visitor.post("/me/settings", do="you").location == "/sign-in"


def test_signing_out_here_leaves_other_devices_and_everywhere_leaves_none(app: Flask, parlour: Parlour):
    ann = parlour.person("Ann")
    here = Visitor(app, parlour.site).signs_in(ann)
    parlour.watch.now += MINUTE
    there = Visitor(app, parlour.site).signs_in(ann)
    assert here.post("/sign-out").location == "/"
    assert (here.get("/me").status_code, there.get("/me").status_code) == (303, 200)
    parlour.watch.now += MINUTE
    here.signs_in(ann)
    here.post("/sign-out", where="everywhere")
    assert (here.get("/me").status_code, there.get("/me").status_code) == (303, 303)
    assert parlour.site.sessions.begun(ann.id) == []


@pytest.mark.parametrize("proof", ["", "0" * 64, "é"])
def test_a_form_from_elsewhere_does_nothing(app: Flask, parlour: Parlour, proof: str):
    ann = parlour.person("Ann")
    here = Visitor(app, parlour.site).signs_in(ann)
    forms: dict[str, dict[str, Any]] = {
        "/me/settings": {"do": "you", "name": "Eve", "zone": "UTC"},
        "/sign-out": {"where": "everywhere"},
    }
    for path, form in forms.items():
        page = here.post(path, **{**form, "proof": proof})
        assert page.status_code == 403
        assert "Nothing was done" in words(page.text)
        assert here.post(path, headers={"Sec-Fetch-Site": "cross-site"}, **form).status_code == 403
    assert here.get("/me").status_code == 200
    assert parlour.person("Ann").name == "Ann"


def test_pages_know_who_is_here_also_when_redis_does_not(app: Flask, parlour: Parlour, monkeypatch: pytest.MonkeyPatch):
    ann = parlour.person("Ann")
    here = Visitor(app, parlour.site).signs_in(ann)
    assert "My matches" in words(here.get("/games").text)
    assert "Sign in" in words(Visitor(app, parlour.site).get("/games").text)

    def away(*_: object) -> None:
        raise LogUnavailable("Redis does not serve the log")

    monkeypatch.setattr(Sessions, "whose", away)
    assert here.get("/games").status_code == 200
    assert here.get("/me").status_code == 503
