"""Honest draws in a match: committed to in the first event, drawn in one way only, given away by nothing, revealed however it ends."""

from __future__ import annotations

import hmac
import json
from collections.abc import Callable
from hashlib import sha256
from itertools import islice
from typing import Any

import pytest

from domain.chain import SeedLot
from domain.desk import Answer as Done
from domain.desk import Desk
from domain.match.commands import Actor, Answer, CallOff, CreateMatch, Hold, Invite, Join, Leave, Offer, Open, Resign, Submit, TakeBack, TimeOut
from domain.match.events import ChanceDrawn
from domain.match.match import Match
from domain.match.reading import submission
from domain.match.refusal import Refused
from domain.ports import Append, Appending, LogUnavailable
from tests.exports import opened, played
from tests.memory_log import MemoryLog
from tests.people import Watch

MATCH, SEED = "07-0000000001", bytes(range(100, 132))
FOUR = tuple(f"p-{number}" for number in range(4))


# A second implementation of the draw, written from DESIGN 5 alone and from what stands in an export


def drawn(seed: str, match: str, ply: int, index: int, words: list[str], n: int) -> int:
    """Draw number `index` from n candidates."""
    mix = sha256("".join(word + "\n" for word in words).encode()).hexdigest()
    attempt = 0
    while True:
        text = "\n".join(["forgepost-draw-v1", match, str(ply), str(index), mix, str(attempt)])
        x = int(hmac.new(bytes.fromhex(seed), text.encode(), sha256).hexdigest(), 16)
        if x < 2**256 // n * n:
            return x % n
        attempt += 1


@pytest.mark.parametrize("number", range(8))
def test_the_lots_of_an_export_are_drawn_again_by_another_implementation(number: int):
    """Of Fourfold: the seats, from those who sat down, and the team that is to deploy, as long as the opening has all four to choose from."""
    lines = opened(played(f"07-{number:010d}", number, lively=0.05, seating="random"))[1:-1]
    assert lines[-1]["type"] == "seed.revealed"
    seed = lines[-1]["data"]["seed"]
    assert sha256(bytes.fromhex(seed)).hexdigest() == lines[0]["data"]["commitment"]
    words: list[str] = []
    chairs: dict[str, str] = {}
    checked = []
    for line in lines:
        data = line["data"]
        if line["type"] == "seat.taken":
            chairs.pop(data["seat"], None)
            chairs[data["seat"]] = data["player"]
        elif line["type"] == "seat.left":
            del chairs[data["seat"]]
        elif line["type"] == "chance.drawn" and data["kind"] == "seats":
            waiting, fallen = list(chairs.values()), {}
            for index, seat in enumerate(lines[0]["data"]["seats"]):
                fallen[seat] = waiting.pop(drawn(seed, line["match"], 0, index, words, len(waiting)))
            assert data["outcome"] == {"seats": fallen}
            checked.append("seats")
        elif line["type"] == "chance.drawn" and data["outcome"].get("for") == "opening" and data["index"] == 4:
            seats = lines[0]["data"]["seats"]
            assert data["outcome"]["seat"] == seats[drawn(seed, line["match"], line["ply"], 4, words, 4)]
            checked.append("team")
        words += [data[name] for name in ("entropy", "nonce") if name in data]
    assert checked == ["seats", "team"]


@pytest.mark.parametrize("n", [1, 2, 3, 6, 7, 52, 1_000_003, 2**255 + 1, 2**256])
@pytest.mark.parametrize("words", [[], ["tea"], ["tea", "é"], ["tea\u00a0leaves", "x" * 128]])
@pytest.mark.parametrize(("ply", "index"), [(0, 0), (0, 1), (9, 0), (99, 10_000)])
def test_both_implementations_draw_the_same_whatever_the_place(n: int, words: list[str], ply: int, index: int):
    entropy = "".join(f"{word}\n" for word in words).encode()
    assert SeedLot(SEED, MATCH).at(ply, index, entropy)(n) == drawn(SEED.hex(), MATCH, ply, index, words, n)


# However a match ends, its last event opens the seed that its first one was bound to


class Table:
    """One match at a desk, whose lot counts how often somebody looks into it."""

    def __init__(self, log: MemoryLog | None = None, *places: Any, **settings: Any) -> None:
        self.watch, self.log = Watch(), log or MemoryLog()
        self.lot = WatchedLot()
        self.desk = Desk(self.log, lambda _match: self.lot, self.watch)
        options = {"goals_to_win": 1, "max_turns": 30}
        seats = places or tuple(map(Hold, FOUR))
        self.desk.do(MATCH, CreateMatch(Actor("p-0", "api"), "fourfold", options, {"seating": "joined", **settings}, seats))

    @property
    def match(self) -> Match:
        return self.desk.look(MATCH).match

    def wish(self, action: Any = None, nonce: str = "salt") -> Submit:
        """The first action of whoever is asked."""
        match = self.match
        seat = match.asks[0].seat
        first = next(match.game.legal(match.state, seat)) if action is None else action
        return Submit(Actor(match.chair(seat).player or "", "api"), seat, match.ply, (first,), nonce)

    def lines(self) -> list[Any]:
        return [json.loads(stored.body) | {"type": stored.kind} for stored in self.log.read(MATCH)]


class WatchedLot(SeedLot):
    """Counts how often somebody looks into it."""

    def __init__(self) -> None:
        super().__init__(SEED, MATCH)
        self.looked = 0

    def at(self, ply: int, index: int, entropy: bytes) -> Any:
        self.looked += 1
        return super().at(ply, index, entropy)


def to_the_goal(table: Table) -> None:
    while table.match.status == "live":
        table.desk.do(MATCH, table.wish())


def agreed(table: Table) -> None:
    table.desk.do(MATCH, Offer(Actor("p-0", "api")))
    for player in FOUR[1:]:
        table.desk.do(MATCH, Answer(Actor(player, "api"), 1, "accept"))


def resigned(table: Table) -> None:
    for player in FOUR[:3]:
        table.desk.do(MATCH, Resign(Actor(player, "api")))


def timed_out(table: Table) -> None:
    while (due := table.match.due) is not None:
        table.watch.now = due + 1
        table.desk.do(MATCH, TimeOut())


@pytest.mark.parametrize("end", [to_the_goal, agreed, resigned, timed_out])
def test_a_match_reveals_its_seed_once_and_last_however_it_ends(end: Callable[[Table], None]):
    table = Table()
    end(table)
    revealed(table, "over")


def everybody_leaves(table: Table) -> None:
    table.desk.do(MATCH, Leave(Actor("p-0", "api")))


def called_off(table: Table) -> None:
    table.desk.do(MATCH, CallOff(Actor("p-0", "api")))


@pytest.mark.parametrize("end", [everybody_leaves, called_off])
@pytest.mark.parametrize("places", [(Hold("p-0"), Open(), Open(), Open()), (Hold("p-0"), Invite("p-1"), Open(), Open())], ids=["open", "invited"])
def test_also_when_it_never_begins(end: Callable[[Table], None], places: tuple[Any, ...]):
    table = Table(None, *places)
    end(table)
    revealed(table, "aborted")


def revealed(table: Table, status: str) -> None:
    """It has ended, and its seed is in its last event and nowhere before it."""
    lines = table.lines()
    assert table.match.status == status
    assert lines[-1]["type"] == "seed.revealed.1"
    assert lines[-1]["data"] == {"seed": SEED.hex()}
    assert lines[0]["data"]["commitment"] == sha256(SEED).hexdigest()
    assert SEED.hex() not in json.dumps(lines[:-1])


# One place, one draw


class TornLog(MemoryLog):
    """Cannot be reached once, when it is told so."""

    torn = False

    def append(self, batch: Append) -> Appending:
        if self.torn:
            self.torn = False
            raise LogUnavailable("nothing was written")
        return super().append(batch)


def chances(done: Done) -> list[Any]:
    return [json.loads(bytes(line.data))["outcome"] for line in done.lines if line.type == "chance.drawn"]


def before_a_draw(log: MemoryLog | None = None) -> Table:
    """A match in which the first legal action of whoever is asked leads to a draw."""
    table = Table(log)
    table.desk.do(MATCH, table.wish(nonce="sugar"))
    match = table.match
    assert match.game.chance_due(match.game.apply(match.state, match.asks[0].seat, table.wish().actions[0]))
    return table


def test_a_submission_that_was_lost_on_its_way_draws_the_same_when_it_is_sent_again():
    first = before_a_draw()
    wanted = chances(first.desk.do(MATCH, first.wish()))
    assert wanted
    log = TornLog()
    table = before_a_draw(log)
    log.torn = True
    wish = table.wish()
    with pytest.raises(LogUnavailable):
        table.desk.do(MATCH, wish)
    table.watch.now += 90_000
    assert chances(table.desk.do(MATCH, wish)) == wanted


def test_neither_time_nor_talk_nor_another_process_changes_a_draw():
    """What the server alone controls, or could: when it is done, by whom, after which other events."""
    first = before_a_draw()
    wanted = chances(first.desk.do(MATCH, first.wish()))
    later = before_a_draw()
    later.watch.now += 3_600_000
    later.desk.do(MATCH, Offer(Actor("p-3", "api")))
    later.desk.do(MATCH, Answer(Actor("p-2", "api"), 1, "decline"))
    other = Desk(later.log, lambda _match: SeedLot(SEED, MATCH), later.watch)
    assert chances(other.do(MATCH, later.wish())) == wanted


def test_what_a_player_throws_in_changes_it_and_stays_thrown_in_when_the_turn_is_taken_back():
    outcomes = set()
    for nonce in ("salt", "pepper", "tea", "rice", "wine", "bread", "milk", "oil"):
        table = before_a_draw()
        outcomes.add(json.dumps(chances(table.desk.do(MATCH, table.wish(nonce=nonce)))))
        assert table.match.entropy == f"sugar\n{nonce}\n".encode()
    assert len(outcomes) > 1
    table = Table()
    first = table.wish(nonce="sugar")
    table.desk.do(MATCH, first)
    table.desk.do(MATCH, TakeBack(first.actor, first.seat))
    table.desk.do(MATCH, table.wish(nonce="tea"))
    assert table.match.entropy == b"sugar\ntea\n"


# What is refused, or only tried, is drawn for nobody


def nobody_draws(table: Table, command: Any, kind: str) -> None:
    looked = table.lot.looked
    with pytest.raises(Refused) as refused:
        table.desk.do(MATCH, command)
    assert refused.value.kind == kind
    with pytest.raises(Refused):
        table.desk.check(MATCH, command)
    assert table.lot.looked == looked


def test_a_refused_submission_looks_into_no_lot_and_gives_nothing_away():
    table = before_a_draw()
    wish = table.wish()
    player, seat, ply = wish.actor, wish.seat, wish.ply
    idle = next(seat for seat in table.match.seats if table.match.ask(seat) is None)
    others = Actor(table.match.chair(idle).player or "", "api")
    nobody_draws(table, Submit(player, seat, ply, wish.actions * 2, "salt"), "interrupted")
    nobody_draws(table, Submit(player, seat, ply + 1, wish.actions, "salt"), "stale-ply")
    nobody_draws(table, Submit(others, seat, ply, wish.actions, "salt"), "not-your-seat")
    nobody_draws(table, Submit(others, idle, ply, wish.actions, "salt"), "not-your-turn")
    nobody_draws(table, submission(player, seat, ply, "castle long"), "unreadable-text")
    nobody_draws(table, submission(player, seat, ply, [{"type": "deploy", "at": "c3"}]), "illegal-action")
    table.watch.now = (table.match.due or 0) + 1
    nobody_draws(table, wish, "deadline-passed")


def test_a_check_ends_where_the_first_lot_would_be_drawn():
    table = before_a_draw()
    looked = table.lot.looked
    made = table.desk.check(MATCH, table.wish())
    assert [type(event.fact) for event in made if isinstance(event.fact, ChanceDrawn)] == []
    assert table.lot.looked == looked
    for _ in range(20):
        table.desk.check(MATCH, table.wish(nonce="another"))
        list(islice(table.match.game.legal(table.match.state, table.match.asks[0].seat), 50))
    assert table.lot.looked == looked
    assert table.match.entropy == b"sugar\n"


def test_a_check_of_the_last_seat_of_the_last_answer_and_of_the_last_to_leave_reveals_nothing():
    waiting = Table(None, *map(Hold, FOUR[:3]), Open(), seating="random")
    looked = waiting.lot.looked
    assert not any(isinstance(event.fact, ChanceDrawn) for event in waiting.desk.check(MATCH, Join(Actor("p-3", "api"))))
    ending = Table()
    ending.desk.do(MATCH, Offer(Actor("p-0", "api")))
    for player in FOUR[1:3]:
        ending.desk.do(MATCH, Answer(Actor(player, "api"), 1, "accept"))
    told = ending.desk.check(MATCH, Answer(Actor("p-3", "api"), 1, "accept"))
    assert SEED.hex() not in repr(told)
    alone = Table(None, Hold("p-0"), Open(), Open(), Open())
    assert SEED.hex() not in repr(alone.desk.check(MATCH, Leave(Actor("p-0", "api"))))
    assert waiting.lot.looked == looked
