"""The links into a match: whose each is, what it is good for, and for how long."""

from pathlib import Path

from msgspec.structs import replace

from infra.seals.keys import Keys
from infra.seals.links import to_ending, to_invitation, to_match, to_reply, to_reply_out_of_turn, to_turn
from infra.seals.tokens import Token, Tokens
from infra.settings import Settings
from tests.table import MATCH, NOON, LoadedLot, Table, creation, four

DAY = 86_400_000


def table() -> Table:
    """South is asked, by the seventh event, for three days."""
    made = Table(LoadedLot([2]))
    made.does(creation(*four("ann", "bo", "cy", "di")))
    return made


def test_a_link_to_a_turn_names_its_ask_and_how_far_the_turn_has_gone():
    made = table()
    made.plays("deploy c1")
    (ask,) = made.live.asks
    assert to_turn(made.live, ask) == Token("move", MATCH, 2, ask=7, step=1, choice=0, expires=NOON + 33 * DAY)
    assert to_turn(made.live, ask, 4).choice == 4


def test_a_turn_that_goes_on_for_very_long_has_a_link_all_the_same(tmp_path: Path):
    made = table()
    (ask,) = made.live.asks
    token = to_turn(replace(made.live, ply=256), ask)
    assert token.step == 255
    assert len(Tokens(Keys(Settings.development(tmp_path))).seal(token)) == 45


def test_the_other_links_belong_to_a_seat_as_it_is_held_now():
    match = table().live
    assert to_match(match, "east", NOON) == Token("view", MATCH, 1, ask=3, expires=NOON + 400 * DAY)
    assert to_ending(match, "west", NOON) == Token("resign", MATCH, 3, ask=5, expires=NOON + 400 * DAY)
    assert to_invitation(match, "north", NOON) == Token("join", MATCH, 0, ask=2, expires=NOON + 400 * DAY)


def test_a_reply_about_a_turn_is_told_from_any_other_also_where_seats_were_drawn_by_lot():
    made = table()
    made.plays("deploy c1")
    (ask,) = made.live.asks
    assert to_reply(made.live, ask) == Token("reply", MATCH, 2, ask=7, step=1, expires=NOON + 33 * DAY)
    assert to_reply_out_of_turn(made.live, "south", NOON) == Token("reply", MATCH, 2, ask=4, choice=1, expires=NOON + 400 * DAY)
