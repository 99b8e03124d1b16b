"""Whoever sends slowly, reads slowly or says nothing holds no worker, and is sent away in the end."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from threading import Event, Thread
from time import monotonic

import pytest

from tests.end_to_end.house import until
from tests.servers import RedisServer
from tests.web import Web, heard, known

SLOW = 40  # clients that are slow at once: more than twice as many as the two processes have threads
HELD = 9  # seconds: who had to wait for one that is slow would wait for ten
HEAD = b"POST /api/v1/players HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 60\r\n"


@pytest.fixture(scope="module")
def web(redis_server: Callable[..., RedisServer], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    """The web server."""
    with Web(redis_server(), tmp_path_factory.mktemp("web")) as started:
        yield started


def turned_away(web: Web, cause: str) -> float:
    """How many were, as `/metrics` says; other processes tell theirs every five seconds."""
    lines: bytes = web.ask("GET", "/metrics")[1]
    found = re.search(rf'^forgepost_turned_away_total{{cause="{cause}"}} (.*)$', lines.decode(), re.MULTILINE)
    return float(found[1]) if found else 0.0


def longest(web: Web, count: int = 20) -> float:
    """Seconds of a small request, the longest of so many."""
    times = []
    for _ in range(count):
        begun = monotonic()
        assert web.ask("GET", "/healthz")[0] == 200
        times.append(monotonic() - begun)
    return max(times)


def test_clients_that_send_a_byte_a_second_hold_nobody_and_are_told_after_ten_seconds(web: Web):
    begun = monotonic()
    clients = [web.opened(HEAD + b"\r\n") for _ in range(SLOW)]
    over = Event()

    def drip() -> None:
        while not over.wait(1):
            for client in clients:
                try:
                    client.send(b" ")
                except OSError:
                    return

    dripping = Thread(target=drip)
    dripping.start()
    try:
        assert longest(web) < HELD
        answers = [heard(client) for client in clients]
        assert 9 < monotonic() - begun < 50  # the whole body would take a minute
    finally:
        over.set()
        dripping.join()
    for answer in answers:
        head, _, body = answer.partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 408 ")
        assert b"content-type: application/problem+json" in head
        assert json.loads(body)["type"] == "/problems/too-slow"
    assert until(lambda: turned_away(web, "late") == SLOW)
    for client in clients:
        client.close()


def test_clients_that_stop_in_the_middle_of_their_headers_hold_nobody_and_are_sent_away(web: Web):
    clients = [web.opened(said) for said in (b"", b"G", b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ") for _ in range(SLOW)]
    assert longest(web) < HELD
    for client in clients:
        assert heard(client) == b""
        client.close()


def test_clients_that_do_not_read_hold_nobody(web: Web):
    request = b"GET /openapi.yaml HTTP/1.1\r\nHost: localhost\r\n\r\n"
    clients = [web.opened(request * 8, buffer=4096) for _ in range(SLOW)]
    assert longest(web) < HELD
    for client in clients:
        client.close()


def test_a_client_that_does_not_read_is_cut_off(web: Web):
    """How much the system keeps for a client that does not read is a matter of the system: so many answers fit into none."""
    client = web.opened(b"GET /openapi.yaml HTTP/1.1\r\nHost: localhost\r\n\r\n" * 40, buffer=4096)
    place = client.getsockname()
    assert until(lambda: place in known(web))
    until(lambda: place not in known(web), pause=0.5)
    with pytest.raises(ConnectionError):
        heard(client)
    client.close()


def test_a_body_that_is_too_large_is_answered_also_when_all_of_it_is_sent_first(web: Web):
    for size in (32 * 1024 + 1, 900_000):
        body = b"x" * size
        client = web.opened(
            b"POST /api/v1/players HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: "
            + str(size).encode()
            + b"\r\n\r\n"
            + body
        )
        head, _, said = heard(client).partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 413 ")
        assert json.loads(said)["type"] == "/problems/too-large"
        client.close()
    assert until(lambda: turned_away(web, "too-large") == 2)


def test_a_body_that_is_none_is_answered_and_counted(web: Web):
    client = web.opened(HEAD.replace(b"Content-Length: 60", b"Transfer-Encoding: chunked") + b"\r\nnone\r\n")
    head, _, said = heard(client).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400 ")
    assert {b"content-type: application/problem+json", b"access-control-allow-origin: *", b"cache-control: no-store"} <= set(head.split(b"\r\n"))
    assert json.loads(said)["type"] == "/problems/bad-request"
    client.close()
    assert until(lambda: turned_away(web, "no-body") >= 1)


def test_a_body_in_chunks_is_taken_as_one(web: Web):
    chunks = b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in (b'{"name": "Zoe", ', b'"email": ', b'"zoe@example.org"}'))
    said = (
        b"POST /api/v1/players HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n"
    )
    client = web.opened(said + b"\r\n" + chunks + b"0\r\n\r\n")
    assert heard(client).startswith(b"HTTP/1.1 202 ")
    client.close()


def test_headers_beyond_all_measure_are_refused(web: Web):
    for headers in (b"X-Long: " + b"x" * 300_000, b"\r\n".join(b"X-%d: y" % number for number in range(200))):
        client = web.opened(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n" + headers + b"\r\n\r\n")
        assert client.recv(65536).startswith(b"HTTP/1.1 431 ")
        client.close()
    assert web.ask("GET", "/healthz", **{"X-Long": "x" * 8000})[0] == 200


def test_many_connections_are_kept_open_and_answered(web: Web):
    request = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
    clients = [web.opened() for _ in range(300)]
    for client in clients:
        client.sendall(request)
    for client in clients:
        assert client.recv(65536).startswith(b"HTTP/1.1 200 ")
        client.close()


def test_header_names_that_could_be_taken_for_others_are_dropped(web: Web):
    _, token = web.player("Una")
    assert web.ask("GET", "/api/v1/me", Authorization=f"Bearer {token}")[0] == 200
    assert web.ask("GET", "/api/v1/me", Authorization_=f"Bearer {token}", Content_Type="text/plain")[0] == 401


def test_whoever_wants_a_web_socket_gets_the_plain_answer(web: Web):
    _, token = web.player("Wim")
    for path in ("/healthz", "/api/v1/me", "/docs"):
        assert web.ask("GET", path, token=token, Connection="Upgrade", Upgrade="websocket", **{"Sec-WebSocket-Version": "13"})[0] == 200


def test_addresses_arrive_as_they_were_sent(web: Web):
    assert web.ask("GET", "/m/%E2%82%AC%2F..%2F")[0] == 404
    assert web.ask("GET", "/api/v1/matches/%FF%00%0A")[0] == 404
    assert web.ask("GET", "/healthz?x=%FF")[0] == 200
