"""What a plain WSGI server says of streams, and what is refused before one begins."""

from __future__ import annotations

from tests.service.api.person import ME, Person, refused


def test_where_there_are_no_streams_it_is_said_in_words_what_to_do_instead(ann: Person):
    match = ann.creates(*[ME] * 4, several_seats=True)["id"]
    problem = refused(ann.get(f"/matches/{match}/stream"), 501, "no-streams")
    assert problem["detail"] == "this server was started without streams: look at the match now and then instead"


def test_what_cannot_be_told_is_refused_first(ann: Person, anybody: Person):
    match = ann.creates(*[ME] * 4, several_seats=True)["id"]
    refused(anybody.get(f"/matches/{match}/stream"), 404, "no-such-match")
    refused(ann.get("/matches/nonsense/stream"), 404, "no-such-match")
    refused(ann.get(f"/matches/{match}/stream?from=999"), 404, "no-such-version")
    refused(ann.get(f"/matches/{match}/stream?from=0"), 422, "invalid-request")
    refused(ann.get(f"/matches/{match}/stream", headers={"Last-Event-ID": "the last one"}), 422, "invalid-request")
