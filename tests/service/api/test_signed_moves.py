"""Signed moves: taken with nothing but a signature, done once for ever, and refused in words when anything about them is not as it must be."""

import json
from base64 import urlsafe_b64decode
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from flask import Flask

from infra.wiring import Site
from tests.pen import Pen, move
from tests.people import Watch
from tests.servers import RedisServer
from tests.service.api.person import ALL_MINE, API, ME, OPEN, Person, Turn, answered, refused, turn_of, two_at_a_table

ANNS, BOS, EVES = Pen(1), Pen(2), Pen(3)


@pytest.fixture(autouse=True)
def registered(site: Site, ann: Person, bo: Person) -> None:
    """Ann and Bo have a key each."""
    site.player_keys.add(ann.id, ANNS.kid, "laptop")
    site.player_keys.add(bo.id, BOS.kid, "phone")


def sends(who: Person, match: str, jws: str | bytes, path: str = "submissions", **headers: str) -> Any:
    """The answer to a JWS."""
    return who.asks("POST", f"{API}/matches/{match}/{path}", data=jws, headers={"Content-Type": "application/jose", **headers})


def pen_of(turn: Turn, ann: Person) -> Pen:
    """The key of whoever is to act."""
    return ANNS if turn.mover is ann else BOS


def first(ann: Person, match: dict[str, Any]) -> dict[str, Any]:
    """The payload for the first legal action of the seat that is to act."""
    seat = match["to_act"][0]["seat"]
    return move(match, seat, ann.may(match["id"], seat)[0]["action"])


def test_a_signed_move_needs_no_token_and_stays_in_the_log(ann: Person, anybody: Person):
    match = ann.creates(*ALL_MINE)
    said = first(ann, match)
    jws = ANNS.signs(said)
    done = answered(sends(anybody, match["id"], jws), 201)
    taken = done["events"][0]
    assert taken["by"] == {"kind": "seat", "seat": said["seat"], "player": ann.id, "via": "jws"}
    assert taken["data"]["action"] == said["actions"][0]
    assert taken["data"]["jws"] == jws
    assert taken["prev"] == said["prev"]
    assert done["match"] == ann.sees(match["id"])


def test_a_token_of_the_same_player_may_come_along_and_anybody_elses_may_not(ann: Person, bo: Person):
    match = ann.creates(*ALL_MINE)
    jws = ANNS.signs(first(ann, match))
    refused(sends(bo, match["id"], jws), 403, "not-your-key")
    refused(sends(Person(ann._client, token="fp_nonsense"), match["id"], jws), 401, "not-authenticated")
    answered(sends(ann, match["id"], jws), 201)


def test_several_actions_are_signed_at_once_and_covered_by_one_jws(ann: Person, anybody: Person):
    match = ann.creates(*ALL_MINE)
    seat = match["to_act"][0]["seat"]
    deploy = ann.may(match["id"], seat)[2]["action"]
    runner, to = f"{seat[0].upper()}1", "c3"
    after = answered(ann.submits(match, seat, deploy), 201)["match"]
    to = next(legal["action"]["to"] for legal in ann.may(match["id"], seat) if legal["action"]["type"] == "advance")
    back = answered(ann.post(f"/matches/{match['id']}/take-back", {"seat": seat}), 201)["match"]
    assert back["ply"] == after["ply"] - 1
    step = {"type": "advance", "runner": runner, "to": to}
    jws = ANNS.signs(move(back, seat, deploy, step, nonce="tea leaves"))
    done = answered(sends(anybody, match["id"], jws), 201)
    datas = [event["data"] for event in done["events"] if event["type"] == "action.taken"]
    assert [data["action"] for data in datas] == [deploy, step]
    assert [data.get("jws") for data in datas] == [jws, None]
    assert [data.get("nonce") for data in datas] == ["tea leaves", None]


# Done once


def test_the_same_jws_again_is_answered_again_and_done_once(ann: Person, anybody: Person):
    match = ann.creates(*ALL_MINE)
    jws = ANNS.signs(first(ann, match))
    done = answered(sends(anybody, match["id"], jws), 201)
    again = sends(anybody, match["id"], jws, **{"Idempotency-Key": "not looked at"})
    assert answered(again, 200) == done
    assert again.headers["Idempotent-Replayed"] == "true"


def test_also_when_the_match_has_moved_on_and_when_no_key_is_remembered_any_more(ann: Person, anybody: Person, site: Site):
    match = ann.creates(*ALL_MINE, options={"goals_to_win": 1})
    jws = ANNS.signs(first(ann, match))
    done = answered(sends(anybody, match["id"], jws), 201)
    now = done["match"]
    while now["status"] == "live":
        now = ann.plays(now)
    assert not site.redis.keys("*idem*")
    assert answered(sends(anybody, match["id"], jws), 200) == done


def test_also_when_an_offer_lapsed_with_it_and_lots_were_drawn_after_it(ann: Person, bo: Person, anybody: Person):
    turn = two_at_a_table(ann, bo)
    now = answered(turn.mover.submits(turn.match, turn.seat, turn.legal[0]["action"]), 201)["match"]
    answered(turn.mover.post(f"/matches/{turn.id}/offers", {"kind": "end"}), 201)
    now = turn.mover.sees(turn.id)
    jws = pen_of(turn, ann).signs(first(turn.mover, now))
    done = answered(sends(anybody, turn.id, jws), 201)
    types = [event["type"] for event in done["events"]]
    assert types[:2] == ["offer.lapsed", "action.taken"]
    assert "chance.drawn" in types
    turn = turn_of(done["match"], ann, bo)
    answered(turn.mover.submits(turn.match, turn.seat, turn.legal[0]["action"]), 201)
    answered(turn.mover.post(f"/matches/{turn.id}/offers", {"kind": "end"}), 201)
    assert answered(sends(anybody, turn.id, jws), 200) == done


def test_what_was_taken_back_is_not_done_again(ann: Person, anybody: Person):
    """The move was done, and is answered so; that it was taken back stands in the match."""
    match = ann.creates(*ALL_MINE)
    said = first(ann, match)
    jws = ANNS.signs(said)
    done = answered(sends(anybody, match["id"], jws), 201)
    back = answered(ann.post(f"/matches/{match['id']}/take-back", {"seat": said["seat"]}), 201)["match"]
    assert answered(sends(anybody, match["id"], jws), 200) == done
    assert ann.sees(match["id"])["version"] == back["version"]
    other = ANNS.signs({**said, "nonce": "another"})
    problem = refused(sends(anybody, match["id"], other), 409, "stale-head")
    assert problem["since"] == [done["events"][0]["data"]["text"], f"{said['seat']} took the turn back to ply {match['ply']}"]
    answered(sends(anybody, match["id"], ANNS.signs({**said, "prev": back["head"]["hash"]})), 201)


def test_fifty_times_the_same_at_once_is_one_event_and_fifty_same_answers(app: Flask, ann: Person):
    match = ann.creates(*ALL_MINE)
    jws = ANNS.signs(first(ann, match))

    def send(_: int) -> tuple[int, Any]:
        response = sends(Person(app.test_client()), match["id"], jws)
        return response.status_code, response.get_json()

    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(send, range(50)))
    assert sorted(status for status, _ in answers) == [200] * 49 + [201]
    assert all(body == answers[0][1] for _, body in answers)
    assert ann.sees(match["id"])["ply"] == match["ply"] + 1


# Which head was seen


def test_the_head_may_be_an_older_one_as_long_as_the_position_is_the_same(ann: Person, bo: Person, anybody: Person):
    turn = two_at_a_table(ann, bo)
    said = first(turn.mover, turn.match)
    answered(turn.other.post(f"/matches/{turn.id}/offers", {"kind": "end"}), 201)
    answered(turn.mover.post(f"/matches/{turn.id}/offers/1/answer", {"answer": "decline"}), 201)
    assert turn.mover.sees(turn.id)["head"]["hash"] != said["prev"]
    answered(sends(anybody, turn.id, pen_of(turn, ann).signs(said), "checks"), 200)
    answered(sends(anybody, turn.id, pen_of(turn, ann).signs(said)), 201)


def test_a_head_of_another_position_is_refused_with_what_happened_since(ann: Person, anybody: Person):
    match = ann.creates(*ALL_MINE)
    before = first(ann, match)
    now = ann.plays(match)
    said = {**first(ann, now), "prev": before["prev"]}
    problem = refused(sends(anybody, match["id"], ANNS.signs(said)), 409, "stale-head")
    taken = answered(ann.get(f"/matches/{match['id']}/history", query_string={"from": match["version"] + 1}), 200)["events"]
    assert problem["since"] == [event["data"]["text"] for event in taken if event["type"] in ("action.taken", "chance.drawn")]
    assert problem["detail"] == f"`prev` is the head at version {match['version']}, and the position has changed since: look at it again"
    assert (problem["ply"], problem["to_act"]) == (now["ply"], now["to_act"])
    checked = refused(sends(anybody, match["id"], ANNS.signs(said), "checks"), 409, "stale-head")
    assert checked == problem


def test_a_seat_that_was_vacated_makes_another_position(ann: Person, bo: Person, person: Callable[..., Person], anybody: Person, site: Site):
    cy = person("Cy")
    site.player_keys.add(cy.id, EVES.kid, "desk")
    match = ann.creates(ME, ME, OPEN, OPEN, several_seats=True)
    for each in (bo, cy):
        match = answered(each.post(f"/matches/{match['id']}/join"), 201)["match"]
    asked = next(chair["player"] for chair in match["seats"] if chair["seat"] == match["to_act"][0]["seat"])
    (mover, pen), (leaver, _), _ = sorted([(ann, ANNS), (bo, BOS), (cy, EVES)], key=lambda one: one[0].id != asked)
    said = first(mover, match)
    answered(leaver.post(f"/matches/{match['id']}/resignation"), 201)
    problem = refused(sends(anybody, match["id"], pen.signs(said)), 409, "stale-head")
    assert problem["since"][0].endswith("was vacated")


@pytest.mark.parametrize("prev", ["0" * 64, "ab" * 32])
def test_a_head_that_this_match_never_had_is_refused(ann: Person, anybody: Person, prev: str):
    match = ann.creates(*ALL_MINE)
    problem = refused(sends(anybody, match["id"], ANNS.signs({**first(ann, match), "prev": prev})), 409, "stale-head")
    assert problem["detail"].startswith("`prev` is the hash of no version of this match")
    assert problem["since"] == []


def test_a_ply_that_is_past_is_told_as_to_everybody_else(ann: Person, anybody: Person):
    match = ann.creates(*ALL_MINE)
    said = first(ann, match)
    after = ann.plays(match)
    problem = refused(sends(anybody, match["id"], ANNS.signs({**said, "nonce": "late"})), 409, "stale-ply")
    assert len(problem["since"]) >= 1
    assert problem["ply"] == after["ply"]


# Whose it is


def test_a_key_that_nobody_registered_or_that_was_revoked_is_refused(ann: Person, anybody: Person, site: Site, watch: Watch):
    match = ann.creates(*ALL_MINE)
    said = first(ann, match)
    problem = refused(sends(anybody, match["id"], EVES.signs(said)), 401, "unknown-key")
    assert problem["detail"] == f"no player signs with the key {EVES.kid}: it is not registered here, or it was revoked"
    site.player_keys.revoke(ann.id, ANNS.kid)
    watch.now += 5_001
    refused(sends(anybody, match["id"], ANNS.signs(said)), 401, "unknown-key")


def test_a_move_for_another_ones_seat_is_refused_and_a_private_match_is_told_to_nobody(ann: Person, bo: Person, anybody: Person, site: Site):
    turn = two_at_a_table(ann, bo)
    said = first(turn.mover, turn.match)
    other = BOS if turn.mover is ann else ANNS
    refused(sends(anybody, turn.id, other.signs(said)), 403, "not-your-seat")
    site.player_keys.add("p-eve0000000", EVES.kid, "stranger")
    refused(sends(anybody, turn.id, EVES.signs(said)), 404, "no-such-match")


def test_a_move_that_was_signed_for_another_match_is_refused(ann: Person, anybody: Person):
    one, other = ann.creates(*ALL_MINE), ann.creates(*ALL_MINE)
    problem = refused(sends(anybody, other["id"], ANNS.signs(first(ann, one))), 422, "invalid-request")
    assert problem["errors"][0]["pointer"] == "#/match"
    assert "what was signed for one match is not played in another" in problem["detail"]


def test_a_signature_of_something_else_or_by_another_key_is_refused(ann: Person, anybody: Person):
    match = ann.creates(*ALL_MINE)
    said = first(ann, match)
    one, other = ANNS.signs(said).split("."), ANNS.signs({**said, "nonce": "x"}).split(".")
    refused(sends(anybody, match["id"], ".".join([one[0], other[1], one[2]])), 401, "bad-signature")
    refused(sends(anybody, match["id"], BOS.signs(said, ANNS.header)), 401, "bad-signature")
    assert ann.sees(match["id"])["version"] == match["version"]


# What it must look like; that of the header and of the three parts is held in tests/infra/seals/test_jws.py


def test_what_is_no_jws_is_refused_in_words(ann: Person, anybody: Person):
    match = ann.creates(*ALL_MINE)
    said = first(ann, match)
    for jws, words in (
        (b"", "it is no compact JWS"),
        ("ä.b.c".encode(), "it is no JWS: byte 0 (counted from 0) is none of base64url"),
        (json.dumps({"payload": "e30", "signatures": []}), "it is no compact JWS"),
        (ANNS.signs(said) + "\n", "its signature is not base64url without padding"),
        (ANNS.signs(said, {**ANNS.header, "alg": "none"}), "its `alg` is “none”, and must be “Ed25519”"),
        (ANNS.signs(said, {**ANNS.header, "b64": False, "crit": ["b64"]}), "its header has `b64`"),
        (ANNS.signs(said, {**ANNS.header, "typ": "forgepost-head+jws"}), "its `typ` is “forgepost-head+jws”"),
        (ANNS.signs(said, {**ANNS.header, "kid": "laptop"}), "its `kid`, which must be the `x` of a registered key, "),
        (ANNS.signs(said, {**ANNS.header, "kid": "AQ" + "A" * 41}), "its `kid`, which must be the `x` of a registered key, is no public key"),
    ):
        assert refused(sends(anybody, match["id"], jws), 400, "malformed-jws")["detail"].startswith(words)
    assert ann.sees(match["id"])["version"] == match["version"]


def test_a_payload_that_two_programs_could_read_differently_is_refused_although_it_is_signed(ann: Person, anybody: Person):
    match = ann.creates(*ALL_MINE)
    said = first(ann, match)
    text = urlsafe_b64decode(ANNS.signs(said).split(".")[1] + "==").decode()
    for payload, words in (
        (json.dumps(said, sort_keys=True), "the payload is not canonical JSON (RFC 8785)"),
        (json.dumps(said, separators=(",", ":")), "the payload is not canonical JSON"),
        (text.replace('"ply":', '"ply":9,"ply":'), 'the key "ply" comes twice in one object'),
        (text.replace('"seat"', '"\\u0073eat"'), "the payload is not canonical JSON"),
        (text + "\n", "the payload is not canonical JSON"),
        (text[:-1], "the payload is no JSON"),
        (text.replace('"ply":0', '"ply":NaN'), "NaN is no JSON"),
        (text.replace('"ply":0', '"ply":9007199254740993'), "the integer 9007199254740993 is beyond 2^53"),
        (text.replace('"ply":0', '"ply":-0'), "the payload is not canonical JSON"),
        (text.replace('"seat":', '"nonce":"\\ud800","seat":'), "a text in the payload has half of a surrogate pair"),
        ("\ufeff" + text, "the payload begins with a byte order mark"),
    ):
        problem = refused(sends(anybody, match["id"], ANNS.signs(payload.encode())), 400, "malformed-jws")
        assert problem["detail"].startswith(words), payload
    assert refused(sends(anybody, match["id"], ANNS.signs(b"\xff{}")), 400, "malformed-jws")["detail"].startswith("the payload is not UTF-8")
    assert ann.sees(match["id"])["version"] == match["version"]


@pytest.mark.parametrize(
    ("change", "pointer", "words"),
    [
        ({"seat": None}, "#/seat", "`seat` must not be null"),
        ({"ply": "0"}, "#/ply", "`ply` must be a whole number"),
        ({"ply": 1.5}, "#/ply", "`ply` must be a whole number"),
        ({"prev": "AB" * 32}, "#/prev", "`prev` must be 64 hex digits"),
        ({"prev": "ab" * 31}, "#/prev", "`prev` must be 64 hex digits"),
        ({"actions": []}, "#/actions", "`actions` must have 1 to 400 entries"),
        ({"text": "deploy c1"}, "#/text", "`text` is not known here"),
        ({"nonce": "a\nb"}, "#/nonce", "`nonce` must be 1 to 128 characters, none of them a control character"),
        ({"iat": 1}, "#/iat", "`iat` is not known here"),
    ],
)
def test_a_payload_of_the_wrong_shape_is_refused_field_by_field(ann: Person, anybody: Person, change: Any, pointer: str, words: str):
    match = ann.creates(*ALL_MINE)
    problem = refused(sends(anybody, match["id"], ANNS.signs({**first(ann, match), **change})), 422, "invalid-request")
    assert problem["errors"] == [{"detail": words, "pointer": pointer}]


@pytest.mark.parametrize("missing", ["match", "seat", "ply", "actions", "prev"])
def test_nothing_but_the_nonce_may_be_left_out(ann: Person, anybody: Person, missing: str):
    match = ann.creates(*ALL_MINE)
    said = first(ann, match)
    del said[missing]
    problem = refused(sends(anybody, match["id"], ANNS.signs(said)), 422, "invalid-request")
    assert problem["errors"] == [{"detail": f"`{missing}` is missing", "pointer": f"#/{missing}"}]


def test_an_illegal_action_is_refused_in_the_words_of_every_submission(ann: Person, anybody: Person):
    match = ann.creates(*ALL_MINE)
    seat = match["to_act"][0]["seat"]
    for action in ({"type": "advance", "runner": "S1", "to": "c2"}, {"type": "fly"}, 7):
        signed = refused(sends(anybody, match["id"], ANNS.signs(move(match, seat, action))), 422, "illegal-action")
        assert signed == refused(ann.submits(match, seat, action), 422, "illegal-action")


def test_a_body_too_large_or_compressed_is_refused(ann: Person, anybody: Person):
    match = ann.creates(*ALL_MINE)
    refused(sends(anybody, match["id"], b"a" * 32_769), 413, "too-large")
    refused(sends(anybody, match["id"], b"a", **{"Content-Encoding": "gzip"}), 415, "unsupported-media-type")


def test_only_submissions_and_checks_take_a_jws(ann: Person, anybody: Person):
    match = ann.creates(*ALL_MINE)
    for path in ("take-back", "resignation", "offers"):
        response = sends(ann, match["id"], ANNS.signs(first(ann, match)), path)
        assert refused(response, 415, "unsupported-media-type")["detail"] == "the body is application/jose, and this takes application/json"


def test_a_check_says_what_the_signed_move_would_do_and_does_nothing(ann: Person, anybody: Person):
    match = ann.creates(*ALL_MINE)
    jws = ANNS.signs(first(ann, match))
    tried = answered(sends(anybody, match["id"], jws, "checks"), 200)
    assert tried["events"][0]["by"]["via"] == "jws"
    assert tried["events"][0]["data"]["jws"] == jws
    assert ann.sees(match["id"])["version"] == match["version"]


# What it costs


def test_a_signed_move_at_the_newest_head_is_one_trip(ann: Person, anybody: Person, site_redis: RedisServer):
    match = ann.creates(*ALL_MINE)
    match = answered(sends(anybody, match["id"], ANNS.signs(first(ann, match))), 201)["match"]
    jws = ANNS.signs(first(ann, match))
    assert site_redis.commands_of(lambda: answered(sends(anybody, match["id"], jws), 201)) == ["EVALSHA"]
