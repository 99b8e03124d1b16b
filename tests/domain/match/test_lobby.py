"""Creating a match, sitting down, leaving again, and the start."""

from __future__ import annotations

import pytest
from msgspec import UNSET

from domain.chain import commitment
from domain.match.commands import Actor, CallOff, CreateMatch, Fill, House, Invite, Join, Leave, Open
from domain.match.events import ChanceDrawn, MatchAborted, MatchCreated, MatchStarted, SeatLeft, SeatTaken, SeedRevealed
from tests.table import SEED, LoadedLot, Table, ann, creation, four

BO, CY = Actor("p-bo", "api"), Actor("p-cy", "api")
OPEN = Open()


def test_a_match_with_all_seats_taken_starts_by_itself_and_draws_the_first_team():
    table = Table(LoadedLot([2]))
    facts = table.does(creation(*four("ann", "bo", "cy", "di")))
    assert facts == [
        MatchCreated(
            game="fourfold",
            edition=1,
            options={"max_runners": 16, "goals_to_win": 4, "max_turns": None},
            settings={
                "clock": {"kind": "per-turn", "seconds": 259_200},
                "on_timeout": "vacate",
                "undo_seconds": 60,
                "auto_forced": True,
                "seating": "joined",
                "visibility": "private",
            },
            seats=("north", "east", "south", "west"),
            commitment=commitment(SEED),
        ),
        SeatTaken("north", "p-ann0000000"),
        SeatTaken("east", "p-bo"),
        SeatTaken("south", "p-cy"),
        SeatTaken("west", "p-di"),
        MatchStarted(),
        ChanceDrawn("team", {"seat": "south", "for": "opening"}, "* south deploys", 0),
    ]


def test_seats_are_drawn_seat_by_seat_from_the_players_in_joining_order_as_the_first_chance():
    table = Table(LoadedLot([3, 0, 1, 0, 1]))
    facts = table.does(creation(*four("ann", "bo", "cy", "bot1"), seating="random"))
    seats = {"north": "p-bot1", "east": "p-ann0000000", "south": "p-cy", "west": "p-bo"}
    told = "* seats north p-bot1, east p-ann0000000, south p-cy, west p-bo"
    assert facts[-2:] == [
        ChanceDrawn("seats", {"seats": seats}, told, 0),
        ChanceDrawn("team", {"seat": "east", "for": "opening"}, "* east deploys", 4),
    ]
    assert [(chair.player, chair.bot) for chair in table.live.chairs] == [
        ("p-bot1", "random"),
        ("p-ann0000000", None),
        ("p-cy", None),
        ("p-bo", None),
    ]


def test_a_match_waits_for_those_invited_and_for_whoever_comes():
    table = Table(LoadedLot([0]))
    table.does(creation(*four("ann"), Invite("p-bo"), OPEN, House("random", "p-bot")))
    assert table.live.status == "waiting"
    assert table.refuses(Join(CY, "east")).words == "east is kept for somebody who was invited"
    assert table.does(Join(CY)) == [SeatTaken("south", "p-cy")]
    assert table.does(Join(BO, entropy="a piece of luck"))[0] == SeatTaken("east", "p-bo", entropy="a piece of luck")
    assert table.match is not None
    assert table.match.status == "live"
    assert table.match.entropy == b"a piece of luck\n"


def test_who_is_seated_cannot_sit_down_twice_unless_the_match_says_so():
    table = Table()
    table.does(creation(*four("ann"), OPEN, OPEN, OPEN))
    assert table.refuses(Join(ann())).kind == "seat-taken"
    assert table.refuses(Join(BO, "north")).words == "north is taken already"
    assert table.refuses(Join(BO, "up")).words == "there is no seat 'up' in this match; the seats are north, east, south, west"
    several = Table()
    several.does(creation(*four("ann"), OPEN, OPEN, OPEN, several_seats=True))
    assert several.does(Join(ann())) == [SeatTaken("east", "p-ann0000000")]


def test_a_player_named_twice_makes_it_a_match_with_several_seats_each():
    table = Table()
    facts = table.does(creation(*four("ann", "bo", "ann", "bo")))
    assert facts[0].settings["several_seats"] is True
    assert table.live.seats_of("p-bo") == ("east", "west")


def test_leaving_before_the_start_frees_the_seat_and_declining_frees_the_one_that_was_kept():
    table = Table()
    table.does(creation(*four("ann", "cy"), Invite("p-bo"), OPEN))
    assert table.does(Leave(CY)) == [SeatLeft("east")]
    assert table.does(Leave(BO)) == [SeatLeft("south")]
    assert table.does(Join(BO, "south")) == [SeatTaken("south", "p-bo")]
    assert table.refuses(Leave(CY)).words == "you have no seat in this match"


def test_a_match_that_everybody_left_is_called_off_and_its_seed_revealed():
    table = Table()
    table.does(creation(*four("ann", "bot"), OPEN, OPEN))
    assert table.does(Leave(ann())) == [SeatLeft("north"), MatchAborted("everybody left"), SeedRevealed(SEED.hex())]
    assert table.live.status == "aborted"
    assert table.refuses(Join(BO)).kind == "match-over"


@pytest.mark.parametrize(
    ("places", "changes", "words"),
    [
        (four("ann", "bo"), {}, "Fourfold is for 4 seats, and 2 were named"),
        (four("ann"), {"game": "steinnheimr"}, "Blacksmiths of Steinnheimr is for 2, 3 or 4 seats, and 1 was named"),
        (four("ann", "bo", "cy", "di"), {"game": "chess"}, "there is no game 'chess'"),
        (four("ann", "bo", "cy", "di"), {"options": {"goals_to_win": 0}}, "options: `goals_to_win` must be at least 1"),
        (four("ann", "bo", "cy", "di"), {"options": {"goals": 3}}, "options: `goals` is not known here"),
        (four("ann", "bo", "cy", "di"), {"undo_seconds": -1}, "settings: `undo_seconds` must be at least 0"),
        (
            four("ann", "bo", "cy", "di"),
            {"clock": {"kind": "per-turn", "seconds": True}},
            "settings: `clock.seconds` must be a whole number, not true or false",
        ),
        (four("ann", "bo", "cy", "di"), {"clock": {"seconds": 60}}, "settings: `clock.kind` is missing"),
        (four("ann", "bo", "cy", "di"), {"clock": 60}, "settings: `clock` must be an object, not a whole number"),
        ((*four("ann", "bo", "cy"), House("deep", "p-x")), {}, "Fourfold has no house bot 'deep'"),
        (four("ann", "bo", "cy", "ann"), {"several_seats": False}, "a player is named for several seats"),
    ],
)
def test_a_match_that_cannot_be_is_refused_in_words(places, changes, words):
    refused = Table().refuses(creation(*places, **changes))
    assert refused.kind == "invalid-match"
    assert refused.words.startswith(words)


def test_nothing_of_the_settings_is_written_that_was_not_agreed():
    assert "several_seats" not in Table().does(creation(*four("ann", "bo", "cy", "di")))[0].settings
    assert Table().does(creation(*four("ann", "bo", "cy", "di")))[0].invited is UNSET


def test_who_opened_a_match_gives_seats_that_nobody_took_to_house_bots():
    table = Table()
    table.does(creation(*four("ann", "cy"), Invite("p-bo"), OPEN))
    assert table.does(Fill(ann(), "south", House("random", "p-bot1"))) == [SeatTaken("south", "p-bot1", "random")]
    assert table.live.chair("south").invited is None
    assert table.refuses(Join(BO, "south")).words == "south is taken already"
    facts = table.does(Fill(ann(), "west", House("random", "p-bot2")), after=1)
    assert facts[:2] == [SeatTaken("west", "p-bot2", "random"), MatchStarted()]
    assert table.refuses(Fill(ann(), "west", House("random", "p-bot3"))).words == "this match has started; its seats are given"


def test_nobody_else_gives_seats_away_or_calls_the_match_off():
    table = Table()
    table.does(creation(*four("ann", "cy"), Invite("p-bo"), OPEN))
    for command in (Fill(CY, "west", House("random", "p-bot1")), CallOff(CY), CallOff(BO)):
        assert table.refuses(command).words == "only whoever opened the match decides about its empty seats, and whether it is called off"
    assert table.refuses(Fill(ann(), "east", House("random", "p-bot1"))).words == "east is taken already"
    assert table.refuses(Fill(ann(), "west", House("deep", "p-bot1"))).words.startswith("Fourfold has no house bot 'deep'")


def test_who_opened_a_match_calls_it_off_whoever_sits_there_already():
    table = Table()
    table.does(creation(*four("ann", "cy"), Invite("p-bo"), OPEN))
    assert table.does(CallOff(ann())) == [MatchAborted("by whoever opened it"), SeedRevealed(SEED.hex())]
    assert table.refuses(CallOff(ann())).kind == "match-over"


def test_a_declined_invitation_leaves_the_match_to_those_who_have_still_to_answer():
    table = Table()
    table.does(creation(Invite("p-bo"), Invite("p-cy"), OPEN, OPEN))
    assert table.does(Leave(BO)) == [SeatLeft("north")]
    assert table.does(Join(CY)) == [SeatTaken("east", "p-cy")]


def test_who_takes_another_seat_than_the_one_kept_for_them_leaves_that_one_to_others():
    table = Table()
    table.does(creation(*four("ann"), OPEN, OPEN, Invite("p-bo")))
    table.does(Join(BO, "east"))
    assert table.does(Join(CY, "west")) == [SeatTaken("west", "p-cy")]


def test_entropy_without_a_seat_of_ones_own_is_refused_and_not_dropped():
    refused = Table().refuses(CreateMatch(ann(), "fourfold", {}, {}, (OPEN, OPEN, OPEN, OPEN), "luck"))
    assert refused.words.startswith("entropy is given with a seat of one's own")
