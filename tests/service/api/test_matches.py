"""Matches by API: creating, looking, listing, joining, leaving."""

from collections.abc import Callable
from typing import Any

import pytest

from infra.listing import row
from infra.wiring import Site
from tests.people import Watch
from tests.service.api.person import ALL_MINE, ME, OPEN, RANDOM, Person, answered, refused


def test_a_match_against_the_house_begins_at_once(ann: Person):
    response = ann.post("/matches", {"game": "fourfold", "seats": [ME, RANDOM, RANDOM, RANDOM]})
    match = answered(response, 201)
    assert response.headers["Location"] == f"http://127.0.0.1:8000/api/v1/matches/{match['id']}"
    assert match["status"] == "live"
    assert sorted(str(chair["bot"]) for chair in match["seats"]) == ["None", "random", "random", "random"]
    assert len({chair["player"] for chair in match["seats"]}) == 4
    assert [chair["player"] for chair in match["seats"] if chair["bot"] is None] == [ann.id]
    assert match["settings"] == {
        "clock": {"kind": "per-turn", "seconds": 259_200},
        "on_timeout": "vacate",
        "undo_seconds": 60,
        "auto_forced": True,
        "seating": "random",
        "visibility": "private",
    }
    assert match["options"] == {"max_runners": 16, "goals_to_win": 4, "max_turns": None}
    assert match["to_act"] == [{"seat": match["view"]["due"]["seat"], "ask": 0, "due": "2026-12-02T12:00:00.000Z"}]
    assert (match["created_at"], match["outcome"], match["offer"], match["take_back"]) == ("2026-11-29T12:00:00.000Z", None, None, None)
    assert match == ann.sees(match["id"])


def test_a_match_with_free_seats_waits_and_shows_no_position(ann: Person):
    match = ann.creates(ME, OPEN, RANDOM, {"invite": "cid@example.org"})
    assert (match["status"], match["view"], match["to_act"], match["ply"]) == ("waiting", None, [], 0)
    assert [(chair["player"] is not None, chair["bot"], chair["invited"]) for chair in match["seats"]] == [
        (True, None, False),
        (False, None, False),
        (True, "random", False),
        (False, None, True),
    ]


def test_whoever_is_invited_becomes_a_player_under_the_beginning_of_their_address(ann: Person, site: Site):
    ann.creates(ME, RANDOM, RANDOM, {"invite": "dora.miller@EXAMPLE.org"})
    dora = site.players.by_address("dora.miller@example.org")
    assert dora is not None
    assert (dora.name, dora.confirmed) == ("Dora", False)
    ann.creates(ME, RANDOM, RANDOM, {"invite": "Dora.Miller@example.org"})
    assert site.players.by_address("dora.miller@example.org") == dora


def test_a_match_that_cannot_be_makes_nobody_a_player(ann: Person, site: Site):
    body = {"game": "fourfold", "seats": [ME, {"invite": "dora@example.org"}, RANDOM, {"bot": "deep-blue"}]}
    problem = refused(ann.post("/matches", body), 422, "invalid-match")
    assert problem["detail"] == "Fourfold has no house bot 'deep-blue'; there are random" or "there are greedy, random" in problem["detail"]
    assert site.players.by_address("dora@example.org") is None


def test_an_invitation_to_oneself_is_a_seat(ann: Person):
    match = ann.creates({"invite": "ann@example.org"}, RANDOM, RANDOM, RANDOM)
    assert match["seats"][0]["player"] == ann.id


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"game": "chess"}, "there is no game 'chess'; there are "),
        ({"seats": [ME, RANDOM]}, "Fourfold is for 4 seats, and 2 were named"),
        ({"options": {"goals_to_win": 11}}, "options: `goals_to_win` must be at most 10"),
        ({"options": {"speed": 3}}, "options: `speed` is not known here"),
        ({"settings": {"undo_seconds": -1}}, "settings: `undo_seconds` must be at least 0"),
        ({"settings": {"seating": "chosen"}}, "settings: `seating` cannot be “chosen”; it can be joined, random"),
        ({"settings": {"clock": {"kind": "hourglass"}}}, "settings: `clock.kind` cannot be “hourglass”"),
        ({"settings": {"clock": {"kind": "per-turn", "seconds": 0}}}, "settings: `clock.seconds` must be at least 1"),
        ({"settings": {"several_seats": False}, "seats": ALL_MINE}, "a player is named for several seats, but `several_seats` is false"),
    ],
)  # fmt: skip
def test_what_does_not_fit_the_game_is_refused_in_words(ann: Person, said: dict[str, Any], words: str):
    problem = refused(ann.post("/matches", {"game": "fourfold", "seats": [ME, RANDOM, RANDOM, RANDOM], **said}), 422, "invalid-match")
    assert problem["detail"].startswith(words)


def test_everything_that_does_not_fit_is_named_at_once_with_its_place(ann: Person):
    body = {
        "game": "fourfold",
        "options": {"goals_to_win": 11, "speed": 3, "max_runners": "9"},
        "settings": {"clock": {"kind": "hourglass", "seconds": 0}, "undo_seconds": -1, "several_seats": False},
        "seats": [ME, ME, {"bot": "deep-blue"}],
        "entropy": "tea leaves",
    }
    problem = refused(ann.post("/matches", body), 422, "invalid-match")
    assert {error["pointer"]: error["detail"].partition(";")[0] for error in problem["errors"]} == {
        "#/seats": "Fourfold is for 4 seats, and 3 were named",
        "#/seats/2/bot": "Fourfold has no house bot 'deep-blue'",
        "#/options/goals_to_win": "options: `goals_to_win` must be at most 10",
        "#/options/speed": "options: `speed` is not known here",
        "#/options/max_runners": "options: `max_runners` must be a whole number, not text",
        "#/settings/clock/kind": "settings: `clock.kind` cannot be “hourglass”",
        "#/settings/clock/seconds": "settings: `clock.seconds` must be at least 1",
        "#/settings/undo_seconds": "settings: `undo_seconds` must be at least 0",
        "#/settings/several_seats": "a player is named for several seats, but `several_seats` is false",
    }
    assert problem["detail"] == "; ".join(error["detail"] for error in problem["errors"])


@pytest.mark.parametrize(
    ("said", "places"),
    [
        ({"game": "chess", "settings": {"seating": "chosen"}}, ["#/game", "#/settings/seating"]),
        ({"game": "penny-ante", "options": {"no_progress_limit": None, "max_plies": None}, "seats": [ME, RANDOM]}, ["#/options"]),
        ({"game": "fourfold", "seats": [OPEN, RANDOM, RANDOM, RANDOM], "entropy": "tea leaves"}, ["#/entropy"]),
    ],
)
def test_what_is_wrong_with_more_than_one_field_has_its_place_too(ann: Person, said: dict[str, Any], places: list[str]):
    problem = refused(ann.post("/matches", {"seats": [ME, RANDOM, RANDOM, RANDOM], **said}), 422, "invalid-match")
    assert [error["pointer"] for error in problem["errors"]] == places


def test_a_player_may_hold_several_seats_where_the_game_lets_them(ann: Person):
    match = ann.creates(*ALL_MINE)
    assert {chair["player"] for chair in match["seats"]} == {ann.id}
    assert match["settings"]["several_seats"] is True


def test_who_wants_to_see_the_commitment_first_leaves_a_seat_open_and_joins_with_entropy(ann: Person):
    match = ann.creates(OPEN, RANDOM, RANDOM, RANDOM)
    (created, *_) = answered(ann.get(f"/matches/{match['id']}/history"), 200)["events"]
    assert (created["type"], len(created["data"]["commitment"])) == ("match.created", 64)
    joined = answered(ann.post(f"/matches/{match['id']}/join", {"entropy": "sugar"}), 201)
    assert joined["match"]["status"] == "live"
    events = answered(ann.get(f"/matches/{match['id']}/history"), 200)["events"]
    taken = next(place for place, event in enumerate(events) if event["data"].get("entropy") == "sugar")
    assert created == events[0]
    assert "chance.drawn" not in [event["type"] for event in events[:taken]], "no lot was drawn before"


def test_entropy_goes_into_the_log_with_the_creators_seat_and_with_a_join(ann: Person, bo: Person):
    body = {"game": "fourfold", "seats": [OPEN, ME, RANDOM, RANDOM], "entropy": "tea leaves", "settings": {"seating": "joined"}}
    match = answered(ann.post("/matches", body), 201)
    joined = answered(bo.post(f"/matches/{match['id']}/join", {"entropy": "coffee grounds"}), 201)
    events = answered(ann.get(f"/matches/{match['id']}/history"), 200)["events"]
    given = [event["data"].get("entropy") for event in events if event["type"] == "seat.taken"]
    assert given == ["tea leaves", None, None, "coffee grounds"]
    assert joined["events"][0]["data"]["entropy"] == "coffee grounds"


def test_the_last_seat_starts_the_match(ann: Person, bo: Person):
    match = ann.creates(ME, OPEN, RANDOM, RANDOM)
    done = answered(bo.post(f"/matches/{match['id']}/join", {"seat": "east"}), 201)
    assert [event["type"] for event in done["events"]][:3] == ["seat.taken", "match.started", "chance.drawn"]
    assert done["match"]["status"] == "live"
    assert done["match"]["view"]["phase"] == "opening"


def test_a_seat_that_is_not_free_is_refused(ann: Person, bo: Person):
    match = ann.creates(ME, OPEN, {"invite": "cid@example.org"}, OPEN, visibility="public")["id"]
    assert refused(bo.post(f"/matches/{match}/join", {"seat": "north"}), 409, "seat-taken")["detail"] == "north is taken already"
    assert "kept for somebody" in refused(bo.post(f"/matches/{match}/join", {"seat": "south"}), 409, "seat-taken")["detail"]
    assert "there is no seat 'up'" in refused(bo.post(f"/matches/{match}/join", {"seat": "up"}), 422, "no-such-seat")["detail"]
    answered(bo.post(f"/matches/{match}/join"), 201)
    assert "you have a seat in this match already" in refused(bo.post(f"/matches/{match}/join"), 409, "seat-taken")["detail"]


def test_a_waiting_match_can_be_left_and_is_called_off_when_everybody_has(ann: Person, bo: Person):
    match = ann.creates(ME, OPEN, OPEN, RANDOM, visibility="public")["id"]
    answered(bo.post(f"/matches/{match}/join"), 201)
    left = answered(bo.post(f"/matches/{match}/leave"), 201)
    assert [event["type"] for event in left["events"]] == ["seat.left"]
    refused(bo.post(f"/matches/{match}/leave"), 403, "not-seated")
    over = answered(ann.post(f"/matches/{match}/leave", {}), 201)
    assert over["match"]["status"] == "aborted"
    assert [event["type"] for event in over["events"]] == ["seat.left", "match.aborted", "seed.revealed"]
    refused(ann.post(f"/matches/{match}/join"), 409, "match-over")


def test_a_match_that_runs_is_left_by_resigning(ann: Person):
    match = ann.creates(ME, RANDOM, RANDOM, RANDOM)["id"]
    assert "has started" in refused(ann.post(f"/matches/{match}/leave"), 409, "seat-taken")["detail"]


def test_the_etag_is_version_and_hash_and_spares_what_is_known(ann: Person):
    match = ann.creates(*ALL_MINE)
    first = ann.get(f"/matches/{match['id']}")
    etag = first.headers["ETag"]
    assert etag == f'"{match["version"]}-{match["head"]["hash"][:16]}"'
    for known in (etag, f"W/{etag}", f'"1-0", {etag}', "*"):
        again = ann.get(f"/matches/{match['id']}", headers={"If-None-Match": known})
        assert (again.status_code, again.data, again.headers["ETag"]) == (304, b"", etag)
    ann.plays(match)
    now = ann.get(f"/matches/{match['id']}", headers={"If-None-Match": etag})
    assert now.status_code == 200
    assert now.headers["ETag"] != etag
    assert now.headers["Cache-Control"] == "private, no-cache"
    assert now.headers["Vary"] == "Authorization"


def test_the_head_is_signed_with_a_published_key(ann: Person, site: Site):
    match = ann.creates(*ALL_MINE)
    assert match["head"]["signature"] == site.keys.sign_head(match["id"], match["version"], bytes.fromhex(match["head"]["hash"]))


def listed(site: Site, match: str) -> None:
    """What the relay does: the match's row, as it stands."""
    site.listing.record(row(site.desk.look(match).match))


@pytest.fixture
def matches(ann: Person, bo: Person, site: Site, watch: Watch) -> dict[str, str]:
    """A few matches, oldest first."""
    made = {}
    for name, who, seats in [
        ("ann's private", ann, (ME, RANDOM, RANDOM, RANDOM)),
        ("ann's public", ann, ALL_MINE),
        ("bo's private", bo, ALL_MINE),
        ("bo's public", bo, (ME, OPEN, RANDOM, RANDOM)),
    ]:
        watch.now += 1_000
        made[name] = who.creates(*seats, visibility=name.rpartition(" ")[2])["id"]
        listed(site, made[name])
    return made


@pytest.mark.parametrize(
    ("who", "query", "found"),
    [
        ("nobody", "", ["bo's public", "ann's public"]),
        ("ann", "", ["bo's public", "ann's public", "ann's private"]),
        ("bo", "", ["bo's public", "bo's private", "ann's public"]),
        ("ann", "player=me", ["ann's public", "ann's private"]),
        ("ann", "player={bo}", ["bo's public"]),
        ("bo", "awaiting=me", ["bo's private"]),
        ("ann", "status=waiting", ["bo's public"]),
        ("ann", "status=live&player=me&game=fourfold", ["ann's public", "ann's private"]),
        ("ann", "game=penny-ante", []),
        ("ann", "player=p-0000000000", []),
        ("ann", "status=over", []),
    ],
)  # fmt: skip
def test_a_list_has_what_one_may_see_and_asked_for_newest_first(
    person: Callable[..., Person], ann: Person, bo: Person, matches: dict[str, str], who: str, query: str, found: list[str]
):
    asker = {"ann": ann, "bo": bo, "nobody": person()}[who]
    rows = answered(asker.get(f"/matches?{query.format(bo=bo.id)}"), 200)["matches"]
    assert [row["id"] for row in rows] == [matches[name] for name in found]


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("game=nope", "`game` must be four-forges, fourfold, penny-ante or steinnheimr"),
        ("player=p-nope", "`player` must be `me`, or the id of a player, as p-8w2k4n6r1z"),
        ("status=begun", "`status` must be waiting, live, over or aborted"),
        ("awaiting=p-8w2k4n6r1z", "`awaiting` must be me"),
    ],
)
def test_a_list_of_what_there_cannot_be_is_refused_with_what_there_is(ann: Person, query: str, words: str):
    assert refused(ann.get(f"/matches?{query}"), 422, "invalid-request")["detail"] == words


def test_pages_of_a_list_miss_nothing_and_repeat_nothing_while_matches_begin_and_end(ann: Person, site: Site, watch: Watch):
    """What there was when the first page was read comes once, in its order; what began meanwhile stands before it and is not in the way."""
    there = []
    for _ in range(9):
        watch.now += 1000
        there.append(ann.creates(*ALL_MINE)["id"])
        listed(site, there[-1])
    there.reverse()
    seen: list[str] = []
    cursor, turn = "", 0
    while True:
        page = answered(ann.get(f"/matches?player=me&limit=2{cursor}"), 200)
        seen += [row["id"] for row in page["matches"]]
        for changes in (there[turn], there[-1 - turn]):  # one that was told already, perhaps, and one that is still to come
            ann.post(f"/matches/{changes}/resignation")
            listed(site, changes)
        watch.now += 1000
        listed(site, ann.creates(*ALL_MINE)["id"])
        turn += 1
        if page["next"] is None:
            break
        cursor = f"&cursor={page['next']}"
    assert seen == there
    assert answered(ann.get("/matches?player=me&limit=100"), 200)["next"] is None


@pytest.mark.parametrize(
    "cursor", ["x", "", "a" * 300, "W10", "bnVsbA", "WyJ4IiwieSJd", "WzEsMl0", "%00", "WzE3OTU5NTM2MDAwMDAsIjA3LTAwMDAwMDAwMDEi"]
)
def test_a_cursor_that_was_tampered_with_is_refused(ann: Person, cursor: str):
    problem = refused(ann.get(f"/matches?cursor={cursor}"), 422, "invalid-request")
    assert problem["errors"][0]["parameter"] == "cursor"


def test_a_row_tells_enough_to_know_what_to_do(ann: Person, matches: dict[str, str]):
    match = ann.sees(matches["ann's public"])
    row = answered(ann.get("/matches?player=me"), 200)["matches"][0]
    assert row == {
        "id": match["id"],
        "game": "fourfold",
        "status": "live",
        "visibility": "public",
        "ply": 0,
        "version": match["version"],
        "players": {chair["seat"]: ann.id for chair in match["seats"]},
        "bots": [],
        "awaited": [match["to_act"][0]["seat"]],
        "invited": {},
        "due": match["to_act"][0]["due"],
        "created_at": match["created_at"],
        "changed_at": match["changed_at"],
    }


def test_a_list_comes_in_pages(ann: Person, matches: dict[str, str]):
    first = ann.get("/matches?limit=2&game=fourfold")
    page = answered(first, 200)
    assert [row["id"] for row in page["matches"]] == [matches["bo's public"], matches["ann's public"]]
    assert first.headers["Link"] == f'<http://127.0.0.1:8000/api/v1/matches?limit=2&game=fourfold&cursor={page["next"]}>; rel="next"'
    last = ann.get(f"/matches?limit=2&game=fourfold&cursor={page['next']}")
    assert [row["id"] for row in answered(last, 200)["matches"]] == [matches["ann's private"]]
    assert last.get_json()["next"] is None
    assert "Link" not in last.headers


def test_me_is_nobody_without_a_token(anybody: Person):
    for query in ("player=me", "awaiting=me"):
        refused(anybody.get(f"/matches?{query}"), 401, "not-authenticated")


def test_whoever_is_invited_or_created_it_finds_a_private_match_and_nobody_else(ann: Person, bo: Person, person: Callable[..., Person], site: Site):
    match = ann.creates({"invite": "bo@example.org"}, OPEN, RANDOM, RANDOM)["id"]
    site.listing.record(row(site.desk.look(match).match))
    for query in ("?player=me", "?awaiting=me", ""):
        (found,) = answered(bo.get(f"/matches{query}"), 200)["matches"]
        assert (found["id"], found["invited"], found["status"]) == (match, {"north": bo.id}, "waiting")
    assert [found["id"] for found in answered(ann.get("/matches"), 200)["matches"]] == [match]
    assert answered(ann.get("/matches?player=me"), 200)["matches"] == []
    assert answered(person("Eve").get("/matches"), 200)["matches"] == []
    answered(bo.post(f"/matches/{match}/leave"), 201)
    site.listing.record(row(site.desk.look(match).match))
    assert answered(bo.get("/matches"), 200)["matches"] == []
