"""Sent twice, done once: what an idempotency key is good for, and for whom."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from flask import Flask

from domain.ports import LogUnavailable
from infra.ids import match_id_for, partition
from infra.wiring import Site
from service.schemas.keys import X
from tests.service.api.person import ALL_MINE, API, ME, OPEN, RANDOM, Person, answered, refused, two_at_a_table

NEW = {"game": "fourfold", "seats": [ME, RANDOM, RANDOM, OPEN]}


def test_the_same_submission_again_is_answered_again_and_done_once(ann: Person):
    match = ann.creates(*ALL_MINE)
    seat = match["to_act"][0]["seat"]
    action = ann.may(match["id"], seat)[0]["action"]
    first = ann.submits(match, seat, action, key="one")
    second = ann.submits(match, seat, action, key="one")
    assert answered(first, 201) == answered(second, 200)
    assert second.headers["Idempotent-Replayed"] == "true"
    assert "Idempotent-Replayed" not in first.headers
    assert ann.sees(match["id"])["ply"] == match["ply"] + 1


def test_it_is_answered_with_what_it_brought_then_also_when_the_match_has_moved_on(ann: Person):
    match = ann.creates(*ALL_MINE)
    seat = match["to_act"][0]["seat"]
    action = ann.may(match["id"], seat)[0]["action"]
    first = answered(ann.submits(match, seat, action, key="one"), 201)
    ann.plays(first["match"])
    assert answered(ann.submits(match, seat, action, key="one"), 200) == first


def test_another_request_with_the_same_key_is_refused(ann: Person):
    match = ann.creates(*ALL_MINE)
    seat = match["to_act"][0]["seat"]
    one, other = (legal["action"] for legal in ann.may(match["id"], seat)[:2])
    done = answered(ann.submits(match, seat, one, key="one"), 201)
    refused(ann.submits(match, seat, other, key="one"), 422, "key-reused")
    refused(ann.post(f"/matches/{match['id']}/take-back", {"seat": seat}, key="one"), 422, "key-reused")
    assert ann.sees(match["id"]) == done["match"]


def test_keys_are_everybodys_own(ann: Person, bo: Person):
    turn = two_at_a_table(ann, bo)
    answered(ann.post(f"/matches/{turn.id}/offers", {"kind": "end"}, key="1"), 201)
    answered(bo.post(f"/matches/{turn.id}/offers/1/answer", {"answer": "decline"}, key="1"), 201)


def test_a_key_used_again_for_another_match_never_brings_the_first_ones_answer(ann: Person):
    """A key is the player's, kept beside the match: where two matches lie together it is refused, elsewhere nobody can know of it."""
    statuses = set()
    for _ in range(20):
        match = ann.creates(*ALL_MINE)
        answer = ann.post(f"/matches/{match['id']}/offers", {"kind": "end"}, key="1")
        statuses.add(answer.status_code)
        if answer.status_code == 201:
            assert (answer.json or {})["match"]["id"] == match["id"]
        else:
            refused(answer, 422, "key-reused")
    assert statuses <= {201, 422}


def test_a_match_created_twice_with_one_key_is_one_match(ann: Person, bo: Person):
    first, second = ann.post("/matches", NEW, key="mine"), ann.post("/matches", NEW, key="mine")
    created = answered(first, 201)
    assert answered(second, 200) == created
    assert second.headers["Location"] == first.headers["Location"]
    assert answered(bo.post("/matches", NEW, key="mine"), 201)["id"] != created["id"]
    assert answered(ann.post("/matches", NEW, key="another"), 201)["id"] != created["id"]
    refused(ann.post("/matches", {**NEW, "seats": [ME, RANDOM, RANDOM, RANDOM]}, key="mine"), 422, "key-reused")


def test_a_key_that_is_forgotten_after_its_days_creates_another_match_and_that_again_is_kept(ann: Person, site: Site):
    created = []
    for _ in range(3):
        created.append(answered(ann.post("/matches", NEW, key="mine"), 201)["id"])
        assert answered(ann.post("/matches", NEW, key="mine"), 200)["id"] == created[-1]
        refused(ann.post("/matches", {**NEW, "seats": [ME, RANDOM, RANDOM, RANDOM]}, key="mine"), 422, "key-reused")
        (kept,) = site.redis.keys("*:idem:*")
        assert 0 < site.redis.ttl(kept) <= 7 * 86_400
        site.redis.delete(kept)  # as if these were over
    assert len(set(created)) == 3
    assert [ann.sees(match)["id"] for match in created] == created


def test_of_matches_of_one_key_in_one_partition_the_last_is_meant(ann: Person, site: Site):
    def lies(key: str, turn: int) -> int:
        return partition(match_id_for(site.settings.partitions, ann.id, key, turn))

    key = next(key for key in map(str, range(10_000)) if lies(key, 0) == lies(key, 1))
    first = answered(ann.post("/matches", NEW, key=key), 201)["id"]
    assert first == match_id_for(site.settings.partitions, ann.id, key)
    site.redis.delete(*site.redis.keys("*:idem:*"))  # as if its days were over
    second = answered(ann.post("/matches", NEW, key=key), 201)["id"]
    assert partition(second) == partition(first)
    assert answered(ann.post("/matches", NEW, key=key), 200)["id"] == second


def test_without_a_key_each_creation_is_a_match_of_its_own(ann: Person):
    assert answered(ann.post("/matches", NEW), 201)["id"] != answered(ann.post("/matches", NEW), 201)["id"]


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("join", {}),
        ("leave", {}),
        ("take-back", {"seat": "{seat}"}),
        ("resignation", {}),
        ("offers", {"kind": "end"}),
        ("offers/1/answer", {"answer": "decline"}),
    ],
    ids=["join", "leave", "take-back", "resignation", "offer", "answer"],
)
def test_every_other_wish_is_granted_once_too(ann: Person, bo: Person, path: str, body: dict[str, Any]):
    turn, who = two_at_a_table(ann, bo), bo
    if path == "join":
        turn.match = ann.creates(ME, OPEN, OPEN, RANDOM, visibility="public")
    if path == "leave":
        turn.match = ann.creates(ME, OPEN, OPEN, RANDOM, visibility="public")
        answered(bo.post(f"/matches/{turn.id}/join"), 201)
    if path == "take-back":
        who = turn.mover
        body = {"seat": turn.seat}
        answered(who.submits(turn.match, turn.seat, turn.legal[0]["action"]), 201)
    if path == "offers/1/answer":
        answered(ann.post(f"/matches/{turn.id}/offers", {"kind": "end"}), 201)
    first = answered(who.post(f"/matches/{turn.id}/{path}", body, key="once"), 201)
    assert answered(who.post(f"/matches/{turn.id}/{path}", body, key="once"), 200) == first
    assert ann.sees(turn.id)["version"] == first["match"]["version"]


@pytest.mark.parametrize("key", ["", " ", "two words", "ä", "x" * 129], ids=["empty", "blank", "inside", "letter", "long"])
def test_a_key_that_is_none_is_refused(ann: Person, key: str):
    problem = refused(ann.post("/matches", NEW, headers={"Idempotency-Key": key.encode().decode("latin-1")}), 422, "invalid-request")
    assert problem["errors"] == [
        {"detail": "`Idempotency-Key` must be 1 to 128 visible ASCII characters; a UUID will do", "header": "Idempotency-Key"}
    ]


def test_fifty_times_the_same_at_once_is_one_event_and_fifty_same_answers(app: Flask, ann: Person):
    match = ann.creates(*ALL_MINE)
    seat = match["to_act"][0]["seat"]
    action = ann.may(match["id"], seat)[0]["action"]

    def submit(_: int) -> tuple[int, Any]:
        response = Person(app.test_client(), ann.id, ann.token).submits(match, seat, action, key="one")
        return response.status_code, response.get_json()

    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(submit, range(50)))
    assert sorted(status for status, _ in answers) == [200] * 49 + [201]
    assert all(body == answers[0][1] for _, body in answers)
    assert ann.sees(match["id"])["ply"] == match["ply"] + 1


def test_of_many_different_ones_for_one_ply_one_is_done_and_the_others_are_told(app: Flask, ann: Person):
    match = ann.creates(*ALL_MINE)
    seat = match["to_act"][0]["seat"]
    actions = [legal["action"] for legal in ann.may(match["id"], seat)]

    def submit(index: int) -> tuple[int, Any]:
        response = Person(app.test_client(), ann.id, ann.token).submits(match, seat, actions[index % len(actions)], key=f"try-{index}")
        return response.status_code, response.get_json()

    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(submit, range(24)))
    assert sorted(status for status, _ in answers) == [201] + [409] * 23
    done = next(body for status, body in answers if status == 201)["events"][0]["data"]["text"]
    assert all(body["since"] == [done] for status, body in answers if status == 409)


ONCE = [
    ("/me/tokens", {"name": "bot", "scopes": ["matches:read"]}, {"name": "other", "scopes": ["matches:read"]}, 201),
    (
        "/me/keys",
        {"name": "laptop", "jwk": {"kty": "OKP", "crv": "Ed25519", "x": X}},
        {"name": "x", "jwk": {"kty": "OKP", "crv": "Ed25519", "x": X}},
        201,
    ),
    ("/webhooks", {"url": "https://bots.example.org/"}, {"url": "https://bots.example.org/2"}, 201),
    ("/players", {"name": "Cy", "email": "cy@example.org"}, {"name": "Di", "email": "di@example.org"}, 202),
]


@pytest.mark.parametrize(("path", "body", "other", "status"), ONCE, ids=[path for path, *_ in ONCE])
def test_what_is_about_no_match_is_done_once_too(
    person: Callable[..., Person], site: Site, path: str, body: dict[str, Any], other: dict[str, Any], status: int
):
    who = person("Ann", "player:read", "player:write", "matches:read", "webhooks:write") if path != "/players" else person()
    first = who.post(path, body, key="once")
    assert "Idempotent-Replayed" not in first.headers
    again = who.post(path, body, key="once")
    assert answered(again, 200) == answered(first, status)
    assert again.headers["Idempotent-Replayed"] == "true"
    refused(who.post(path, other, key="once"), 422, "key-reused")
    (kept,) = site.redis.keys("idem:*")
    assert 0 < site.redis.ttl(kept) <= 7 * 86_400
    site.redis.delete(kept)
    assert answered(who.post(path, other, key="once"), status if path != "/me/keys" else 200)


def test_a_sign_up_sent_again_sends_no_second_mail_and_nobody_elses_key_is_met(app: Flask, anybody: Person, site: Site):
    body = {"name": "Cy", "email": "cy@example.org"}
    for _ in range(2):
        anybody.post("/players", body, key="once")
    player = site.players.by_address("cy@example.org")
    assert player is not None
    assert [held.notice.player for held in site.outbox.queued()] == [player.id]
    elsewhere = app.test_client().post("/api/v1/players", json=body, headers={"Idempotency-Key": "once"}, environ_base={"REMOTE_ADDR": "9.9.9.9"})
    assert elsewhere.status_code == 202
    assert not any(b"127.0.0.1" in name or b"9.9.9.9" in name for name in site.redis.keys("idem:*"))


def test_what_was_refused_may_be_asked_for_again_with_its_key(ann: Person, bo: Person):
    body = {"name": "laptop", "jwk": {"kty": "OKP", "crv": "Ed25519", "x": X}}
    answered(bo.post("/me/keys", body), 201)
    refused(ann.post("/me/keys", body, key="once"), 409, "key-taken")
    assert bo.asks("DELETE", f"{API}/me/keys/{X}").status_code == 204
    answered(ann.post("/me/keys", body, key="once"), 201)


def test_while_it_is_being_done_the_same_request_is_told_to_come_back_and_after_a_crash_it_makes_the_same(ann: Person, site: Site):
    body = {"name": "bot", "scopes": ["matches:read"]}
    made = answered(ann.post("/me/tokens", body, key="once"), 201)
    (kept,) = site.redis.keys("idem:*")
    site.redis.hdel(kept, "brought")  # as it is while it is being done, or after its process has died
    response = ann.post("/me/tokens", body, key="once")
    refused(response, 503, "busy")
    assert response.headers["Retry-After"] == "1"
    site.redis.hset(kept, "until", "1")
    assert answered(ann.post("/me/tokens", body, key="once"), 201)["token"] == made["token"]
    assert len(answered(ann.get("/me/tokens"), 200)["tokens"]) == 2


def test_what_failed_halfway_can_be_sent_again_at_once_and_makes_the_same(ann: Person, site: Site, monkeypatch: pytest.MonkeyPatch):
    body, made = {"name": "bot", "scopes": ["matches:read"]}, site.players.new_token

    def lost(*said: Any) -> str:
        made(*said)
        raise LogUnavailable("the reply was lost")

    monkeypatch.setattr(site.players, "new_token", lost)
    refused(ann.post("/me/tokens", body, key="once"), 503, "log-unavailable")
    monkeypatch.undo()
    answered(ann.post("/me/tokens", body, key="once"), 201)
    assert len(answered(ann.get("/me/tokens"), 200)["tokens"]) == 2


def test_a_token_that_was_revoked_is_not_made_again_by_its_forgotten_key(ann: Person, site: Site):
    body = {"name": "bot", "scopes": ["matches:read"]}
    made = answered(ann.post("/me/tokens", body, key="once"), 201)
    assert ann.asks("DELETE", f"{API}/me/tokens/{made['id']}").status_code == 204
    refused(ann.post("/me/tokens", body, key="once"), 422, "key-reused")
    site.redis.delete(*site.redis.keys("idem:*"))
    assert answered(ann.post("/me/tokens", body, key="once"), 201)["token"] != made["token"]


def test_fifty_tokens_asked_for_at_once_with_one_key_are_one(app: Flask, ann: Person):
    def make(_: int) -> tuple[int, Any]:
        response = Person(app.test_client(), ann.id, ann.token).post("/me/tokens", {"name": "bot", "scopes": ["matches:read"]}, key="one")
        return response.status_code, (response.get_json() or {}).get("token")

    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(make, range(50)))
    assert [status for status, _ in answers].count(201) == 1
    assert {status for status, _ in answers} <= {200, 201, 503}
    assert len({token for status, token in answers if status != 503}) == 1
    assert len(answered(ann.get("/me/tokens"), 200)["tokens"]) == 2


def test_a_rematch_asked_for_with_a_key_is_answered_by_it(ann: Person):
    match = ann.creates(*ALL_MINE, undo_seconds=0)["id"]
    answered(ann.post(f"/matches/{match}/resignation"), 201)
    first = ann.post(f"/matches/{match}/rematch", {}, key="once")
    again = ann.post(f"/matches/{match}/rematch", {}, key="once")
    assert answered(again, 200)["id"] == answered(first, 201)["id"]
    assert again.headers["Location"] == first.headers["Location"]
    refused(ann.post(f"/matches/{match}/rematch", {"entropy": "tea leaves"}, key="once"), 422, "key-reused")
