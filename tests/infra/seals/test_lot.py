"""Honest draws from outside: whoever knows everything that is public before the seed is revealed guesses no better than chance."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from hashlib import sha256
from hmac import digest
from pathlib import Path

import pytest

from domain.chain import SeedLot, blend, commitment
from infra.seals.keys import Keys
from infra.seals.lot import lots
from infra.settings import Settings

MATCH, BEFORE = "07-0000000001", [f"07-{number:010d}" for number in range(2, 52)]
FACES = 6
DRAWS = 1_000  # of six faces: 167 right guesses by chance, and 12 more or less is the usual
WORDS = b"tea leaves\ncoffee grounds\n"

Guess = Callable[[int], int]  # the face of the draw with this index, which lies ahead


@pytest.fixture
def lot_of(tmp_path: Path) -> Callable[[str], SeedLot]:
    """The lots of a site, from secrets that are the same in every run."""
    return lots(Keys(replace(Settings.development(tmp_path), seed_secret=bytes(range(64, 96)))))


def right(lot: SeedLot, guess: Guess) -> int:
    """How many of the next thousand draws are guessed."""
    return sum(lot.at(4, index, WORDS)(FACES) == guess(index) for index in range(DRAWS))


def with_seed(seed: bytes, match: str = MATCH) -> Guess:
    """Whoever believes that this is the seed, and draws as DESIGN 5 says."""
    return lambda index: SeedLot(seed, match).at(4, index, WORDS)(FACES)


def guesses(lot_of: Callable[[str], SeedLot]) -> Iterator[tuple[str, Guess]]:
    """What somebody might try who has the log, the commitment and the revealed seeds of fifty earlier matches of the site."""
    public = lot_of(MATCH).commitment
    earlier = [bytes.fromhex(lot_of(match).reveal()) for match in BEFORE]
    seeds = {
        "zeros": bytes(32),
        "ones": bytes([255]) * 32,
        "the commitment": bytes.fromhex(public),
        "the commitment turned round": bytes.fromhex(public)[::-1],
        "the hash of the commitment": sha256(public.encode()).digest(),
        "the hash of the match's id": sha256(MATCH.encode()).digest(),
        "the match's id": MATCH.encode().ljust(32, b"\0"),
        "id and commitment": digest(MATCH.encode(), bytes.fromhex(public), "sha256"),
        "commitment and words": digest(bytes.fromhex(public), WORDS, "sha256"),
        "the words": sha256(WORDS).digest(),
        "the site's purpose": sha256(f"forgepost-seed:{MATCH}".encode()).digest(),
        "the seed before": earlier[-1],
        "all seeds before, one over the other": bytes(a ^ b for a, b in zip(earlier[0], earlier[-1], strict=True)),
        "the hash of the seed before": sha256(earlier[-1]).digest(),
        "the seed before with this id": digest(earlier[-1], MATCH.encode(), "sha256"),
    }
    for name, seed in seeds.items():
        yield name, with_seed(seed)
    yield "this match's draws with the words left out", lambda index: SeedLot(bytes(32), MATCH).at(4, index, b"")(FACES)
    yield "the draws of the match before", lambda index: lot_of(BEFORE[-1]).at(4, index, WORDS)(FACES)
    for face in range(FACES):
        yield f"always {face}", lambda _index, face=face: face  # type: ignore[misc]
    seen = [lot_of(MATCH).at(4, index, WORDS)(FACES) for index in range(DRAWS)]  # who guesses one has seen all those before it
    yield "the one before again", lambda index: seen[index - 1] if index else 0
    yield "the one before and one more", lambda index: (seen[index - 1] + 1) % FACES if index else 0
    yield "the one that came least", lambda index: min(range(FACES), key=seen[:index].count)
    yield "the one that came most", lambda index: max(range(FACES), key=seen[:index].count)
    yield "what followed the last time", lambda index: _followed(seen[:index])
    yield "in turn", lambda index: index % FACES


def _followed(seen: list[int]) -> int:
    """What came after the same face the last time that it fell."""
    return next((seen[at + 1] for at in range(len(seen) - 2, -1, -1) if seen[at] == seen[-1]), 0) if seen else 0


def test_nothing_that_is_public_helps_to_guess_the_next_thousand_draws(lot_of: Callable[[str], SeedLot]):
    lot = lot_of(MATCH)
    assert right(lot, with_seed(bytes.fromhex(lot.reveal()))) == DRAWS  # whoever has the seed knows them all: the guessing itself is sound
    found = {name: right(lot, guess) for name, guess in guesses(lot_of)}
    assert {name: count for name, count in found.items() if not 108 <= count <= 226} == {}  # five times the usual deviation


def test_what_players_throw_in_changes_every_later_draw_and_nobody_can_say_how(lot_of: Callable[[str], SeedLot]):
    lot = lot_of(MATCH)
    for words in (b"", b"tea leaves\n", b"coffee grounds\ntea leaves\n", b"tea leaves\ncoffee grounds \n", WORDS + b"\n"):
        assert 108 <= right(lot, lambda index, words=words: lot.at(4, index, words)(FACES)) <= 226  # type: ignore[misc]


@pytest.mark.parametrize("other", ["ply", "index", "match"])
def test_the_same_seed_draws_anew_at_every_place(lot_of: Callable[[str], SeedLot], other: str):
    lot = lot_of(MATCH)
    seed = bytes.fromhex(lot.reveal())
    elsewhere: dict[str, Guess] = {
        "ply": lambda index: lot.at(5, index, WORDS)(FACES),
        "index": lambda index: lot.at(4, index + 1, WORDS)(FACES),
        "match": with_seed(seed, BEFORE[0]),
    }
    assert 108 <= right(lot, elsewhere[other]) <= 226


def test_every_match_has_a_seed_of_its_own_and_each_is_the_one_that_was_committed_to(lot_of: Callable[[str], SeedLot]):
    seeds = {lot_of(match).reveal() for match in (MATCH, *BEFORE)}
    assert len(seeds) == 51
    for match in (MATCH, *BEFORE):
        assert lot_of(match).commitment == commitment(bytes.fromhex(lot_of(match).reveal()))
        assert lot_of(match).reveal() == lot_of(match).reveal()
    assert blend(b"") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"  # of no words at all
