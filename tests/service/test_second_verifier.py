"""The second verifier, in JavaScript, agrees with the first on what it checks: form, chain, head, commitment and lots."""

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

import pytest

from domain.chain import canonical
from domain.games import GAMES
from domain.proof.verify import verify
from infra.seals.heads import signed
from tests.domain.match.test_outage import away, exported
from tests.exports import Lines, agreed, closed, first, forged, opened, played, whole
from tests.infra.seals.test_heads import KEYS, PUBLIC
from tests.node import run_node

PROGRAM = Path(__file__).parents[2] / "service" / "static" / "proof" / "verify.mjs"
READER = f"""
import {{ verify }} from {json.dumps(PROGRAM.as_uri())};
import {{ readFile }} from "node:fs/promises";
for (const file of process.argv.slice(1)) {{
  for await (const report of verify(await readFile(file))) {{
    const {{ match, version, hash, chances, holds, flaws }} = report;
    console.log(JSON.stringify({{ match, version, hash, chances, holds, flaws, words: report.words }}));
  }}
}}
"""


Change: TypeAlias = Callable[[Lines], None]


def judged(folder: Path, *exports: bytes) -> list[dict[str, Any]]:
    """What the second verifier says of each."""
    files = [folder / f"{place:04d}.ndjson" for place in range(len(exports))]
    for file, raw in zip(files, exports, strict=True):
        file.write_bytes(raw)
    done = run_node("--input-type=module", "--eval", READER, *map(str, files))
    assert (done.returncode, done.stderr) == (0, "")
    said = [json.loads(line) for line in done.stdout.split("\n")[:-1]]
    assert len(said) == len(exports)
    return said


@pytest.mark.parametrize("game", sorted(GAMES))
def test_both_find_the_same_in_whatever_people_played(game: str, tmp_path: Path):
    mining = {"mining": True} if game == "four-forges" else {}
    raws = [played(f"03-{seed:010d}", seed, lively=(0, 0.03, 0.2)[seed % 3], game=game, options=(mining, {})[seed % 2]) for seed in range(9)]
    raws += [played("03-0000000077", 77, most=60, lively=0, game=game), agreed(game, KEYS, PUBLIC)]
    for raw, said in zip(raws, judged(tmp_path, *raws), strict=True):
        report = verify(raw, signed)
        assert (report.flaws, said["flaws"]) == ((), [])
        assert (said["match"], said["version"], said["hash"]) == (report.match, report.version, report.hash)
        assert set(said["holds"]) == set(report.holds) - {"rules"}
        assert said["chances"] == (report.chances if "lots" in report.holds else 0)
    assert any("lots" in verify(raw).holds for raw in raws)


def test_both_know_of_an_absence_of_the_site(tmp_path: Path):
    raw = forged(exported(away()))
    assert (verify(raw).flaws, judged(tmp_path, raw)[0]["flaws"]) == ((), [])


def test_it_says_in_one_line_what_holds_and_what_it_did_not_check(tmp_path: Path):
    file = tmp_path / "match.ndjson"
    file.write_bytes(agreed("fourfold", KEYS, PUBLIC))
    report = verify(file.read_bytes())
    done = run_node(str(PROGRAM), str(file))
    assert done.returncode == 0
    assert done.stdout == (
        f"{file}: match 07-0000000009 (fourfold) holds: unaltered chain of {report.version} events, {report.chances} lots as the seed draws them; "
        "head signed; not checked: that its keys are those of https://turns.example.org; "
        "not checked: that every action was by the rules, which “forgepost history verify” replays\n"
    )
    file.write_bytes(file.read_bytes()[:-1])
    assert run_node(str(PROGRAM), str(file)).returncode == 1
    assert run_node(str(PROGRAM)).returncode == 1


def lines_of(change: Change, raw: bytes) -> Lines:
    lines = opened(raw)
    change(lines)
    return lines


def another_team(lines: Lines) -> None:
    drawn = lines[first(lines, "chance.drawn", kind="team")]["data"]
    drawn["outcome"]["seat"] = "north" if drawn["outcome"]["seat"] != "north" else "east"


def another_seat(lines: Lines) -> None:
    seats = lines[first(lines, "chance.drawn", kind="seats")]["data"]["outcome"]["seats"]
    names = sorted(set(seats.values()))
    seats.update({seat: names[(names.index(player) + 1) % len(names)] for seat, player in seats.items()})


def other_entropy(lines: Lines) -> None:
    next(line for line in lines if line.get("type") == "seat.taken")["data"]["entropy"] = "ffffffff"


def a_draw_left_out(lines: Lines) -> None:
    for line in lines[first(lines, "chance.drawn", kind="team") :]:
        if line.get("type") == "chance.drawn":
            line["data"]["index"] += 1


@pytest.mark.parametrize("change", [another_team, another_seat, other_entropy, a_draw_left_out])
def test_lots_that_the_seed_does_not_give_are_found_though_the_chain_was_made_anew(change: Change, tmp_path: Path):
    raw = forged(lines_of(change, whole()))
    (said,) = judged(tmp_path, raw)
    assert said["flaws"][0]["check"] == "lots"
    assert verify(raw).flaws[0].check == "rules"


def test_another_seed_is_found(tmp_path: Path):
    lines = opened(whole())
    lines[-2]["data"]["seed"] = "11" * 32
    (said,) = judged(tmp_path, forged(lines))
    assert said["flaws"] == [
        {"check": "lots", "line": len(lines) - 1, "words": "the seed is not the one that was committed to before the first draw"}
    ]


def test_a_head_or_seal_by_another_key_is_found(tmp_path: Path):
    lines = opened(agreed("fourfold", KEYS, PUBLIC))
    others = opened(agreed("penny-ante", KEYS, PUBLIC))
    for name, words in (("signature", "its head was not signed with any of the keys in its header"), ("seal", "its seal is not that of this export")):
        (said,) = judged(tmp_path, closed([*lines[:-1], {**lines[-1], name: others[-1][name]}]))
        assert said["flaws"][0]["words"] == words


def test_both_refuse_changed_bytes_wherever_they_are(tmp_path: Path):
    raw, chance = agreed("fourfold", KEYS, PUBLIC), Random(11)
    ends = [*range(600), *range(len(raw) - 1_800, len(raw))]
    changed = []
    for at in chance.sample(range(len(raw)), 120) + chance.sample(ends, 120):
        byte = bytes([chance.randrange(256)])
        changed += [raw[:at] + raw[at + 1 :], raw[:at] + byte + raw[at:]] + ([raw[:at] + byte + raw[at + 1 :]] if byte != raw[at : at + 1] else [])
    for each in changed:
        assert verify(each, signed).flaws
    files = [tmp_path / f"{place}.ndjson" for place in range(len(changed))]
    for file, each in zip(files, changed, strict=True):
        file.write_bytes(each)
    script = READER.replace("console.log", "if (!report.flaws.length) console.log")
    done = run_node("--input-type=module", "--eval", script, *map(str, files))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_its_canonical_json_is_the_same(tmp_path: Path):
    values: list[dict[str, Any]] = [{"b": 'é \u2028 \\ " \b \x01 😀', "a": [1, -5, 0, True, None, {}], "": {"z": [], "A": 9_007_199_254_740_991}}]
    script = f"import {{ canonical }} from {json.dumps(PROGRAM.with_name('text.mjs').as_uri())}; console.log(canonical(JSON.parse(process.argv[1])));"
    for value in values:
        assert run_node("--input-type=module", "--eval", script, json.dumps(value)).stdout.encode() == canonical(value) + b"\n"
