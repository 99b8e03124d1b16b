"""The button that mails the current link: to the address on file, once in ten minutes."""

from flask.testing import FlaskClient

from infra.listing import row
from infra.outbox import Notice
from tests.people import Watch
from tests.service.pages.parlour import Parlour, words


def test_the_current_link_is_asked_for_by_a_notice(client: FlaskClient, parlour: Parlour):
    match = parlour.choosing("Ann")
    view = parlour.link(match, "view")
    assert "Mail me the link again" in words(client.get(view).text)
    response = client.post(view, data={"do": "resend"})
    assert response.status_code == 303
    ask = match.asks[0]
    taken = parlour.site.outbox.take(parlour.watch.now, 1_000, 10)
    minute = parlour.watch.now // 60_000
    assert taken == [Notice("turn", match.id, parlour.person("Ann").id, ask.seat, ask.version, match.ply, match.version, again=minute)]
    assert "A mail with your current link is on its way to the address on file" in words(client.get(response.location).text)


def test_a_double_click_mails_once(client: FlaskClient, parlour: Parlour):
    view = parlour.link(parlour.choosing("Ann"), "view")
    answers = [client.post(view, data={"do": "resend"}) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [303, 303]
    assert parlour.site.outbox.waiting() == 1


def test_a_second_mail_within_ten_minutes_is_refused(client: FlaskClient, parlour: Parlour):
    match = parlour.choosing("Ann")
    view = parlour.link(match, "view")
    client.post(view, data={"do": "resend"})
    key = f"resent:{match.id}:{parlour.person('Ann').id}"
    parlour.site.redis.pexpire(key, 500_000)
    page = client.post(view, data={"do": "resend"})
    assert page.status_code == 429
    assert 0 < int(page.headers["Retry-After"]) <= 500
    assert "A mail with your current link went out less than ten minutes ago" in words(page.text)
    parlour.site.redis.delete(key)
    assert client.post(view, data={"do": "resend"}).status_code == 303


def test_nothing_is_mailed_to_whoever_is_not_asked(client: FlaskClient, parlour: Parlour):
    match = parlour.choosing("Ann", "Bo")
    view = parlour.link(match, "view", seat=match.seats_of(parlour.person("Bo").id)[0])
    assert "Mail me" not in words(client.get(view).text)
    page = client.post(view, data={"do": "resend"})
    assert page.status_code == 409
    assert "It is not your turn in this match just now" in words(page.text)
    assert parlour.site.outbox.waiting() == 0


def test_a_lost_link_comes_back_by_address(client: FlaskClient, parlour: Parlour, watch: Watch):
    match = parlour.choosing("Ann")
    listed(parlour, match.id)
    response = client.post("/lost", data={"address": "Ann@Example.org "})
    assert (response.status_code, response.location) == (303, "/lost/mailed")
    assert [notice.match for notice in parlour.site.outbox.take(watch.now, 1_000, 10)] == [match.id]


def test_an_address_that_nobody_plays_with_gets_the_same_answer(client: FlaskClient, parlour: Parlour):
    before = parlour.written()
    response = client.post("/lost", data={"address": "nobody@example.org"})
    assert (response.status_code, response.location) == (303, "/lost/mailed")
    assert parlour.written() == before
    assert "We say the same for every address" in words(client.get("/lost/mailed").text)


def test_what_is_no_address_is_told_so_beside_the_field(client: FlaskClient):
    page = client.post("/lost", data={"address": "ann at example"})
    assert page.status_code == 422
    assert "“ann at example” is no mail address" in words(page.text)
    assert 'value="ann at example"' in page.text


def listed(parlour: Parlour, match: str) -> None:
    """Put the match into the list, as the workers do."""
    parlour.site.listing.record(row(parlour.look(match)))
