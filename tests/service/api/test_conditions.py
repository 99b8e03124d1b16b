"""`If-Match`: what is done to a match is done to the version that somebody saw, or not at all."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from flask import Flask

from infra.wiring import Site
from tests.pen import Pen, move
from tests.service.api.person import ALL_MINE, API, ME, OPEN, Person, answered, refused, two_at_a_table


def etag(who: Person, match: str) -> str:
    """Of the match as it stands."""
    return who.get(f"/matches/{match}").headers["ETag"]


def acts(who: Person, match: dict[str, Any], seen: str, path: str = "submissions", body: Any = None, key: str | None = None) -> Any:
    """The answer to the first legal action, or to what else is said, for a match that was seen so."""
    if body is None:
        seat = match["to_act"][0]["seat"]
        body = {"seat": seat, "ply": match["ply"], "text": who.may(match["id"], seat)[0]["text"]}
    return who.post(f"/matches/{match['id']}/{path}", body, headers={"If-Match": seen}, key=key)


def test_a_submission_for_the_version_that_there_is_is_done(ann: Person):
    match = ann.creates(*ALL_MINE)
    assert answered(acts(ann, match, etag(ann, match["id"])), 201)["match"]["ply"] == match["ply"] + 1


def test_the_etag_follows_from_the_head_in_every_answer(ann: Person):
    head = answered(acts(ann, ann.creates(*ALL_MINE), "*"), 201)["match"]["head"]
    match = ann.sees(ann.creates(*ALL_MINE)["id"])
    assert etag(ann, match["id"]) == f'"{match["head"]["version"]}-{match["head"]["hash"][:16]}"'
    assert head["version"] > 1


@pytest.mark.parametrize("form", ['"1-0000000000000000", {0}', "{0}", "*"])
def test_one_of_several_etags_is_enough_and_a_star_goes_with_any(ann: Person, form: str):
    match = ann.creates(*ALL_MINE)
    answered(acts(ann, match, form.format(etag(ann, match["id"]))), 201)


@pytest.mark.parametrize("seen", ['"1-0000000000000000"', "W/{0}", "never", '""'], ids=["another", "weak", "none", "empty"])
@pytest.mark.parametrize("path", ["submissions", "checks", "take-back", "resignation", "offers", "leave"])
def test_whatever_is_asked_of_another_version_is_refused_and_nothing_is_done(ann: Person, seen: str, path: str):
    match = ann.creates(*ALL_MINE)
    seat = match["to_act"][0]["seat"]
    body = {"take-back": {"seat": seat}, "resignation": {}, "offers": {"kind": "end"}, "leave": {}}.get(path)
    problem = refused(acts(ann, match, seen.format(etag(ann, match["id"])), path, body), 412, "precondition-failed")
    assert problem["detail"] == f"the match is at version {match['version']} now, and that is not what this was asked for: look again"
    assert problem["ply"] == match["ply"]
    assert problem["to_act"] == match["to_act"]
    assert ann.sees(match["id"]) == match


def test_an_offer_made_meanwhile_is_in_the_way_of_this_and_not_of_a_submission_for_the_ply(ann: Person, bo: Person):
    turn = two_at_a_table(ann, bo)
    seen = etag(ann, turn.id)
    answered(turn.other.post(f"/matches/{turn.id}/offers", {"kind": "end"}), 201)
    refused(acts(turn.mover, turn.match, seen), 412, "precondition-failed")
    answered(turn.mover.submits(turn.match, turn.seat, turn.legal[0]["action"]), 201)


def test_a_match_that_has_moved_on_is_told_by_this_before_the_ply_is_looked_at(ann: Person):
    match = ann.creates(*ALL_MINE, undo_seconds=0)
    seen = etag(ann, match["id"])
    ann.plays(match)
    body = {"seat": match["to_act"][0]["seat"], "ply": match["ply"], "text": "castle long"}
    refused(acts(ann, match, seen, body=body), 412, "precondition-failed")


def test_a_lost_answer_is_had_again_by_its_key_though_the_version_is_past(ann: Person):
    match = ann.creates(*ALL_MINE)
    seat, seen = match["to_act"][0]["seat"], etag(ann, match["id"])
    body = {"seat": seat, "ply": match["ply"], "text": ann.may(match["id"], seat)[0]["text"]}
    first = answered(acts(ann, match, seen, body=body, key="once"), 201)
    assert answered(acts(ann, match, seen, body=body, key="once"), 200) == first
    refused(acts(ann, match, seen, body=body, key="twice"), 412, "precondition-failed")


def test_a_signed_move_sent_again_has_its_answer_too(ann: Person, anybody: Person, site: Site):
    pen = Pen(1)
    site.player_keys.add(ann.id, pen.kid, "laptop")
    match = ann.creates(*ALL_MINE)
    seat, seen = match["to_act"][0]["seat"], etag(ann, match["id"])
    jws = pen.signs(move(match, seat, ann.may(match["id"], seat)[0]["action"]))
    path, headers = f"{API}/matches/{match['id']}/submissions", {"Content-Type": "application/jose", "If-Match": seen}
    first = answered(anybody.asks("POST", path, data=jws, headers=headers), 201)
    assert answered(anybody.asks("POST", path, data=jws, headers=headers), 200) == first


def test_joining_a_match_that_somebody_else_has_just_joined_is_noticed(ann: Person, bo: Person):
    match = ann.creates(ME, OPEN, OPEN, OPEN, visibility="public", several_seats=True)
    seen = etag(bo, match["id"])
    answered(ann.post(f"/matches/{match['id']}/join"), 201)
    refused(acts(bo, match, seen, "join", {}), 412, "precondition-failed")
    answered(acts(bo, match, etag(bo, match["id"]), "join", {}), 201)


def test_whoever_may_not_see_the_match_learns_nothing_by_it(ann: Person, bo: Person):
    match = ann.creates(*ALL_MINE)
    refused(acts(bo, match, etag(ann, match["id"]), body={"seat": "south", "ply": 0, "text": "pass"}), 404, "no-such-match")
    refused(acts(bo, match, '"1-0"', body={"seat": "south", "ply": 0, "text": "pass"}), 404, "no-such-match")


def test_of_ten_at_once_for_one_version_one_is_done(app: Flask, ann: Person):
    match = ann.creates(*ALL_MINE)
    seat, seen = match["to_act"][0]["seat"], etag(ann, match["id"])
    texts = [legal["text"] for legal in ann.may(match["id"], seat)]

    def submit(index: int) -> int:
        body = {"seat": seat, "ply": match["ply"], "text": texts[index % len(texts)]}
        status: int = acts(Person(app.test_client(), ann.id, ann.token), match, seen, body=body).status_code
        return status

    with ThreadPoolExecutor(5) as threads:
        assert sorted(threads.map(submit, range(10))) == [201] + [412] * 9
