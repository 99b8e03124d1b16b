"""Webhooks by the API: making, changing, rotating, testing, and reading what became of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from threading import Event as Signal

import pytest
from flask import Flask

from infra.people import erasure
from infra.wiring import Site
from service.accounts import dossier
from tests.people import Watch
from tests.receiver import Receiver, receiving
from tests.service.api.person import API, ME, RANDOM, Person, answered, refused
from workers.relay import WebhooksRelay
from workers.webhooks import deliver

URL = "https://bots.example.org/forgepost"
ALL = ("matches:read", "matches:play", "matches:create", "player:read", "player:write", "webhooks:write")


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as receiver:
        yield receiver


@pytest.fixture
def ann(person: Callable[..., Person]) -> Person:
    """A player who may have webhooks."""
    return person("Ann", *ALL)


def delivered(site: Site, hook: str) -> None:
    """What the clock and a worker do."""
    WebhooksRelay(site).read(Signal())
    deliver(site, hook)


def test_a_webhook_is_made_and_tells_what_happens_signed_with_the_secret_that_was_shown(ann: Person, site: Site, receiver: Receiver):
    response = ann.post("/webhooks", {"url": receiver.url, "name": " My  bridge "})
    made = answered(response, 201)
    assert response.headers["Location"] == f"http://127.0.0.1:8000/api/v1/webhooks/{made['id']}"
    assert made["name"] == "My bridge"
    assert (made["types"], made["match"], made["on"], made["waiting"], made["delivered_at"]) == ([], None, True, 0, None)
    match = ann.creates(ME, RANDOM, RANDOM, RANDOM)
    delivered(site, made["id"])
    history = answered(ann.get(f"/matches/{match['id']}/history"), 200)["events"]
    assert [got.verified(made["secret"], site.clock())["data"] for got in receiver.got] == history
    shown = answered(ann.get(f"/webhooks/{made['id']}"), 200)
    assert "secret" not in shown
    assert shown["delivered_at"] == "2026-11-29T12:00:00.000Z"
    assert answered(ann.get("/webhooks"), 200) == {"webhooks": [shown]}
    deliveries = answered(ann.get(f"/webhooks/{made['id']}/deliveries"), 200)["deliveries"]
    assert [(one["message"], one["status"], one["delivered"]) for one in deliveries] == [
        (f"msg_{made['id']}_{match['id']}_{event['version']}", 204, True) for event in reversed(history)
    ]


def test_deliveries_come_page_by_page_the_newest_first_however_many_come_meanwhile(ann: Person, site: Site, receiver: Receiver):
    made = answered(ann.post("/webhooks", {"url": receiver.url}), 201)
    match = ann.creates(ME, RANDOM, RANDOM, RANDOM)
    delivered(site, made["id"])
    path = f"/webhooks/{made['id']}/deliveries?limit=2"
    whole = answered(ann.get(path.replace("limit=2", "limit=100")), 200)
    assert whole["next"] is None
    seen, cursor = [], ""
    while True:
        response = ann.get(f"{path}{cursor}")
        page = answered(response, 200)
        seen += page["deliveries"]
        answered(ann.post(f"/webhooks/{made['id']}/test"), 202)
        deliver(site, made["id"])
        if page["next"] is None:
            assert "Link" not in response.headers
            break
        cursor = f"&cursor={page['next']}"
        assert response.headers["Link"] == f'<http://127.0.0.1:8000/api/v1{path}{cursor}>; rel="next"'
    assert seen == whole["deliveries"]
    assert len(seen) == match["version"] > 2
    refused(ann.get(f"{path}&cursor=x"), 422, "invalid-request")
    forgotten = answered(ann.get(f"{path}&cursor=1.1.msg_{made['id']}_test_1"), 200)
    assert forgotten == {"deliveries": [], "next": None}


def test_the_same_request_with_the_same_key_makes_one_webhook_and_shows_the_same_secret(ann: Person):
    first = answered(ann.post("/webhooks", {"url": URL}, key="once"), 201)
    again = ann.post("/webhooks", {"url": URL}, key="once")
    assert answered(again, 200) == first
    assert again.headers["Idempotent-Replayed"] == "true"
    refused(ann.post("/webhooks", {"url": f"{URL}/2"}, key="once"), 422, "key-reused")
    assert len(answered(ann.get("/webhooks"), 200)["webhooks"]) == 1
    assert ann.asks("DELETE", f"{API}/webhooks/{first['id']}").status_code == 204
    refused(ann.post("/webhooks", {"url": URL}, key="once"), 422, "key-reused")


@pytest.mark.parametrize(
    ("said", "pointer", "words"),
    [
        ({"url": "https://ann:word@bots.example.org/"}, "#/url", "must not have a user or password in it"),
        ({"url": "gopher://bots.example.org/"}, "#/url", "must begin with https:// or http:// and name a host"),
        ({"url": URL, "types": ["action.taken", "action.taken"]}, "#/types", "must name each entry once"),
        ({"url": URL, "types": ["action.undone"]}, "#/types/0", "must be match.created, "),
        ({"url": URL, "match": "07-zzzzzzzzzz"}, "#/match", "must be a match that you sit in, are invited to or created"),
        ({"url": URL, "match": "none"}, "#/match", "must be the id of a match"),
        ({"url": URL, "name": "\x00"}, "#/name", ""),
        ({}, "#/url", "is missing"),
        ({"url": URL, "secret": "mine"}, "#/secret", "is not known here"),
    ],
)
def test_a_webhook_that_could_not_work_is_refused_in_words(ann: Person, said: dict[str, object], pointer: str, words: str):
    problem = refused(ann.post("/webhooks", said), 422, "invalid-request")
    (error,) = problem["errors"]
    assert error["pointer"] == pointer
    assert words in error["detail"]


def test_of_a_webhook_that_cannot_be_everything_that_is_wrong_is_named(ann: Person):
    body = {"url": "ftp://bots.example.org", "name": "\1", "match": "00-0000000000"}
    problem = refused(ann.post("/webhooks", body), 422, "invalid-request")
    assert problem["errors"] == [
        {"detail": "`url`: must begin with https:// or http:// and name a host", "pointer": "#/url"},
        {"detail": "`name`: please leave out a control character (U+0001)", "pointer": "#/name"},
        {"detail": "`match`: must be a match that you sit in, are invited to or created", "pointer": "#/match"},
    ]


def test_where_private_addresses_are_not_allowed_they_are_refused_at_once(ann: Person, app: Flask, site: Site):
    app.extensions["forgepost"] = replace(site, settings=replace(site.settings, webhooks_private="no"))
    for url in ("http://bots.example.org/", "https://127.0.0.1/", "https://[::1]/", "https://169.254.169.254/"):
        problem = refused(ann.post("/webhooks", {"url": url}), 422, "invalid-request")
        assert problem["errors"][0]["pointer"] == "#/url"
    answered(ann.post("/webhooks", {"url": "https://8.8.8.8:8443/hook"}), 201)


def test_a_player_has_ten_webhooks_and_no_more(ann: Person):
    for number in range(10):
        answered(ann.post("/webhooks", {"url": f"{URL}/{number}"}), 201)
    assert "at most 10 webhooks" in refused(ann.post("/webhooks", {"url": URL}), 409, "limit-reached")["detail"]


def test_what_is_changed_counts_and_the_rest_stays(ann: Person):
    match = ann.creates(ME, RANDOM, RANDOM, RANDOM)["id"]
    made = answered(ann.post("/webhooks", {"url": URL, "types": ["match.finished"]}), 201)
    path = f"{API}/webhooks/{made['id']}"
    changed = answered(ann.asks("PATCH", path, json={"match": match, "name": "bridge"}), 200)
    assert (changed["url"], changed["types"], changed["match"], changed["name"]) == (URL, ["match.finished"], match, "bridge")
    changed = answered(ann.asks("PATCH", path, json={"match": None, "types": [], "url": f"{URL}/2"}), 200)
    assert (changed["url"], changed["types"], changed["match"], changed["name"]) == (f"{URL}/2", [], None, "bridge")


def test_a_webhook_that_is_off_is_told_nothing_until_it_is_on_again(ann: Person, site: Site, receiver: Receiver):
    made = answered(ann.post("/webhooks", {"url": receiver.url}), 201)
    path = f"{API}/webhooks/{made['id']}"
    off = answered(ann.asks("PATCH", path, json={"on": False}), 200)
    assert (off["on"], off["off_reason"]) == (False, "owner")
    match = ann.creates(ME, RANDOM, RANDOM, RANDOM)
    delivered(site, made["id"])
    assert receiver.got == []
    assert answered(ann.asks("PATCH", path, json={"on": True}), 200)["off_reason"] is None
    after = answered(ann.post(f"/matches/{match['id']}/resignation", {}), 201)["match"]
    delivered(site, made["id"])
    heard = [got.said["data"]["version"] for got in receiver.got]
    assert heard == list(range(match["version"] + 1, after["version"] + 1))


def test_a_server_that_was_silent_is_tried_at_once_when_its_owner_says_so(ann: Person, site: Site, receiver: Receiver):
    made = answered(ann.post("/webhooks", {"url": receiver.url}), 201)
    receiver.always(503)
    match = ann.creates(ME, RANDOM, RANDOM, RANDOM)
    delivered(site, made["id"])
    failing = answered(ann.get(f"/webhooks/{made['id']}"), 200)
    assert failing["failing_since"] == "2026-11-29T12:00:00.000Z"
    assert (failing["failures"], failing["waiting"], failing["next_try_at"]) == (1, match["version"], "2026-11-29T12:00:05.000Z")
    receiver.always(200)
    answered(ann.asks("PATCH", f"{API}/webhooks/{made['id']}", json={"on": True}), 200)
    delivered(site, made["id"])
    assert answered(ann.get(f"/webhooks/{made['id']}"), 200)["waiting"] == 0


def test_a_test_goes_to_a_webhook_that_is_off_too_and_the_answer_can_be_read(ann: Person, site: Site, receiver: Receiver):
    made = answered(ann.post("/webhooks", {"url": receiver.url}), 201)
    answered(ann.asks("PATCH", f"{API}/webhooks/{made['id']}", json={"on": False}), 200)
    receiver.always(500, "Kübel voll".encode())
    sent = answered(ann.post(f"/webhooks/{made['id']}/test", key="once"), 202)
    delivered(site, made["id"])
    again = ann.post(f"/webhooks/{made['id']}/test", key="once")
    assert answered(again, 200) == sent
    assert again.headers["Idempotent-Replayed"] == "true"
    delivered(site, made["id"])
    (got,) = receiver.got
    assert got.id == sent["message"]
    assert got.verified(made["secret"], site.clock())["type"] == "webhook.test"
    (one,) = answered(ann.get(f"/webhooks/{made['id']}/deliveries"), 200)["deliveries"]
    assert {key: one[key] for key in ("message", "type", "match", "version", "status", "answer", "failure", "delivered", "next_try_at")} == {
        "message": sent["message"],
        "type": "webhook.test",
        "match": None,
        "version": None,
        "status": 500,
        "answer": "Kübel voll",
        "failure": None,
        "delivered": False,
        "next_try_at": None,
    }


def test_an_event_is_delivered_once_more_under_the_same_id(ann: Person, site: Site, receiver: Receiver):
    made = answered(ann.post("/webhooks", {"url": receiver.url}), 201)
    match = ann.creates(ME, RANDOM, RANDOM, RANDOM)["id"]
    delivered(site, made["id"])
    before = list(receiver.got)
    sent = answered(ann.asks("POST", f"{API}/webhooks/{made['id']}/deliveries/msg_{made['id']}_{match}_1/retry"), 202)
    delivered(site, made["id"])
    assert len(receiver.got) == len(before) + 1
    assert (receiver.got[-1].id, receiver.got[-1].body) == (before[0].id, before[0].body)
    assert sent == {"message": before[0].id}


@pytest.mark.parametrize(
    "message", ["msg_{hook}_{match}_99", "msg_{hook}_{match}_0", "msg_w-0000000000_{match}_1", "msg_{hook}_07-zzzzzzzzzz_1", "nothing"]
)
def test_what_was_never_to_be_told_cannot_be_told_again(ann: Person, message: str):
    made = answered(ann.post("/webhooks", {"url": URL}), 201)
    match = ann.creates(ME, RANDOM, RANDOM, RANDOM)["id"]
    path = message.format(hook=made["id"], match=match)
    refused(ann.asks("POST", f"{API}/webhooks/{made['id']}/deliveries/{path}/retry"), 404, "not-found")


def test_a_match_of_others_is_not_told_by_naming_its_message(ann: Person, person: Callable[..., Person]):
    match = ann.creates(ME, RANDOM, RANDOM, RANDOM, visibility="public")["id"]
    eve = person("Eve", *ALL)
    made = answered(eve.post("/webhooks", {"url": URL}), 201)
    refused(eve.asks("POST", f"{API}/webhooks/{made['id']}/deliveries/msg_{made['id']}_{match}_1/retry"), 404, "not-found")
    refused(eve.post("/webhooks", {"url": URL, "match": match}), 422, "invalid-request")


def test_a_new_secret_signs_beside_the_old_one_for_as_long_as_its_owner_says(ann: Person, site: Site, receiver: Receiver, watch: Watch):
    made = answered(ann.post("/webhooks", {"url": receiver.url}), 201)
    rotated = answered(ann.post(f"/webhooks/{made['id']}/secret", {"keep_seconds": 60}, key="turn"), 201)
    assert rotated["secret"] != made["secret"]
    assert rotated["old_secret_until"] == "2026-11-29T12:01:00.000Z"
    assert answered(ann.post(f"/webhooks/{made['id']}/secret", {"keep_seconds": 60}, key="turn"), 200) == rotated
    answered(ann.asks("POST", f"{API}/webhooks/{made['id']}/test"), 202)
    delivered(site, made["id"])
    assert receiver.got[0].headers["webhook-signature"].count("v1,") == 2
    watch.now += 60_000
    answered(ann.asks("POST", f"{API}/webhooks/{made['id']}/test"), 202)
    delivered(site, made["id"])
    assert receiver.got[1].headers["webhook-signature"].count("v1,") == 1
    at_once = answered(ann.post(f"/webhooks/{made['id']}/secret", {"keep_seconds": 0}), 201)
    assert at_once["old_secret_until"] is None


def test_what_others_have_is_not_there(ann: Person, person: Callable[..., Person]):
    made = answered(ann.post("/webhooks", {"url": URL}), 201)
    eve = person("Eve", *ALL)
    for method, path in (("GET", ""), ("PATCH", ""), ("DELETE", ""), ("GET", "/deliveries"), ("POST", "/test"), ("POST", "/secret")):
        refused(eve.asks(method, f"{API}/webhooks/{made['id']}{path}", **({"json": {}} if method in ("PATCH", "POST") else {})), 404, "not-found")
    assert answered(eve.get("/webhooks"), 200) == {"webhooks": []}


def test_whoever_is_erased_leaves_no_webhook_and_what_is_known_of_somebody_includes_theirs(ann: Person, site: Site, receiver: Receiver):
    made = answered(ann.post("/webhooks", {"url": receiver.url}), 201)
    known = site.players.get(ann.id)
    assert known
    assert [hook["url"] for hook in dossier(site, known)["webhooks"]] == [receiver.url]
    ann.creates(ME, RANDOM, RANDOM, RANDOM)
    delivered(site, made["id"])
    erasure.erase(site, ann.id, "api")
    delivered(site, made["id"])
    assert site.redis.keys("{hooks}:*") == []
