"""What comes in is read strictly, and what is wrong with it is said field by field."""

import json
from io import BytesIO
from typing import Any

import pytest

from tests.service.api.person import ALL_MINE, ME, RANDOM, Person, refused

ONE_OF = "`seats[{}]` must be an object with exactly one of `player`, `invite`, `bot`, `open`"
ANY_TEXT = "must be 1 to 128 characters, none of them a control character"
NO_ADDRESS = "is no mail address: give the address alone, as in ann@example.org"
SUBMISSIONS = "/api/v1/matches/00-0000000000/submissions"


def sent(ann: Person, body: bytes, **headers: str) -> Any:
    """These bytes as a submission."""
    return ann.asks("POST", SUBMISSIONS, data=body, headers={"Content-Type": "application/json", **headers})


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"", "the body is empty"),
        (b"{", "the body is no JSON: expecting property name enclosed in double quotes (line 1, column 2)"),
        (b'{"seat":"south"}{}', "the body is no JSON: extra data (line 1, column 17)"),
        (b"\xef\xbb\xbf{}", "the body begins with a byte order mark, which is no part of JSON: leave its first three bytes out"),
        (b'{"ply":1,"ply":2}', 'the key "ply" comes twice in one object'),
        (b'{"ply":NaN}', "NaN is no JSON"),
        (b'{"ply":-Infinity}', "-Infinity is no JSON"),
        (b'{"ply":9007199254740993}', "the integer 9007199254740993 is beyond 2^53"),
        (b'{"seat":"\\ud800"}', "a text in the body has half of a surrogate pair (\\ud800 to \\udfff), which is no character"),
        (b'{"seat":"\xff"}', "the body is not UTF-8: byte 9 (counted from 0) belongs to no character"),
        (b"[" * 17 + b"]" * 17, "the body is nested deeper than 16 levels"),
        (b"[" * 15_000 + b"]" * 15_000, "the body is nested deeper than 16 levels"),
    ],
    ids=["empty", "cut", "two", "bom", "twice", "nan", "infinity", "large", "surrogate", "utf-8", "deep", "very-deep"],
)
def test_what_is_no_json_or_could_be_misread_is_refused_with_the_reason(ann: Person, body: bytes, words: str):
    assert refused(sent(ann, body), 400, "not-json")["detail"] == words


def test_more_than_32_kib_are_too_large(ann: Person):
    refused(sent(ann, b" " * 32_768 + b"{}"), 413, "too-large")
    refused(sent(ann, b" " * 32_766 + b"[]"), 422, "invalid-request")


def test_so_are_more_than_32_kib_in_chunks_whose_end_nobody_knows(ann: Person):
    for body, status in ((b"[]" + b" " * 32_766, 422), (b"[]" + b" " * 32_767, 413), (b"[]" + b" " * 99_999, 413)):
        response = ann.asks(
            "POST",
            SUBMISSIONS,
            input_stream=BytesIO(body),
            headers={"Content-Type": "application/json"},
            environ_overrides={"wsgi.input_terminated": True, "CONTENT_LENGTH": ""},
        )
        assert response.status_code == status


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("application/jose+json", "the body is application/jose+json, and this takes application/json or application/jose"),
        ("text/plain", "the body is text/plain, and this takes application/json or application/jose"),
        ("application/x-www-form-urlencoded", "the body is application/x-www-form-urlencoded, and this takes application/json or application/jose"),
        ("application/json; charset=latin-1", "application/json is sent in UTF-8 and uncompressed"),
        ("", "the body is of no stated type, and this takes application/json or application/jose"),
    ],
    ids=["jose-json", "text", "form", "charset", "none"],
)
def test_another_media_type_is_refused_with_the_one_that_is_taken(ann: Person, kind: str, words: str):
    response = ann.asks("POST", SUBMISSIONS, data=b"{}", headers={"Content-Type": kind})
    assert refused(response, 415, "unsupported-media-type")["detail"] == words
    assert response.headers["Accept-Post"] == ("application/json" if "charset" in kind else "application/json, application/jose")


def test_a_compressed_body_is_refused(ann: Person):
    refused(sent(ann, b"{}", **{"Content-Encoding": "gzip"}), 415, "unsupported-media-type")


def test_a_body_may_be_said_to_be_as_it_is(ann: Person):
    refused(sent(ann, b"{}", **{"Content-Encoding": "Identity"}), 422, "invalid-request")


def test_utf_8_may_be_named(ann: Person):
    match = ann.creates(*ALL_MINE)
    response = ann.asks(
        "POST", f"/api/v1/matches/{match['id']}/offers", data=b'{"kind":"end"}', headers={"Content-Type": "application/json; charset=UTF-8"}
    )
    assert response.status_code == 201


@pytest.mark.parametrize(
    ("path", "body", "errors"),
    [
        ("submissions", [], [("#", "the body must be an object with exactly one of `actions`, `text`")]),
        ("submissions", {}, [("#", "the body must be an object with exactly one of `actions`, `text`")]),
        ("submissions", {"text": "a", "actions": []}, [("#", "the body must be an object with exactly one of `actions`, `text`")]),
        ("submissions", {"text": "a"}, [("#/seat", "`seat` is missing"), ("#/ply", "`ply` is missing")]),
        ("submissions", {"text": "a", "seat": 3, "ply": "1"}, [("#/seat", "`seat` must be text"), ("#/ply", "`ply` must be a whole number")]),
        ("submissions", {"text": "a", "seat": "south", "ply": 2.0}, [("#/ply", "`ply` must be a whole number")]),
        ("submissions", {"text": "a", "seat": "south", "ply": True}, [("#/ply", "`ply` must be a whole number")]),
        ("submissions", {"text": "a", "seat": "south", "ply": -1}, [("#/ply", "`ply` must be from 0 to 9007199254740992")]),
        ("submissions", {"text": "a", "seat": None, "ply": 1}, [("#/seat", "`seat` must not be null")]),
        ("submissions", {"text": "a", "seat": "south", "ply": 1, "hurry": 1}, [("#/hurry", "`hurry` is not known here")]),
        ("submissions", {"text": "a", "seat": "south", "ply": 1, "a/b~c": 1}, [("#/a~1b~0c", "`a/b~c` is not known here")]),
        ("submissions", {"text": "a", "seat": "south", "ply": 1, "_schema": 1}, [("#/_schema", "`_schema` is not known here")]),
        ("submissions", {"text": "a", "seat": "south", "ply": 1, "": 1}, [("#/", "`` is not known here")]),
        ("submissions", {"text": "", "seat": "south", "ply": 1}, [("#/text", "`text` must have 1 to 4000 characters")]),
        ("submissions", {"actions": [], "seat": "south", "ply": 1}, [("#/actions", "`actions` must have 1 to 400 entries")]),
        ("submissions", {"actions": {}, "seat": "south", "ply": 1}, [("#/actions", "`actions` must be a list")]),
        (
            "submissions",
            {"text": "a", "seat": "south", "ply": 1, "nonce": "line\nbreak"},
            [("#/nonce", f"`nonce` {ANY_TEXT}")],
        ),
        ("submissions", {"text": "a", "seat": "south", "ply": 1, "nonce": ""}, [("#/nonce", f"`nonce` {ANY_TEXT}")]),
        ("take-back", {}, [("#/seat", "`seat` is missing")]),
        ("take-back", {"seat": "x" * 41}, [("#/seat", "`seat` must have 1 to 40 characters")]),
        ("resignation", {"seat": []}, [("#/seat", "`seat` must be text")]),
        ("resignation", 7, [("#", "the body must be an object")]),
        ("leave", {"seat": "south"}, [("#/seat", "`seat` is not known here")]),
        ("offers", {"kind": "rest"}, [("#/kind", "`kind` must be end, take-back or pause")]),
        ("offers/1/answer", {"answer": "perhaps"}, [("#/answer", "`answer` must be accept or decline")]),
    ],
)  # fmt: skip
def test_json_of_the_wrong_shape_is_refused_with_every_field_that_is_wrong(ann: Person, path: str, body: Any, errors: list[tuple[str, str]]):
    response = ann.asks("POST", f"/api/v1/matches/00-0000000000/{path}", data=json.dumps(body).encode(), headers={"Content-Type": "application/json"})
    problem = refused(response, 422, "invalid-request")
    assert [(error["pointer"], error["detail"]) for error in problem["errors"]] == errors
    assert problem["detail"] == "; ".join(words for _, words in errors)


@pytest.mark.parametrize(
    ("body", "errors"),
    [
        ({}, [("#/game", "`game` is missing"), ("#/seats", "`seats` is missing")]),
        ({"game": "fourfold", "seats": []}, [("#/seats", "`seats` must have 1 to 16 entries")]),
        ({"game": "fourfold", "seats": [ME, {}]}, [("#/seats/1", ONE_OF.format(1))]),
        ({"game": "fourfold", "seats": [{**ME, **RANDOM}]}, [("#/seats/0", ONE_OF.format(0))]),
        ({"game": "fourfold", "seats": [{"player": "ann"}]}, [("#/seats/0/player", "`seats[0].player` must be me")]),
        ({"game": "fourfold", "seats": [{"open": False}]}, [("#/seats/0/open", "`seats[0].open` must be true")]),
        ({"game": "fourfold", "seats": [{"open": 1}]}, [("#/seats/0/open", "`seats[0].open` must be true or false")]),
        ({"game": "fourfold", "seats": [{"open": True, "seat": "south"}]}, [("#/seats/0/seat", "`seats[0].seat` is not known here")]),
        ({"game": "fourfold", "seats": [ME], "options": []}, [("#/options", "`options` must be an object")]),
        ({"game": "fourfold", "seats": [ME], "settings": {"clock": {"seconds": 5}}}, [("#/settings/clock/kind", "`settings.clock.kind` is missing")]),
        ({"game": "fourfold", "seats": [ME], "entropy": "\u2028"}, [("#/entropy", f"`entropy` {ANY_TEXT}")]),
        ({"game": "fourfold", "seats": [{**ME, "_schema": 1}]}, [("#/seats/0/_schema", "`seats[0]._schema` is not known here")]),
        (
            {"game": "fourfold", "seats": [{"invite": "ann"}, ME, {"invite": "bo"}]},
            [("#/seats/0/invite", f"`seats[0].invite`: “ann” {NO_ADDRESS}"), ("#/seats/2/invite", f"`seats[2].invite`: “bo” {NO_ADDRESS}")],
        ),
        ({"game": "fourfold", "seats": [{"invite": "ann"}]}, [("#/seats/0/invite", f"`seats[0].invite`: “ann” {NO_ADDRESS}")]),
    ],
)  # fmt: skip
def test_so_it_is_with_a_match_to_be_created(ann: Person, body: Any, errors: list[tuple[str, str]]):
    problem = refused(ann.post("/matches", body), 422, "invalid-request")
    assert [(error["pointer"], error["detail"]) for error in problem["errors"]] == errors


@pytest.mark.parametrize(
    ("path", "query", "errors"),
    [
        ("/matches", "status=lost", [("status", "`status` must be waiting, live, over or aborted")]),
        ("/matches", "awaiting=bo", [("awaiting", "`awaiting` must be me")]),
        ("/matches", "limit=0", [("limit", "`limit` must be from 1 to 100")]),
        ("/matches", "limit=ten", [("limit", "`limit` must be a whole number")]),
        ("/matches", "limit=%C2%B2", [("limit", "`limit` must be a whole number")]),
        ("/matches", "limit=1_0", [("limit", "`limit` must be a whole number")]),
        ("/matches", "color=red", [("color", "`color` is not known here")]),
        ("/matches", "limit=1&limit=2", [("limit", "`limit` is given 2 times")]),
        ("/matches", "cursor=zzz", [("cursor", "this cursor was not given by this list: begin again without one")]),
        ("/matches/00-0000000000/history", "from=0", [("from", "`from` must be from 1 to 10000000")]),
        ("/matches/00-0000000000/legal-actions", "limit=501", [("limit", "`limit` must be from 1 to 500")]),
        ("/matches/00-0000000000/board.svg", "version=x", [("version", "`version` must be a whole number")]),
        ("/matches/00-0000000000", "view=full", [("view", "`view` is not known here")]),
        ("/games", "_schema=2", [("_schema", "`_schema` is not known here")]),
        ("/games", "page=2", [("page", "`page` is not known here")]),
    ],
)  # fmt: skip
def test_parameters_are_held_to_the_same(ann: Person, path: str, query: str, errors: list[tuple[str, str]]):
    problem = refused(ann.get(f"{path}?{query}"), 422, "invalid-request")
    assert [(error["parameter"], error["detail"]) for error in problem["errors"]] == errors
