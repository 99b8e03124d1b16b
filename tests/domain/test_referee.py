"""A server that writes its own chain anew is found out by the rules: whatever could not have happened is named with its version."""

from tests.exports import first, forged, found, opened, played, whole


def test_an_action_of_another_seat_is_found():
    lines = opened(whole())
    at = first(lines, "action.taken", forced=False)
    by = lines[at]["by"]
    by["seat"] = "north" if by["seat"] != "north" else "east"
    check, words = found(forged(lines))
    assert (check, words[: words.index(":")]) == ("rules", f"version {at}")
    assert "is not your seat" in words


def test_an_illegal_action_is_found_with_its_ruling():
    lines = opened(whole())
    at = first(lines, "action.taken", forced=False)
    lines[at]["data"].update(action={"type": "deploy", "at": "c3"}, text="deploy c3")
    check, words = found(forged(lines))
    assert check == "rules"
    assert words.startswith(f"version {at}: ")
    assert "(FO-1)" in words


def test_an_action_after_its_deadline_is_found():
    lines = opened(whole())
    at = first(lines, "action.taken", forced=False)
    for line in lines[at:-1]:
        line["at"] = line["at"].replace("2026-11-29", "2026-12-24")
    assert found(forged(lines))[1].startswith(f"version {at}: the time for this turn ran out at 2026-12-02T")


def test_an_event_before_what_it_follows_is_found():
    lines = opened(whole())
    at = max(at for at, line in enumerate(lines) if line.get("type") == "action.taken" and not line["data"]["forced"])
    lines[at]["at"] = "2026-11-29T12:00:00.001Z"
    assert found(forged(lines)) == ("rules", f"version {at}: it is said to have happened before what it follows")


def test_another_lot_is_found_against_the_seed():
    lines = opened(whole())
    at = first(lines, "chance.drawn", kind="team")
    drawn = lines[at]["data"]
    seat = "north" if drawn["outcome"]["seat"] != "north" else "east"
    drawn.update(outcome={**drawn["outcome"], "seat": seat}, text=drawn["text"].replace(drawn["outcome"]["seat"], seat))
    check, words = found(forged(lines))
    assert check == "rules"
    assert words.startswith(f"version {at}: its “outcome” should be ")


def test_other_entropy_than_was_given_is_found():
    lines = opened(whole())
    at = next(at for at, line in enumerate(lines) if line.get("type") == "seat.taken" and line["by"]["player"] == line["data"]["player"])
    lines[at]["data"]["entropy"] = "ffffffff"
    assert found(forged(lines))[1].startswith(f"version {first(lines, 'chance.drawn', kind='seats')}: its “outcome” should be ")


def test_a_forced_action_said_to_be_chosen_is_found():
    lines = opened(whole())
    at = first(lines, "action.taken", forced=True)
    lines[at]["data"]["forced"] = False
    assert found(forged(lines)) == ("rules", f"version {at}: its “forced” should be true, not false")


def test_a_chosen_action_said_to_be_the_servers_is_found():
    lines = opened(whole())
    at = first(lines, "action.taken", forced=False)
    lines[at]["by"]["via"] = "server"
    assert found(forged(lines))[1].startswith(f"version {at}: nobody decided ")


def test_another_outcome_is_found():
    lines = opened(whole())
    at = first(lines, "match.finished")
    lines[at]["data"]["outcome"]["scores"] = dict.fromkeys(("east", "north", "south", "west"), 4)
    assert found(forged(lines))[1].startswith(f"version {at}: its “outcome” should be ")


def test_a_match_that_goes_on_after_its_end_is_found():
    lines = opened(whole())
    lines.insert(-1, {**lines[-2], "type": "match.started", "data": {}})
    assert found(forged(lines)) == ("rules", f"version {len(lines) - 2}: the match had ended before it")


def test_an_end_without_its_seed_is_found():
    lines = opened(whole())
    del lines[-2]
    assert found(forged(lines)) == ("rules", f"version {len(lines) - 1}: the match has ended, and its seed is not revealed")


def test_an_end_before_the_end_is_found():
    lines = opened(whole())
    at = first(lines, "match.finished")
    del lines[at - 3 : at]
    assert found(forged(lines))[0] == "rules"


def test_words_beside_those_of_its_type_are_found():
    lines = opened(whole())
    lines[40]["data"]["note"] = "x"
    assert found(forged(lines)) == ("form", "version 40 says more than an event of its type can, or says it in another form")


def test_an_event_of_an_unknown_type_is_found():
    lines = opened(whole())
    lines[40]["type"] = "action.imagined"
    assert found(forged(lines))[1] == "version 40 is of the unknown type action.imagined.1; this server is older than the event"


def test_rules_that_are_not_known_here_are_named():
    lines = opened(whole())
    lines[0]["edition"] = lines[1]["data"]["edition"] = 7
    words = "version 1: the rules of fourfold, edition 7, are not known here: verify it with a Forgepost that has them"
    assert found(forged(lines)) == ("rules", words)


def test_a_history_that_ends_in_the_middle_of_what_follows_by_itself_is_found():
    lines = opened(played("07-0000000002", 2, most=30, lively=0, seating="random"))
    at = max(at for at, line in enumerate(lines) if line.get("type") == "chance.drawn")
    del lines[at:-1]
    assert found(forged(lines)) == ("rules", f"version {at}: a lot is due before anything else")
