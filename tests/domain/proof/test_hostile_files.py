"""Files made to hurt the verifier: each is refused in words, soon."""

import tracemalloc
from itertools import chain, cycle, islice, repeat

import pytest

from domain.proof import scrutiny
from domain.proof.scrutiny import ENOUGH, exports
from domain.proof.verify import verify
from tests.exports import whole


def test_a_line_nested_beyond_all_measure_is_no_event():
    deep = b'{"at":' + b"[" * 20_000 + b"]" * 20_000 + b"}\n"
    assert verify(deep * 3).flaws[0].check == "form"


def test_a_file_of_any_length_is_read_match_by_match():
    endless = cycle(whole().splitlines(keepends=True))
    tracemalloc.start()
    for export in islice(exports(endless), 2_000):  # some 150 MB
        assert export == whole()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2_000_000


def test_behind_a_match_that_never_ends_nobody_reads_on(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(scrutiny, "LARGEST", 2 * len(whole()))
    lines = whole().splitlines(keepends=True)
    sound, endless = exports(chain(lines, lines[:-1], repeat(lines[-2])))
    assert sound == whole()
    assert len(endless) < 3 * len(whole())
    assert verify(endless).flaws


def test_a_file_of_nothing_but_short_lines_takes_no_more_room_than_any_other():
    """A few kilobytes of gzip are millions of them."""
    (piece,) = exports(repeat(b"x\n"))
    assert len(piece) <= 2 * (scrutiny.LARGEST // scrutiny.SHORTEST + 2)
    assert verify(piece).flaws


def test_after_enough_flaws_nobody_reads_on():
    assert len(verify(b"\n" * 200_000).flaws) <= ENOUGH + 5
