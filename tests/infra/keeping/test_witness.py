"""The witness keeps the newest signed head of every match, whatever becomes of the file and whoever else writes to it."""

from pathlib import Path

import pytest

from infra.keeping import witness as module
from infra.keeping.witness import Witness
from infra.seals.keys import Keys
from infra.settings import Settings

ONE, TWO = "07-0000000001", "07-0000000002"


@pytest.fixture
def witness(tmp_path: Path) -> Witness:
    return Witness(tmp_path / "witness", Keys(Settings.development(tmp_path)))


def versions(witness: Witness) -> dict[str, int]:
    return {match: seen.version for match, seen in witness.newest().items()}


def test_where_nothing_was_written_nothing_was_seen(witness: Witness):
    assert witness.newest() == {}


def test_the_newest_head_counts_whatever_the_order(witness: Witness):
    witness.record([(ONE, 3, b"c" * 32), (TWO, 1, b"x" * 32)])
    witness.record([(ONE, 2, b"b" * 32)])
    assert versions(witness) == {ONE: 3, TWO: 1}
    assert witness.newest()[ONE].hash == (b"c" * 32).hex()


def test_of_two_heads_of_one_version_the_first_counts(witness: Witness):
    witness.record([(ONE, 3, b"c" * 32)])
    witness.record([(ONE, 3, b"d" * 32)])
    assert witness.newest()[ONE].hash == (b"c" * 32).hex()


def test_every_head_is_signed_by_the_site_and_by_no_other(witness: Witness, tmp_path: Path):
    witness.record([(ONE, 3, b"c" * 32)])
    seen = witness.newest()[ONE]
    assert witness.vouches(seen)
    assert witness.reads(seen.jws) == {"hash": (b"c" * 32).hex(), "match": ONE, "version": 3}
    assert not Witness(tmp_path, Keys(Settings.development(tmp_path / "other"))).vouches(seen)


def test_what_somebody_released_no_longer_counts_and_what_comes_after_does(witness: Witness):
    witness.record([(ONE, 9, b"z" * 32), (TWO, 4, b"y" * 32)])
    witness.release(ONE)
    assert versions(witness) == {TWO: 4}
    witness.record([(ONE, 7, b"w" * 32)])
    assert versions(witness) == {ONE: 7, TWO: 4}


def test_a_torn_line_costs_nothing_but_itself(witness: Witness):
    witness.record([(ONE, 1, b"a" * 32)])
    with witness.place.open("ab") as paper:
        paper.write(b'{"head":"eyJ\n{"head":7}\n[]\n')
    witness.record([(TWO, 1, b"b" * 32)])
    assert versions(witness) == {ONE: 1, TWO: 1}


def test_a_long_file_is_written_anew_and_says_the_same(witness: Witness, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "COMPACT", 20_000)
    for version in range(1, 200):
        witness.record([(ONE, version, bytes([version]) * 32), (TWO, version, bytes([version]) * 32)])
    assert versions(witness) == {ONE: 199, TWO: 199}
    assert witness.place.stat().st_size < 25_000


def test_nobody_else_may_read_it(witness: Witness):
    witness.record([(ONE, 1, b"a" * 32)])
    assert witness.place.stat().st_mode & 0o077 == 0
    assert witness.place.parent.stat().st_mode & 0o077 == 0
