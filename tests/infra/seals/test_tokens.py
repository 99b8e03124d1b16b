"""Tokens: what goes in comes out, what a mail program does to a link does no harm, and nothing else opens."""

import re
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from infra.ids import ALPHABET
from infra.seals.keys import Keys
from infra.seals.tokens import EPOCH, PURPOSES, UNIT, Token, Tokens
from infra.settings import Settings

A, B = bytes(range(32)), bytes(range(32, 64))
WHOLE = Settings.from_env(
    {
        "FORGEPOST_URL": "https://turns.example.org",
        "FORGEPOST_SECRETS": f"a:{A.hex()}",
        "FORGEPOST_SEED_SECRET": B.hex(),
        "EVENTS_REDIS_URL": "redis://127.0.0.1",
        "SMTP_URL": "smtp://127.0.0.1",
        "FORGEPOST_DATA": str(Path("/nowhere")),
    }
)
KEYS = Keys(WHOLE)
TOKENS = Tokens(KEYS)
MOVE = Token("move", "07-0123456789", seat_index=2, ask=17, step=1, choice=24, expires=EPOCH + 100_000 * UNIT)
SEALED = TOKENS.seal(MOVE)

letters = st.text(ALPHABET, min_size=10, max_size=10)
subjects = st.one_of(st.builds("{:02d}-{}".format, st.integers(0, 99), letters), letters.map("p-{}".format))
tokens = st.builds(
    Token,
    purpose=st.sampled_from(PURPOSES),
    subject=subjects,
    seat_index=st.none() | st.integers(0, 6),
    ask=st.integers(0, (1 << 20) - 1),
    step=st.integers(0, 255),
    choice=st.integers(0, 511),
    expires=st.integers(0, (1 << 22) - 1).map(lambda units: EPOCH + units * UNIT),
)


@given(tokens)
def test_what_is_sealed_is_what_is_unsealed(token: Token):
    sealed = TOKENS.seal(token)
    assert re.fullmatch(f"a[{ALPHABET}]{{44}}", sealed)
    assert TOKENS.unseal(sealed) == token


def test_the_words_of_a_token_are_laid_out_as_agreed():
    numbers = [ALPHABET.index(letter) for letter in SEALED[1:]]
    bits = "".join(f"{number:05b}" for number in numbers)
    fields = [int(bits[start:end], 2) for start, end in ((0, 4), (4, 12), (12, 62), (62, 65), (65, 85), (85, 93), (93, 102), (102, 124))]
    assert fields == [1, 7, int("00000_00001_00010_00011_00100_00101_00110_00111_01000_01001".replace("_", ""), 2), 2, 17, 1, 24, 100_000]
    assert int(bits[124:], 2).to_bytes(12) == KEYS.mac("a", "move", int(bits[:124], 2).to_bytes(16))


def test_a_link_fits_into_one_line_of_every_mail():
    assert len(SEALED) == 45
    assert len(f"https://turns.example.org/m/{SEALED}") == 73
    assert len(f"r+{SEALED}") <= 64  # a reply address's local part


def test_no_single_character_can_be_changed():
    for place in range(45):
        for letter in ALPHABET:
            if letter != SEALED[place]:
                assert TOKENS.unseal(SEALED[:place] + letter + SEALED[place + 1 :]) is None, (place, letter)


@given(tokens, st.integers(0, 44), st.sampled_from([*ALPHABET, "u", "U", "-", "_", "=", " ", "ü", "٣", "K", "ſ"]))
def test_no_character_of_any_token_can_be_changed(token: Token, place: int, letter: str):
    sealed = TOKENS.seal(token)
    changed = sealed[:place] + letter + sealed[place + 1 :]
    assert TOKENS.unseal(changed) == (token if changed == sealed else None)


def test_no_token_opens_when_something_is_missing():
    for length in range(45):
        assert TOKENS.unseal(SEALED[:length]) is None
        assert TOKENS.unseal(SEALED[45 - length :]) is None


@given(st.text(max_size=60))
def test_whatever_is_written_in_its_place_it_never_raises(text: str):
    assert TOKENS.unseal(text) is None


@given(st.text(ALPHABET, min_size=44, max_size=44))
def test_nobody_guesses_a_token(letters: str):
    assert TOKENS.unseal("a" + letters) is None


def test_case_does_not_matter():
    assert TOKENS.unseal(SEALED.upper()) == MOVE
    assert TOKENS.unseal("".join(letter.upper() if place % 2 else letter for place, letter in enumerate(SEALED))) == MOVE


@given(tokens, st.randoms())
def test_misread_letters_are_read_as_the_digits_they_look_like(token: Token, lot):
    sealed = TOKENS.seal(token)
    misread = "".join(lot.choice({"0": "0oO", "1": "1iIlL"}.get(letter, letter + letter.upper())) for letter in sealed)
    assert TOKENS.unseal(misread) == token


@pytest.mark.parametrize("junk", [".", ">", "=3D", "=", "==", ",", ")", "]", "\r\n", " and more", "%20", "/", "?utm=1", "-", "_", "、", "…", "\x00"])
def test_what_hangs_behind_a_token_is_cut_off(junk: str):
    assert TOKENS.unseal(SEALED + junk) == MOVE


@pytest.mark.parametrize("more", ["0", "z", "Z", "u", "abc", SEALED])
def test_a_token_that_runs_into_a_word_is_refused(more: str):
    assert TOKENS.unseal(SEALED + more) is None


@pytest.mark.parametrize("junk", [" ", "<", "x", "/"])
def test_nothing_may_stand_before_a_token(junk: str):
    assert TOKENS.unseal(junk + SEALED) is None


def test_a_token_of_one_purpose_is_under_no_other_purpose_s_key():
    packed = int("".join(f"{ALPHABET.index(letter):05b}" for letter in SEALED[1:]), 2) >> 96
    macs = {KEYS.mac("a", purpose, packed.to_bytes(16)) for purpose in PURPOSES}
    assert len(macs) == len(PURPOSES)


def test_a_purpose_that_does_not_exist_opens_nothing():
    class Generous(Keys):
        def mac(self, kid: str, purpose: str, data: bytes) -> bytes:
            return bytes(12)

    open_to_all = Tokens(Generous(WHOLE))
    assert open_to_all.unseal("a" + "0" * 44) is not None
    assert open_to_all.unseal("az" + "0" * 43) is None


def test_after_a_rotation_old_links_still_open_and_new_ones_carry_the_new_key():
    rotated = Tokens(Keys(replace(WHOLE, secrets=(("b", B), ("a", A)))))
    assert rotated.unseal(SEALED) == MOVE
    assert rotated.seal(MOVE)[0] == "b"
    assert rotated.unseal(rotated.seal(MOVE)) == MOVE
    assert TOKENS.unseal(rotated.seal(MOVE)) is None


def test_a_retired_or_foreign_key_opens_nothing():
    assert Tokens(Keys(replace(WHOLE, secrets=(("b", B),)))).unseal(SEALED) is None
    assert Tokens(Keys(replace(WHOLE, secrets=(("a", B),)))).unseal(SEALED) is None
    assert Tokens(Keys(replace(WHOLE, secrets=(("b", B), ("a", A))))).unseal("b" + SEALED[1:]) is None


def test_expiry_is_rounded_up_to_ten_minutes():
    opened = TOKENS.unseal(TOKENS.seal(msgspec.structs.replace(MOVE, expires=EPOCH + UNIT + 1)))
    assert opened == msgspec.structs.replace(MOVE, expires=EPOCH + 2 * UNIT)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"ask": 1 << 20}, "ask 1048576 has no room in a token"),
        ({"step": 256}, "step 256 has no room in a token"),
        ({"choice": 512}, "choice 512 has no room in a token"),
        ({"choice": -1}, "choice -1 has no room in a token"),
        ({"seat_index": 7}, "seat 7 has no room in a token"),
        ({"seat_index": 8}, "seat 8 has no room in a token"),
        ({"expires": EPOCH - UNIT}, "expiry -1 has no room in a token"),
        ({"subject": "07-012345678u"}, "'07-012345678u' is neither a match id nor a player id"),
        ({"subject": "ann"}, "'ann' is neither a match id nor a player id"),
    ],
)
def test_what_has_no_room_is_not_sealed(change, words: str):
    with pytest.raises(ValueError, match=re.escape(words)):
        TOKENS.seal(msgspec.structs.replace(MOVE, **change))
