"""The forges as a picture and as text: what must be seen on them, and where."""

import re
from collections import Counter
from xml.etree import ElementTree as ET

import pytest

from domain.games.four_forges import GAME
from domain.games.four_forges.state import Action, Break, DeclineTrade, Forge, Mine, Move, Options, State
from domain.picture import Look
from infra.pictures import png
from tests.games.four_forges.positions import FULL, play, position

SVG = "{http://www.w3.org/2000/svg}"
BOTH = Options(mining=True, trading=True)
MIDDLE = position(
    "O1 1b1s1g O2 7s2g O4 3b M1 2b L3 1g A4 1b2s",
    "malachite",
    BOTH,
    chests=((2, 1, 12), (0, 0, 0), (1, 0, 0), (3, 0, 0)),
    bag=(0, 2, 0),
    mine=(9, 0, 3),
    round=4,
)


def drawn(s: State, seat: str | None = None, last: tuple[Action, ...] = (), look: Look | None = None) -> ET.Element:
    return ET.fromstring(GAME.svg(s, look or Look(), seat, last))  # noqa: S314 - our own picture


def words(picture: ET.Element) -> dict[str, tuple[float, float]]:
    """Where each piece of text stands; of several alike, the one that is highest."""
    found: dict[str, tuple[float, float]] = {}
    for text in sorted(picture.iter(f"{SVG}text"), key=lambda text: -float(text.get("y", ""))):
        found[text.text or ""] = (float(text.get("x", "")), float(text.get("y", "")))
    return found


def marks(picture: ET.Element, tag: str) -> list[ET.Element]:
    """The shapes of one kind that are in the colour of marks."""
    return [shape for shape in picture.iter(f"{SVG}{tag}") if Look().mark in (shape.get("stroke"), shape.get("fill"))]


@pytest.mark.parametrize(
    ("seat", "downwards"),
    [
        (None, ["Ochre", "Malachite", "Lead", "Azurite"]),
        ("azurite", ["Ochre", "Malachite", "Lead", "Azurite"]),
        ("ochre", ["Malachite", "Lead", "Azurite", "Ochre"]),
        ("malachite", ["Lead", "Azurite", "Ochre", "Malachite"]),
        ("lead", ["Azurite", "Ochre", "Malachite", "Lead"]),
    ],
)
def test_the_viewers_forge_is_at_the_bottom_and_the_others_come_in_turn_order(seat: str | None, downwards: list[str]):
    texts = [text for text in drawn(MIDDLE, seat).iter(f"{SVG}text") if text.text in downwards and text.get("fill") == "#ffffff"]
    assert [text.text for text in sorted(texts, key=lambda text: float(text.get("y", "")))] == downwards
    assert ("(you)" in words(drawn(MIDDLE, seat))) == (seat is not None)
    if seat:
        assert words(drawn(MIDDLE, seat))["(you)"][1] > 420


def test_every_anvil_is_named_and_those_beyond_the_edges_a_second_time():
    named = Counter(text.text for text in drawn(MIDDLE, "ochre").iter(f"{SVG}text") if re.fullmatch("[OMLA][1-4]", text.text or ""))
    assert named == Counter({f"{forge}{number}": 2 if forge in "OM" else 1 for forge in "OMLA" for number in "1234"})
    assert not any(re.fullmatch("[OMLA][1-4]", said) for said in words(drawn(MIDDLE, "ochre", look=Look(labels=False))))


def test_anvils_that_touch_lie_side_by_side():
    at = words(drawn(MIDDLE, "azurite"))
    assert at["L2"][0] == at["A2"][0]
    assert at["A2"][1] < at["O1"][1] < at["M1"][1] < at["L1"][1]  # A2 first of all beyond the upper edge, next to O2
    assert at["L1"][0] < at["L2"][0] < at["L3"][0] < at["L4"][0]


def test_stones_can_be_counted_or_are_numbered():
    lettered = Counter(text.text for text in drawn(MIDDLE).iter(f"{SVG}text") if text.text in {"b", "s", "g"})
    assert lettered == {"b": 1 + 3 + 2 + 1, "s": 1 + 1 + 2, "g": 1 + 2 + 1}  # the seven on O2 are one, and a number
    assert "x 7" in words(drawn(MIDDLE))


def test_stones_are_told_apart_by_shape_and_letter_not_only_by_colour():
    for stones, shape, letter in (("M1 1b", "circle", "b"), ("M1 1s", "polygon", "s"), ("M1 1g", "rect", "g")):
        with_it, without = drawn(position(stones, reason="no-progress")), drawn(position("", reason="no-progress"))
        more = Counter(part.tag for part in with_it.iter()) - Counter(part.tag for part in without.iter())
        assert more == {f"{SVG}{shape}": 1, f"{SVG}text": 1}
        assert letter in words(with_it)


def test_what_can_be_made_of_an_anvil_at_once_is_said():
    picture = drawn(MIDDLE)
    assert [text.text for text in picture.iter(f"{SVG}text") if text.text in {"smelt", "forge"}] == ["smelt", "forge"]
    assert words(picture)["smelt"][0] < words(picture)["forge"][0]


def test_chests_the_bag_and_the_mine_are_counted():
    found = words(drawn(MIDDLE))
    assert {"chest 15", "chest 0", "chest 1", "chest 3", "Broken:", "Mine:", "12", "9"} <= set(found)
    assert {"Broken:", "none"} <= set(words(drawn(position(FULL))))
    assert "Mine:" not in words(drawn(position(FULL)))


def test_whoever_is_to_act_is_framed_and_their_actions_are_counted():
    s = play(position(FULL), "O2>O1 black")
    (frame,) = marks(drawn(s, "azurite"), "rect")
    assert (float(frame.get("y", "")), float(frame.get("width", ""))) == (105, 590)
    pips = [circle.get("fill") for circle in drawn(s).iter(f"{SVG}circle") if circle.get("r") == "5"]
    assert pips == ["#ffffff", "#ffffff", "none"]


def test_a_trade_that_is_on_offer_is_shown_on_its_anvils_and_told():
    s = play(MIDDLE, "trade M1 2b for A4 1b1s")
    picture = drawn(s, "azurite")
    framed, *dashed = marks(picture, "rect")
    assert float(framed.get("y", "")) == 435  # azurite's forge, the lowest
    assert sorted((float(box.get("x", "")), float(box.get("y", ""))) for box in dashed) == [(128, 222), (479, 442)]
    assert {"Offered:", "from M1 for", "from A4", "Azurite answers malachite's offer"} <= set(words(picture))


def test_a_move_is_marked_by_its_anvils_and_an_arrow_over_their_edge():
    picture = drawn(play(position(FULL), "O2>O1 black"), "azurite", (Move("O2", "O1", "black"),))
    assert [path.get("d", "").split("v")[0] for path in marks(picture, "path")] == [
        "M125 124",
        "M242 124",
        "M16 624",
    ]  # O1, O2, and one beside the words
    assert [(line.get("x1"), line.get("x2"), line.get("y1")) for line in marks(picture, "line")] == [("255", "240", "161")]
    assert "Last: O2>O1 black" in words(picture)


def test_a_move_around_the_ring_goes_out_at_one_edge_and_in_at_the_other():
    picture = drawn(play(position(FULL), "O2>A2 black"), "azurite", (Move("O2", "A2", "black"),))
    assert [(line.get("y1"), line.get("y2")) for line in marks(picture, "line")] == [
        ("122", "107"),
        ("562", "547"),
    ]  # up at the top, and up from below


def test_other_actions_are_marked_too():
    assert len(marks(drawn(MIDDLE, None, (Forge("O4"), Break("M1", "black"), Mine("L1"))), "path")) == 4
    assert len(marks(drawn(MIDDLE, None, (DeclineTrade(),)), "path")) == 1
    assert "Last: ... decline, decline, decline" in words(drawn(MIDDLE, None, (DeclineTrade(),) * 4))


def test_the_picture_says_what_is_going_on():
    assert {"Round 4", "Malachite takes 3 actions or offers a trade"} <= set(words(drawn(MIDDLE)))
    assert {"Round 2 of 9", "Ochre takes 1 more action"} <= set(
        words(drawn(play(position(FULL, options=Options(max_rounds=9), round=2), "O2>O1 black; O1>O2 black")))
    )
    assert {"Before the first round", "The stones are being dealt"} <= set(words(drawn(GAME.setup(Options(), GAME.seats))))
    assert "Stones for M3 are coming from the mine" in words(drawn(GAME.apply(MIDDLE, "malachite", Mine("M3"))))
    emptied = position("O1 1b", "malachite", BOTH, actions_left=0, mine=(2, 2, 2))
    assert "Malachite declares the end or ends its turn" in words(drawn(emptied))
    over = position(FULL, reason="no-progress", round=6, chests=((1, 1, 1), (0, 0, 0), (3, 0, 0), (0, 3, 0)))
    assert {"Over in round 6", "Ochre, lead and azurite tie with 3 stones each"} <= set(words(drawn(over)))
    assert "(left)" in words(drawn(GAME.vacate(MIDDLE, "lead")))


@pytest.mark.parametrize("seat", [None, "lead"])
def test_as_a_png_it_is_small_enough_for_a_mail(seat: str | None):
    for s in (MIDDLE, position(FULL), play(MIDDLE, "trade M1 2b for A4 1b1s")):
        assert len(png(GAME.svg(s, Look(), seat, (Move("O2", "O1", "black"),)), 600)) < 60 * 1024


def test_every_picture_of_the_guide_is_there_and_no_other():
    assert re.findall(r"!\[[^]]+\]\(board:(\w+)\)", GAME.guide) == list(GAME.scenes)
    for scene in GAME.scenes.values():
        assert drawn(scene.state, scene.seat, scene.last)
        s = scene.state
        assert [sum(stones[colour] for stones in (*s.anvils, *s.chests, s.bag)) for colour in range(3)] == [24, 24, 24]


# As text


def test_the_text_board_is_of_one_width_and_followed_by_the_position_as_lists():
    assert GAME.text(MIDDLE).splitlines() == [
        "Round 4: malachite takes 3 actions or offers a trade.",
        "",
        "　　１　　　　　　２　　　　　　３　　　　　　４",
        "Ｏ　１ｂ１ｓ１ｇ　７ｓ２ｇ　　　・　　　　　　３ｂ",
        "Ｍ　２ｂ　　　　　・　　　　　　・　　　　　　・",
        "Ｌ　・　　　　　　・　　　　　　１ｇ　　　　　・",
        "Ａ　・　　　　　　・　　　　　　・　　　　　　１ｂ２ｓ",
        "",
        "Ochre: O1 1b1s1g, O2 7s2g, O3 -, O4 3b; in the chest 15 stones (2b1s12g)",
        "Malachite: M1 2b, M2 -, M3 -, M4 -; in the chest 0 stones",
        "Lead: L1 -, L2 -, L3 1g, L4 -; in the chest 1 stone (1b)",
        "Azurite: A1 -, A2 -, A3 -, A4 1b2s; in the chest 3 stones (3b)",
        "",
        "Broken, in the bag: 2 stones (2s)",
        "Left in the mine: 12 stones (9b3g)",
        "Now malachite: move or break a stone on M1, mine M2, mine M3, mine M4 or trade (3 offers left)",
    ]


def test_every_row_of_the_text_board_is_full_width():
    rows = [line for line in GAME.text(MIDDLE).splitlines() if re.match("[ＯＭＬＡ\u3000]", line)]
    assert len(rows) == 5
    assert all(0x3000 <= ord(letter) < 0x3100 or 0xFF00 <= ord(letter) < 0xFF60 for row in rows for letter in row)


@pytest.mark.parametrize(
    ("s", "last_line"),
    [
        (position("O1 1b1s1g O2 3g M1 1b"), "Now ochre: forge O2, smelt O1 or move or break a stone on O1 or O2"),
        (play(MIDDLE, "trade M1 2b for A4 1b1s"), "Now azurite: accept or decline malachite's offer of M1 2b for A4 1b1s"),
        (position("M1 1b", options=BOTH, actions_left=0, mine=(2, 2, 2)), "Now ochre: declare end or end turn"),
        (position(FULL, idle=7), "Now ochre: move or break a stone on O2, O3 or O4"),
        (position(FULL, reason="declared"), "Broken, in the bag: no stone"),
    ],
)
def test_the_text_ends_with_what_can_be_done(s: State, last_line: str):
    assert GAME.text(s).splitlines()[-1] == last_line


def test_rounds_without_progress_are_told_while_they_matter():
    assert "Without progress: 7 rounds of 20" in GAME.text(position(FULL, idle=7)).splitlines()
    assert "Without progress" not in GAME.text(position(FULL, idle=7, options=Options(no_progress_rounds=None)))


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        ("forge-empty", "It ended in lead's turn: its forge is empty."),
        ("no-legal-action", "It ended in lead's turn: its forge and the mine are empty."),
        ("declared", "It ended in lead's turn: it declared the end."),
        ("round-limit", "It ended after 5 rounds, as had been agreed."),
        ("no-progress", "It ended after 5 rounds; in 3 in a row no stone left the board."),
    ],
)
def test_a_finished_match_says_why_it_ended(reason: str, words: str):
    s = position(FULL, "lead", reason=reason, round=5, idle=3, chests=((1, 1, 1), (0, 0, 0), (0, 0, 0), (0, 0, 0)))
    assert GAME.text(s).splitlines()[:2] == ["Over in round 5: ochre wins with 3 stones.", words]
    assert "(left)" in GAME.text(GAME.vacate(s, "azurite"))


def test_seats_that_have_left_do_not_win_by_what_is_in_their_chests():
    s = GAME.vacate(GAME.vacate(position("O1 1b", chests=((1, 0, 0), (9, 0, 0), (0, 8, 0), (0, 0, 1))), "malachite"), "lead")
    over = play(s, "break O1 black")
    assert GAME.text(over).splitlines()[0] == "Over in round 1: ochre and azurite tie with 1 stone each."


def test_a_match_that_was_ended_as_it_stands_says_who_won_and_why_it_was_ended():
    s = GAME.vacate(position(FULL, chests=((1, 0, 0), (9, 0, 0), (0, 0, 0), (0, 0, 0)), round=4), "malachite")
    agreed = GAME.text(GAME.close(s, "agreement")).splitlines()[:2]
    assert agreed == ["Over in round 4: ochre wins with 1 stone.", "It was ended as it stands, by agreement."]
    left = GAME.vacate(GAME.vacate(s, "lead"), "azurite")
    for reason in ("resignation", "timeout"):
        assert GAME.text(GAME.close(left, reason)).splitlines()[1] == "It was ended as it stands, since the others have left."
    assert GAME.text(GAME.close(GAME.vacate(left, "ochre"), "timeout")).splitlines()[0].endswith(": everybody has left.")
