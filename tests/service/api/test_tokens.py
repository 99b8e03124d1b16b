"""Who may do what: tokens, their scopes, and what their holders get to see."""

from collections.abc import Callable

import pytest

from infra.listing import row
from infra.wiring import Site
from service.contract.operations import OPERATIONS
from service.door.porter import KEPT
from tests.people import Watch
from tests.service.api.person import API, ME, OPEN, RANDOM, Person, answered, refused, two_at_a_table

SCOPED = sorted((said.method, said.rule, said.scope) for said in OPERATIONS.values() if said.scope and not said.public)
PUBLIC = sorted((said.method, said.rule) for said in OPERATIONS.values() if said.scope and said.public)
OF_A_MATCH = sorted((said.method, said.rule) for said in OPERATIONS.values() if "<id>" in said.rule)
BODIES = {
    "submissions": {"seat": "north", "ply": 0, "text": "deploy a5"},
    "checks": {"seat": "north", "ply": 0, "text": "deploy a5"},
    "take-back": {"seat": "north"},
    "offers": {"kind": "end"},
    "answer": {"answer": "accept"},
    "tokens": {"name": "bot", "scopes": ["matches:read"]},
    "players": {"name": "Ann", "email": "ann@example.org"},
    "webhooks": {"url": "https://bots.example.org/forgepost"},
    "matches": {"game": "fourfold", "seats": [ME, RANDOM, RANDOM, RANDOM]},
}


def asks(who: Person, method: str, rule: str, match: str = "00-0000000000"):
    """A request of an operation that nothing is wrong with."""
    path = rule.replace("<id>", match).replace("<int:version>", "1").replace("<int:n>", "1")
    path = path.replace("<token>", "0123456789abcdef")
    body = BODIES.get(path.rpartition("/")[2], {})
    return who.asks(method, f"{API}{path}", **({} if method in ("GET", "DELETE") and not body else {"json": body}))


@pytest.mark.parametrize(("method", "rule", "scope"), SCOPED)
def test_what_needs_a_token_says_so_to_whoever_has_none(anybody: Person, method: str, rule: str, scope: str):
    response = asks(anybody, method, rule)
    problem = refused(response, 401, "not-authenticated")
    assert problem["detail"] == "this needs a token: send it as `Authorization: Bearer fp_…`"
    assert response.headers["WWW-Authenticate"] == 'Bearer realm="forgepost"'


@pytest.mark.parametrize(("method", "rule", "scope"), SCOPED)
def test_a_token_without_the_scope_is_told_which_one_is_missing(person: Callable[..., Person], method: str, rule: str, scope: str):
    other = "matches:read" if scope == "webhooks:write" else "webhooks:write"
    response = asks(person("Ann", other), method, rule)
    problem = refused(response, 403, "scope-missing")
    assert problem["scope"] == scope
    assert problem["detail"] == f"this token allows {other}, and this needs {scope}"
    assert response.headers["WWW-Authenticate"] == f'Bearer realm="forgepost", error="insufficient_scope", scope="{scope}"'


@pytest.mark.parametrize(("method", "rule"), [one for one in PUBLIC if "<id>" in one[1]])
def test_a_token_is_held_to_its_scopes_also_where_none_is_needed(person: Callable[..., Person], ann: Person, method: str, rule: str):
    weak = person("Ann", "matches:play")
    for match in ("00-0000000000", ann.creates(ME, RANDOM, RANDOM, RANDOM)["id"], "nothing"):
        problem = refused(asks(weak, method, rule, match), 403, "scope-missing")
        assert (problem["scope"], problem["detail"]) == ("matches:read", "this token allows matches:play, and this needs matches:read")


@pytest.mark.parametrize(("method", "rule"), [one for one in PUBLIC if "<id>" in one[1]])
def test_a_token_without_the_scope_opens_what_is_open_to_everybody(
    person: Callable[..., Person], ann: Person, anybody: Person, method: str, rule: str
):
    match = ann.creates(ME, RANDOM, RANDOM, RANDOM, visibility="public")["id"]
    found = asks(person("Ann", "matches:play"), method, rule, match)
    free = asks(anybody, method, rule, match)
    assert (found.status_code, found.data) == (free.status_code, free.data)
    assert found.status_code == (501 if rule.endswith("/stream") else 200)


def test_a_list_shows_a_token_without_the_scope_what_it_shows_to_everybody(person: Callable[..., Person], site: Site):
    ann = person("Ann")
    public, private = (ann.creates(ME, RANDOM, RANDOM, RANDOM, visibility=each)["id"] for each in ("public", "private"))
    for match in (public, private):
        site.listing.record(row(site.desk.look(match).match))
    weak = person("Ann", "matches:play")
    assert weak.id == ann.id
    assert [each["id"] for each in answered(weak.get("/matches"), 200)["matches"]] == [public]
    assert {each["id"] for each in answered(ann.get("/matches"), 200)["matches"]} == {public, private}
    for query in ("player=me", "awaiting=me"):
        assert refused(weak.get(f"/matches?{query}"), 403, "scope-missing")["scope"] == "matches:read"


@pytest.mark.parametrize(
    "said",
    ["Bearer", "Bearer ", "Bearer fp_", "Bearer fp_" + "0" * 52, "Bearer fp_" + "0" * 5_000, "Basic YW5uOmFubg==", "fp_" + "0" * 52, "Bearer \xe4"],
    ids=["alone", "blank", "short", "unknown", "long", "basic", "bare", "letter"],
)
def test_what_is_no_token_opens_nothing_not_even_what_is_public(anybody: Person, said: str):
    for path in ("/matches", "/me"):
        response = anybody.get(path, headers={"Authorization": said})
        refused(response, 401, "not-authenticated")
        assert said not in response.get_data(as_text=True) or said == "Bearer"


def test_a_token_may_be_sent_with_any_case_of_bearer(ann: Person, anybody: Person):
    assert answered(anybody.get("/me", headers={"Authorization": f"bearer {ann.token}"}), 200)["id"] == ann.id


def test_a_revoked_token_opens_nothing_after_five_seconds(ann: Person, site: Site, watch: Watch):
    answered(ann.get("/me"), 200)
    site.players.revoke(ann.id, site.players.passes(ann.id)[0].id)
    watch.now += KEPT
    problem = refused(ann.get("/me"), 401, "not-authenticated")
    assert problem["detail"] == "this token is unknown, expired or revoked"
    assert KEPT == 5_000


def test_an_expired_token_opens_nothing(site: Site, anybody: Person, ann: Person, watch: Watch):
    year = 366 * 86_400_000  # Redis has a clock of its own, which may be ahead of this one
    token = site.players.new_token(ann.id, ["player:read"], "short", expires=watch.now + year)
    watch.now += year - 1
    assert answered(anybody.get("/me", headers={"Authorization": f"Bearer {token}"}), 200)["id"] == ann.id
    watch.now += 1  # though it was taken for good a moment ago
    refused(anybody.get("/me", headers={"Authorization": f"Bearer {token}"}), 401, "not-authenticated")


def test_a_token_says_whose_it_is(ann: Person):
    said = answered(ann.get("/me"), 200)
    assert (said["id"], said["name"], said["email"], said["confirmed"]) == (ann.id, "Ann", "ann@example.org", False)


@pytest.mark.parametrize(("method", "rule"), OF_A_MATCH)
def test_a_private_match_is_no_match_to_others_and_the_words_are_the_same(ann: Person, person: Callable[..., Person], method: str, rule: str):
    """Every operation: for somebody with a token, for anybody where none is needed; and where there is no such match at all."""
    match = ann.creates(ME, RANDOM, RANDOM, RANDOM)["id"]
    others = [person("Eve")] + ([person()] if (method, rule) in PUBLIC else [])
    for other in others:
        there = refused(asks(other, method, rule, match), 404, "no-such-match")
        nowhere = refused(asks(other, method, rule, "05-zzzzzzzzzz"), 404, "no-such-match")
        assert there["detail"].replace(match, "…") == nowhere["detail"].replace("05-zzzzzzzzzz", "…")
        assert set(there) == set(nowhere)


@pytest.mark.parametrize("name", ["1", "07-3f9k2m8qt", "07-3F9K2M8QTX", "99-0000000000", "07-3f9k2m8qtu", "a" * 300, "%00", "..%2f"])
def test_what_can_be_no_match_is_none(ann: Person, name: str):
    assert ann.get(f"/matches/{name}").status_code == 404
    assert ann.post(f"/matches/{name}/resignation").status_code == 404


@pytest.mark.parametrize(("method", "rule"), PUBLIC)
def test_a_public_match_is_open_to_everybody(ann: Person, anybody: Person, method: str, rule: str):
    match = ann.creates(ME, RANDOM, RANDOM, RANDOM, visibility="public")["id"]
    streamed = rule.endswith("/stream")  # a plain WSGI server such as the test client's has no streams, and says so to whoever may have one
    assert asks(anybody, method, rule, match).status_code == (501 if streamed else 200)


def test_whoever_is_invited_sees_a_private_match_and_so_does_its_creator(ann: Person, bo: Person, person: Callable[..., Person]):
    match = ann.creates({"invite": "bo@example.org"}, OPEN, RANDOM, RANDOM)["id"]
    assert bo.sees(match) == ann.sees(match)
    refused(person("Eve").get(f"/matches/{match}"), 404, "no-such-match")


def test_an_open_seat_of_a_private_match_is_for_whoever_was_told_its_id(ann: Person, bo: Person, person: Callable[..., Person]):
    match = ann.creates(ME, OPEN, {"invite": "cid@example.org"}, RANDOM)["id"]
    refused(bo.get(f"/matches/{match}"), 404, "no-such-match")
    assert answered(bo.post(f"/matches/{match}/join"), 201)["events"][0]["data"]["player"] == bo.id
    assert bo.sees(match)["status"] == "waiting"
    refused(person("Eve").post(f"/matches/{match}/join"), 404, "no-such-match")


def test_who_has_left_a_waiting_match_sees_it_no_more(ann: Person, bo: Person):
    match = ann.creates(ME, OPEN, OPEN, RANDOM)["id"]
    answered(bo.post(f"/matches/{match}/join"), 201)
    answered(bo.post(f"/matches/{match}/leave"), 201)
    refused(bo.get(f"/matches/{match}"), 404, "no-such-match")


def test_no_answer_has_the_token_or_an_address_in_it(ann: Person, bo: Person):
    turn = two_at_a_table(ann, bo)
    paths = [f"/matches/{turn.id}", f"/matches/{turn.id}/history", f"/matches/{turn.id}/legal-actions", "/matches", f"/matches/{turn.id}/board.svg"]
    said = "".join(ann.get(path).get_data(as_text=True) for path in paths)
    assert ann.token not in said
    assert "example.org" not in said
    assert "Ann" not in said
