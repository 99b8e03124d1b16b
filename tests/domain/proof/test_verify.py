"""The verifier holds what was played, and names every kind of tampering."""

from typing import Any, TypeAlias

import pytest

from domain.chain import commitment
from domain.games import GAMES
from domain.proof.export import EXPORT, HEAD
from domain.proof.scrutiny import exports
from domain.proof.verify import verify
from domain.proof.witness import Keys, Signed
from tests.exports import ZEROS, closed, first, forged, found, headed, opened, played, whole


def test_a_match_that_was_played_holds_and_the_report_says_what_was_checked():
    report = verify(whole())
    assert report.flaws == ()
    assert report.holds == ("form", "chain", "rules", "lots")
    assert report.unchecked == ("who wrote it, since its head is not signed",)
    assert (report.match, report.game, report.edition, report.status) == ("07-0000000001", "fourfold", 1, "over")
    last = opened(whole())[-2]
    assert (report.version, report.hash) == (last["version"], last["hash"])
    assert report.outcome is not None
    assert report.outcome["reason"] == "goals"
    assert report.words.startswith(f"match 07-0000000001 (fourfold) holds: unaltered chain of {last['version']} events, ")
    assert f"{report.chances} lots as the seed draws them" in report.words


@pytest.mark.parametrize("game", sorted(GAMES))
@pytest.mark.parametrize("seed", range(12))
def test_whatever_people_do_with_a_match_its_history_holds(game: str, seed: int):
    report = verify(played(f"03-{seed:010d}", seed, most=(40, 300, 2_000)[seed % 3], lively=(0.05, 0.3)[seed % 2], game=game))
    assert report.flaws == ()


def test_of_a_match_that_still_runs_everything_but_the_lots_is_checked():
    report = verify(played("07-0000000002", 2, most=30, lively=0, seating="random"))
    assert report.holds == ("form", "chain", "rules")
    assert report.status == "live"
    assert report.unchecked[-2:] == (
        f"{report.chances} lots, whose seed is revealed when the match is over",
        f"whether it has gone on since version {report.version}",
    )


def test_a_file_may_hold_several_exports():
    other = played("07-0000000003", 3)
    assert list(exports((whole() + other).splitlines(keepends=True))) == [whole(), other]
    assert list(exports(whole().splitlines(keepends=True))) == [whole()]
    assert list(exports([])) == [b""]


# What anybody could do to a file


def test_a_changed_event_is_named():
    lines = opened(whole())
    at = first(lines, "action.taken", forced=False)
    lines[at]["data"]["text"] = "deploy a9"
    assert found(closed(lines)) == ("chain", f"version {at} was changed: its hash does not follow from what it says")


@pytest.mark.parametrize(
    ("name", "value"),
    [("at", "2026-11-29T12:00:01.000Z"), ("by", {"kind": "seat", "player": "p-9", "seat": "east", "via": "api"}), ("ply", 77), ("schema", 1)],
)
def test_a_changed_time_seat_or_ply_is_named(name: str, value: Any):
    lines = opened(whole())
    lines[40][name] = value
    if name == "schema":  # the schema as it was: nothing is changed, and nothing found
        assert verify(closed(lines)).flaws == ()
    else:
        assert found(closed(lines)) == ("chain", "version 40 was changed: its hash does not follow from what it says")


def test_a_changed_outcome_is_named():
    lines = opened(whole())
    at = first(lines, "match.finished")
    lines[at]["data"]["outcome"]["ranks"] = {"north": 1, "east": 2, "south": 3, "west": 4}
    assert found(closed(lines)) == ("chain", f"version {at} was changed: its hash does not follow from what it says")


def test_a_dropped_event_is_named():
    lines = opened(whole())
    del lines[30]
    assert found(closed(lines)) == ("chain", "version 30 is missing before version 31")


def test_several_dropped_events_are_named():
    lines = opened(whole())
    del lines[30:34]
    assert found(closed(lines)) == ("chain", "versions 30 to 33 are missing before version 34")


def test_an_added_event_is_named():
    lines = opened(whole())
    lines.insert(31, {**lines[30], "version": 31, "prev": lines[30]["hash"]})
    check, words = found(closed(lines))
    assert (check, words) == ("chain", "version 31 was changed: its hash does not follow from what it says")
    assert [flaw.words for flaw in verify(closed(lines)).flaws][1] == "version 31 stands a second time"


def test_swapped_events_are_named():
    lines = opened(whole())
    lines[30], lines[31] = lines[31], lines[30]
    assert found(closed(lines)) == ("chain", "version 30 is missing before version 31")
    assert verify(closed(lines)).flaws[1].words == "version 30 stands after version 31: the order was changed"


def test_a_repeated_event_is_named():
    lines = opened(whole())
    lines.insert(31, lines[30])
    assert found(closed(lines)) == ("chain", "version 30 stands a second time")


def test_a_tail_cut_off_is_named():
    lines = opened(whole())
    end = lines[-1]["version"]
    del lines[-4:-1]
    assert found(closed(lines)) == ("head", f"it ends with version {end - 3}, and its trailer names version {end}: its end was cut off")


def test_a_tail_cut_off_with_its_trailer_is_named():
    lines = opened(whole())
    assert found(closed(lines[:-5])) == ("form", "it does not end with the trailer of an export: its end was cut off")


def test_half_a_last_line_is_named():
    assert found(whole()[:-10])[1] == "its last line is not complete"


def test_another_head_in_the_trailer_is_named():
    lines = opened(whole())
    lines[-1]["hash"] = ZEROS
    assert found(closed(lines)) == ("head", f"version {lines[-1]['version']} is not the one that its trailer names")


def test_a_replaced_seed_is_named():
    lines = opened(whole())
    lines[-2]["data"]["seed"] = "11" * 32
    assert found(closed(lines))[0] == "chain"
    assert found(forged(lines)) == ("lots", "the seed is not the one that was committed to before the first draw")


def test_two_matches_spliced_are_named():
    lines, others = opened(whole()), opened(played("07-0000000003", 3, lively=0))
    assert found(closed(lines[:50] + others[50:])) == ("chain", "version 50 is of another match, 07-0000000003")


def test_a_line_in_another_form_is_named():
    assert found(whole().replace(b'"ply":0,', b'"ply": 0,', 1)) == ("form", "line 2 is no event in canonical form")


def test_an_export_without_header_or_without_events_is_named():
    lines = opened(whole())
    assert found(closed(lines[1:]))[1] == "it does not begin with the header of an export that this verifier knows"
    assert found(closed([lines[0], {**lines[-1], "version": 0, "hash": ZEROS}])) == ("form", "it holds no events")
    assert found(b"")[0] == "form"


def test_a_header_of_another_edition_or_game_is_named():
    lines = opened(whole())
    lines[0]["edition"] = 2
    assert found(closed(lines)) == ("head", "its header is not the one that its trailer names: one of the two was changed")
    assert found(headed(lines)) == ("form", "its header names fourfold edition 2, its first event fourfold edition 1")


# Heads that are signed


Read: TypeAlias = dict[str, dict[str, Any] | None]  # what each type of signature says


def reading(says: Read, seen: list[Any]) -> Signed:
    def signed(keys: Keys, jws: str, typ: str) -> dict[str, Any] | None:
        seen.append((keys, jws))
        return says[typ]

    return signed


def with_signatures() -> tuple[bytes, Read]:
    lines = opened(whole())
    lines[0]["keys"] = [{"kid": "k1"}]
    lines[-1].update(signature="a.b.c", seal="d.e.f")
    raw, trailer = headed(lines), lines[-1]
    head = {name: trailer[name] for name in ("hash", "match", "version")}
    return raw, {HEAD: head, EXPORT: {**head, "header": trailer["header"]}}


def test_signatures_are_checked_with_the_keys_in_the_header_and_with_better_ones_where_there_are_some():
    raw, says = with_signatures()
    seen: list[Any] = []
    report = verify(raw, reading(says, seen))
    assert report.holds == ("form", "chain", "rules", "lots", "head")
    assert report.unchecked == ("that its keys are those of https://turns.example.org",)
    assert verify(raw, reading(says, seen), keys=({"kid": "k2"},)).unchecked == ()
    assert seen == [(({"kid": kid},), jws) for kid in ("k1", "k2") for jws in ("a.b.c", "d.e.f")]


@pytest.mark.parametrize(
    ("typ", "said", "words"),
    [
        (HEAD, None, "its head was not signed with any of the server's keys"),
        (HEAD, {"version": 3}, "its signature is of another head"),
        (EXPORT, None, "its seal was not made with any of the server's keys"),
        (EXPORT, {"header": ZEROS}, "its seal is of another export"),
    ],
)
def test_a_signature_of_somebody_else_or_of_something_else_is_found(typ: str, said: dict[str, Any] | None, words: str):
    raw, says = with_signatures()
    other = None if said is None else {**(says[typ] or {}), **said}
    report = verify(raw, reading({**says, typ: other}, []))
    assert [(flaw.check, flaw.words) for flaw in report.flaws] == [("head", words)]


@pytest.mark.parametrize("name", ["signature", "seal"])
def test_one_signature_without_the_other_is_found(name: str):
    raw, says = with_signatures()
    lines = opened(raw)
    del lines[-1][name]
    report = verify(closed(lines), reading(says, []))
    assert report.flaws[0].words == "of its two signatures, that of its head and that of all of it, one is missing"


def test_the_commitment_is_the_hash_of_the_seed_that_is_revealed():
    lines = opened(whole())
    assert lines[1]["data"]["commitment"] == commitment(bytes.fromhex(lines[-2]["data"]["seed"]))
