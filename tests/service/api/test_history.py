"""The history by API: pages of events, the export that proves itself, the match at every version."""

import json
from hashlib import sha256
from typing import Any

import msgspec
import pytest

from domain.chain import canonical, link
from domain.proof.verify import verify
from infra.seals.heads import signed
from infra.wiring import Site
from tests.service.api.person import ALL_MINE, ME, RANDOM, Person, answered, refused

NDJSON = {"Accept": "application/x-ndjson"}


def played(ann: Person) -> dict[str, Any]:
    """A finished match."""
    match = ann.creates(*ALL_MINE, options={"goals_to_win": 1, "max_runners": 4})
    while match["status"] == "live":
        match = ann.plays(match)
    return match


def test_the_history_has_every_event_and_each_follows_from_the_one_before(ann: Person):
    match = played(ann)
    events = answered(ann.get(f"/matches/{match['id']}/history?limit=1000"), 200)["events"]
    assert [event["version"] for event in events] == list(range(1, match["version"] + 1))
    head = bytes(32)
    for event in events:
        assert event["prev"] == head.hex()
        body = canonical({"at": event["at"], "by": event["by"], "data": event["data"], "ply": event["ply"]})
        head = link(head, match["id"], f"{event['type']}.{event['schema']}", body)
        assert event["hash"] == head.hex()
    assert head.hex() == match["head"]["hash"]


def test_it_comes_in_pages(ann: Person):
    match = played(ann)
    whole = answered(ann.get(f"/matches/{match['id']}/history?limit=1000"), 200)
    first = ann.get(f"/matches/{match['id']}/history?limit=7")
    assert answered(first, 200) == {"events": whole["events"][:7], "next": 8}
    assert first.headers["Link"] == f'<http://127.0.0.1:8000/api/v1/matches/{match["id"]}/history?limit=7&from=8>; rel="next"'
    second = answered(ann.get(f"/matches/{match['id']}/history?limit=7&from=8"), 200)
    assert second == {"events": whole["events"][7:14], "next": 15}
    last = ann.get(f"/matches/{match['id']}/history?from={match['version']}")
    assert answered(last, 200) == {"events": whole["events"][-1:], "next": None}
    assert "Link" not in last.headers
    assert answered(ann.get(f"/matches/{match['id']}/history?from={match['version'] + 1}"), 200) == {"events": [], "next": None}


def test_the_export_holds_what_the_verifier_looks_for(ann: Person, site: Site):
    match = played(ann)
    response = ann.get(f"/matches/{match['id']}/history", headers=NDJSON)
    assert response.mimetype == "application/x-ndjson"
    assert response.headers["Content-Disposition"] == f'inline; filename="fourfold-{match["id"]}.ndjson"'
    report = verify(response.data, signed, site.signing.public())
    assert report.flaws == ()
    assert report.unchecked == ()
    assert "head" in report.holds


def test_the_export_is_the_events_line_by_line_between_header_and_trailer(ann: Person, site: Site):
    match = played(ann)
    text = ann.get(f"/matches/{match['id']}/history", headers=NDJSON).get_data(as_text=True)
    header, *lines, trailer = text.splitlines()
    assert text.endswith("\n")
    assert json.loads(header) == {
        "forgepost": "history",
        "format": 1,
        "match": match["id"],
        "game": "fourfold",
        "edition": 1,
        "server": "http://127.0.0.1:8000",
        "keys": [*site.signing.public()],
    }
    said = json.loads(trailer)
    assert signed(site.signing.public(), said.pop("seal"), "forgepost-export+jws") == {
        "match": match["id"],
        "version": match["version"],
        "hash": match["head"]["hash"],
        "header": sha256(header.encode()).hexdigest(),
    }
    assert said == {"forgepost": "head", "match": match["id"], **match["head"], "header": sha256(header.encode()).hexdigest()}
    events = answered(ann.get(f"/matches/{match['id']}/history?limit=1000"), 200)["events"]
    assert [json.loads(line) for line in lines] == events
    assert [canonical(msgspec.json.decode(line)).decode() for line in lines] == lines


def test_a_range_of_lines_comes_alone(ann: Person):
    match = played(ann)
    whole = ann.get(f"/matches/{match['id']}/history", headers=NDJSON).data.splitlines(keepends=True)
    some = ann.get(f"/matches/{match['id']}/history?from=3&limit=2", headers=NDJSON)
    assert some.data == b"".join(whole[3:5])
    assert some.headers["Link"] == f'<http://127.0.0.1:8000/api/v1/matches/{match["id"]}/history?from=5&limit=2>; rel="next"'
    assert ann.get(f"/matches/{match['id']}/history?from=3", headers=NDJSON).data == b"".join(whole[3:-1])


def test_json_is_what_comes_unless_something_else_is_asked_for(ann: Person):
    match = ann.creates(ME, RANDOM, RANDOM, RANDOM)["id"]
    for accept in ("*/*", "application/*", "application/json", "text/html, application/json;q=0.9, application/x-ndjson;q=0.1"):
        assert ann.get(f"/matches/{match}/history", headers={"Accept": accept}).mimetype == "application/json"
    problem = refused(ann.get(f"/matches/{match}/history", headers={"Accept": "text/csv"}), 406, "not-acceptable")
    assert problem["detail"] == "the history comes as application/json, as application/x-ndjson or as text/plain"


@pytest.mark.parametrize("form", ["application/json", "application/x-ndjson", "text/plain"])
def test_a_form_may_be_asked_for_with_a_charset_as_some_libraries_do(ann: Person, form: str):
    match = ann.creates(ME, RANDOM, RANDOM, RANDOM)["id"]
    assert ann.get(f"/matches/{match}/history", headers={"Accept": f"{form}; charset=utf-8"}).mimetype == form
    assert ann.get(f"/matches/{match}/history", headers={"Accept": f"text/csv, {form};charset=utf-8;q=0.5"}).mimetype == form


def test_whoever_keeps_answers_is_told_that_they_differ_by_what_was_asked_for(ann: Person):
    match = ann.creates(ME, RANDOM, RANDOM, RANDOM)["id"]
    for accept in ("application/json", "application/x-ndjson", "text/plain"):
        assert "Accept" in ann.get(f"/matches/{match}/history", headers={"Accept": accept}).vary


def test_it_comes_as_a_text_to_read(ann: Person, site: Site):
    match = played(ann)
    response = ann.get(f"/matches/{match['id']}/history", headers={"Accept": "text/plain"})
    text = response.get_data(as_text=True)
    assert response.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert response.headers["Content-Disposition"] == f'inline; filename="fourfold-{match["id"]}.txt"'
    assert "ETag" not in response.headers  # which would have to tell it from the other forms
    assert text.startswith(f"Fourfold\n========\n\nMatch    {match['id']}, by edition 1 of the rules\nOptions  Max runners: 4; Goals to win: 1\n")
    assert f"Player {ann.id} opened a match of Fourfold (by API)\n" in text
    ending = f"Version    {match['version']}\nHash       {match['head']['hash']}\nSignature  {match['head']['signature']}\n"
    assert text.endswith(ending)
    refused(ann.get(f"/matches/{match['id']}/history?from=3", headers={"Accept": "text/plain"}), 406, "not-acceptable")


def test_a_match_can_be_seen_as_it_was_at_every_version(ann: Person):
    match = ann.creates(*ALL_MINE)
    seen = {match["version"]: match}
    for _ in range(4):
        match = ann.plays(match)
        seen[match["version"]] = match
    for version, then in seen.items():
        response = ann.get(f"/matches/{match['id']}/history/{version}")
        assert answered(response, 200) == then
        etag = response.headers["ETag"]
        assert etag == f'"{version}-{then["head"]["hash"][:16]}"'
        assert ann.get(f"/matches/{match['id']}/history/{version}", headers={"If-None-Match": etag}).status_code == 304
    first = answered(ann.get(f"/matches/{match['id']}/history/1"), 200)
    assert (first["status"], first["view"], first["version"]) == ("waiting", None, 1)


def test_a_version_that_is_not_there_is_refused_with_those_that_are(ann: Person):
    match = ann.creates(ME, RANDOM, RANDOM, RANDOM)
    for version in (0, match["version"] + 1, 10**30):
        problem = refused(ann.get(f"/matches/{match['id']}/history/{version}"), 404, "no-such-version")
        assert problem["detail"] == f"match {match['id']} has the versions 1 to {match['version']}"
    refused(ann.get(f"/matches/{match['id']}/history/last"), 404, "not-found")
