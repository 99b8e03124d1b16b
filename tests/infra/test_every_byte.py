"""Every change of a single byte of a signed export is refused, be it in the header, an event, a key or a signature."""

from collections.abc import Iterator
from random import Random

import pytest

from domain.games import GAMES
from domain.proof.verify import verify
from infra.seals.heads import signed
from tests.exports import agreed
from tests.infra.seals.test_heads import KEYS, PUBLIC

CHANCE = Random(4)


def export(game: str) -> bytes:
    """A short match that is over, with every way to be checked."""
    raw = agreed(game, KEYS, PUBLIC)
    report = verify(raw, signed)
    assert report.flaws == ()
    assert report.holds == ("form", "chain", "rules", "lots", "head")
    return raw


def changes(raw: bytes, at: int) -> Iterator[bytes]:
    """The bytes with one replaced by another, one left out, and one slipped in."""
    byte = bytes([CHANCE.randrange(256)])
    yield raw[:at] + raw[at + 1 :]
    if byte != raw[at : at + 1]:
        yield raw[:at] + byte + raw[at + 1 :]
        yield raw[:at] + byte + raw[at:]
    yield raw[:at] + raw[at : at + 1].swapcase() + raw[at + 1 :] if raw[at : at + 1].isalpha() else raw[:at] + b" " + raw[at:]


def test_every_place_of_an_export():
    raw = export("fourfold")
    header, trailer = raw.index(b"\n"), raw.rindex(b"\n", 0, -1)
    for at in range(len(raw)):
        tried = [*changes(raw, at)]
        for changed in tried if at <= header or at >= trailer else [CHANCE.choice(tried)]:
            assert verify(changed, signed).flaws, (at, changed[at - 40 : at + 40])


@pytest.mark.parametrize("game", sorted(set(GAMES) - {"fourfold"}))
def test_places_of_every_other_game(game: str):
    raw = export(game)
    ends = [*range(400), *range(len(raw) - 1_800, len(raw))]
    for at in CHANCE.sample(range(len(raw)), 300) + CHANCE.sample(ends, 200):
        for changed in changes(raw, at):
            assert verify(changed, signed).flaws, (at, changed[at - 40 : at + 40])
