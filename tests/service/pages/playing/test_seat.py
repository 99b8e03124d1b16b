"""Whoever is signed in plays their seats at the addresses of their matches, by the way `web`, without any link."""

import re

import pytest
from flask import Flask

from domain.match.match import Match
from tests.people import Watch
from tests.service.pages.parlour import Parlour, words
from tests.service.pages.visitor import Visitor


@pytest.fixture
def ann(app: Flask, parlour: Parlour) -> Visitor:
    return Visitor(app, parlour.site).signs_in(parlour.person("Ann"))


def turn(match: Match) -> str:
    return f"/matches/{match.id}/turns/{match.asks[0].seat}/{match.asks[0].version}"


def ways(parlour: Parlour, match: Match) -> list[tuple[str, str]]:
    """What was played by people since, and by which way in."""
    since = parlour.site.desk.events(parlour.look(match))[match.version :]
    return [(event.fact.text, str(event.by.via)) for event in since if hasattr(event.fact, "text") and event.by.via in ("web", "link")]


def test_a_turn_is_shown_at_the_matches_own_address_and_played_there(ann: Visitor, parlour: Parlour):
    match = parlour.choosing("Ann")
    page = ann.get(f"/matches/{match.id}")
    assert page.status_code == 200
    assert "It is your turn" in words(page.text)
    assert f'action="{turn(match)}"' in page.text
    assert parlour.site.tokens.unseal(match.id) is None
    assert not re.search(r"/m/[0-9a-z]{45}", page.text), "no link is needed, so none is there to be lost"
    line = parlour.legal(match)[0]
    done = ann.post(turn(match), ply=match.ply, action=line)
    assert done.status_code == 303
    assert ways(parlour, match) == [(line, "web")]
    assert ann.get(done.location).status_code in (200, 303)


def test_a_double_click_plays_once_and_another_action_is_told_what_counts(ann: Visitor, parlour: Parlour):
    match = parlour.choosing("Ann", "Bo")
    first, second = parlour.legal(match)[:2]
    for _ in range(2):
        assert ann.post(turn(match), ply=match.ply, action=first).status_code == 303
    page = ann.post(turn(match), ply=match.ply, action=second)
    assert page.status_code == 409
    assert f"at that point you had already played {first}, and that counts" in words(page.text)
    assert ways(parlour, match) == [(first, "web")]


def test_a_turn_is_taken_back_and_played_anew(ann: Visitor, parlour: Parlour):
    before, after = parlour.going_on()
    assert "Take the turn back" in words(ann.get(turn(before)).text)
    again = ann.post(turn(before), do="take-back")
    assert again.status_code == 303
    now = parlour.look(after)
    assert again.location == turn(now)
    assert now.ply == before.ply
    assert "It is your turn" in words(ann.get(again.location).text)


def test_words_are_put_together_and_refusals_keep_what_was_written(ann: Visitor, parlour: Parlour):
    match = parlour.choosing("Ann")
    page = ann.post(turn(match), ply=match.ply, action="castle long")
    assert page.status_code == 422
    assert 'value="castle long"' in page.text
    assert f'action="{turn(match)}"' in page.text


def test_a_form_without_its_proof_plays_nothing(ann: Visitor, parlour: Parlour):
    match = parlour.choosing("Ann")
    for proof in ("", "0" * 64):
        assert ann.post(turn(match), proof=proof, ply=match.ply, action=parlour.legal(match)[0]).status_code == 403
        assert ann.post(f"/matches/{match.id}/ending", proof=proof, do="resign", word="resign").status_code == 403
    assert parlour.look(match).version == match.version


def test_every_form_of_the_pages_carries_the_proof(ann: Visitor, app: Flask, parlour: Parlour):
    match, invited = parlour.choosing("Ann", "Bo"), parlour.start("Bo", invited="Ann")
    for path in (f"/matches/{match.id}", turn(match), f"/matches/{match.id}/ending", f"/matches/{invited.id}"):
        forms = re.findall(r"<form method=\"post\".*?</form>", ann.get(path).text, re.DOTALL)
        assert forms
        assert [form for form in forms if f'value="{ann.proof}"' not in form] == [], path
    assert 'name="proof"' not in Visitor(app, parlour.site).get(parlour.link(match)).text


def test_an_invitation_is_accepted_or_declined(ann: Visitor, parlour: Parlour):
    first, second = parlour.start("Bo", invited="Ann"), parlour.start("Bo", invited="Ann")
    page = words(ann.get(f"/matches/{first.id}").text)
    assert "You are invited" in page
    assert "Bo asks you to a match of Fourfold" in page
    assert ann.post(f"/matches/{first.id}/invitation", do="accept", name="Ann", entropy="").location == f"/matches/{first.id}/invitation"
    assert ann.get(f"/matches/{first.id}/invitation").location == f"/matches/{first.id}"
    assert parlour.look(first).seats_of(parlour.person("Ann").id)
    ann.post(f"/matches/{second.id}/invitation", do="decline")
    assert ann.get(f"/matches/{second.id}/invitation").status_code == 404
    assert parlour.look(second).status == "waiting"


def test_a_match_is_left_and_its_end_is_seen(ann: Visitor, parlour: Parlour):
    match = parlour.choosing("Bo", "Ann")
    page = ann.get(f"/matches/{match.id}")
    assert f'href="/matches/{match.id}/ending"' in page.text
    assert ann.post(f"/matches/{match.id}/ending", do="resign", word="no").status_code == 422
    assert ann.post(f"/matches/{match.id}/ending", do="resign", word="resign").location == f"/matches/{match.id}/ending"
    assert "You have left the match" in words(ann.get(f"/matches/{match.id}/ending").text)
    assert [parlour.look(match).chair(seat).player for seat in parlour.look(match).vacated] == [parlour.person("Ann").id]


def test_a_private_match_stays_private(ann: Visitor, app: Flask, parlour: Parlour):
    match = parlour.choosing("Ann")
    eve = Visitor(app, parlour.site).signs_in(parlour.person("Eve"))
    for path in ("", "/history", "/history.ndjson", "/board.svg"):
        assert ann.get(f"/matches/{match.id}{path}").status_code == 200
        assert eve.get(f"/matches/{match.id}{path}").status_code == 404
    assert eve.post(turn(match), ply=match.ply, action=parlour.legal(match)[0]).status_code == 404
    public = parlour.choosing("Ann", visibility="public")
    assert "The match goes on" in words(eve.get(f"/matches/{public.id}").text)
    assert eve.post(turn(public), ply=public.ply, action=parlour.legal(public)[0]).status_code == 303
    assert parlour.look(public).version == public.version


def test_an_old_turn_shows_what_became_of_it(ann: Visitor, parlour: Parlour, watch: Watch):
    match = parlour.choosing("Ann", "Bo")
    ann.post(turn(match), ply=match.ply, action=parlour.legal(match)[0])
    watch.now += 60_000
    page = ann.get(turn(match))
    assert page.status_code in (200, 303)
    assert ann.get(turn(match).replace("north", "nowhere")).location == f"/matches/{match.id}"
    assert ann.get(f"/matches/{match.id}/turns/{match.asks[0].seat}/999999").location == f"/matches/{match.id}"


def test_mail_about_one_match_may_be_otherwise(ann: Visitor, parlour: Parlour):
    match, player = parlour.choosing("Ann"), parlour.person("Ann").id
    assert f'href="/matches/{match.id}/mail"' in ann.get(f"/matches/{match.id}").text
    path = f"/matches/{match.id}/mail"
    assert "As for all my matches: a mail for each turn" in words(ann.get(path).text)
    assert ann.post(path, cadence="every", hours="12", hour="8").location == f"{path}?done="
    assert parlour.site.preferring.chosen(player, match.id) == {"cadence": "every", "hours": 12}
    assert re.search(r'value="every" checked', ann.get(path).text)
    for wrong in ({"cadence": "weekly"}, {"cadence": "every", "hours": "0"}, {"cadence": "daily", "hour": "noon"}):
        assert ann.post(path, **wrong).status_code == 422  # type: ignore[arg-type]
    assert ann.post(path, cadence="").status_code == 303
    assert parlour.site.preferring.chosen(player, match.id) == {}
    assert ann.post(path, proof="", cadence="off").status_code == 403


def test_no_mail_comes_about_a_public_match_of_others_so_nobody_is_asked_how_much(ann: Visitor, parlour: Parlour):
    match = parlour.choosing("Bo", visibility="public")
    path = f"/matches/{match.id}/mail"
    assert ann.get(f"/matches/{match.id}").status_code == 200
    for page in (ann.get(path), ann.post(path, cadence="off")):
        assert page.status_code == 403
        assert "you have no seat in this match and are not invited to it, so no mail comes to you about it" in words(page.text).lower()
    assert parlour.site.preferring.chosen(parlour.person("Ann").id, match.id) == {}
