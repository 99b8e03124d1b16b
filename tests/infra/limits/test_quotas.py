"""What the setting of the limits may say."""

import pytest

from infra.limits.quotas import KINDS, USUAL, Quota, quotas


def test_what_is_not_named_is_as_usual():
    assert quotas("", dev=False) == USUAL
    assert quotas("read=10/1, mail=3/600", dev=False) == {**USUAL, "read": Quota(10, 1), "mail": Quota(3, 600)}
    assert set(USUAL) == set(KINDS)


def test_a_development_machine_has_a_thousand_times_as_much_unless_it_is_told():
    assert quotas("mail=3/600", dev=True)["read"] == Quota(600_000, 60)
    assert quotas("mail=3/600", dev=True)["mail"] == Quota(3, 600)


def test_they_can_be_off():
    assert quotas("off", dev=False) == {}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("read=10", "'read=10' is no limit: write read=600/60 for 600 requests in 60 seconds, or off alone for none at all"),
        ("read=0/60", "'read=0/60' is no limit: write read=600/60 for 600 requests in 60 seconds, or off alone for none at all"),
        ("off,read=1/1", "'off' is no limit: write read=600/60 for 600 requests in 60 seconds, or off alone for none at all"),
        ("moves=1/1", "'moves' is nothing that is limited; what is limited is read, write, heavy, picture, create, mail, page"),
    ],
    ids=["no time", "nothing", "off among others", "another kind"],
)
def test_what_cannot_be_is_said_in_words(text: str, words: str):
    with pytest.raises(ValueError, match=r".") as caught:
        quotas(text, dev=False)
    assert str(caught.value) == words
