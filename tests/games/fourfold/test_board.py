"""The court as a picture and as text: what must be seen on it, and where."""

import re
from xml.etree import ElementTree as ET

import pytest

from domain.games.fourfold import GAME
from domain.games.fourfold.state import Advance, Deploy, Options, Pass, State
from domain.picture import Look
from tests.games.fourfold.positions import OPENING, play, position

SVG = "{http://www.w3.org/2000/svg}"
MIDDLE = position(
    "S1 c2, N1 c4, E12 a3, W1 e5, S2 b1", due="S1", waiting="E12 W1", goals=(0, 1, 2, 3), turn=3, options=Options(max_runners=5, max_turns=9)
)


def drawn(s: State, seat: str | None = None, last: tuple[object, ...] = (), look: Look | None = None) -> ET.Element:
    return ET.fromstring(GAME.svg(s, look or Look(), seat, last))  # type: ignore[arg-type]  # noqa: S314 - our own picture


def words(picture: ET.Element) -> dict[str, tuple[float, float]]:
    """Where each piece of text stands; of several alike, the first."""
    found: dict[str, tuple[float, float]] = {}
    for text in picture.iter(f"{SVG}text"):
        found.setdefault(text.text or "", (float(text.get("x", "")), float(text.get("y", ""))))
    return found


@pytest.mark.parametrize(
    ("seat", "round_the_court"),
    [  # as read from the top clockwise: top, right, bottom, left
        (None, ["North", "East", "South", "West"]),
        ("south", ["North", "East", "South (you)", "West"]),
        ("west", ["East", "South", "West (you)", "North"]),
        ("north", ["South", "West", "North (you)", "East"]),
        ("east", ["West", "North", "East (you)", "South"]),
    ],
)
def test_the_viewing_seat_starts_at_the_bottom_and_the_others_lie_around_it(seat: str | None, round_the_court: list[str]):
    at = words(drawn(MIDDLE, seat))
    top, right, bottom, left = (at[name] for name in round_the_court)
    assert top[1] < left[1] == right[1] < bottom[1]
    assert left[0] < top[0] < right[0]


@pytest.mark.parametrize(
    ("seat", "corner"),
    [(None, "a1"), ("south", "a1"), ("west", "a5"), ("north", "e5"), ("east", "e1")],
)
def test_the_coordinates_turn_with_the_court(seat: str | None, corner: str):
    at = words(drawn(position(f"N1 {corner}, S1 c3", due="S1"), seat))
    assert at["N1"][0] == pytest.approx(148, abs=3)  # the first of five squares of 76 from 110 on
    assert at["N1"][1] == pytest.approx(482, abs=8)  # the last of five from 140 on
    letters = [text for text in drawn(MIDDLE, seat).iter(f"{SVG}text") if text.text in set("abcde12345")]
    assert len(letters) == 20
    below = {text.text: float(text.get("x", "")) for text in letters if float(text.get("y", "")) > 520}
    beside = {text.text: float(text.get("y", "")) for text in letters if float(text.get("x", "")) < 110}
    assert {name for name, x in below.items() if x == 148} | {name for name, y in beside.items() if y == 482} == set(corner)


def test_every_runner_stands_on_its_cell_and_points_where_it_runs():
    picture = drawn(MIDDLE)
    at = words(picture)
    assert at["S1"][0] < at["W1"][0]
    assert at["N1"][1] < at["S1"][1]
    assert at["E12"][0] < at["S2"][0] < at["S1"][0]
    turned = [shape.get("transform", "").split("(")[1].split()[0] for shape in picture.iter(f"{SVG}polygon") if shape.get("transform")]
    assert turned == ["0", "180", "270", "90", "0"]  # south up, north down, east to the left, west to the right


def test_teams_are_told_apart_without_colours():
    grey = Look(seats=("#777777",) * 4)
    assert {"S1", "N1", "E12", "W1", "North", "East", "South", "West"} <= set(words(drawn(MIDDLE, look=grey)))


def test_goals_stand_beside_each_side():
    found = words(drawn(MIDDLE))
    assert {"0 of 4 goals", "1 of 4", "2 of 4 goals", "3 of 4"} <= set(found)
    assert found["2 of 4 goals"][1] > found["0 of 4 goals"][1]


def test_arrows_lead_from_the_runner_that_is_due_to_where_it_can_go():
    rings = [(circle.get("cx"), circle.get("cy")) for circle in drawn(MIDDLE).iter(f"{SVG}circle")]
    assert rings == [("300", "406"), ("224", "330"), ("300", "330"), ("376", "330")]  # around c2; in b3, c3 and d3


def test_runners_to_be_stand_where_a_team_can_deploy():
    s = position("S1 b1, N1 c4", due="south", goals=(0, 0, 1, 0))
    dashed = [shape for shape in drawn(s).iter(f"{SVG}polygon") if shape.get("stroke-dasharray")]
    assert len(dashed) == 4


def test_the_order_of_movement_is_listed_those_first_that_are_still_to_move():
    at = [text for text in drawn(MIDDLE).iter(f"{SVG}text") if float(text.get("y", "")) > 590]
    assert [text.text for text in at] == ["To move", "S1", "E12", "W1", "Moved", "N1", "S2"]


def test_the_last_actions_are_marked_and_written():
    s = play(position("S1 d4, N1 c4", due="S1", waiting="N1"), "S1>e5", "* west deploys", "deploy a3")
    picture = drawn(s, last=(Advance("S1", "e5"), Deploy("a3")))
    brackets = [path.get("d", "") for path in picture.iter(f"{SVG}path")]
    assert len(brackets) == 3  # a3, e5, and one beside the words
    assert "Last: S1>e5 (goal), deploy a3" in words(picture)
    assert "Last: ... N1 pass, N1 pass, N1 pass" in words(drawn(s, last=(Pass("N1"),) * 4))


def test_the_picture_says_what_is_going_on():
    assert {"Turn 3 of 9", "South moves S1 to b3, c3 or d3"} <= set(words(drawn(MIDDLE)))
    assert {"Opening: 0 of 16 runners on the court", "A team is being drawn to deploy"} <= set(words(drawn(OPENING)))
    over = position("S1 c2", phase="over", reason="goals", goals=(0, 4, 0, 1), turn=6)
    assert {"Over in turn 6", "East wins with 4 goals"} <= set(words(drawn(over)))
    shared = position("S1 c2", phase="over", reason="turn-limit", goals=(1, 0, 1, 1), turn=6)
    assert "North, south and west tie with 1 goal each" in words(drawn(shared))
    assert "North and east tie with 2 goals each" in words(drawn(position("S1 c2", phase="over", reason="turn-limit", goals=(2, 2, 0, 0))))


def test_the_text_board_is_of_one_width_and_followed_by_the_position_as_lists():
    assert GAME.text(MIDDLE).splitlines() == [
        "Turn 3 of 9: south moves S1 to b3, c3 or d3.",
        "",
        "　　ａ　　　ｂ　　　ｃ　　　ｄ　　　ｅ",
        "５　・・　　・・　　・・　　・・　　Ｗ１　　５",
        "４　・・　　・・　　Ｎ１　　・・　　・・　　４",
        "３　Ｅ１２　・・　　・・　　・・　　・・　　３",
        "２　・・　　・・　　Ｓ１　　・・　　・・　　２",
        "１　・・　　Ｓ２　　・・　　・・　　・・　　１",
        "　　ａ　　　ｂ　　　ｃ　　　ｄ　　　ｅ",
        "",
        "North (from row 5 to row 1), 0 of 4 goals: N1 on c4",
        "East (from column e to column a), 1 of 4 goals: E12 on a3",
        "South (from row 1 to row 5), 2 of 4 goals: S1 on c2, S2 on b1",
        "West (from column a to column e), 3 of 4 goals: W1 on e5",
        "",
        "Order of movement: S1, N1, E12, W1, S2",
        "Still to move in this turn after that: E12, W1",
        "Now south: S1>b3, S1>c3, S1>d3",
    ]


def test_every_row_of_the_text_board_is_full_width_and_as_long_as_the_others():
    rows = [line for line in GAME.text(MIDDLE).splitlines() if re.match("[１-５]", line)]
    assert len({len(row) for row in rows}) == 1
    assert all(0x3000 <= ord(letter) < 0x3100 or 0xFF00 <= ord(letter) < 0xFF60 for row in rows for letter in row)


def test_the_text_of_an_empty_court_and_of_a_finished_match():
    assert GAME.text(OPENING).splitlines()[0] == "Opening: 0 of 16 runners on the court; a team is being drawn to deploy."
    assert "South (from row 1 to row 5), 0 of 4 goals: no runner" in GAME.text(OPENING)
    assert GAME.text(OPENING).splitlines()[-1] == "Order of movement: nobody yet"
    over = GAME.text(position("S1 c2", phase="over", reason="goals", goals=(0, 4, 0, 1), turn=6))
    assert over.splitlines()[0] == "Over in turn 6: east wins with 4 goals."
    assert "Still to move" not in over
