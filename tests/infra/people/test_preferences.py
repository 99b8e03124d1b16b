"""How much mail a player wants: what counts when nothing was chosen, in general, and for one match."""

import msgspec
import pytest
from redis import Redis

from infra.people.preferences import Preferences, Preferring, Quiet, told

MATCH, OTHER = "07-0000000001", "07-0000000002"


@pytest.fixture
def preferring(redis: Redis) -> Preferring:
    return Preferring(redis)


def test_who_has_chosen_nothing_gets_a_mail_for_each_turn(preferring: Preferring):
    usual = Preferences(cadence="each", hours=6, hour=8, reminders=("80%",), quiet=None)
    assert preferring.preferences("p-1") == preferring.preferences("p-1", MATCH) == usual
    assert told(usual) == {"cadence": "each", "hours": 6, "hour": 8, "reminders": ["80%"], "quiet": None}


def test_what_is_chosen_for_a_match_counts_for_that_match_before_what_counts_for_all(preferring: Preferring):
    preferring.choose("p-1", {"cadence": "daily", "quiet": {"start": 22, "end": 7}})
    preferring.choose("p-1", {"cadence": "off"}, MATCH)
    assert preferring.preferences("p-1") == preferring.preferences("p-1", OTHER) == Preferences("daily", quiet=Quiet(22, 7))
    assert preferring.preferences("p-1", MATCH) == Preferences("off", quiet=Quiet(22, 7))
    assert preferring.preferences("p-2", MATCH) == Preferences()
    assert told(preferring.preferences("p-1"))["quiet"] == {"from": 22, "to": 7}


def test_a_change_leaves_the_rest_and_a_choice_made_afresh_does_not(preferring: Preferring):
    preferring.choose("p-1", {"hours": 12, "reminders": ["50%"]})
    preferring.choose("p-1", {"hours": 3})
    assert preferring.chosen("p-1") == {"hours": 3, "reminders": ["50%"]}
    preferring.choose("p-1", {"hours": 3}, afresh=True)
    assert preferring.chosen("p-1") == {"hours": 3}
    preferring.choose("p-1", {}, afresh=True)
    assert preferring.chosen("p-1") == {}


def test_forgetting_takes_what_was_chosen_for_matches_too(preferring: Preferring, redis: Redis):
    preferring.choose("p-1", {"cadence": "off"})
    preferring.choose("p-1", {"cadence": "off"}, MATCH)
    preferring.forget("p-1")
    assert redis.keys("*") == []


@pytest.mark.parametrize(
    "wrong", [{"cadence": "weekly"}, {"hours": 0}, {"hour": 24}, {"reminders": ["0%"]}, {"reminders": ["1h"] * 4}, {"colour": "red"}]
)
def test_what_cannot_be_is_not_kept(preferring: Preferring, redis: Redis, wrong: dict[str, object]):
    with pytest.raises(msgspec.ValidationError):
        preferring.choose("p-1", wrong)
    assert redis.keys("*") == []
