"""Rules that change: old matches go on under the rules they were begun with, new ones under the new, and the verifier knows both."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from types import ModuleType
from typing import Any

import pytest

from domain.chain import SeedLot
from domain.desk import Desk
from domain.game import Game, Pick
from domain.games import EDITIONS, GAMES, editions
from domain.games.fourfold import rules
from domain.games.fourfold.state import State, Team
from domain.match.match import Match
from domain.proof.export import export
from domain.proof.verify import Report, verify
from tests.exports import SEED, forged, found, opened
from tests.memory_log import MemoryLog
from tests.people import People, Watch

FIRST = GAMES["fourfold"]


def drawn_backwards(s: State, pick: Pick) -> Team:
    """A rule that makes an old log replay differently: candidates are counted from the other end."""
    return rules.draw(s, lambda n: n - 1 - pick(n))


SECOND = replace(FIRST, edition=2, draw=drawn_backwards)


@pytest.fixture
def desks(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[People, People]]:
    """The same log before and after the second edition came: people at a server of old, and at its successor."""
    log, watch = MemoryLog(), Watch()
    before, after = (People(Desk(log, lambda match: SeedLot(SEED, match), watch), watch, Random(3), lively=0) for _ in range(2))
    yield before, after
    monkeypatch.undo()


def second_edition_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "fourfold", SECOND)
    monkeypatch.setitem(EDITIONS, ("fourfold", 2), SECOND)


def goes_on(people: People, name: str) -> Match:
    while (match := people.desk.look(name).match).status == "live":
        people.watch.now += 1_000
        people.act(match)
    return match


def written(people: People, name: str) -> bytes:
    return b"".join(export(people.desk.look(name).match, people.desk.history(name), "https://turns.example.org", []))


def checked(people: People, name: str) -> Report:
    return verify(written(people, name))


def test_a_match_that_was_begun_under_old_rules_goes_on_under_them(desks: tuple[People, People], monkeypatch: pytest.MonkeyPatch):
    before, after = desks
    begun = before.play("07-0000000001", most=20, seating="random")
    assert begun.status == "live"
    second_edition_comes(monkeypatch)
    ended = goes_on(after, "07-0000000001")
    assert ended.status == "over"
    assert ended.game is FIRST
    report = checked(after, "07-0000000001")
    assert (report.flaws, report.edition, report.status) == ((), 1, "over")
    assert "lots" in report.holds


def test_a_new_match_is_played_by_the_new_rules(desks: tuple[People, People], monkeypatch: pytest.MonkeyPatch):
    second_edition_comes(monkeypatch)
    _, after = desks
    match = after.play("07-0000000002")
    assert match.game is SECOND
    report = checked(after, "07-0000000002")
    assert (report.flaws, report.edition, report.status) == ((), 2, "over")


def test_a_replay_under_another_edition_is_found(desks: tuple[People, People], monkeypatch: pytest.MonkeyPatch):
    before, after = desks
    before.play("07-0000000001")
    second_edition_comes(monkeypatch)
    after.play("07-0000000002")
    for name, other in (("07-0000000001", 2), ("07-0000000002", 1)):
        lines = opened(written(after, name))
        lines[0]["edition"] = lines[1]["data"]["edition"] = other
        check, words = found(forged(lines))
        assert check == "rules"
        assert "its “outcome” should be " in words


def test_a_verifier_that_does_not_know_the_edition_says_so(desks: tuple[People, People], monkeypatch: pytest.MonkeyPatch):
    second_edition_comes(monkeypatch)
    _, after = desks
    after.play("07-0000000002")
    raw = written(after, "07-0000000002")
    monkeypatch.undo()
    words = "version 1: the rules of fourfold, edition 2, are not known here: verify it with a Forgepost that has them"
    assert found(raw) == ("rules", words)


def test_a_games_folder_names_its_earlier_editions():
    folder: Any = ModuleType("folder")
    folder.GAME, folder.EARLIER = SECOND, (FIRST,)
    alone: Any = ModuleType("alone")
    alone.GAME = GAMES["penny-ante"]
    known: dict[tuple[str, int], Game[Any, Any, Any]] = editions([folder, alone])
    assert known == {("fourfold", 2): SECOND, ("fourfold", 1): FIRST, ("penny-ante", alone.GAME.edition): alone.GAME}


def test_every_game_is_known_by_its_newest_edition():
    assert all(EDITIONS[name, game.edition] is game for name, game in GAMES.items())
    assert all(edition <= GAMES[name].edition for name, edition in EDITIONS)
