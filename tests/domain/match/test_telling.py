"""What happened, in words for whoever reads it."""

from __future__ import annotations

from domain.chain import SeedLot
from domain.match.commands import Actor, Answer, House, Invite, Join, Leave, Offer, Open, Resign, TakeBack, TimeOut
from domain.match.telling import ACTIONS, Cast, capital, isolated, listed, named, tell
from tests.table import MATCH, SEED, LoadedLot, Table, ann, creation, four

ANN = "p-ann0000000"
NAMES = {ANN: "Ann", "p-bo": "Bo Ångström", "p-cy": "Cy"}
CY, BO = Actor("p-cy", "link"), Actor("p-bo", "web")


def table(*falls: int, names: tuple[str, ...] = ("ann", "bo", "cy", "bot1")) -> Table:
    made = Table(LoadedLot(falls))
    made.does(creation(*four(*names)))
    return made


def told(made: Table, reader: str | None = None) -> list[str]:
    """Each event as a line: its words, then its line of text where the words lead up to one."""
    cast = Cast(made.live, NAMES, reader)
    return [f"{event.words} {event.line}" if event.acted else event.words for event in tell(made.events, cast)]


def test_people_are_called_by_name_the_reader_you_and_house_bots_by_their_seat():
    made = table(2)
    cast = Cast(made.live, NAMES, "p-cy")
    assert [cast.seat(seat) for seat in made.live.seats] == ["North (Ann)", "East (Bo Ångström)", "South (you)", "West"]
    assert [cast.player(player) for player in (ANN, "p-cy", "p-bot1", "p-gone", None)] == [
        "Ann",
        "you",
        "a house bot",
        "a former player",
        "nobody",
    ]
    assert cast.name("p-cy") == "Cy"


def test_nobody_is_you_to_whoever_only_watches():
    assert Cast(table(2).live, NAMES).seat("south") == "South (Cy)"


def test_a_match_is_told_from_its_beginning():
    made = Table(LoadedLot([2]))
    made.does(creation(*four("ann"), Invite("p-bo"), Open(), House("random", "p-bot1")))
    made.does(Join(CY))
    made.does(Leave(CY))
    made.does(Join(CY))
    made.does(Join(BO))
    assert told(made, "p-bo") == [
        "Ann opened a match of Fourfold",
        "Ann took the seat north",
        "A house bot took the seat west",
        "Cy took the seat south",
        "Cy gave the seat south back",
        "Cy took the seat south",
        "You took the seat east",
        "The last seat was taken and the match began",
        "By lot: south deploys",
    ]


def test_seats_drawn_by_lot_are_told_with_names():
    made = Table(LoadedLot([3, 0, 1, 0, 1]))
    made.does(creation(*four("ann", "bo", "cy", "bot1"), seating="random"))
    assert told(made, "p-bo")[-2:] == ["Seats by lot: north for a house bot, east for Ann, south for Cy, west for you", "By lot: east deploys"]
    assert told(made)[1] == "Ann took a chair"


def test_the_words_of_an_action_lead_up_to_its_line():
    made = table(2)
    made.plays("deploy c1")
    made.does(TakeBack(CY, "south"))
    assert told(made, "p-cy")[-2:] == ["South (you) played deploy c1", "South (you) took the turn back; the position is the one before it again"]
    action = tell(made.events, Cast(made.live, NAMES))[-2]
    assert (action.version, action.sort, action.line, action.seat, action.index, action.way, action.tag) == (
        8,
        "action",
        "deploy c1",
        "south",
        2,
        "by API",
        "",
    )


def test_what_nobody_chose_says_so():
    made = table(2, 2, 2, 2, 2)
    made.plays("deploy a1; S1>a2")
    made.plays("deploy b1; S2>b2")
    made.plays("deploy a1")
    forced = tell(made.events, Cast(made.live, NAMES))[-2]
    assert (forced.words, forced.line, forced.tag) == ("South (Cy) had no choice but", "S3 pass", "forced")
    made = table(2)
    made.does(TimeOut(), after=3 * 86_400_000 + 1)
    left, caretaker = tell(made.events, Cast(made.live, NAMES))[7:9]
    assert (left.words, left.sort, left.seat) == ("South (Cy) ran out of time and is out", "left", "south")
    assert (caretaker.words, caretaker.tag, caretaker.way) == ("The caretaker of south played", "caretaker", "caretaker")


def test_offers_and_the_end_are_told():
    made = table(2, names=("ann", "bo", "cy", "bo"))
    made.does(Offer(ann()))
    made.does(Answer(CY, 1, "decline"))
    made.does(Offer(BO))
    made.plays("deploy c1")
    made.does(Offer(CY))
    made.does(Answer(BO, 3, "accept"))
    made.does(Answer(ann(), 3, "accept"))
    assert told(made, "p-bo")[-10:] == [
        "Ann offered to end the match as it stands",
        "Cy declined it",
        "You offered to end the match as it stands",
        "The offer lapsed, because the match went on",
        "South (Cy) played deploy c1",
        "Cy offered to end the match as it stands",
        "You agreed to it",
        "Ann agreed to it",
        "The match ended (agreement): 1. North (Ann), East (you), South (Cy) and West (you)",
        "The seed of all lots was revealed, so that every draw can be checked",
    ]


def test_a_leaving_and_a_match_called_off_are_told():
    made = table(2)
    made.does(Resign(CY))
    assert "South (you) resigned and left the match" in told(made, "p-cy")
    off = Table()
    off.does(creation(*four("ann"), Open(), Open(), Open()))
    off.does(Leave(ann()))
    assert told(off)[-2] == "The match was called off: everybody left"


def test_what_counts_is_said_with_the_line_that_made_it_count():
    made = Table(SeedLot(SEED, MATCH))
    made.does(creation(*four("ann", "bo", "cy", "di")))
    while not any(event.scored for event in tell(made.events, Cast(made.live, NAMES))):
        made.plays(made.live.game.write(next(made.live.game.legal(made.live.state, made.live.asks[0].seat))))
    goals = made.live.game.standing(made.live.state).scores
    (scorer,) = [seat for seat, score in goals.items() if score]
    (goal,) = [event for event in tell(made.events, Cast(made.live, NAMES)) if event.scored]
    assert (goal.scored, goal.seat, goal.sort in ACTIONS) == (f"{scorer} has 1", scorer, True)
    assert goal.tag.endswith(f"{scorer} has 1")
    assert [event.scored for event in tell(made.events[: goal.version - 1], Cast(made.live, NAMES))] == [""] * (goal.version - 1)


def test_a_name_that_is_read_from_right_to_left_is_set_apart():
    assert [isolated(name) for name in ("Ann", "Bo Ångström", "李小龍", "محمد", "Ann שלום", "١٢")] == [
        "Ann",
        "Bo Ångström",
        "李小龍",
        "\u2068محمد\u2069",
        "\u2068Ann שלום\u2069",
        "\u2068١٢\u2069",
    ]
    assert Cast(table(2).live, {ANN: "محمد"}).seat("north") == "North (\u2068محمد\u2069)"


def test_those_are_named_who_sit_are_invited_or_opened_the_match():
    made = Table()
    made.does(creation(*four("bo"), Invite("p-cy"), House("random", "p-bot1"), Open()))
    assert named(made.live) == [ANN, "p-bo", "p-cy"]


def test_what_is_listed_ends_with_and():
    assert [listed(words) for words in ([], ["North"], ["North", "East"], ["North", "East", "West"])] == [
        "",
        "North",
        "North and East",
        "North, East and West",
    ]


def test_a_sentence_begins_with_a_capital_and_keeps_the_rest():
    assert (capital("bo Ångström"), capital("éa"), capital("")) == ("Bo Ångström", "Éa", "")
