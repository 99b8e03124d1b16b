"""Files made to hurt the verifier: each is refused in words, soon."""

from domain.proof.scrutiny import ENOUGH
from domain.proof.verify import verify


def test_a_line_nested_beyond_all_measure_is_no_event():
    deep = b'{"at":' + b"[" * 20_000 + b"]" * 20_000 + b"}\n"
    assert verify(deep * 3).flaws[0].check == "form"


def test_after_enough_flaws_nobody_reads_on():
    assert len(verify(b"\n" * 200_000).flaws) <= ENOUGH + 5
