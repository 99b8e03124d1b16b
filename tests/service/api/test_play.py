"""Playing by API: what a submission brings, and every reason why it brings nothing."""

import re
from typing import Any

import pytest

from domain.match.reading import actions_said
from infra.wiring import Site
from tests.people import Watch
from tests.service.api.person import ALL_MINE, API, ME, OPEN, Person, answered, refused, turn_of, two_at_a_table


def test_a_whole_match_is_played_with_what_the_answers_say(ann: Person):
    match = ann.creates(*ALL_MINE, options={"goals_to_win": 1, "max_runners": 4})
    while match["status"] == "live":
        match = ann.plays(match)
    assert match["outcome"]["reason"] == "goals"
    assert match["to_act"] == []
    assert match == ann.sees(match["id"])


def test_a_submission_answers_with_its_events_and_the_match_after_them(ann: Person, bo: Person):
    turn = two_at_a_table(ann, bo)
    first = turn.legal[0]
    done = answered(turn.mover.submits(turn.match, turn.seat, first["action"]), 201)
    taken = done["events"][0]
    assert taken["type"] == "action.taken"
    assert taken["by"] == {"kind": "seat", "seat": turn.seat, "player": turn.mover.id, "via": "api"}
    assert taken["data"] == {"action": first["action"], "text": first["text"], "forced": False}
    assert taken["prev"] == turn.match["head"]["hash"]
    assert done["events"][-1]["hash"] == done["match"]["head"]["hash"]
    assert done["match"]["version"] == done["events"][-1]["version"] == turn.match["version"] + len(done["events"])
    assert done["match"]["ply"] == turn.match["ply"] + 1
    assert done["match"] == turn.other.sees(turn.id)


def test_a_line_of_text_does_the_same(ann: Person):
    match = ann.creates(*ALL_MINE)
    seat = match["to_act"][0]["seat"]
    legal = ann.may(match["id"], seat)[0]
    done = answered(ann.submits(match, seat, text=f"  {legal['text'].upper()} "), 201)
    assert done["events"][0]["data"] == {"action": legal["action"], "text": legal["text"], "forced": False}


def two_actions(ann: Person) -> tuple[dict[str, Any], str, list[str]]:
    """A match, the seat to act, and the lines of its deploying and of the first move after it."""
    match = ann.creates(*ALL_MINE)
    seat = match["to_act"][0]["seat"]
    deploy = ann.may(match["id"], seat)[2]["text"]
    after = answered(ann.submits(match, seat, text=deploy), 201)["match"]
    step = ann.may(match["id"], seat)[1]["text"]
    answered(ann.post(f"/matches/{match['id']}/take-back", {"seat": seat}), 201)
    return {**match, "ply": after["ply"] - 1}, seat, [deploy, step]


@pytest.mark.parametrize("between", ["; ", "\n", " ;\n;"], ids=["semicolon", "line", "both"])
def test_several_lines_are_read_each_in_the_position_that_the_others_lead_to(ann: Person, between: str):
    match, seat, lines = two_actions(ann)
    done = answered(ann.submits(match, seat, text=between.join(lines)), 201)
    assert [event["data"]["text"] for event in done["events"] if event["type"] == "action.taken"] == lines


def test_several_actions_are_done_in_order(ann: Person, site: Site):
    match, seat, lines = two_actions(ann)
    state = site.desk.look(match["id"]).match.state
    game = site.desk.look(match["id"]).match.game
    deploy = game.read(state, lines[0])
    step = game.read(game.apply(state, seat, deploy), lines[1])
    said = [{"type": "deploy", "at": deploy.at}, {"type": "advance", "runner": step.runner, "to": step.to}]
    assert actions_said(game, said) == (deploy, step)
    done = answered(ann.submits(match, seat, *said), 201)
    assert [event["data"]["text"] for event in done["events"] if event["type"] == "action.taken"] == lines


@pytest.mark.parametrize("third", ["S1>c3", "anything at all"], ids=["a-line", "nonsense"])
def test_a_submission_that_something_would_come_into_is_refused_as_a_whole(ann: Person, third: str):
    match, seat, lines = two_actions(ann)
    problem = refused(ann.submits(match, seat, text="; ".join([*lines, third])), 409, "interrupted")
    assert problem["action"] == 2
    assert problem["ply"] == match["ply"]
    assert problem["detail"].startswith("action 2 (counted from 0) cannot follow at once: ")
    assert ann.sees(match["id"])["ply"] == match["ply"]


def test_an_illegal_action_is_refused_in_words_with_its_ruling(ann: Person):
    match, seat, lines = two_actions(ann)
    answered(ann.submits(match, seat, text=lines[0]), 201)
    now = ann.sees(match["id"])
    problem = refused(ann.submits(now, seat, text=f"{seat[0].upper()}1 pass"), 422, "illegal-action")
    assert problem["action"] == 0
    assert problem["ruling"] == "FO-2"
    assert "cannot pass, since a runner that can move must" in problem["detail"]
    assert problem["ply"] == now["ply"]
    assert problem["to_act"] == now["to_act"]
    assert problem["due"] == now["to_act"][0]["due"]


def test_the_second_of_two_actions_is_named_when_it_is_the_illegal_one(ann: Person):
    match, seat, lines = two_actions(ann)
    problem = refused(ann.submits(match, seat, text=f"{lines[0]}; {seat[0].upper()}1 pass"), 422, "illegal-action")
    assert problem["action"] == 1
    assert ann.sees(match["id"])["ply"] == match["ply"]


def test_a_line_that_is_no_action_is_refused_with_what_would_be(ann: Person):
    match, seat, lines = two_actions(ann)
    problem = refused(ann.submits(match, seat, text=f"{lines[0]}; castle long"), 422, "unreadable-text")
    assert problem["action"] == 1
    assert problem["detail"].startswith("“castle long” is no action of Fourfold; possible then: “")
    for line in re.findall("“([^”]+)”", problem["detail"])[1:]:
        answered(ann.post(f"/matches/{match['id']}/checks", {"seat": seat, "ply": match["ply"], "text": f"{lines[0]}; {line}"}), 200)


@pytest.mark.parametrize(
    ("action", "words"),
    [
        ({"type": "fly", "to": "c2"}, "there is no such `type`; there are deploy, advance, pass"),
        ({"runner": "S1"}, "its `type` is missing, which is one of deploy, advance, pass"),
        ({"type": "deploy"}, "`at` is missing"),
        ({"type": "deploy", "at": "z9"}, "`at` must be a cell from a1 to e5 ("),
        ({"type": "deploy", "at": 3}, "`at` must be text, not a whole number"),
        ({"type": "deploy", "at": "c1", "hurry": True}, "`hurry` is not known here"),
        ({"type": "Deploy", "at": "c1"}, "there is no such `type`"),
        ("deploy c1", "it must be an object with a `type`"),
        (None, "it must be an object with a `type`"),
    ],
    ids=["unknown-type", "no-type", "missing", "pattern", "number", "extra", "other-case", "text", "null"],
)
def test_json_that_is_no_action_is_refused_with_what_is_wrong_and_where(ann: Person, action: Any, words: str):
    match = ann.creates(*ALL_MINE)
    seat = match["to_act"][0]["seat"]
    fine = ann.may(match["id"], seat)[0]["action"]
    problem = refused(ann.submits(match, seat, fine, action), 422, "illegal-action")
    assert problem["action"] == 1
    assert words in problem["detail"]
    assert problem["detail"].startswith("action 1 (counted from 0) is none of Fourfold: ")


def test_a_stale_ply_is_refused_with_what_was_played_meanwhile(ann: Person, bo: Person):
    turn = two_at_a_table(ann, bo)
    first = turn.legal[0]
    after = answered(turn.mover.submits(turn.match, turn.seat, first["action"]), 201)["match"]
    problem = refused(turn.mover.submits(turn.match, turn.seat, text="castle long"), 409, "stale-ply")
    assert problem["since"] == [first["text"]]
    assert problem["ply"] == after["ply"]
    assert problem["to_act"] == after["to_act"]


def test_whoever_is_not_asked_is_told_who_is(ann: Person, bo: Person):
    turn = two_at_a_table(ann, bo)
    idle = next(chair["seat"] for chair in turn.match["seats"] if chair["player"] == turn.other.id)
    problem = refused(turn.other.submits(turn.match, idle, text="deploy a1"), 409, "not-your-turn")
    assert problem["detail"] == f"{idle} is not to act now; the match waits for {turn.seat}"


def test_nobody_plays_another_ones_seat(ann: Person, bo: Person):
    turn = two_at_a_table(ann, bo)
    refused(turn.other.submits(turn.match, turn.seat, text="castle long"), 403, "not-your-seat")
    refused(turn.mover.submits(turn.match, "up", text="deploy a1"), 422, "no-such-seat")


def test_a_move_after_its_deadline_is_refused_with_the_deadline(ann: Person, watch: Watch):
    match = ann.creates(*ALL_MINE, clock={"kind": "per-turn", "seconds": 60})
    watch.now += 60_001
    ask = match["to_act"][0]
    problem = refused(ann.submits(match, ask["seat"], ann.may(match["id"], ask["seat"])[0]["action"]), 409, "deadline-passed")
    assert problem["due"] == ask["due"] == "2026-11-29T12:01:00.000Z"


def test_before_the_start_and_after_the_end_nothing_can_be_played(ann: Person, bo: Person):
    waiting = ann.creates(ME, OPEN, OPEN, OPEN)
    refused(ann.submits(waiting, "north", text="deploy a5"), 409, "not-live")
    turn = two_at_a_table(ann, bo)
    answered(bo.post(f"/matches/{turn.id}/resignation"), 201)
    refused(ann.submits(turn.match, turn.seat if turn.mover is ann else "north", text="deploy a5"), 409, "match-over")


def test_a_nonce_goes_into_the_log(ann: Person):
    match = ann.creates(*ALL_MINE)
    seat = match["to_act"][0]["seat"]
    done = answered(ann.submits(match, seat, ann.may(match["id"], seat)[0]["action"], nonce="tea leaves"), 201)
    assert done["events"][0]["data"]["nonce"] == "tea leaves"


def test_a_check_says_what_would_happen_and_does_nothing(ann: Person):
    match, seat, lines = two_actions(ann)
    tried = answered(ann.post(f"/matches/{match['id']}/checks", {"seat": seat, "ply": match["ply"], "text": "; ".join(lines)}), 200)
    assert [event["data"]["text"] for event in tried["events"]] == lines
    assert tried["chance_due"] is True
    assert tried["to_act"] == []
    assert ann.sees(match["id"])["ply"] == match["ply"]
    one = answered(ann.post(f"/matches/{match['id']}/checks", {"seat": seat, "ply": match["ply"], "text": lines[0]}), 200)
    assert (one["chance_due"], one["to_act"]) == (False, [seat])


def test_a_check_refuses_in_the_words_of_the_submission(ann: Person, bo: Person):
    turn = two_at_a_table(ann, bo)
    body = {"seat": turn.seat, "ply": turn.match["ply"], "text": "castle long"}
    checked = turn.mover.post(f"/matches/{turn.id}/checks", body)
    submitted = turn.mover.post(f"/matches/{turn.id}/submissions", body)
    assert checked.get_json() == submitted.get_json()
    assert checked.status_code == submitted.status_code == 422


def test_a_turn_can_be_taken_back_as_long_as_the_match_says(ann: Person, watch: Watch):
    match = ann.creates(*ALL_MINE)
    seat = match["to_act"][0]["seat"]
    after = answered(ann.submits(match, seat, ann.may(match["id"], seat)[0]["action"]), 201)["match"]
    assert after["take_back"] == {"seat": seat, "until": "2026-11-29T12:01:00.000Z"}
    back = answered(ann.post(f"/matches/{match['id']}/take-back", {"seat": seat}), 201)
    assert [event["type"] for event in back["events"]] == ["turn.taken-back"]
    assert back["match"]["view"] == match["view"]
    assert back["match"]["take_back"] is None
    again = answered(ann.submits(back["match"], seat, ann.may(match["id"], seat)[0]["action"]), 201)["match"]
    watch.now += 60_001
    problem = refused(ann.post(f"/matches/{match['id']}/take-back", {"seat": seat}), 409, "nothing-to-take-back")
    assert "could be taken back until 2026-11-29T12:01:00.000Z" in problem["detail"]
    assert problem["ply"] == again["ply"]


def test_whoever_resigns_leaves_with_all_seats(ann: Person, bo: Person):
    turn = two_at_a_table(ann, bo)
    mine = [chair["seat"] for chair in turn.match["seats"] if chair["player"] == bo.id]
    refused(
        bo.post(f"/matches/{turn.id}/resignation", {"seat": next(chair["seat"] for chair in turn.match["seats"] if chair["player"] == ann.id)}),
        403,
        "not-your-seat",
    )
    done = answered(bo.post(f"/matches/{turn.id}/resignation", {"seat": mine[0]}), 201)
    assert [event["data"]["seat"] for event in done["events"] if event["type"] == "seat.vacated"] == mine
    assert [chair["seat"] for chair in done["match"]["seats"] if chair["vacated"]] == mine
    assert done["match"]["outcome"]["reason"] == "resignation"


def test_a_match_ends_when_all_agree(ann: Person, bo: Person):
    turn = two_at_a_table(ann, bo)
    made = answered(ann.post(f"/matches/{turn.id}/offers", {"kind": "end"}), 201)
    assert made["match"]["offer"] == {"offer": 1, "kind": "end", "seconds": None, "player": ann.id, "agreed": [ann.id]}
    refused(bo.post(f"/matches/{turn.id}/offers/2/answer", {"answer": "accept"}), 409, "no-such-offer")
    refused(bo.post(f"/matches/{turn.id}/offers", {"kind": "end"}), 409, "offer-pending")
    ended = answered(bo.post(f"/matches/{turn.id}/offers/1/answer", {"answer": "accept"}), 201)["match"]
    assert ended["status"] == "over"
    assert ended["outcome"]["reason"] == "agreement"
    assert ended["offer"] is None


def test_whoever_has_agreed_waits_for_the_others_and_a_second_offer_for_the_first(ann: Person, bo: Person):
    turn = two_at_a_table(ann, bo)
    answered(ann.post(f"/matches/{turn.id}/offers", {"kind": "end"}), 201)
    for again in (ann.post(f"/matches/{turn.id}/offers", {"kind": "end"}), ann.post(f"/matches/{turn.id}/offers/1/answer", {"answer": "accept"})):
        problem = refused(again, 409, "offer-pending")
        assert problem["to_act"] == turn.match["to_act"]
    problem = refused(bo.post(f"/matches/{turn.id}/offers", {"kind": "end", "seconds": 7200}), 409, "offer-pending")
    assert problem["detail"] == "offer 1 is on the table already: answer it first"


def test_an_offer_that_says_too_much_is_none(ann: Person, bo: Person):
    turn = two_at_a_table(ann, bo)
    problem = refused(bo.post(f"/matches/{turn.id}/offers", {"kind": "end", "seconds": 7200}), 422, "invalid-offer")
    assert problem["detail"] == "only a pause takes `seconds`; leave them out"


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/submissions", {"seat": "up", "ply": 0, "text": "pass"}),
        ("POST", "/checks", {"seat": "up", "ply": 0, "text": "pass"}),
        ("POST", "/take-back", {"seat": "up"}),
        ("POST", "/resignation", {"seat": "up"}),
        ("GET", "/legal-actions?seat=up", None),
        ("GET", "/legal-actions?seat=up&prefix=", None),
        ("GET", "/board.svg?seat=up", None),
        ("GET", "/board.txt?seat=up", None),
    ],
)
def test_a_seat_that_there_is_not_is_one_and_the_same_problem_everywhere(ann: Person, method: str, path: str, body: Any):
    match = ann.creates(*ALL_MINE)["id"]
    response = ann.asks(method, f"{API}/matches/{match}{path}", json=body)
    assert refused(response, 422, "no-such-seat")["detail"] == "there is no seat 'up' in this match; the seats are north, east, south, west"


def test_whoever_has_played_no_turn_is_not_told_that_others_have_played_since(ann: Person):
    match = ann.creates(*ALL_MINE)
    problem = refused(ann.post(f"/matches/{match['id']}/take-back", {"seat": match["to_act"][0]["seat"]}), 409, "nothing-to-take-back")
    assert "either it has played none yet, or lots were drawn since, or somebody has played or left" in problem["detail"]
    problem = refused(ann.post(f"/matches/{match['id']}/offers", {"kind": "take-back"}), 409, "nothing-to-take-back")
    assert "either you have played none yet, or lots were drawn or somebody left since" in problem["detail"]


def test_one_no_ends_an_offer_and_the_match_goes_on(ann: Person, bo: Person):
    turn = two_at_a_table(ann, bo)
    answered(ann.post(f"/matches/{turn.id}/offers", {"kind": "end"}), 201)
    after = answered(bo.post(f"/matches/{turn.id}/offers/1/answer", {"answer": "decline"}), 201)["match"]
    assert after["offer"] is None
    assert after["status"] == "live"


def test_an_offer_lapses_with_the_next_action(ann: Person, bo: Person):
    turn = two_at_a_table(ann, bo)
    answered(turn.other.post(f"/matches/{turn.id}/offers", {"kind": "end"}), 201)
    now = turn_of(ann.sees(turn.id), ann, bo)
    after = answered(now.mover.submits(now.match, now.seat, now.legal[0]["action"]), 201)
    assert [event["type"] for event in after["events"]][:2] == ["offer.lapsed", "action.taken"]
    assert after["match"]["offer"] is None


def test_only_who_is_seated_offers_answers_resigns_and_takes_back(ann: Person, bo: Person, person):
    turn = two_at_a_table(ann, bo, visibility="public")
    eve = person("Eve")
    refused(eve.post(f"/matches/{turn.id}/offers", {"kind": "end"}), 403, "not-seated")
    answered(ann.post(f"/matches/{turn.id}/offers", {"kind": "end"}), 201)
    refused(eve.post(f"/matches/{turn.id}/offers/1/answer", {"answer": "accept"}), 403, "not-seated")
    refused(eve.post(f"/matches/{turn.id}/resignation"), 403, "not-seated")
    refused(eve.post(f"/matches/{turn.id}/take-back", {"seat": turn.seat}), 403, "not-your-seat")
    refused(eve.submits(turn.match, turn.seat, text="deploy a1"), 403, "not-your-seat")
