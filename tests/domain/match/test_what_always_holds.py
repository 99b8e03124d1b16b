"""Whatever is played in whatever order: the log replays to the live match, draws are numbered without gaps, and it ends."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET

from domain.bots import choose
from domain.chain import SeedLot, instant, link, stamp
from domain.games import GAMES
from domain.match.codec import lines
from domain.match.commands import Actor, Answer, Hold, House, Offer, Resign, Submit, TakeBack, TimeOut
from domain.match.events import ChanceDrawn, MatchFinished, Proposal, SeedRevealed
from domain.match.match import fold
from domain.match.refusal import Refused
from domain.ports import Tip
from tests.table import MATCH, SEED, Table, creation

FEW = 60  # decisions of a match that need not end


def wander(table: Table, chance: random.Random, steps: int) -> None:
    """Play at random, and now and then resign, take back, run late, offer the end."""
    for _ in range(steps):
        match = table.live
        if match.status != "live":
            return
        seat = match.asks[0].seat
        actor = Actor(match.chair(seat).player or "", "api")
        whim = chance.random()
        anybody = Actor(chance.choice(match.chairs).player or "", "web")
        try:
            if whim < 0.02:
                table.does(Resign(anybody))
            elif whim < 0.04:
                assert match.due is not None
                table.does(TimeOut(), after=match.due - table.now + 1)
            elif whim < 0.08:
                kind: Proposal = chance.choice(("end", "take-back", "pause"))
                table.does(Offer(anybody, kind, chance.randrange(3600, 9000) if kind == "pause" else UNSET))
            elif whim < 0.30 and match.offer:
                table.does(Answer(anybody, match.offer.offer, chance.choice(("accept", "accept", "decline"))))
            elif whim < 0.36 and match.mark and chance.random() < 0.3:
                table.does(TakeBack(Actor(match.chair(match.mark.seat).player or "", "link"), match.mark.seat))
            else:
                action = choose(match.game, "random", match.state, seat, chance.randrange)
                nonce = f"n{chance.random()}"
                table.does(Submit(actor, seat, match.ply, (action,), nonce), after=chance.randrange(5000))
        except Refused as refused:
            assert refused.kind in ("nothing-to-take-back", "no-such-offer", "offer-pending", "not-seated"), refused.words  # noqa: PT017


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32), game=st.sampled_from(sorted(GAMES)), auto=st.booleans(), undo=st.sampled_from((0, 60)))
def test_the_log_replays_to_the_live_match_at_every_version(seed, game, auto, undo):
    chance = random.Random(seed)
    size = chance.choice(GAMES[game].sizes)
    places = tuple(Hold(f"p-{n}") if n < 2 else House("random", f"p-{n}") for n in range(size))
    table = Table(SeedLot(SEED, MATCH))
    table.does(creation(*places, game=game, auto_forced=auto, undo_seconds=undo, seating=chance.choice(("random", "joined"))))
    wander(table, chance, FEW)
    stored = table.stored()
    assert fold(MATCH, stored) == table.live
    half = len(stored) // 2
    assert fold(MATCH, stored[half:], fold(MATCH, stored[:half])) == table.live
    assert table.decoded() == table.events
    drawn = [event.fact for event in table.events if isinstance(event.fact, ChanceDrawn)]
    assert [fact.index for fact in drawn] == sorted({fact.index for fact in drawn})
    if table.live.status == "over":
        assert isinstance(table.events[-2].fact, MatchFinished)
        assert table.events[-1].fact == SeedRevealed(SEED.hex())
        assert sorted(table.live.outcome["ranks"]) == sorted(table.live.seats)  # type: ignore[index]


@given(at=st.integers(0, 4_000_000_000_000))
def test_a_time_is_written_with_three_digits_and_read_as_it_was(at):
    assert instant(stamp(at)) == at
    assert len(stamp(at)) == 24


def test_the_shown_lines_are_chained_from_the_stored_bytes():
    table = Table(SeedLot(SEED, MATCH))
    table.does(creation(*(Hold(f"p-{n}") for n in range(4))))
    shown = lines(MATCH, Tip(), table.stored())
    prev = bytes(32)
    for line, stored in zip(shown, table.stored(), strict=True):
        head = link(prev, MATCH, stored.kind, stored.body)
        assert (line.prev, line.hash) == (prev.hex(), head.hex())
        assert f"{line.type}.{line.schema}" == stored.kind
        prev = head
