"""Fifty at once against the real web server with its two workers: what can be done once is done once, and the others are told what happened."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http.client import HTTPConnection
from threading import Barrier
from time import sleep
from typing import Any
from urllib.parse import urlencode

import pytest

from infra.redis_log import keys
from infra.seals.links import to_turn
from tests.end_to_end.house import until
from tests.infra.lossy_wire import LossyWire
from tests.servers import PATIENT, RedisServer
from tests.service.api.person import ALL_MINE, API, ME, OPEN
from tests.service.pages.starting.test_start import FORM
from tests.web import Web

MANY = 50


@pytest.fixture(scope="module")
def server(redis_server: Callable[..., RedisServer]) -> RedisServer:
    return redis_server()


@pytest.fixture(scope="module")
def web(server: RedisServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    """The web server."""
    with Web(server, tmp_path_factory.mktemp("at-once")) as started:
        yield started


class Client:
    """A program with a token."""

    def __init__(self, web: Web, name: str) -> None:
        self.web = web
        self.id, self.token = web.player(name)

    def post(self, path: str, body: Any, key: str | None = None) -> tuple[int, Any]:
        return self.web.ask("POST", f"{API}{path}", body, self.token, **({"Idempotency-Key": key} if key else {}))

    def creates(self, *seats: dict[str, Any], **settings: Any) -> dict[str, Any]:
        body = {"game": "fourfold", "settings": {"seating": "joined", **settings}, "seats": list(seats)}
        status, match = self.post("/matches", body)
        assert status == 201
        made: dict[str, Any] = match
        return made

    def sees(self, match: str) -> dict[str, Any]:
        status, seen = self.web.ask("GET", f"{API}/matches/{match}", token=self.token)
        assert status == 200
        found: dict[str, Any] = seen
        return found

    def turn(self, match: dict[str, Any]) -> tuple[str, list[dict[str, Any]]]:
        """The path to submit at, and a body for each legal action of whoever is to act."""
        seat = match["to_act"][0]["seat"]
        _, listed = self.web.ask("GET", f"{API}/matches/{match['id']}/legal-actions?seat={seat}", token=self.token)
        bodies = [{"seat": seat, "ply": match["ply"], "actions": [one["action"]]} for one in listed["actions"]]
        return f"/matches/{match['id']}/submissions", bodies


@pytest.fixture(scope="module")
def ann(web: Web) -> Client:
    return Client(web, "Ann")


def at_once(work: Callable[[int], tuple[int, Any]], many: int = MANY) -> list[tuple[int, Any]]:
    """What so many get who begin in the same moment."""
    gate = Barrier(many)

    def begin(number: int) -> tuple[int, Any]:
        gate.wait(PATIENT)
        return work(number)

    with ThreadPoolExecutor(many) as threads:
        return list(threads.map(begin, range(many)))


def statuses(answers: list[tuple[int, Any]]) -> dict[int, int]:
    return dict(Counter(status for status, _ in answers))


def kinds(answers: list[tuple[int, Any]]) -> set[str]:
    """The types of problems among the answers."""
    return {said["type"].rpartition("/")[2] for status, said in answers if status >= 400}


def test_the_same_submission_with_one_key_is_one_event_and_fifty_same_answers(ann: Client):
    match = ann.creates(*ALL_MINE)
    path, bodies = ann.turn(match)
    answers = at_once(lambda _: ann.post(path, bodies[0], "one"))
    assert statuses(answers) == {201: 1, 200: MANY - 1}
    assert all(said == answers[0][1] for _, said in answers)
    assert ann.sees(match["id"])["ply"] == match["ply"] + 1


def test_without_a_key_one_is_done_and_the_others_are_told_that_it_was(ann: Client):
    match = ann.creates(*ALL_MINE)
    path, bodies = ann.turn(match)
    answers = at_once(lambda _: ann.post(path, bodies[0]))
    assert statuses(answers) == {201: 1, 409: MANY - 1}
    assert kinds(answers) == {"stale-ply"}
    done = next(said for status, said in answers if status == 201)["events"][0]["data"]["text"]
    assert all(said["since"] == [done] for status, said in answers if status == 409)
    assert ann.sees(match["id"])["ply"] == match["ply"] + 1


def test_of_different_ones_for_one_ply_one_is_done_and_the_others_are_told_which(ann: Client):
    match = ann.creates(*ALL_MINE)
    path, bodies = ann.turn(match)
    answers = at_once(lambda number: ann.post(path, bodies[number % len(bodies)], f"try-{number}"))
    assert statuses(answers) == {201: 1, 409: MANY - 1}
    assert kinds(answers) == {"stale-ply"}
    done = next(said for status, said in answers if status == 201)["events"][0]["data"]["text"]
    assert all(said["since"] == [done] for status, said in answers if status == 409)
    assert ann.sees(match["id"])["version"] == match["version"] + 1


def test_fifty_people_for_three_seats_are_three(ann: Client, web: Web):
    match = ann.creates(ME, OPEN, OPEN, OPEN, visibility="public")
    crowd = [Client(web, f"Guest{number}") for number in range(MANY)]
    answers = at_once(lambda number: crowd[number].post(f"/matches/{match['id']}/join", {}))
    assert statuses(answers) == {201: 3, 409: MANY - 3}
    assert kinds(answers) == {"seat-taken"}
    after = ann.sees(match["id"])
    assert after["status"] == "live"
    seated = [chair["player"] for chair in after["seats"]]
    assert len(set(seated)) == 4
    assert set(seated) - {ann.id} == {crowd[number].id for number, (status, _) in enumerate(answers) if status == 201}


def test_one_offer_is_made_and_one_turn_taken_back(ann: Client):
    match = ann.creates(*ALL_MINE)
    answers = at_once(lambda _: ann.post(f"/matches/{match['id']}/offers", {"kind": "pause"}), 20)
    assert statuses(answers)[201] >= 1
    events = [event["type"] for status, said in answers if status == 201 for event in said["events"]]
    assert events.count("offer.made") == statuses(answers)[201]
    match = ann.sees(match["id"])
    path, bodies = ann.turn(match)
    assert ann.post(path, bodies[0])[0] == 201
    seat = bodies[0]["seat"]
    answers = at_once(lambda _: ann.post(f"/matches/{match['id']}/take-back", {"seat": seat}))
    assert statuses(answers) == {201: 1, 409: MANY - 1}
    assert kinds(answers) == {"nothing-to-take-back"}
    assert ann.sees(match["id"])["ply"] == match["ply"]


def test_one_match_is_created_with_one_key_and_one_rematch_without(ann: Client):
    body = {"game": "fourfold", "settings": {"seating": "joined"}, "seats": list(ALL_MINE)}
    answers = at_once(lambda _: ann.post("/matches", body, "new"))
    assert statuses(answers) == {201: 1, 200: MANY - 1}
    assert all(said == answers[0][1] for _, said in answers)
    name = answers[0][1]["id"]
    assert ann.post(f"/matches/{name}/resignation", {})[0] == 201
    answers = at_once(lambda _: ann.post(f"/matches/{name}/rematch", {}))
    assert statuses(answers) == {201: 1, 200: MANY - 1}
    assert len({said["id"] for _, said in answers}) == 1


def browses(web: Web, path: str, form: dict[str, Any]) -> tuple[int, str]:
    """A form sent by a browser: the status, and where it leads."""
    with closing(HTTPConnection("127.0.0.1", web.port, timeout=PATIENT)) as connection:
        connection.request("POST", path, urlencode(form), {"Content-Type": "application/x-www-form-urlencoded"})
        answer = connection.getresponse()
        answer.read()
        return answer.status, answer.headers.get("Location", "")


def test_one_form_sent_fifty_times_is_one_move_and_all_end_on_one_page(ann: Client, web: Web):
    name = ann.creates(*ALL_MINE)["id"]
    match = web.site.desk.look(name).match
    link = f"/m/{web.site.tokens.seal(to_turn(match, match.asks[0]))}"
    text = match.game.write(next(iter(match.game.legal(match.state, match.asks[0].seat))))
    answers = at_once(lambda _: browses(web, link, {"ply": match.ply, "action": text}))
    assert statuses(answers) == {303: MANY}
    assert len({where for _, where in answers}) == 1
    assert ann.sees(name)["ply"] == match.ply + 1


def test_one_form_of_the_start_page_starts_one_match_however_often_it_is_sent(web: Web):
    form = FORM | {"name": "Zoe", "address": "zoe@example.org", "once": "a1" * 16}
    answers = at_once(lambda _: browses(web, "/", form), 20)
    assert statuses(answers) == {303: 20}
    assert len({where for _, where in answers}) == 1
    zoe = web.site.players.by_address("zoe@example.org")
    assert zoe is not None
    assert web.site.redis.scard(f"player:{zoe.id}:started") == 1


def test_a_key_is_good_for_one_request_of_one_player_for_seven_days(ann: Client, web: Web):
    bo = Client(web, "Bo")
    match = ann.creates(*ALL_MINE)
    path, bodies = ann.turn(match)
    status, first = ann.post(path, bodies[0], "once")
    assert status == 201
    answers = [ann.post(path, bodies[1], "once"), ann.post(f"/matches/{match['id']}/offers", {"kind": "end"}, "once")]
    assert [status for status, _ in answers] == [422, 422]
    assert kinds(answers) == {"key-reused"}
    status, said = bo.post(path, bodies[0], "once")
    assert (status, said["type"]) == (404, "/problems/no-such-match")
    key = keys.idem(match["id"], ann.id, "once")
    assert 6 * 86_400_000 < int(str(web.site.redis.pttl(key))) <= 7 * 86_400_000
    assert ann.post(path, bodies[0], "once") == (200, first)
    web.site.redis.pexpire(key, 1)
    until(lambda: not web.site.redis.exists(key))
    status, said = ann.post(path, bodies[0], "once")
    assert (status, said["type"]) == (409, "/problems/stale-ply")
    assert said["since"] == [first["events"][0]["data"]["text"]]


def test_who_hung_up_before_the_answer_came_asks_again_and_is_answered(ann: Client, web: Web):
    match = ann.creates(*ALL_MINE)
    path, bodies = ann.turn(match)
    connection = HTTPConnection("127.0.0.1", web.port, timeout=PATIENT)
    headers = {"Authorization": f"Bearer {ann.token}", "Content-Type": "application/json", "Idempotency-Key": "lost"}
    connection.request("POST", f"{API}{path}", str(bodies[0]).replace("'", '"'), headers)
    until(lambda: ann.sees(match["id"])["ply"] == match["ply"] + 1)
    connection.close()
    status, said = ann.post(path, bodies[0], "lost")
    assert status == 200
    assert said["match"]["ply"] == match["ply"] + 1
    assert ann.sees(match["id"])["version"] == match["version"] + 1


def test_killed_between_the_log_and_the_answer_it_knows_afterwards_what_was_done(server: RedisServer, tmp_path_factory: pytest.TempPathFactory):
    """Redis has the move; the process that wrote it is killed before it hears so, and another one is asked again."""
    with (
        LossyWire(server.port, b"killed") as wire,  # the key, so that no other script's reply is held
        Web(server, tmp_path_factory.mktemp("killed"), EVENTS_REDIS_URL=f"redis://127.0.0.1:{wire.port}/0") as web,
        ThreadPoolExecutor(1) as threads,
    ):
        ann = Client(web, "Kay")
        match = ann.creates(*ALL_MINE)
        path, bodies = ann.turn(match)
        wire.holding = 1
        lost = threads.submit(ann.post, path, bodies[0], "killed")
        assert wire.held.wait(PATIENT)
        web.kill()
        with pytest.raises(OSError, match=r".") as broken:
            lost.result(PATIENT)
        assert isinstance(broken.value, ConnectionError)
        sleep(0.1)
        web.start()
        status, said = ann.post(path, bodies[0], "killed")
        assert status == 200
        assert said["match"]["ply"] == match["ply"] + 1
        assert ann.post(path, bodies[1], "killed")[0] == 422
        assert ann.sees(match["id"])["version"] == match["version"] + 1
