"""Raw bytes at the real web server: what two servers could read differently, names of other hosts, ways out of the site, old HTTP."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator

import pytest

from tests.servers import RedisServer
from tests.web import Web, heard

SIGN_UP = b'{"name": "Zoe", "email": "zoe@example.org"}'
ELSEWHERE = "evil.example"


@pytest.fixture(scope="module")
def web(redis_server: Callable[..., RedisServer], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    """The web server."""
    with Web(redis_server(), tmp_path_factory.mktemp("hostile")) as started:
        yield started


def answers(web: Web, said: bytes) -> list[int]:
    """The statuses of all answers to what was sent over one connection, which the server closes in the end."""
    with web.opened(said) as client:
        return [int(status) for status in re.findall(rb"HTTP/1\.[01] (\d{3}) ", heard(client))]


def form(path: str, body: str, media: str = "application/x-www-form-urlencoded") -> bytes:
    """A form as a browser sends it."""
    head = f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: {media}\r\nConnection: close\r\nContent-Length: {len(body)}\r\n\r\n"
    return f"{head}{body}".encode()


def got(path: str, *headers: str) -> bytes:
    """A request without a body."""
    return "\r\n".join((f"GET {path} HTTP/1.1", "Connection: close", *(headers or ("Host: x",)), "", "")).encode()


def said_to(web: Web, request: bytes) -> bytes:
    """The whole answer, as bytes."""
    with web.opened(request) as client:
        return heard(client)


def post(headers: bytes, body: bytes, version: bytes = b"1.1") -> bytes:
    """A request to sign up with these headers."""
    return (
        b"POST /api/v1/players HTTP/" + version + b"\r\nHost: x\r\nContent-Type: application/json\r\nConnection: close\r\n" + headers + b"\r\n" + body
    )


SECOND = b"GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n"


@pytest.mark.parametrize(
    "said",
    [
        post(b"Content-Length: 43\r\nContent-Length: 5\r\n", SIGN_UP),
        post(b"Content-Length: 43, 43\r\n", SIGN_UP),
        post(b"Content-Length: +43\r\n", SIGN_UP),
        post(b"Content-Length: 0x2b\r\n", SIGN_UP),
        post(b"Content-Length: -1\r\n", SIGN_UP),
        post(b"Transfer-Encoding: gzip, chunked, identity\r\n", b"0\r\n\r\n"),
        post(b"Transfer-Encoding: xchunked\r\n", b"2b\r\n" + SIGN_UP + b"\r\n0\r\n\r\n"),
        post(b"Transfer-Encoding: chunked\r\n", b"zz\r\n" + SIGN_UP + b"\r\n0\r\n\r\n"),
        post(b"Transfer-Encoding : chunked\r\n", b"0\r\n\r\n"),
        b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-A: b\x00c\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\n Host: x\r\n\r\n",
        b"GET /healthz HTTP/9.9\r\nHost: x\r\n\r\n",
        b"GET  /healthz\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    ],
    ids=[
        "two lengths", "a list of lengths", "a sign", "hex", "negative", "chunked not last", "an unknown coding", "no chunk", "blank before colon",
        "NUL in a header", "folded", "another HTTP", "half a line", "TLS",
    ],
)  # fmt: skip
def test_what_two_servers_could_read_differently_is_refused_and_nothing_after_it_is_read(web: Web, said: bytes):
    found = answers(web, said + SECOND)
    assert found in ([400], [422], [501], [505], []), found
    assert web.ask("GET", "/healthz")[0] == 200
    assert web.site.players.by_address("zoe@example.org") is None


def test_length_and_chunks_together_are_one_request_at_most(web: Web):
    """RFC 9112 lets chunks win, if the connection is closed afterwards: what follows is never a request of its own."""
    body = b"0\r\n\r\n"
    found = answers(web, post(b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", body) + SECOND)
    assert len(found) <= 1
    found = answers(web, post(b"Content-Length: 60\r\nTransfer-Encoding: chunked\r\n", body) + SECOND)
    assert len(found) <= 1


def test_requests_one_after_the_other_without_waiting_are_answered_in_order(web: Web):
    paths = [b"/healthz", b"/nothing", b"/api/v1/games", b"/api/v1/nothing"]
    said = b"".join(b"GET " + path + b" HTTP/1.1\r\nHost: x\r\n\r\n" for path in paths)
    assert answers(web, said + b"GET /readyz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n") == [200, 404, 200, 404, 200]


def test_http_1_0_is_answered_and_the_connection_closed(web: Web):
    with web.opened(b"GET /healthz HTTP/1.0\r\n\r\n") as client:
        head, _, body = heard(client).partition(b"\r\n\r\n")
    assert re.match(rb"HTTP/1\.[01] 200 ", head)
    assert json.loads(body) == {"status": "ok"}


def test_who_asks_what_the_server_as_a_whole_can_do_is_told_its_methods(web: Web):
    head, _, body = said_to(web, b"OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 204 ")
    assert b"\r\nallow: DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT\r\n" in head
    assert body == b""
    assert answers(web, b"GET * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n") == [404]


def test_a_form_in_chunks_is_a_form(web: Web):
    head = form("/lost", "").replace(b"Content-Length: 0", b"Transfer-Encoding: chunked")
    assert answers(web, head + b"8\r\naddress=\r\n10\r\nann%40example.or\r\n1\r\ng\r\n0\r\n\r\n") == [303]


@pytest.mark.parametrize("header", ["Host", "X-Forwarded-Host", "X-Forwarded-Server", "Forwarded", "X-Original-URL", "X-Rewrite-URL"])
@pytest.mark.parametrize("path", ["/", "/sign-in", "/openapi.yaml", "/api/v1/matches?limit=1", "/m/", "/nowhere", "/me"])
def test_no_answer_is_made_of_what_a_request_says_of_its_host(web: Web, header: str, path: str):
    value = f"host={ELSEWHERE}" if header == "Forwarded" else ELSEWHERE
    headers = [f"{header}: {value}"] if header == "Host" else ["Host: x", f"{header}: {value}"]
    assert ELSEWHERE not in said_to(web, got(path, *headers)).decode("utf-8", "replace")


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py", "/static/..%2fapp.py", "/static/%2e%2e/app.py", "/static/..%5capp.py", "/static//etc/passwd", "/static/%2fetc/passwd",
        "/static/%00", "/../../etc/passwd", "/dev/mail/../../secrets", "/dev/mail/..%2f..%2fsecrets", "/dev/mail/..%2f..%2fsecrets.eml",
        "/api/v1/games/..%2f..%2fapp", "/games/..%2f..%2f..%2fapp", "/problems/..%2f..%2fapp.py", "/matches/..%2f..%2fsecrets/board.svg",
    ],
)  # fmt: skip
def test_no_path_leads_out_of_the_site(web: Web, path: str):
    said = said_to(web, got(path))
    assert re.match(rb"HTTP/1\.1 (30[378]|400|404) ", said), said[:200]
    assert not [word for word in (b"FORGEPOST_SECRETS", b"root:", b"def create_app") if word in said]


@pytest.mark.parametrize(
    "path",
    [
        f"//{ELSEWHERE}", f"//{ELSEWHERE}/..", f"/%5c{ELSEWHERE}", f"/m/%2f%2f{ELSEWHERE}", f"/m//{ELSEWHERE}",
        f"/sign-in?next=//{ELSEWHERE}", f"/lost/?next=https://{ELSEWHERE}",
    ],
)  # fmt: skip
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_no_redirect_leads_to_another_site(web: Web, method: str, path: str):
    request = form(path, "") if method == "POST" else got(path)
    head = said_to(web, request).partition(b"\r\n\r\n")[0].decode()
    where = re.search(r"(?mi)^location: (.*?)\r?$", head)
    assert where is None or (where[1].startswith("/") and where[1][1:2] not in ("/", "\\")), head


@pytest.mark.parametrize("path", ["/m/{}", "/games/{}", "/api/v1/matches?cursor={}", "/lost/{}", "/sign-in?next={}", "/u/{}/x"])
def test_no_header_can_be_written_through_an_answer(web: Web, path: str):
    head = said_to(web, got(path.format("%0d%0aX-Written:%20a"))).partition(b"\r\n\r\n")[0].lower()
    assert b"\nx-written" not in head


def test_a_query_beyond_all_measure_is_refused(web: Web):
    for query in ("&".join(f"a{number}=1" for number in range(10_000)), "limit=" + "9" * 60_000):
        assert web.ask("GET", f"/api/v1/matches?{query}")[0] in (414, 422, 431)


def test_a_form_with_a_thousand_fields_too_many_is_refused(web: Web):
    assert answers(web, form("/lost", "&".join(f"a{number}=1" for number in range(3_000)))) == [422]
    part = '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n'
    assert answers(web, form("/lost", part * 500 + "--x--\r\n", "multipart/form-data; boundary=x")) in ([413], [422])


def test_a_name_is_words_and_never_a_template(web: Web):
    name = "{{7*7}}${7*7}<b>{% raw %}"
    player = web.site.players.add(name, "template@example.org")
    token = web.site.players.new_token(player.id, ["player:read"], "tests")
    assert web.ask("GET", "/api/v1/me", token=token)[1]["name"] == name
    page = said_to(web, form("/", "name=%7B%7B7*7%7D%7D%3Cb%3E&address=wrong&game=fourfold")).decode()
    assert "{{7*7}}&lt;b&gt;" in page
    assert "49<b>" not in page
