"""The chain and the draws, against values worked out by other means."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from domain.chain import Draws, SeedLot, blend, canonical, instant, link

SEED = bytes(range(32))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters(max_codepoint=127)), inner),
)


@given(value=VALUES)
def test_canonical_json_is_what_another_implementation_of_rfc_8785_writes(value):
    assert canonical(value) == rfc8785.dumps(value)


def test_a_link_is_the_hash_of_exactly_these_bytes():
    body = b'{"at":"2026-11-29T10:00:00.123Z","by":{"kind":"nature"},"data":{},"ply":9}'
    by_hand = hashlib.sha256(b"forgepost-event-v1\n" + bytes(32) + b"07-x\nchance.drawn.1\n" + body).hexdigest()
    assert link(bytes(32), "07-x", "chance.drawn.1", body).hex() == by_hand


def test_a_draw_is_the_hmac_of_its_place_in_the_match():
    words = b"forgepost-draw-v1\n07-x\n4\n11\n" + blend(b"salt\n").encode() + b"\n0"
    x = int(hmac.new(SEED, words, "sha256").hexdigest(), 16)
    assert Draws(SEED, "07-x", 4, 11, blend(b"salt\n"))(7) == x % 7


def test_draws_of_one_outcome_are_numbered_on_and_a_draw_of_one_candidate_is_a_draw():
    draws = SeedLot(SEED, "07-x").at(0, 5, b"")
    assert draws(1) == 0
    draws(4)
    assert draws.index == 7


def test_a_number_beyond_the_last_whole_round_is_refused_and_the_next_try_counts():
    n = (1 << 255) + 1  # nearly every second number is beyond it
    first = next(index for index in range(50) if _number(index, 0) >= n)
    assert Draws(SEED, "07-x", 0, first, blend(b""))(n) == next(_number(first, tried) for tried in range(99) if _number(first, tried) < n)


def _number(index: int, tried: int) -> int:
    words = f"forgepost-draw-v1\n07-x\n0\n{index}\n{blend(b'')}\n{tried}".encode()
    return int(hmac.new(SEED, words, "sha256").hexdigest(), 16)


def test_draws_are_even():
    falls = Counter(SeedLot(SEED, "07-x").at(0, index, b"")(6) for index in range(6000))
    assert all(850 < falls[face] < 1150 for face in range(6)), falls


@pytest.mark.parametrize("said", ["2026-11-29T10:00:00Z", "2026-11-29T10:00:00.123+00:00", "2026-11-29", "yesterday", "2026-11-29T10:00:00.123456Z"])
def test_times_in_other_forms_are_refused(said):
    with pytest.raises(ValueError, match=r"."):
        instant(said)
