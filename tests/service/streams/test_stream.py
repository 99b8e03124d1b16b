"""A stream tells every event of a match, once and in order, to whoever may see it."""

from __future__ import annotations

from functools import partial
from random import Random
from threading import Thread
from time import monotonic, sleep

from tests.end_to_end.house import until
from tests.servers import RedisServer
from tests.service.streams.conftest import Game
from tests.service.streams.ear import Ear
from tests.web import Web
from tests.web import heard as everything


def test_it_tells_what_happens_from_now_on(web: Web, game: Game):
    ear = Ear(web, game.id)
    answer = ear.listen()
    assert answer.status == 200
    assert answer.headers["Content-Type"] == "text/event-stream; charset=utf-8"
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    before = game.now["version"]
    assert ear.block()
    assert (ear.last, ear.heard) == (str(before), [])
    assert 1000 <= ear.retry < 4000
    game.play()
    heard = ear.until(lambda: ear.last == str(game.now["version"]))
    assert [one.data for one in heard] == game.history()[before:]
    assert [(one.id, one.type) for one in heard] == [(str(event["version"]), event["type"]) for event in game.history()[before:]]
    ear.leave()


def test_it_begins_with_the_version_that_was_asked_for(web: Web, game: Game):
    game.play(3)
    version = game.now["version"]
    for start in (1, 2, version, version + 1):
        ear = Ear(web, game.id, asked=f"?from={start}")
        assert ear.listen().status == 200
        ear.until(partial(_has_come_to, ear, version))
        assert [one.data for one in ear.heard] == game.history()[start - 1 :]
        ear.leave()


def test_whoever_asks_for_the_headers_alone_is_told_no_length_that_it_would_not_have(web: Web, game: Game):
    with web.opened(f"HEAD /api/v1/matches/{game.id}/stream HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode()) as client:
        head, _, body = everything(client).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200 ")
    assert b"\r\ncontent-type: text/event-stream; charset=utf-8\r\n" in head
    assert b"content-length" not in head
    assert body == b""


def _has_come_to(ear: Ear, version: int) -> bool:
    return ear.last == str(version)


def test_the_last_event_id_comes_before_the_address(web: Web, game: Game):
    game.play(3)
    ear = Ear(web, game.id, asked="?from=1", last="2")
    ear.listen()
    ear.until(lambda: ear.last == str(game.now["version"]))
    assert ear.heard[0].id == "3"
    ear.leave()


def test_a_version_that_never_was_is_refused(web: Web, game: Game):
    version = game.now["version"]
    for asked, last, status, kind in (
        (f"?from={version + 2}", "", 404, "no-such-version"),
        ("", str(version + 1), 404, "no-such-version"),
        ("", "twelve", 422, "invalid-request"),
        ("", "-1", 422, "invalid-request"),
        ("?from=0", "", 422, "invalid-request"),
        ("?since=1", "", 422, "invalid-request"),
    ):
        headers = {"Last-Event-ID": last} if last else {}
        found, problem = web.ask("GET", f"/api/v1/matches/{game.id}/stream{asked}", **headers)
        assert (found, problem["type"]) == (status, f"/problems/{kind}")


def test_it_ends_with_the_match_and_whoever_comes_back_is_told_not_to(web: Web, game: Game):
    ear = Ear(web, game.id, asked="?from=1")
    ear.listen()
    game.play(10_000)
    assert game.now["status"] == "over"
    heard = ear.to_the_end()
    assert [one.data for one in heard[:-1]] == game.history()
    assert (heard[-2].type, heard[-1].type, heard[-1].id) == ("seed.revealed", "stream.ended", "")
    assert heard[-1].data == {"match": game.id, "version": game.now["version"]}
    assert web.ask("GET", f"/api/v1/matches/{game.id}/stream", **{"Last-Event-ID": ear.last}) == (204, b"")
    assert web.ask("GET", f"/api/v1/matches/{game.id}/stream") == (204, b"")
    again = Ear(web, game.id, last="5")
    again.listen()
    assert [one.data for one in again.to_the_end()[:-1]] == game.history()[5:]


def test_a_private_match_is_told_to_its_players_only_and_not_after_their_token_was_revoked(web: Web, ann: str):
    private = Game(web, ann)
    _, stranger = web.player("Bo" + private.id.replace("-", ""))
    path = f"/api/v1/matches/{private.id}/stream"
    assert [web.ask("GET", path)[0], web.ask("GET", path, token=stranger)[0], web.ask("GET", path, token="fp_nonsense")[0]] == [404, 404, 401]
    ear = Ear(web, private.id, token=ann)
    begun = monotonic()
    ear.listen()
    assert ear.block()
    private.play()
    ear.until(lambda: ear.last == str(private.now["version"]))
    ear.until(lambda: ear.beats > 0)
    assert 10 < monotonic() - begun < 60
    grant = web.site.players.authenticate(ann)
    assert grant
    web.site.players.revoke(grant.player, web.site.players.passes(grant.player)[-1].id)
    ear.to_the_end()


def test_nothing_is_missed_and_nothing_told_twice_over_a_hundred_events_and_more_with_many_interruptions(web: Web, ann: str):
    """Interrupted by whoever listens; the two processes of the server take turns by lot, and one of them is not the one that plays."""
    chance, game = Random(5), Game(web, ann, {"goals_to_win": 10}, visibility="public")
    ear = Ear(web, game.id, asked="?from=1")
    playing = Thread(target=game.play, args=(10_000,))
    playing.start()
    interruptions = 0
    while not any(one.type == "stream.ended" for one in ear.heard):
        if ear.listen().status == 204:
            break
        for _ in range(chance.randrange(1, 12)):
            if not ear.block():
                break
        ear.leave()
        interruptions += 1
        sleep(chance.random() / 50)
    ear.leave()
    playing.join()
    history = game.history()
    assert len(history) >= 100  # as good as always more than 180: the lots say how many
    assert interruptions >= 20
    assert [one.data for one in ear.heard if one.id] == history


def test_a_stream_goes_on_after_the_web_server_was_killed(web: Web, game: Game):
    ear = Ear(web, game.id, asked="?from=1")
    ear.listen()
    game.play(3)
    ear.until(lambda: ear.last == str(game.now["version"]))
    web.kill()
    assert not ear.block()
    ear.leave()
    web.start()
    game.play(3)
    ear.listen()
    ear.until(lambda: ear.last == str(game.now["version"]))
    assert [one.data for one in ear.heard] == game.history()
    ear.leave()


def test_a_stream_stays_open_while_redis_is_away_and_then_tells_what_was_missed(web: Web, store: RedisServer, game: Game):
    ear = Ear(web, game.id)
    ear.listen()
    before = game.now["version"]
    assert ear.block()
    store.kill()
    sleep(1)
    store.start()
    until(lambda: web.ask("GET", "/readyz")[0] == 200)
    game.play(2)
    ear.until(lambda: ear.last == str(game.now["version"]))
    assert [one.data for one in ear.heard] == game.history()[before:]
    ear.leave()


def test_stopping_the_server_ends_the_streams_at_once(web: Web, game: Game):
    for _ in range(3):  # on a machine that stands still just then a worker may have to be killed all the same
        before = web.log.stat().st_size
        ears = [Ear(web, game.id) for _ in range(10)]
        for ear in ears:
            ear.listen()
            assert ear.block()
        web.stop()
        killed = "refused to gracefully stop" in web.log.read_bytes()[before:].decode()
        assert [ear.to_the_end() for ear in ears] == [[]] * 10
        web.start()
        if not killed:
            return
    raise AssertionError("workers had to be killed every time")
