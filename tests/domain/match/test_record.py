"""A match as a text: everything that happened, in an order and in words that anybody can read."""

from domain.chain import SeedLot
from domain.desk import Desk
from domain.match.commands import Actor, Answer, CreateMatch, Hold, Offer, Submit
from domain.match.record import record
from domain.match.telling import Cast, anonymous
from tests.exports import SEED
from tests.memory_log import MemoryLog
from tests.people import Watch

NAME = "07-0000000001"
REPORT = """\
Penny Ante
==========

Match    07-0000000001, by edition 1 of the rules
Options  as usual
Pace     3 days for a turn; seats as they were taken
Seats    Dark (Ann)
         Light (Bo)
Outcome  Dark (Ann) and Light (Bo) share the first place, by agreement
         1. Dark (Ann), 2
         1. Light (Bo), 2

What happened
-------------

1  2026-11-29T12:00:00.000Z  Ann opened a match of Penny Ante (on the site)
2  2026-11-29T12:00:00.000Z  Ann took the seat dark (on the site)
3  2026-11-29T12:00:00.000Z  Bo took the seat light (on the site)
4  2026-11-29T12:00:00.000Z  The last seat was taken and the match began
5  2026-11-29T12:01:01.234Z  Dark (Ann) played: place c3 (by reply)
6  2026-11-29T12:01:01.234Z  Ann offered to end the match as it stands (by link)
7  2026-11-29T12:01:01.234Z  Bo agreed to it (by API)
8  2026-11-29T12:01:01.234Z  The match ended (agreement): 1. Dark (Ann) and Light (Bo)
9  2026-11-29T12:01:01.234Z  The seed of all lots was revealed, so that every draw can be checked

The head
--------

Version    9
"""


def played() -> Desk:
    """Two players of Penny Ante, one action, and an agreed end."""
    watch = Watch()
    desk = Desk(MemoryLog(), lambda match: SeedLot(SEED, match), watch)
    desk.do(NAME, CreateMatch(Actor("p-ann", "web"), "penny-ante", {}, {"seating": "joined"}, (Hold("p-ann"), Hold("p-bo"))))
    match = desk.look(NAME).match
    watch.now += 61_234
    desk.do(NAME, Submit(Actor("p-ann", "reply"), "dark", 0, (match.game.read(match.state, "place c3"),)))
    desk.do(NAME, Offer(Actor("p-ann", "link")))
    desk.do(NAME, Answer(Actor("p-bo", "api"), 1, "accept"))
    return desk


def test_it_reads_like_a_report():
    desk = played()
    match, head = desk.look(NAME).match, desk.look(NAME).tip.hash.hex()
    cast = Cast(match, {"p-ann": "Ann", "p-bo": "Bo"})
    assert record(desk.events(match), cast, head, "a.b.c") == f"{REPORT}Hash       {head}\nSignature  a.b.c\n"
    assert record(desk.events(match), cast, head) == f"{REPORT}Hash       {head}\n"


def test_somebody_who_is_no_longer_here_stays_in_it_without_a_name():
    desk = played()
    match = desk.look(NAME).match
    assert "Dark (a former player) played: place c3" in record(desk.events(match), Cast(match, {"p-bo": "Bo"}), "")


def test_without_names_everybody_is_called_by_their_id():
    desk = played()
    match = desk.look(NAME).match
    text = record(desk.events(match), anonymous(match, desk.events(match)), "")
    assert "Player p-ann opened a match of Penny Ante" in text
    assert "Seats    Dark (player p-ann)" in text


def test_before_the_end_there_is_no_outcome():
    desk = played()
    match = desk.look_back(NAME, 5).match
    text = record(desk.events(match), Cast(match, {}), "")
    assert "\nOutcome  none yet\n" in text
    assert text.endswith("Version    5\nHash       \n")
