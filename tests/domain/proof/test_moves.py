"""The verifier on signed moves: each signature holds for exactly what was played, and a server that rewrites anything is found out by them."""

import json
from base64 import urlsafe_b64decode as b64decode
from collections.abc import Callable
from functools import cache
from itertools import islice
from random import Random
from typing import Any

import pytest
from msgspec import to_builtins

from domain.chain import SeedLot
from domain.desk import Answer, Desk
from domain.game import Action
from domain.games import GAMES
from domain.match.commands import Actor, CreateMatch, Hold, Offer, TakeBack
from domain.match.reading import signed_submission
from domain.match.refusal import Refused
from domain.match.signed import SignedMove
from domain.proof.export import export
from domain.proof.verify import verify
from infra.seals.heads import signed
from tests.exports import SEED, Lines, closed, forged, opened
from tests.memory_log import MemoryLog
from tests.pen import Pen
from tests.people import Watch

MATCH = "07-0000000001"
PENS = {f"p-{number}": Pen(number) for number in range(4)}


class Signers:
    """People who sign every move of a match, the first of whom changes the key in the middle. `sent` are their moves and what each brought."""

    def __init__(self, game: str = "fourfold", options: dict[str, Any] | None = None) -> None:
        self.desk = Desk(MemoryLog(), lambda match: SeedLot(SEED, match), Watch())
        seats = tuple(map(Hold, list(PENS)[: GAMES[game].sizes[-1]]))
        self.desk.do(MATCH, CreateMatch(Actor("p-0", "api"), game, options or {}, {"seating": "joined"}, seats))
        self.sent: list[tuple[str, SignedMove, Answer]] = []

    def plays(self, action: Action | None = None, *, nonce: str | None = None, both: bool = False, prev: str = "") -> None:
        """Whoever is asked plays an action, or their first, or their first two."""
        sight = self.desk.look(MATCH)
        match, seat = sight.match, sight.match.asks[0].seat
        player = match.chair(seat).player or ""
        actions = [action or next(match.game.legal(match.state, seat))]
        if both:
            actions += islice(match.game.legal(match.game.apply(match.state, seat, actions[0]), seat), 1)
        pen = Pen(9) if player == "p-0" and len(self.sent) > 9 else PENS[player]
        said = {"match": MATCH, "seat": seat, "ply": match.ply, "actions": to_builtins(actions), "prev": prev or sight.tip.hash.hex()}
        jws = pen.signs(said if nonce is None else {**said, "nonce": nonce})
        move = SignedMove(pen.kid, MATCH, seat, match.ply, tuple(said["actions"]), said["prev"], nonce, jws)
        self.sent.append((player, move, self.desk.do(MATCH, signed_submission(player, move))))

    def export(self) -> bytes:
        """What they can download."""
        return b"".join(export(self.desk.look(MATCH).match, self.desk.history(MATCH), "https://turns.example.org", []))


@cache
def whole() -> bytes:
    """A match in which everything was signed, with an offer, a turn taken back, nonces and two actions at once among it."""
    people = Signers(options={"goals_to_win": 1})
    seat = people.desk.look(MATCH).match.asks[0].seat
    people.plays(nonce="salt")
    people.desk.do(MATCH, TakeBack(Actor(people.desk.look(MATCH).match.chair(seat).player or "", "api"), seat))
    people.plays(both=True, nonce="é “tea”")
    before = people.desk.look(MATCH).tip.hash.hex()
    people.desk.do(MATCH, Offer(Actor("p-2", "api")))
    people.plays(prev=before)
    while people.desk.look(MATCH).match.status == "live":
        people.plays(nonce="pepper" if len(people.sent) % 3 else None)
    return people.export()


def first(lines: Lines, skip: int = 0) -> int:
    """The index of a signed action."""
    return [at for at, line in enumerate(lines) if "jws" in line.get("data", {})][skip]


def found(lines: Lines) -> list[tuple[int, str]]:
    """What is wrong with the signed moves of a history that a dishonest server has written anew: versions and words."""
    flaws = [flaw for flaw in verify(forged(lines), signed).flaws if flaw.check == "moves"]
    return [(flaw.line - 1, flaw.words.partition(f"version {flaw.line - 1} ")[2]) for flaw in flaws]


def test_a_match_that_was_signed_holds_and_says_by_how_many_keys():
    report = verify(whole(), signed)
    assert report.flaws == ()
    assert report.holds == ("form", "chain", "rules", "lots", "moves")
    assert "that the keys are those of the players, who know their own" in report.unchecked
    signatures = sum("jws" in line.get("data", {}) for line in opened(whole()))
    assert report.signed == signatures > 20
    assert report.signers["p-0"] == (PENS["p-0"].kid, Pen(9).kid)
    assert report.signers["p-1"] == (PENS["p-1"].kid,)
    assert f", {signatures} moves signed by their players (p-0 with 2 keys, p-1 with 1 key, p-2 with 1 key, p-3 with 1 key)" in report.words


@pytest.mark.parametrize("game", sorted(GAMES))
def test_moves_of_every_game_are_signed_and_each_is_answered_again_with_exactly_what_it_brought(game: str):
    people, chance = Signers(game), Random(game)
    while people.desk.look(MATCH).match.status == "live" and len(people.sent) < 60:
        match = people.desk.look(MATCH).match
        people.plays(chance.choice(list(islice(match.game.legal(match.state, match.asks[0].seat), 30))))
        if chance.random() < 0.1 and people.desk.look(MATCH).match.status == "live":
            people.desk.do(MATCH, Offer(Actor("p-1", "api")))
    report = verify(people.export(), signed)
    assert (report.flaws, report.signed) == ((), len(people.sent))
    for player, move, done in people.sent:
        again = people.desk.do(MATCH, signed_submission(player, move))
        assert (again.replayed, again.lines, again.sight) == (True, done.lines, done.sight)


def test_where_nobody_can_check_signatures_that_is_said():
    report = verify(whole())
    assert report.flaws == ()
    assert "moves" not in report.holds
    assert f"the signatures of {report.signed} moves" in report.unchecked


def test_a_changed_signature_is_found_wherever_it_was_changed():
    lines = opened(whole())
    at = first(lines, -1)
    jws = lines[at]["data"]["jws"]
    for place in range(0, len(jws), 7):
        lines[at]["data"]["jws"] = jws[:place] + ("A" if jws[place] != "A" else "B") + jws[place + 1 :]
        assert found(lines)[0] == (at, "has a signature that does not hold: it is damaged, or was not made with the key that it names")


def test_whatever_a_server_changes_before_a_signed_move_is_found_by_it():
    """Whoever signs names the head that they saw: an event in front of it cannot be changed, not by the server either."""
    lines = opened(whole())
    at = first(lines, 8)
    lines[at]["at"] = "2026-11-29T12:00:00.001Z"
    next_one = first(lines, 9)
    assert found(lines)[0] == (next_one, "has a signature for another position: the head that it names is none at which this one stood")


CHANGES: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "without": (lambda line: line["data"].pop("jws"), "is said to be signed by its player, and no signature covers it"),
    "by link": (lambda line: line["by"].update(via="link"), "has a signature, and is said to have come in another way (link)"),
    "seat": (lambda line: line["by"].update(seat="up"), "has a signature for another seat, "),
    "ply": (lambda line: line.update(ply=99), "has a signature for ply "),
    "action": (lambda line: line["data"].update(action={"type": "deploy", "at": "c3"}), "has a signature for other actions than were played"),
    "nonce": (lambda line: line["data"].update(nonce="vinegar"), "has a signature for another nonce"),
    "forced": (lambda line: line["data"].update(forced=True), "has a signature for other actions than were played"),
    "chance": (lambda line: line.update(type="offer.lapsed", data={"offer": 7}), "is said to be signed by its player, and no signature covers it"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_signature_for_anything_else_than_was_done_is_found(change: str):
    lines = opened(whole())
    at = first(lines, -1)
    CHANGES[change][0](lines[at])
    version, words = found(lines)[0]
    assert version == at
    assert words.startswith(CHANGES[change][1])


def test_an_action_more_or_less_than_was_signed_is_found():
    lines = opened(whole())
    at = first(lines, 1)
    assert (lines[at + 1]["type"], "jws" in lines[at + 1]["data"]) == ("action.taken", False)
    fewer = [*lines[: at + 1], *lines[at + 2 :]]
    assert found(fewer)[0] == (at, "has a signature for other actions than were played")
    lines[at + 1]["by"]["via"] = "api"
    assert found(lines)[0] == (at, "has a signature for other actions than were played")
    single = opened(whole())
    at = first(single, 0)
    single.insert(at + 1, {**single[at], "data": {name: value for name, value in single[at]["data"].items() if name != "jws"}})
    assert (at + 1, "is said to be signed by its player, and no signature covers it") in found(single)


def test_a_signature_is_good_for_one_position_only():
    """The turn was taken back, and the server plays it again with the signature it has: the same ply, the same actions, and found out."""
    lines = opened(whole())
    at = first(lines, 0)
    assert lines[at + 1]["type"] == "turn.taken-back"
    again = [*lines[: at + 2], {**lines[at]}, *lines[at + 2 :]]
    assert (at + 2, "has a signature for another position: the head that it names is none at which this one stood") in found(again)


def test_a_signature_under_a_key_that_fits_everything_is_none():
    lines = opened(whole())
    at = first(lines, 0)
    weak = "AQ" + "A" * 41
    jws = Pen(1).signs(b"{}", {"alg": "Ed25519", "kid": weak, "typ": "forgepost-move+jws"})
    payload = lines[at]["data"]["jws"].split(".")[1]
    lines[at]["data"]["jws"] = f"{jws.split('.')[0]}.{payload}.{'AQ' + 'A' * 84}"
    assert found(lines)[0] == (at, "has a signature that does not hold: it is damaged, or was not made with the key that it names")


@pytest.mark.parametrize("payload", [b"{}", b"[]", b'{"hash":"00","match":"07-0000000001","version":3}'], ids=["empty", "list", "head"])
def test_a_signature_of_something_that_is_no_move_is_none(payload: bytes):
    lines = opened(whole())
    at = first(lines, 0)
    lines[at]["data"]["jws"] = PENS["p-0"].signs(payload)
    assert "has a signature" in found(lines)[0][1]


def test_a_signature_that_was_not_there_when_the_file_was_written_breaks_the_chain():
    lines = opened(whole())
    del lines[first(lines, 3)]["data"]["jws"]
    assert {flaw.check for flaw in verify(closed(lines), signed).flaws} >= {"chain"}


def test_a_key_signs_for_one_player_only():
    """Else a server could let one of them sign the moves of another, who would have to disown a key that nobody ever showed to be theirs."""
    people = Signers()
    while len({player for player, _, _ in people.sent}) < 2:
        people.plays()
    match = people.desk.look(MATCH).match
    seat = match.asks[0].seat
    player = match.chair(seat).player or ""
    pen = PENS[next(other for other, _, _ in people.sent if other != player)]
    actions = to_builtins([next(match.game.legal(match.state, seat))])
    said = {"match": MATCH, "seat": seat, "ply": match.ply, "actions": actions, "prev": people.desk.look(MATCH).tip.hash.hex()}
    move = SignedMove(pen.kid, MATCH, seat, match.ply, tuple(actions), said["prev"], None, pen.signs(said))
    with pytest.raises(Refused) as refused:
        people.desk.do(MATCH, signed_submission(player, move))
    assert refused.value.words == f"the key {pen.kid} has signed for another player in this match: in a match every player signs with their own"


def test_a_move_signed_with_the_key_of_another_player_is_found():
    lines = opened(whole())
    at = next(place for place in range(first(lines, 6), len(lines)) if lines[place]["by"].get("player") == "p-1" and "jws" in lines[place]["data"])
    payload = json.loads(b64decode(lines[at]["data"]["jws"].split(".")[1] + "=="))
    lines[at]["data"]["jws"] = PENS["p-2"].signs(payload)
    flaw = verify(forged(lines), signed).flaws[0]
    assert (flaw.check, flaw.line) == ("rules", at + 1)
    assert f"the key {PENS['p-2'].kid} has signed for another player in this match" in flaw.words
