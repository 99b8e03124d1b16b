"""The list of matches: newest first, what one may see, correct in whatever order and however often the rows come."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from concurrent.futures import ThreadPoolExecutor
from itertools import permutations

import pytest
from msgspec.structs import replace
from redis import Redis

from infra.ids import bot_player_id, new_match_id, new_player_id
from infra.listing import BadCursor, Listing, MatchRow

ANN, BOB, CAT = "p-ann0000000", "p-bob0000000", "p-cat0000000"
ROW = MatchRow(
    match="07-0000000001",
    version=6,
    game="fourfold",
    status="live",
    public=False,
    created=1_795_953_600_000,
    changed=1_795_953_600_000,
    ply=0,
    due=1_796_212_800_000,
    players={"north": ANN, "east": "p-bot0000001", "south": BOB, "west": "p-bot0000002"},
    bots=("east", "west"),
    awaited=("north",),
)


@pytest.fixture
def listing(redis: Redis) -> Listing:
    return Listing(redis)


def named(number: int, **changes: object) -> MatchRow:
    """A match created `number` ms after the first."""
    return replace(ROW, match=f"07-{number:010d}", created=ROW.created + number, **changes)


def numbers(rows: list[MatchRow]) -> list[int]:
    return [int(row.match[3:]) for row in rows]


def test_a_row_is_given_back_as_it_was_recorded(listing: Listing):
    listing.record(ROW)
    assert listing.find(player=ANN, viewer=ANN) == ([ROW], "")


def test_newer_matches_come_first(listing: Listing):
    for number in (2, 1, 3):
        listing.record(named(number))
    assert numbers(listing.find(player=ANN, viewer=ANN)[0]) == [3, 2, 1]


def test_private_matches_are_for_their_players(listing: Listing):
    listing.record(named(1))
    listing.record(named(2, public=True))
    listing.record(named(3, players={"north": CAT}, bots=(), awaited=()))
    assert numbers(listing.find()[0]) == [2]
    assert numbers(listing.find(viewer=ANN)[0]) == [2, 1]
    assert numbers(listing.find(viewer=CAT)[0]) == [3, 2]
    assert numbers(listing.find(player=ANN)[0]) == [2]
    assert numbers(listing.find(player=ANN, viewer=CAT)[0]) == [2]
    assert numbers(listing.find(player=ANN, viewer=BOB)[0]) == [2, 1]
    assert numbers(listing.find(awaiting=ANN, viewer=CAT)[0]) == [2]


def test_the_filters_hold_together(listing: Listing):
    listing.record(named(1, public=True))
    listing.record(named(2, public=True, game="penny-ante"))
    listing.record(named(3, public=True, status="over", awaited=()))
    listing.record(named(4, public=True, awaited=("south",)))
    assert numbers(listing.find(game="fourfold")[0]) == [4, 3, 1]
    assert numbers(listing.find(status="live")[0]) == [4, 2, 1]
    assert numbers(listing.find(awaiting=BOB)[0]) == [4]
    assert numbers(listing.find(awaiting=ANN)[0]) == [2, 1]
    assert numbers(listing.find(game="fourfold", status="live", player=BOB, awaiting=ANN)[0]) == [1]
    assert numbers(listing.find(status="aborted")[0]) == []
    assert numbers(listing.find(game="chess")[0]) == []


def test_house_bots_are_not_looked_for(listing: Listing, redis: Redis):
    listing.record(replace(ROW, public=True, awaited=("east",)))
    assert listing.find(player="p-bot0000001") == ([], "")
    assert listing.find(awaiting="p-bot0000001") == ([], "")
    assert redis.keys("*bot*") == []


def test_whom_a_match_awaits_changes_with_it(listing: Listing):
    listing.record(ROW)
    listing.record(replace(ROW, version=7, awaited=("south",)))
    assert listing.find(awaiting=ANN, viewer=ANN) == ([], "")
    assert [row.version for row in listing.find(awaiting=BOB, viewer=ANN)[0]] == [7]


def test_who_left_before_the_start_is_found_no_more(listing: Listing):
    listing.record(replace(ROW, status="waiting"))
    listing.record(replace(ROW, version=7, status="waiting", players={"north": ANN}, bots=(), awaited=()))
    assert listing.find(player=BOB, viewer=ANN) == ([], "")
    assert listing.find(viewer=BOB) == ([], "")


def test_in_whatever_order_the_rows_come_the_newest_version_stays(redis: Redis):
    rows = [
        replace(ROW, public=True, status="waiting", version=1, awaited=()),
        replace(ROW, public=True, version=6),
        replace(ROW, public=True, version=9, status="over", awaited=(), due=None),
    ]
    for order in permutations(rows):
        redis.flushall()
        listing = Listing(redis)
        for row in (*order, *order):
            listing.record(row)
        assert listing.find() == ([rows[2]], "")
        assert listing.find(status="live") == listing.find(status="waiting") == listing.find(awaiting=ANN) == ([], "")


def test_many_who_record_at_once_leave_the_newest(listing: Listing):
    rows = [replace(ROW, version=version, public=True, status="over" if version == 40 else "live") for version in range(1, 41)]
    with ThreadPoolExecutor(8) as crowd:
        list(crowd.map(listing.record, reversed(rows)))
    assert listing.find() == ([rows[39]], "")
    assert listing.find(status="live") == ([], "")


def test_pages_follow_each_other_without_gap_or_repetition(listing: Listing):
    """Also across matches that were created in the same millisecond."""
    for number in range(25):
        listing.record(replace(named(number, public=True), created=ROW.created + number // 10))
    seen: list[int] = []
    cursor, pages = "", 0
    while cursor or not pages:
        rows, cursor = listing.find(viewer=ANN, cursor=cursor, limit=4)
        assert len(rows) <= 4
        seen += numbers(rows)
        pages += 1
    assert seen == list(range(24, -1, -1))
    assert pages == 7


def test_a_page_may_end_with_the_list(listing: Listing):
    for number in range(4):
        listing.record(named(number, public=True))
    assert len(listing.find(limit=4)[0]) == 4
    assert listing.find(limit=4)[1] == ""


def test_what_is_new_while_one_reads_on_moves_no_page(listing: Listing):
    for number in range(4):
        listing.record(named(number, public=True))
    first, cursor = listing.find(limit=2)
    listing.record(named(9, public=True))
    assert numbers(first) + numbers(listing.find(cursor=cursor, limit=9)[0]) == [3, 2, 1, 0]


def test_a_long_list_is_searched_to_its_end(listing: Listing):
    listing.record(named(0, public=True, game="penny-ante"))
    for number in range(1, 250):
        listing.record(replace(named(number, public=True), created=ROW.created + 1))
    assert numbers(listing.find(game="penny-ante")[0]) == [0]
    assert numbers(listing.find(limit=1000)[0]) == list(range(249, -1, -1))


@pytest.mark.parametrize("cursor", ["x", "!!!!", "é", "e30", "bnVsbA", urlsafe_b64encode(b'["a",1]').decode(), "WzEsImEiXQ=extra"])
def test_a_cursor_that_the_list_did_not_give_is_refused(listing: Listing, cursor: str):
    with pytest.raises(BadCursor, match="this cursor was not given by this list: begin again without one"):
        listing.find(cursor=cursor)


def test_a_finished_match_takes_at_most_500_bytes(listing: Listing, redis: Redis):
    people = [new_player_id() for _ in range(40)]

    def play(number: int) -> None:
        match = new_match_id(16)
        players = {seat: bot_player_id(match, index) for index, seat in enumerate(("north", "east", "south", "west"))}
        players["north"] = people[number % 40]
        row = replace(ROW, match=match, version=85, status="over", public=number % 2 == 0, ply=60, due=None, awaited=(), players=players)
        listing.record(replace(row, bots=("east", "south", "west")))

    for number in range(200):
        play(number)
    before = redis.info()["used_memory"]
    for number in range(200, 800):
        play(number)
    assert (redis.info()["used_memory"] - before) / 600 <= 500
