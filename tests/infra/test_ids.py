"""Names for matches and players: short, told apart, and the same again where a retry must meet the same match."""

from __future__ import annotations

import pytest
from freezegun import freeze_time

from infra.ids import bot_player_id, crockford, is_match_id, is_player_id, match_id_for, new_match_id, new_player_id, partition, uncrockford


def test_a_match_id_says_its_partition():
    assert partition("07-0000000001") == 7
    assert {partition(new_match_id(16)) for _ in range(500)} == set(range(16))


def test_new_ids_are_well_formed_and_differ():
    matches = {new_match_id(100) for _ in range(30)}  # by twenty-seven bits of chance a second: of a thousand now and then two are one
    players = {new_player_id() for _ in range(1000)}
    assert (len(matches), len(players)) == (30, 1000)
    assert all(is_match_id(match) for match in matches)
    assert all(is_player_id(player) for player in players)


@freeze_time("2026-11-29T12:00:00Z")
def test_a_match_id_begins_with_the_second_it_was_made_in():
    assert new_match_id(1)[:9] == "00-1sf3j0"
    assert uncrockford("1sf3j0") == 60_264_000  # 697 days and 12 hours after the start of 2025


def test_the_same_creation_always_gets_the_same_match_id():
    assert match_id_for(16, "p-ann0000000", "k") == match_id_for(16, "p-ann0000000", "k")
    others = [match_id_for(16, "p-ann0000000", "l"), match_id_for(16, "p-bob0000000", "k"), match_id_for(16, "p-ann0000000k", "")]
    assert len({match_id_for(16, "p-ann0000000", "k"), *others}) == 4
    assert all(is_match_id(match) for match in others)


def test_match_ids_of_creations_use_all_partitions_and_no_other():
    assert {partition(match_id_for(5, "p-ann0000000", str(key))) for key in range(200)} == set(range(5))


def test_every_seat_of_every_match_has_a_house_bot_of_its_own():
    bots = {bot_player_id(match, seat) for match in ("07-0000000001", "07-0000000002") for seat in range(4)}
    assert len(bots) == 8
    assert all(is_player_id(bot) for bot in bots)
    assert bot_player_id("07-0000000001", 2) == bot_player_id("07-0000000001", 2)


@pytest.mark.parametrize("text", ["", "07", "07-", "7-0000000001", "07-000000001", "07-000000000I", "07-000000000u", "٠٧-0000000001"])
def test_what_is_no_match_id(text: str):
    assert not is_match_id(text)


def test_letters_that_are_misread_are_not_among_the_32():
    assert "".join(crockford(number, 1) for number in range(32)) == "0123456789abcdefghjkmnpqrstvwxyz"
    assert crockford(32**10 - 1, 10) == "zzzzzzzzzz"
    assert crockford(33, 3) == "011"
    assert [uncrockford(crockford(number, 5)) for number in (0, 1, 1023, 32**5 - 1)] == [0, 1, 1023, 32**5 - 1]
    with pytest.raises(ValueError, match="substring not found"):
        uncrockford("u")
