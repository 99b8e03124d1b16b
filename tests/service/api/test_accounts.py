"""Players by API: signing up, settings, tokens, and how much mail they want."""

from collections.abc import Callable
from typing import Any

import pytest

from infra.outbox import Notice
from infra.people.players import MOST_PASSES
from infra.wiring import Site
from service.door.porter import NOTED
from tests.people import NOON, Watch
from tests.service.api.person import API, ME, OPEN, RANDOM, Person, answered, refused

WANTED: dict[str, Any] = {"cadence": "each", "hours": 6, "hour": 8, "reminders": ["80%"], "quiet": None}


def mails(site: Site) -> list[Notice]:
    """The personal mails that are to go out."""
    return [notice for notice in site.outbox.take(1 << 50, 1, 100) if not notice.match]


def patch(who: Person, body: Any) -> Any:
    return who.asks("PATCH", f"{API}/me", json=body)


def test_whoever_signs_up_gets_a_mail_and_the_answer_tells_nobody_who_plays_here(anybody: Person, ann: Person, site: Site):
    new = answered(anybody.post("/players", {"name": "Cid", "email": "Cid@Example.org", "zone": "Europe/Vienna"}), 202)
    known = answered(anybody.post("/players", {"name": "Eve", "email": "ann@example.org"}), 202)
    assert (new, known) == ({"mailed_to": "Cid@example.org"}, {"mailed_to": "ann@example.org"})
    cid = site.players.by_address("cid@example.org")
    assert cid
    assert (cid.name, cid.zone, cid.confirmed) == ("Cid", "Europe/Vienna", False)
    assert {(notice.kind, notice.player) for notice in mails(site)} == {("sign-in", cid.id), ("sign-in", ann.id)}
    assert site.players.names([ann.id]) == {ann.id: "Ann"}


def test_nobodys_mailbox_is_flooded(anybody: Person, site: Site, watch: Watch):
    for _ in range(9):
        answered(anybody.post("/players", {"name": "Cid", "email": "cid@example.org"}), 202)
        watch.now += 60_000
    assert len(mails(site)) == 5


@pytest.mark.parametrize(
    ("said", "detail"),
    [
        ({"name": "www.evil.com", "email": "cid@example.org"}, "`name`: a name must not look like"),
        ({"name": "Cid", "email": "cid@localhost"}, "`email`: “localhost” is no domain"),
        ({"name": "Cid", "email": "r+x@forgepost.localhost"}, "`email`: r+x@forgepost.localhost is an address of this site itself"),
        ({"name": "Cid", "email": "cid@example.org", "zone": "Vienna"}, "`zone`: 'Vienna' is no time zone"),
        ({"name": "Cid", "email": "cid@example.org", "scopes": []}, "`scopes` is not known here"),
    ],
)
def test_what_cannot_be_is_said_and_makes_nobody_a_player(anybody: Person, site: Site, said: dict[str, Any], detail: str):
    assert refused(anybody.post("/players", said), 422, "invalid-request")["detail"].startswith(detail)
    assert site.redis.keys("player:*") == []


def test_a_player_sees_and_changes_their_settings(ann: Person):
    before = answered(ann.get("/me"), 200)
    assert before == {
        "id": ann.id,
        "name": "Ann",
        "email": "ann@example.org",
        "new_email": None,
        "zone": "UTC",
        "confirmed": False,
        "created_at": "2026-11-29T12:00:00.000Z",
        "mail": WANTED,
    }
    mail = {"cadence": "every", "hours": 12, "reminders": ["50%", "3h"], "quiet": {"from": 22, "to": 7}}
    after = answered(patch(ann, {"name": "Ann  Lee", "zone": "Asia/Kolkata", "mail": mail}), 200)
    assert after == {**before, "name": "Ann Lee", "zone": "Asia/Kolkata", "mail": {**WANTED, **mail}} == answered(ann.get("/me"), 200)
    assert answered(patch(ann, {"mail": {"quiet": None}}), 200)["mail"] == {**WANTED, **mail, "quiet": None}


@pytest.mark.parametrize(
    ("said", "detail"),
    [
        ({"name": "you"}, "`name`: “you” is what we call somebody in our own words"),
        ({"zone": "Moon"}, "`zone`: 'Moon' is no time zone"),
        ({"id": "p-1"}, "`id` is not known here"),
        ({"mail": {"cadence": "weekly"}}, "`mail.cadence` must be each, every, daily or off"),
        ({"mail": {"hours": 0}}, "`mail.hours` must be from 1 to 168"),
        ({"mail": {"reminders": ["soon"]}}, "`mail.reminders[0]` must be as `80%`"),
        ({"mail": {"reminders": ["1%", "2%", "3%", "4%"]}}, "`mail.reminders` must have 0 to 3 entries"),
        ({"mail": {"quiet": {"from": 3, "to": 3}}}, "`mail.quiet.to` must be another hour than `from`"),
    ],
)
def test_a_change_that_cannot_be_changes_nothing(ann: Person, said: dict[str, Any], detail: str):
    before = answered(ann.get("/me"), 200)
    assert refused(patch(ann, {"name": "Zoë", **said} if "name" not in said else said), 422, "invalid-request")["detail"].startswith(detail)
    assert answered(ann.get("/me"), 200) == before


def test_a_new_address_is_asked_first_and_the_old_one_is_told(ann: Person, site: Site):
    said = answered(patch(ann, {"email": "ann@example.net"}), 200)
    assert (said["email"], said["new_email"]) == ("ann@example.org", "ann@example.net")
    assert {(notice.kind, notice.player) for notice in mails(site)} == {("address", ann.id), ("moving", ann.id)}
    assert answered(patch(ann, {"email": "ann@example.org"}), 200)["new_email"] is None


def test_nobody_learns_that_an_address_is_another_players(ann: Person, bo: Person):
    assert answered(patch(ann, {"email": "bo@example.org"}), 200)["new_email"] == "bo@example.org"


def test_a_match_may_have_mail_wishes_of_its_own(ann: Person):
    match = ann.creates(ME, RANDOM, RANDOM, RANDOM)["id"]
    path = f"{API}/me/matches/{match}/mail"
    assert answered(ann.asks("GET", path), 200) == {"mail": WANTED, "own": False}
    assert answered(ann.asks("PUT", path, json={"cadence": "off"}), 200) == {"mail": {**WANTED, "cadence": "off"}, "own": True}
    answered(patch(ann, {"mail": {"cadence": "daily", "hour": 7}}), 200)
    assert answered(ann.asks("GET", path), 200)["mail"] == {**WANTED, "cadence": "off", "hour": 7}
    assert answered(ann.asks("PUT", path, json={}), 200) == {"mail": {**WANTED, "cadence": "daily", "hour": 7}, "own": False}


def test_only_who_a_match_concerns_chooses_how_much_mail_it_sends(ann: Person, bo: Person, site: Site):
    match = ann.creates(OPEN, RANDOM, RANDOM, {"invite": "cid@example.org"}, visibility="public")["id"]
    path = f"{API}/me/matches/{match}/mail"
    words = "you have no seat in this match and are not invited to it, so no mail comes to you about it"
    for response in (bo.asks("GET", path), bo.asks("PUT", path, json={"cadence": "off"})):
        assert refused(response, 403, "not-seated")["detail"] == words
    assert site.preferring.chosen(bo.id, match) == {}
    assert answered(ann.asks("PUT", path, json={"cadence": "off"}), 200)["own"] is True, "who created it is told what becomes of it"
    answered(bo.post(f"/matches/{match}/join"), 201)
    assert answered(bo.asks("PUT", path, json={"cadence": "off"}), 200)["own"] is True


def test_a_token_is_shown_once_and_listed_without_itself(ann: Person, person: Callable[..., Person], anybody: Person):
    made = answered(ann.post("/me/tokens", {"name": "bot", "scopes": ["matches:read", "player:read"], "expires_at": "2036-11-29T10:00:00Z"}), 201)
    assert (made["name"], made["scopes"], made["expires_at"]) == ("bot", ["matches:read", "player:read"], "2036-11-29T10:00:00.000Z")
    told = {"Authorization": f"Bearer {made['token']}"}
    assert answered(anybody.get("/me", headers=told), 200)["id"] == ann.id
    refused(anybody.asks("PATCH", f"{API}/me", json={}, headers=told), 403, "scope-missing")
    listed = answered(ann.get("/me/tokens"), 200)["tokens"]
    assert {one["name"]: one["used_at"] for one in listed} == dict.fromkeys(("tests", "bot"), "2026-11-29T12:00:00.000Z")
    assert made["token"] not in ann.get("/me/tokens").text


def test_a_token_makes_none_that_may_more_than_itself_and_admin_is_not_given_here(person: Callable[..., Person], site: Site):
    weak = person("Ann", "player:write", "player:read")
    problem = refused(weak.post("/me/tokens", {"name": "bot", "scopes": ["player:read", "matches:play"]}), 403, "scope-missing")
    assert problem["scope"] == "matches:play"
    boss = person("Bo", "player:write", "player:read", "admin")
    detail = refused(boss.post("/me/tokens", {"name": "bot", "scopes": ["admin"]}), 422, "invalid-request")["detail"]
    assert detail.startswith("`scopes[0]` must be matches:read")
    assert len(site.players.passes(weak.id)) == len(site.players.passes(boss.id)) == 1


@pytest.mark.parametrize("expiry", ["2026-11-29T12:00:00Z", "2027-02-30T10:00:00Z", "tomorrow", "2027-01-01T10:00:00+01:00"])
def test_a_token_expires_at_a_time_to_come(ann: Person, expiry: str):
    refused(ann.post("/me/tokens", {"name": "bot", "scopes": ["matches:read"], "expires_at": expiry}), 422, "invalid-request")


def test_of_a_token_that_cannot_be_everything_that_is_wrong_is_named(ann: Person):
    body = {"name": "\0", "scopes": ["matches:read"], "expires_at": "2026-11-29T12:00:00Z"}
    problem = refused(ann.post("/me/tokens", body), 422, "invalid-request")
    assert problem["errors"] == [
        {"detail": "`name`: please leave out a control character (U+0000)", "pointer": "#/name"},
        {"detail": "`expires_at` must be a day that there is, and not be over yet", "pointer": "#/expires_at"},
    ]
    assert problem["detail"] == "; ".join(error["detail"] for error in problem["errors"])


def test_a_request_for_a_token_sent_again_makes_one_token(ann: Person, site: Site):
    wish = {"name": "bot", "scopes": ["matches:read"]}
    first = answered(ann.post("/me/tokens", wish, key="once"), 201)
    again = ann.post("/me/tokens", wish, key="once")
    assert (answered(again, 200), again.headers["Idempotent-Replayed"]) == (first, "true")
    assert len(site.players.passes(ann.id)) == 2
    refused(ann.post("/me/tokens", {**wish, "name": "other"}, key="once"), 422, "key-reused")
    ann.asks("DELETE", f"{API}/me/tokens/{first['id']}")
    refused(ann.post("/me/tokens", wish, key="once"), 422, "key-reused")
    assert len(site.players.passes(ann.id)) == 1


def test_tokens_are_revoked_and_nobody_elses(ann: Person, bo: Person, anybody: Person, watch: Watch):
    made = answered(ann.post("/me/tokens", {"name": "bot", "scopes": ["player:read"]}), 201)
    refused(bo.asks("DELETE", f"{API}/me/tokens/{made['id']}"), 404, "not-found")
    gone = ann.asks("DELETE", f"{API}/me/tokens/{made['id']}")
    assert gone.status_code == 204
    assert "Content-Type" not in gone.headers
    assert "Content-Length" not in gone.headers
    refused(ann.asks("DELETE", f"{API}/me/tokens/{made['id']}"), 404, "not-found")
    refused(anybody.get("/me", headers={"Authorization": f"Bearer {made['token']}"}), 401, "not-authenticated")


def test_there_is_an_end_to_tokens(ann: Person, site: Site):
    for number in range(MOST_PASSES - 1):
        site.players.new_token(ann.id, ["player:read"], f"bot {number}")
    problem = refused(ann.post("/me/tokens", {"name": "bot", "scopes": ["player:read"]}), 409, "limit-reached")
    assert problem["detail"] == "a player has at most 50 tokens: revoke one that is not needed any more"


def test_the_last_use_is_noted_at_most_once_a_minute(ann: Person, site: Site, watch: Watch):
    uses = []
    for wait in (0, 5_000, NOTED - 5_001, 5_001):
        watch.now += wait
        answered(ann.get("/me"), 200)
        uses.append(site.players.passes(ann.id)[0].used)
    assert uses == [NOON, NOON, NOON, NOON + NOTED + 5_000]
