"""What a link costs in trips to Redis, counted by Redis itself; and that what is remembered, which makes it so cheap, is only a first guess."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from domain.desk import Desk
from domain.match.events import ActionTaken
from domain.match.match import Match
from infra.seals.lot import lots
from service.app import create_app
from service.pages.guard import LATELY
from tests.people import Watch
from tests.servers import RedisServer
from tests.service.pages.parlour import Parlour, words

PLAYED = "EVALSHA"
VOUCHED = ["MULTI", "HMGET", "XREVRANGE", "EXEC"]  # in one trip: whether the head is what was read of a match that was not known


class Process:
    """A process of the site, with a memory of its own."""

    def __init__(self, parlour: Parlour) -> None:
        site = parlour.site
        self.desk = Desk(site.log, lots(site.keys), parlour.watch)
        self.app = create_app(replace(site, desk=self.desk))

    def last_saw(self, match: Match) -> None:
        """It knows the match as it was then, and nothing later."""
        self.desk._known[match.id] = self.desk.look_back(match.id, match.version)

    def get(self, path: str) -> TestResponse:
        return self.app.test_client(use_cookies=False).get(path)

    def post(self, path: str, **data: object) -> TestResponse:
        return self.app.test_client(use_cookies=False).post(path, data=data)


@pytest.fixture
def here(parlour: Parlour) -> Process:
    return Process(parlour)


@pytest.fixture
def there(parlour: Parlour) -> Process:
    return Process(parlour)


@pytest.fixture
def match(parlour: Parlour) -> Match:
    """Ann, whose address has answered before, is to choose."""
    parlour.site.players.confirm(parlour.person("Ann").id)
    return parlour.choosing("Ann")


def test_to_play_what_a_page_has_just_shown_is_one_trip(parlour: Parlour, match: Match, here: Process, site_redis: RedisServer):
    link = parlour.link(match)
    here.get(link)
    answers: list[TestResponse] = []
    assert site_redis.commands_of(lambda: answers.append(here.post(link, ply=match.ply, action=parlour.legal(match)[0]))) == [PLAYED]
    assert (answers[0].status_code, answers[0].location) == (303, link)
    assert parlour.look(match).ply > match.ply


def test_a_process_that_has_seen_neither_match_nor_player_asks_for_both(parlour: Parlour, match: Match, here: Process, site_redis: RedisServer):
    link, line = parlour.link(match), parlour.legal(match)[0]
    assert site_redis.commands_of(lambda: here.post(link, ply=match.ply, action=line)) == ["XRANGE", *VOUCHED, "HGETALL", PLAYED]


def test_who_has_acted_is_not_looked_up_again_for_a_while(parlour: Parlour, watch: Watch, here: Process, site_redis: RedisServer):
    match, after = parlour.going_on()
    link = parlour.link(match)
    here.post(link, ply=match.ply, action="no action of any game")
    assert parlour.person("Ann").confirmed
    watch.now += LATELY - 1
    assert site_redis.commands_of(lambda: here.post(link, ply=after.ply, action=parlour.legal(after)[0])) == [PLAYED]


def test_a_mailbox_that_refused_a_mail_counts_again_once_its_player_acts(parlour: Parlour, watch: Watch, match: Match, here: Process):
    link, ann = parlour.link(match), parlour.person("Ann").id
    here.get(link)
    parlour.site.players.suppress(ann, "550 no such user")
    watch.now += LATELY
    here.post(link, ply=match.ply, action=parlour.legal(match)[0])
    assert parlour.person("Ann").suppressed == ""


def test_a_process_that_is_behind_sends_the_same_click_to_the_same_page(parlour: Parlour, match: Match, here: Process, there: Process):
    link, line = parlour.link(match), parlour.legal(match)[0]
    for process in (here, there):
        process.get(link)
    first, second = (process.post(link, ply=match.ply, action=line) for process in (here, there))
    assert (first.status_code, first.location) == (second.status_code, second.location) == (303, link)
    assert taken(parlour, match) == [line]


def test_a_process_that_is_behind_tells_another_action_what_counts(parlour: Parlour, match: Match, here: Process, there: Process):
    link, lines = parlour.link(match), parlour.legal(match)
    there.get(link)
    here.post(link, ply=match.ply, action=lines[0])
    for words_of_it in (lines[1], "castle long"):
        page = there.post(link, ply=match.ply, action=words_of_it)
        assert page.status_code == 409
        assert f"“{words_of_it}” was not played: at that point you had already played {lines[0]}, and that counts" in words(page.text)


def test_a_process_that_is_behind_plays_what_is_asked_now(parlour: Parlour, there: Process):
    match, _ = parlour.going_on()
    link = parlour.link(match)
    there.last_saw(match)
    now = parlour.look(match)
    line = parlour.legal(now)[0]
    assert there.post(link, ply=now.ply, action=line).status_code == 303
    assert taken(parlour, now)[0] == line


def test_the_link_of_a_turn_taken_back_is_dead_also_where_nobody_has_heard_of_that(parlour: Parlour, here: Process, there: Process):
    """Its ply is the same as that of the turn's new link, so only the ask tells them apart."""
    parlour.site.players.confirm(parlour.person("Ann").id)
    match, _ = parlour.going_on()
    assert here.post(parlour.link(match), do="take-back").status_code == 303
    there.last_saw(match)
    version = parlour.look(match).version
    page = there.post(parlour.link(match), ply=match.ply, action=parlour.legal(match)[0])
    assert page.status_code == 409
    assert parlour.look(match).version == version


def test_ten_clicks_over_two_processes_play_once(parlour: Parlour, match: Match, here: Process, there: Process):
    link, line = parlour.link(match), parlour.legal(match)[0]
    for process in (here, there):
        process.get(link)
    with ThreadPoolExecutor(10) as pool:
        answers = list(pool.map(lambda process: process.post(link, ply=match.ply, action=line), [here, there] * 5))
    assert {(answer.status_code, answer.location) for answer in answers} == {(303, link)}
    assert taken(parlour, match) == [line]


def test_a_play_leaves_no_idempotency_key_and_what_needs_one_a_short_one(client: FlaskClient, parlour: Parlour):
    match = parlour.choosing("Ann", "Bo")
    link = parlour.link(match)
    client.post(link, data={"ply": match.ply, "action": parlour.legal(match)[0]})
    assert parlour.site.redis.keys("*:idem:*") == []
    client.post(link, data={"do": "offer", "offer": "1"})
    client.post(parlour.link(match, "resign"), data={"do": "offer", "offer": "1"})
    kept: Any = parlour.site.redis.keys("*:idem:*")
    names = [name.decode().rpartition(":")[2] for name in kept]
    assert [len(name) for name in names] == [16] * len(names) != []


def taken(parlour: Parlour, match: Match) -> list[str]:
    """What was played by link since."""
    since = parlour.site.desk.events(parlour.look(match))[match.version :]
    return [event.fact.text for event in since if isinstance(event.fact, ActionTaken) and event.by.via == "link"]
