"""The desk: two processes at one log, each with a memory of its own that may be behind."""

from __future__ import annotations

import pytest
from msgspec import to_builtins
from msgspec.structs import replace

from domain.chain import SeedLot
from domain.desk import Desk
from domain.match.commands import Actor, Answer, Offer, TakeBack
from domain.match.events import ActionTaken, MatchCreated
from domain.match.reading import signed_submission, submission
from domain.match.refusal import Refused
from domain.match.signed import SignedMove
from domain.ports import Stored
from tests.memory_log import MemoryLog
from tests.people import Watch
from tests.table import MATCH, SEED, creation, four


class CountingLog(MemoryLog):
    """How often it was read."""

    reads = 0

    def read(self, match: str, after: int = 0, limit: int | None = None) -> list[Stored]:
        self.reads += 1
        return super().read(match, after, limit)


@pytest.fixture
def log() -> CountingLog:
    return CountingLog()


def desk_at(log: MemoryLog) -> Desk:
    return Desk(log, lambda match: SeedLot(SEED, match), Watch())


@pytest.fixture
def here(log: CountingLog) -> Desk:
    """A desk where a match was just begun."""
    desk = desk_at(log)
    desk.do(MATCH, creation(*four("ann", "bo", "cy", "di")))
    return desk


@pytest.fixture
def there(log: CountingLog, here: Desk) -> Desk:
    """Another process, which has seen the match as it was begun."""
    desk = desk_at(log)
    desk.look(MATCH)
    return desk


def asked(desk: Desk) -> tuple[Actor, str, int]:
    """Who is asked in the match as that desk remembers it, with which seat, and at which ply."""
    match = desk.glance(MATCH).match
    seat = match.asks[0].seat
    return Actor(match.chair(seat).player or "", "api"), seat, match.ply


def legal(desk: Desk) -> str:
    match = desk.glance(MATCH).match
    return match.game.write(next(iter(match.game.legal(match.state, match.asks[0].seat))))


def test_a_glance_reads_nothing_where_the_match_is_remembered(log: CountingLog, here: Desk, there: Desk):
    here.do(MATCH, submission(*asked(here), legal(here)))
    log.reads = 0
    assert (there.glance(MATCH).match.ply, log.reads) == (0, 0)
    assert (there.look(MATCH).match.ply, log.reads) == (1, 1)
    assert (desk_at(log).glance(MATCH).match.ply, log.reads) == (1, 2)


def test_a_glance_at_what_there_is_not_is_refused(log: CountingLog):
    with pytest.raises(Refused, match="there is no match"):
        desk_at(log).glance("07-0000000009")


def test_a_move_is_written_without_reading(log: CountingLog, here: Desk):
    log.reads = 0
    here.do(MATCH, submission(*asked(here), legal(here)))
    assert log.reads == 0


@pytest.mark.parametrize("said", ["castle long", "a1; b2; castle", "x" * 5_000, [{"type": "fly"}]], ids=["line", "lines", "too-long", "json"])
def test_what_is_for_a_past_ply_is_told_so_whatever_it_says_and_wherever_it_is_read(here: Desk, there: Desk, said: str | list[object]):
    actor, seat, ply = asked(there)
    line = legal(here)
    here.do(MATCH, submission(actor, seat, ply, line))
    for desk in (there, here):
        with pytest.raises(Refused) as refused:
            desk.do(MATCH, submission(actor, seat, ply, said))
        assert refused.value.kind == "stale-ply"
        assert line in refused.value.since


def test_who_is_not_asked_is_told_so_whatever_they_say(here: Desk):
    match = here.glance(MATCH).match
    idle = next(seat for seat in match.seats if match.ask(seat) is None)
    for actor, kind in ((Actor(match.chair(idle).player or "", "api"), "not-your-turn"), (Actor("p-nobody", "api"), "not-your-seat")):
        with pytest.raises(Refused) as refused:
            here.do(MATCH, submission(actor, idle, match.ply, "castle long"))
        assert refused.value.kind == kind


def test_what_is_for_the_position_of_now_is_read_there_also_by_a_desk_that_is_behind(here: Desk, there: Desk):
    here.do(MATCH, submission(*asked(here), legal(here)))
    wish = submission(*asked(here), legal(here))
    assert there.do(MATCH, wish).sight.match.ply >= 2


def test_a_turn_taken_back_elsewhere_is_found_out(here: Desk, there: Desk):
    actor, seat, ply = asked(here)
    line = legal(here)
    here.do(MATCH, submission(actor, seat, ply, line))
    there.look(MATCH)
    here.do(MATCH, TakeBack(actor, seat))
    answer = there.do(MATCH, submission(actor, seat, ply, line))
    assert [line.type for line in answer.lines][:1] == ["action.taken"]
    assert answer.sight.match.version == there.look(MATCH).match.version


def test_the_events_are_those_up_to_when_the_match_was_seen(here: Desk):
    before = here.look(MATCH).match
    here.do(MATCH, submission(*asked(here), legal(here)))
    assert len(here.events(before)) == before.version
    after = here.events(here.look(MATCH).match)
    assert after[: before.version] == here.events(before)
    assert isinstance(after[before.version].fact, ActionTaken)
    (first,) = here.events(before, 1)
    assert isinstance(first.fact, MatchCreated)


def test_events_that_cannot_be_read_stop_their_match(log: CountingLog, here: Desk):
    match = here.look(MATCH).match
    log._entries[MATCH][2] = Stored(3, "seat.painted.1", b"{}")
    with pytest.raises(Refused) as refused:
        here.events(match)
    assert refused.value.kind == "match-damaged"
    assert "unknown type seat.painted.1" in refused.value.words


def changed(log: CountingLog) -> None:
    """Somebody was at the stored bytes: an event in the middle says something else that can be read as well."""
    entry = log._entries[MATCH][1]
    log._entries[MATCH][1] = replace(entry, body=entry.body.replace(b'{"at":"2026', b'{"at":"2025'))
    assert log._entries[MATCH][1] != entry


def test_what_was_changed_in_the_log_is_seen_by_nobody_who_comes_anew(log: CountingLog, here: Desk):
    tip = here.look(MATCH).tip
    changed(log)
    words = f"CHAIN: its {tip.version} events come to the hash [0-9a-f]{{64}}, and its head says {tip.hash.hex()}: an event was changed"
    with pytest.raises(Refused, match=words) as refused:
        desk_at(log).look(MATCH)
    assert refused.value.kind == "match-damaged"


def test_nor_by_who_has_seen_the_match_before_and_looks_at_its_past(log: CountingLog, here: Desk):
    sight = here.look(MATCH)
    asking = (
        lambda desk: desk.history(MATCH),
        lambda desk: desk.events(sight.match),
        lambda desk: desk.look_back(MATCH, 3),
    )
    changed(log)
    for ask in asking:
        desk = desk_at(log)
        desk._known[MATCH] = sight
        with pytest.raises(Refused, match="CHAIN: ") as refused:
            ask(desk)
        assert refused.value.kind == "match-damaged"


def test_what_is_appended_while_a_match_is_read_for_the_first_time_is_read_too(log: CountingLog, here: Desk, monkeypatch: pytest.MonkeyPatch):
    desk, read = desk_at(log), log.read

    def slowly(match: str, after: int = 0, limit: int | None = None) -> list[Stored]:
        found = read(match, after, limit)
        if not after:
            here.do(MATCH, submission(*asked(here), legal(here)))
        return found

    monkeypatch.setattr(log, "read", slowly)
    assert desk.look(MATCH).tip == here.glance(MATCH).tip
    assert here.glance(MATCH).match.ply == 1


def test_who_comes_too_late_is_told_what_stands_and_not_what_was_taken_back(here: Desk, there: Desk):
    actor, seat, ply = asked(here)
    late = submission(actor, seat, ply + 1, legal(here))
    here.do(MATCH, submission(actor, seat, ply, legal(here)))
    here.do(MATCH, TakeBack(actor, seat))
    with pytest.raises(Refused) as refused:
        here.do(MATCH, late)
    assert (refused.value.kind, refused.value.since) == ("stale-ply", (f"{seat} took the turn back to ply 0",))
    line = legal(here)
    here.do(MATCH, submission(actor, seat, ply, line))
    with pytest.raises(Refused) as refused:
        there.do(MATCH, submission(actor, seat, ply, line))
    assert refused.value.since == (line,)


def signed(desk: Desk, jws: str) -> tuple[str, SignedMove]:
    """Its author and a signed move for the position as that desk remembers it; the signature itself is nothing to the desk."""
    sight = desk.glance(MATCH)
    actor, seat, ply = asked(desk)
    action = to_builtins(next(iter(sight.match.game.legal(sight.match.state, seat))))
    return actor.player, SignedMove("kid", MATCH, seat, ply, (action,), sight.tip.hash.hex(), None, jws)


def test_a_signed_move_at_the_newest_head_is_written_without_reading_and_by_a_desk_behind_with_one_look_at_the_news(
    log: CountingLog, here: Desk, there: Desk
):
    log.reads = 0
    here.do(MATCH, signed_submission(*signed(here, "a.b.c")))
    assert log.reads == 0
    there.do(MATCH, signed_submission(*signed(here, "d.e.f")))
    assert log.reads == 1


def test_a_signed_move_for_an_older_head_of_the_same_position_is_done(here: Desk, there: Desk):
    player, wish = signed(here, "a.b.c")
    here.do(MATCH, Offer(Actor("p-bo", "api")))
    here.do(MATCH, Answer(Actor("p-cy", "api"), 1, "decline"))
    assert there.do(MATCH, signed_submission(player, wish)).lines[0].type == "action.taken"


def test_the_same_signed_move_is_found_by_every_desk_and_done_once(log: CountingLog, here: Desk, there: Desk):
    player, wish = signed(here, "a.b.c")
    done = here.do(MATCH, signed_submission(player, wish))
    for desk in (here, there, desk_at(log)):
        again = desk.do(MATCH, signed_submission(player, wish))
        assert (again.replayed, again.lines, again.sight.tip) == (True, done.lines, done.sight.tip)
    assert here.look(MATCH).tip == done.sight.tip


def test_of_two_signatures_for_one_position_one_is_done(here: Desk, there: Desk):
    player, one = signed(here, "a.b.c")
    here.do(MATCH, signed_submission(player, one))
    with pytest.raises(Refused) as refused:
        there.do(MATCH, signed_submission(player, replace(one, jws="d.e.f")))
    assert refused.value.kind == "stale-ply"
