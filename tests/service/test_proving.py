"""`forgepost history verify`: what it reads, what it says, and how scripts can tell."""

import gzip
import json
from email.message import EmailMessage
from email.policy import SMTP
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner, Result

from domain.chain import SeedLot, canonical
from domain.desk import Desk
from domain.proof.export import export
from infra.seals.heads import signed
from infra.seals.keys import Keys
from infra.settings import Settings
from service.cli import main
from tests.exports import played
from tests.memory_log import MemoryLog
from tests.people import People, Watch


def forgepost(*arguments: str | Path, said: bytes | None = None) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments], input=said)


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Keys:
    return Keys(Settings.development(tmp_path_factory.mktemp("keys")))


@pytest.fixture
def file(tmp_path: Path, keys: Keys) -> Path:
    """The signed history of a match that is over."""
    watch, file = Watch(), tmp_path / "match.ndjson"
    desk = Desk(MemoryLog(), lambda match: SeedLot(bytes(32), match), watch)
    match = People(desk, watch, Random(1), lively=0).play("07-0000000001")
    file.write_bytes(b"".join(export(match, desk.history(match.id), "https://turns.example.org", keys.public(), keys)))
    return file


def test_a_history_that_holds_is_told_in_one_line_with_status_0(file: Path):
    done = forgepost("history", "verify", file)
    assert done.exit_code == 0
    assert done.output.startswith(f"{file}: match 07-0000000001 (fourfold) holds: unaltered chain of ")
    assert done.output.endswith("; head signed; not checked: that its keys are those of https://turns.example.org\n")
    assert done.output.count("\n") == 1


def test_with_the_servers_keys_nothing_is_left_unchecked(file: Path, keys: Keys, tmp_path: Path):
    jwks = tmp_path / "jwks.json"
    jwks.write_text(json.dumps({"keys": keys.public()}))
    done = forgepost("history", "verify", file, "--keys", jwks)
    assert done.exit_code == 0
    assert "not checked" not in done.output
    jwks.write_text(json.dumps({"keys": []}))
    assert "its head was not signed with any of the server's keys" in forgepost("history", "verify", file, "--keys", jwks).output
    jwks.write_text("[]")
    done = forgepost("history", "verify", file, "--keys", jwks)
    assert done.exit_code == 2
    assert "is no set of public keys" in done.output


def test_whoever_gives_the_servers_keys_is_told_that_nobody_signed(file: Path, keys: Keys, tmp_path: Path):
    jwks, lines = tmp_path / "jwks.json", [json.loads(line) for line in file.read_bytes().splitlines()]
    jwks.write_text(json.dumps({"keys": keys.public()}))
    bare = {name: said for name, said in lines[-1].items() if name not in ("seal", "signature")}
    file.write_bytes(b"".join(canonical(line) + b"\n" for line in [*lines[:-1], bare]))
    assert "; not checked: who wrote it, since its head is not signed" in forgepost("history", "verify", file).output
    done = forgepost("history", "verify", file, "--keys", jwks)
    assert done.exit_code == 1
    assert "does NOT hold: its head is not signed, and the server whose keys were given signs every one" in done.output


def test_a_changed_history_is_told_with_status_1_and_the_others_are_checked_too(file: Path, tmp_path: Path):
    changed = tmp_path / "changed.ndjson"
    changed.write_bytes(file.read_bytes().replace(b'"ply":3', b'"ply":4', 1))
    done = forgepost("history", "verify", changed, file)
    assert done.exit_code == 1
    first, second = done.output.splitlines()
    assert "does NOT hold: version " in first
    assert " holds: " in second


def test_a_signature_of_another_match_is_found(file: Path, keys: Keys):
    lines = file.read_bytes().splitlines()
    trailer = json.loads(lines[-1])
    assert signed(keys.public(), trailer["signature"]) == {name: trailer[name] for name in ("hash", "match", "version")}
    trailer["signature"] = keys.sign_head("07-0000000002", trailer["version"], bytes.fromhex(trailer["hash"]))
    file.write_bytes(b"\n".join([*lines[:-1], json.dumps(trailer, separators=(",", ":"), sort_keys=True).encode(), b""]))
    done = forgepost("history", "verify", file)
    assert done.exit_code == 1
    assert "its signature is of another head" in done.output


def test_several_matches_in_one_file_or_on_the_way_in_are_a_line_each(file: Path):
    twice = file.read_bytes() * 2
    done = forgepost("history", "verify", "-", said=twice)
    assert done.exit_code == 0
    assert [line.split(":")[0] for line in done.output.splitlines()] == ["-", "-"]


def test_programs_read_it_as_json(file: Path):
    said = json.loads(forgepost("history", "verify", file, "--json").output)
    assert said["sound"] is True
    assert said["match"] == "07-0000000001"
    assert said["holds"] == ["form", "chain", "rules", "lots", "head"]
    assert said["outcome"]["reason"] == "goals"


@pytest.mark.parametrize("raw", [b"", b"\n", b"\xff\xfe", b"{}", b"not a history\n", b'{"forgepost":"history"}\n' * 3])
def test_whatever_is_no_history_is_refused_in_words(raw: bytes, tmp_path: Path):
    file = tmp_path / "file"
    file.write_bytes(raw)
    done = forgepost("history", "verify", file)
    assert done.exit_code == 1
    assert "does NOT hold" in done.output


def test_a_file_that_is_not_there_is_named():
    done = forgepost("history", "verify", "/nowhere/match.ndjson")
    assert done.exit_code == 2
    assert "/nowhere/match.ndjson" in done.output


def test_a_history_is_shown_as_a_text_with_what_holds_below(file: Path):
    done = forgepost("history", "show", file)
    assert done.exit_code == 0
    assert done.output.startswith("Fourfold\n========\n\nMatch    07-0000000001, by edition 1 of the rules\n")
    assert "  2026-11-29T12:00:00.000Z  Player p-0 opened a match of Fourfold" in done.output
    assert done.output.splitlines()[-1].startswith("match 07-0000000001 (fourfold) holds: ")
    file.write_bytes(file.read_bytes().replace(b'"ply":3', b'"ply":4', 1))
    done = forgepost("history", "show", file)
    assert done.exit_code == 1
    assert "does NOT hold: " in done.output
    assert "Fourfold\n=" not in done.output


# Heads that were seen elsewhere


def head(file: Path, version: int) -> dict[str, Any]:
    line = json.loads(file.read_bytes().splitlines()[version])
    assert line["version"] == version
    return {name: line[name] for name in ("hash", "match", "version")}


def shortened(file: Path, keys: Keys) -> None:
    """As the server itself would write it, had nothing happened after version 20."""
    header, *lines = file.read_bytes().splitlines()
    last = head(file, 20)
    said, digest = (last["match"], 20, bytes.fromhex(last["hash"])), sha256(header)
    trailer = {"forgepost": "head", **last, "header": digest.hexdigest()}
    trailer |= {"signature": keys.sign_head(*said), "seal": keys.sign_export(*said, digest.digest())}
    file.write_bytes(b"\n".join([header, *lines[:20], canonical(trailer), b""]))


def test_a_head_that_was_seen_is_looked_for(file: Path):
    seen = head(file, 12)
    for said in (f"12:{seen['hash']}", f"12:{seen['hash'][:16]}", f"07-0000000001:12:{seen['hash']}"):
        done = forgepost("history", "verify", file, "--head", said)
        assert done.exit_code == 0
        assert "; 1 of the heads seen elsewhere in it" in done.output


def test_a_history_that_was_cut_and_signed_anew_is_found_by_a_head_that_was_seen(file: Path, keys: Keys):
    seen = f"30:{head(file, 30)['hash']}"
    shortened(file, keys)
    alone = forgepost("history", "verify", file)
    assert alone.exit_code == 0
    assert "not checked: whether it has gone on since version 20" in alone.output
    done = forgepost("history", "verify", file, "--head", seen)
    assert done.exit_code == 1
    assert "it ends with version 20, and version 30 was seen elsewhere: its end was cut off" in done.output


def test_a_signed_head_in_a_mail_is_a_witness(file: Path, keys: Keys, tmp_path: Path):
    seen = head(file, 30)
    jws = keys.sign_head(seen["match"], 30, bytes.fromhex(seen["hash"]))
    mail, letter = tmp_path / "turn.eml", EmailMessage(policy=SMTP)
    letter["Subject"], letter["Forgepost-Head"] = "Your turn", jws
    letter.set_content("It is your turn")
    mail.write_bytes(letter.as_bytes())
    for given in (("--mail", mail), ("--head-jws", jws)):
        assert "; 1 of the heads seen elsewhere in it" in forgepost("history", "verify", file, *given).output
    shortened(file, keys)
    for given in (("--mail", mail), ("--head-jws", jws)):
        done = forgepost("history", "verify", file, *given)
        assert done.exit_code == 1
        assert "version 30 was seen elsewhere: its end was cut off" in done.output


def test_another_history_of_the_same_match_is_found_by_a_head_that_was_seen(file: Path):
    words = "version 12 has the hash " + head(file, 12)["hash"][:16] + "…, and was seen with " + "ab" * 8 + "…: it is another history"
    assert words in forgepost("history", "verify", file, "--head", "12:" + "ab" * 32).output


def test_a_head_of_no_match_in_the_files_is_told(file: Path, keys: Keys):
    jws = keys.sign_head("07-0000000002", 3, bytes(32))
    for given in (("--head", "07-0000000002:3:" + "ab" * 32), ("--head-jws", jws)):
        done = forgepost("history", "verify", file, *given)
        assert done.exit_code == 1
        assert "1 of the heads that were seen elsewhere is of no match in these files" in done.output


def test_a_signed_head_that_nobody_known_signed_is_found(file: Path, tmp_path: Path):
    stranger = Keys(Settings.development(tmp_path / "stranger"))
    done = forgepost("history", "verify", file, "--head-jws", stranger.sign_head("07-0000000001", 1, bytes(32)))
    assert "the signed head that was given was not signed with any of the server's keys" in done.output


def test_what_is_no_head_and_what_is_no_mail_is_refused_in_words(file: Path, tmp_path: Path):
    for said in ("12", "12:", "12:abc", "0:" + "ab" * 32, "12:" + "AB" * 32, "x:y:z:12:" + "ab" * 32):
        done = forgepost("history", "verify", file, "--head", said)
        assert done.exit_code == 2
        assert "is no head: write VERSION:HASH" in done.output
    mail = tmp_path / "mail.eml"
    mail.write_text("Subject: hello\n\nhello\n")
    done = forgepost("history", "verify", file, "--mail", mail)
    assert done.exit_code == 2
    assert "is no mail of a match with all its headers" in done.output


def test_another_match_signed_with_keys_of_its_own_holds_by_itself_and_is_found_by_keys_and_heads_from_elsewhere(
    file: Path, keys: Keys, tmp_path: Path
):
    """Whoever has the seed can play another match by the rules; only what was seen or fetched elsewhere tells it from the real one."""
    seen, stranger, watch = head(file, 30), Keys(Settings.development(tmp_path / "stranger")), Watch()
    desk = Desk(MemoryLog(), lambda match: SeedLot(bytes(32), match), watch)
    match = People(desk, watch, Random(2), lively=0).play("07-0000000001")
    file.write_bytes(b"".join(export(match, desk.history(match.id), "https://turns.example.org", stranger.public(), stranger)))
    alone = forgepost("history", "verify", file)
    assert alone.exit_code == 0
    assert "not checked: that its keys are those of https://turns.example.org" in alone.output
    jwks = tmp_path / "jwks.json"
    jwks.write_text(json.dumps({"keys": keys.public()}))
    assert "its head was not signed with any of the server's keys" in forgepost("history", "verify", file, "--keys", jwks).output
    assert "it is another history" in forgepost("history", "verify", file, "--head", f"30:{seen['hash']}").output
    jws = keys.sign_head(seen["match"], 30, bytes.fromhex(seen["hash"]))
    done = forgepost("history", "verify", file, "--head-jws", jws)
    assert done.exit_code == 1
    assert "the signed head that was given was not signed with any of the server's keys" in done.output


def test_a_header_with_another_address_is_found_though_its_hash_was_made_anew(file: Path):
    header, *lines, last = file.read_bytes().splitlines()
    changed = header.replace(b"https://turns.example.org", b"https://turns.example.com")
    trailer = json.loads(last) | {"header": sha256(changed).hexdigest()}
    file.write_bytes(b"\n".join([changed, *lines, canonical(trailer), b""]))
    done = forgepost("history", "verify", file)
    assert done.exit_code == 1
    assert "its seal is of another export" in done.output


# Files of every kind


def test_a_packed_file_is_read_like_a_plain_one(file: Path, tmp_path: Path):
    packed = tmp_path / "match.ndjson.gz"
    packed.write_bytes(gzip.compress(file.read_bytes()) + gzip.compress(file.read_bytes()))
    done = forgepost("history", "verify", packed)
    assert done.exit_code == 0
    assert done.output.count(" holds: ") == 2
    assert forgepost("history", "verify", "-", said=packed.read_bytes()).output.count(" holds: ") == 2
    packed.write_bytes(packed.read_bytes()[:-9])
    done = forgepost("history", "verify", packed)
    assert done.exit_code == 1
    assert " does NOT hold: its file cannot be unpacked: " in done.output


def test_a_packed_file_that_is_broken_does_not_hold_and_the_others_are_read_all_the_same(file: Path, tmp_path: Path):
    broken = tmp_path / "broken.gz"
    broken.write_bytes(gzip.compress(file.read_bytes())[:-20])
    done = forgepost("history", "verify", broken, file)
    assert done.exit_code == 1
    first, second = done.output.splitlines()
    assert first.startswith(f"{broken}: match 07-0000000001 (fourfold) does NOT hold: its file cannot be unpacked: ")
    assert second.startswith(f"{file}: match 07-0000000001 (fourfold) holds: ")
    said = [json.loads(line) for line in forgepost("history", "verify", "--json", broken, file).output.splitlines()]
    assert [(each["sound"], each["holds"] != []) for each in said] == [(False, False), (True, True)]
    broken.write_bytes(b"\x1f\x8b nonsense")
    assert forgepost("history", "verify", broken).output.startswith(f"{broken}: match (unknown) does NOT hold: its file cannot be unpacked: ")


def test_every_flaw_names_a_line_that_an_editor_knows(tmp_path: Path):
    (tmp_path / "empty").touch()
    (said,) = [json.loads(line) for line in forgepost("history", "verify", "--json", tmp_path / "empty").output.splitlines()]
    assert [flaw["line"] for flaw in said["flaws"]] == [1, 1, 1]


def test_of_a_match_that_still_runs_it_says_what_cannot_be_known_yet(tmp_path: Path):
    file = tmp_path / "match.ndjson"
    file.write_bytes(played("07-0000000002", 2, most=30, lively=0, seating="random"))
    version = file.read_bytes().count(b"\n") - 2
    done = forgepost("history", "verify", file)
    assert done.exit_code == 0
    assert "; live" in done.output
    assert "lots, whose seed is revealed when the match is over; not checked: whether it has gone on since version " + str(version) in done.output
