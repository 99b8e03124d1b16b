"""Readers of every kind: those who do not read are cut off and kept in no memory, and nobody else notices; nobody has more than their share."""

from __future__ import annotations

import re
from functools import partial
from threading import Event, Thread

import psutil
import pytest

from domain.match.commands import Actor, Answer, CreateMatch, Hold, Offer
from infra.ids import new_match_id, new_player_id
from infra.redis_log.follower import Follower
from service.problems import Problem
from service.streams.audience import EACH, MOST, Audience
from tests.end_to_end.house import until
from tests.service.streams.conftest import Game
from tests.service.streams.ear import Ear
from tests.web import Web, known

TALK = 3000  # offers that are declined at once: two events each, some three megabytes altogether


def test_whoever_does_not_read_or_reads_a_byte_at_a_time_is_cut_off_and_others_hear_everything(web: Web):
    ann, bo = new_player_id(), new_player_id()
    made = CreateMatch(Actor(ann, "api"), "fourfold", {}, {"visibility": "public", "several_seats": True}, (Hold(ann), Hold(ann), Hold(bo), Hold(bo)))
    match = web.site.desk.do(new_match_id(16), made).sight.match.id
    asleep, drowsy, awake = (Ear(web, match) for _ in range(3))
    for ear in (asleep, drowsy):
        ear.listen(buffer=4096)
    awake.listen()
    ends = {ear.place for ear in (asleep, drowsy)}
    assert ends <= known(web)
    before = sum(worker.memory_info().rss for worker in web.workers())
    over = Event()
    sipping = Thread(target=drowsy.sip, args=(over,))
    sipping.start()
    talking = Thread(target=talk, args=(web, match, ann, bo))
    talking.start()
    try:
        awake.until(lambda: len(awake.heard) == 2 * TALK)
        talking.join()
        until(lambda: not ends & known(web), pause=0.2)
        assert sum(worker.memory_info().rss for worker in web.workers()) - before < 40 << 20
    finally:
        over.set()
        sipping.join()
        talking.join()
        for ear in (asleep, drowsy, awake):
            ear.leave()
    assert until(lambda: figure(web, 'forgepost_streams_total{end="not-read"}') == 2)
    assert [int(one.id) for one in awake.heard] == list(range(int(awake.heard[0].id), int(awake.heard[0].id) + 2 * TALK))


def test_a_thousand_listen_and_every_one_of_them_hears_a_move(web: Web, game: Game):
    kind = psutil.RLIMIT_NOFILE
    soft, hard = psutil.Process().rlimit(kind)
    psutil.Process().rlimit(kind, (max(soft, min(4096, hard)), hard))
    _, token = web.player("Many")
    ears = [Ear(web, game.id, token=token) for _ in range(1000)]
    try:
        for ear in ears:
            assert ear.listen().status == 200
            assert ear.block()
        assert web.ask("GET", "/healthz")[0] == 200
        game.play()
        for ear in ears:
            ear.until(partial(_has_come_to, ear, game.now["version"]))
        assert until(lambda: figure(web, "forgepost_streams_open") >= 1000)
    finally:
        for ear in ears:
            ear.leave()
    assert until(lambda: figure(web, "forgepost_streams_open") == 0)
    assert {tuple(one.id for one in ear.heard) for ear in ears} == {tuple(one.id for one in ears[0].heard)}


def _has_come_to(ear: Ear, version: int) -> bool:
    return ear.last == str(version)


def figure(web: Web, name: str) -> float:
    """What `/metrics` says of it; other processes tell theirs every five seconds."""
    lines: bytes = web.ask("GET", "/metrics")[1]
    found = re.search(rf"^{re.escape(name)} (.*)$", lines.decode(), re.MULTILINE)
    return float(found[1]) if found else 0.0


def talk(web: Web, match: str, ann: str, bo: str) -> None:
    """Offer and decline, again and again."""
    for _ in range(TALK):
        offered = web.site.desk.do(match, Offer(Actor(ann, "api"), "end")).sight.match.offer
        assert offered
        web.site.desk.do(match, Answer(Actor(bo, "api"), offered.offer, "decline"))


def test_nobody_has_more_places_than_their_share_and_no_process_more_than_it_can_bear():
    audience = Audience(Follower("redis://unused", 16))
    for _ in range(EACH):
        audience.admit("p-ann")
    with pytest.raises(Problem) as refused:
        audience.admit("p-ann")
    assert (refused.value.name, refused.value.status, refused.value.headers) == ("too-many-streams", 429, {"Retry-After": "5"})
    for number in range(MOST - EACH):
        audience.admit(f"192.0.2.{number % 9}")
    with pytest.raises(Problem) as refused:
        audience.admit("p-bo")
    assert (refused.value.name, refused.value.status) == ("streams-full", 503)
    audience.part("p-ann")
    audience.admit("p-ann")
