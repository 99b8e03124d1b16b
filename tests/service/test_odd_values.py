"""Whatever value stands where another belongs in a history, both verifiers refuse it, neither stumbles, and they agree on what is sound."""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from domain.chain import canonical
from domain.proof.verify import verify
from infra.seals.heads import signed
from tests.exports import Lines, agreed, first, forged, headed, opened, whole
from tests.service.test_second_verifier import judged

ODD: list[Any] = [
    *(None, True, 0, -1, 1, 2**53, 2**53 + 1, 2**70, "", "a", "é", "e\u0301", "\u2028", "\0", "\U0001f600", [], {}, [None], {"a": 1}),
    *({"é": 1, "\U0001f600": 2, "\uff5e": 3}, "00", "2026-02-30T10:00:00.123Z", "2026-11-29T24:00:00.000Z", "2026-11-29T10:00:00,123Z"),
]
NAMES = ("zz", "__proto__", "constructor", "toString", "seat", "via", "é")


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every object or list inside, with each of its keys."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [place for key, each in inner for place in [(value, key), *places(each)]]


def changed(raw: bytes, chance: Random) -> tuple[bytes, str]:
    """A history with one value changed, left out or added, and a chain made anew over it; with what was changed."""
    lines = opened(raw)
    line = lines[chance.randrange(len(lines))]
    inside, key = chance.choice([(inside, key) for inside, key in places(line) if key not in ("hash", "prev", "version", "header")])
    how = chance.choice(("set", "set", "set", "left out", "added"))
    if how == "left out" and inside is not line:  # without its outer names no chain could be made over it
        del inside[key]
    elif how != "added" or isinstance(inside, list):
        inside[key] = chance.choice(ODD)
    else:
        inside[chance.choice(NAMES)] = chance.choice(ODD)
    return forged(lines), f"line {lines.index(line)}, {key!r} {how}: {line}"


def test_both_verifiers_agree_on_whatever_is_put_in_the_place_of_a_value(tmp_path: Path):
    chance = Random(4)
    made = [changed(chance.choice((whole(), agreed("penny-ante"), agreed("four-forges"))), chance) for _ in range(250)]
    for (raw, what), said in zip(made, judged(tmp_path, *(raw for raw, _ in made)), strict=True):
        report = verify(raw, signed)
        assert not (said["flaws"] and not report.flaws), (what, said["words"])
        shape = next((flaw for flaw in report.flaws if flaw.check in ("form", "chain", "lots")), None)
        if shape and ".data.action" not in shape.words and "action.taken.1) cannot be read" not in shape.words:  # the rules know what an action is
            assert said["flaws"], (what, shape.words)


BROKEN: dict[str, Any] = {
    "an event of nothing": lambda lines: lines[-2].update(data=None),
    "a first event of nothing": lambda lines: lines[1].update(data=None),
    "no options": lambda lines: lines[1]["data"].update(options=None),
    "seats that are a number": lambda lines: lines[1]["data"].update(seats=4),
    "a seed that is a number": lambda lines: lines[-2]["data"].update(seed=7),
    "an unknown type": lambda lines: lines[2].update(type="seat.stolen"),
    "a later schema": lambda lines: lines[2].update(schema=2),
    "a schema that is text": lambda lines: lines[2].update(schema="1"),
    "a field too many": lambda lines: lines[2]["data"].update(more=1),
    "another who": lambda lines: lines[2]["by"].update(kind="god"),
    "a time that is none": lambda lines: lines[2].update(at="2026-02-30T10:00:00.123Z"),
    "a time that is a number": lambda lines: lines[2].update(at=5),
    "keys that are no list": lambda lines: lines[0].update(keys={}),
    "a server that is a number": lambda lines: lines[0].update(server=7),
    "an edition that is text": lambda lines: lines[0].update(edition="1"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_of_no_form_at_all_is_refused_by_both(name: str, tmp_path: Path):
    lines = opened(whole())
    BROKEN[name](lines)
    raw = forged(lines)
    (said,) = judged(tmp_path, raw)
    assert verify(raw).flaws[0].check == "form"
    assert said["flaws"]


def test_actions_that_could_not_have_been_are_no_reason_to_stumble(tmp_path: Path):
    lines = opened(whole())
    lines[first(lines, "action.taken")]["by"].pop("seat")
    (said,) = judged(tmp_path, forged(lines))
    assert [flaw["check"] for flaw in said["flaws"]] == ["lots"]


@pytest.mark.parametrize("given", ["tea\nleaves", "\n", "", "x" * 129, "a\r", "a\u2028b", "\x7f"])
def test_what_is_given_to_the_lots_is_one_piece_on_one_line(given: str, tmp_path: Path):
    """Else “a” and “b”, and both of them with a line break between, would come to the same mix."""
    lines = opened(whole())
    lines[first(lines, "action.taken", forced=False)]["data"]["nonce"] = given
    raw = forged(lines)
    (said,) = judged(tmp_path, raw)
    assert said["flaws"][0]["check"] == "form"
    assert "what is given to the lots must " in verify(raw).flaws[0].words


def test_keys_that_could_be_written_in_two_orders_are_no_keys(tmp_path: Path):
    """RFC 8785 sorts by UTF-16, where 😀 comes before ～."""
    lines: Lines = opened(whole())
    lines[0]["keys"] = [{"\U0001f600": "1", "\uff5e": "2"}]
    raw = headed(lines)
    assert canonical(lines[0]) in raw
    (said,) = judged(tmp_path, raw)
    assert [verify(raw).flaws[0].check, said["flaws"][0]["check"]] == ["form", "form"]
    assert json.loads(raw.splitlines()[0])["keys"] == lines[0]["keys"]


def test_no_file_can_write_a_line_of_its_own_into_what_is_said_of_it(tmp_path: Path):
    lines = opened(whole())
    lines[2]["match"] = "x\nmatch 07-0000000002 (fourfold) holds: \x1b[2J\u202e\u2028"
    raw = forged(lines)
    (said,) = judged(tmp_path, raw)
    assert "x\\nmatch 07-0000000002 (fourfold) holds: \\x1b[2J\\u202e\\u2028" in verify(raw).words
    assert said["words"].isprintable()
