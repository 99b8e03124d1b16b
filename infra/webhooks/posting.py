"""One POST to somebody else's server, which may be slow, huge, dead or up to no good."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from http.client import HTTPConnection, HTTPException, HTTPResponse, RemoteDisconnected
from threading import Timer
from time import monotonic
from typing import Final

from domain.game import Record
from infra.webhooks.destination import Destination, Resolve, Unfit, addresses, looked_up

PATIENCE: Final = 10.0  # seconds for all of it: looking up, connecting, sending, the whole answer
LARGEST: Final = 64 * 1024  # bytes of an answer; whoever sends more is not listened to any longer


class Answered(Record, frozen=True):
    """What came back: the status, how long it took (ms), the beginning of the body, and after how many seconds it wants to be asked again."""

    status: int
    ms: int
    body: bytes
    again: int | None = None


class Unanswered(Record, frozen=True):
    """Nothing that could be used came back; `words` say why."""

    words: str
    ms: int


def post(
    to: Destination, body: bytes, headers: dict[str, str], allowed: str, *, resolve: Resolve = looked_up, patience: float = PATIENCE
) -> Answered | Unanswered:
    """POST it, once. Redirects are not followed and proxies of the environment not used: only an address that was checked is connected to."""
    began = monotonic()

    def spent() -> int:
        return round((monotonic() - began) * 1000)

    try:
        found = addresses(to, allowed, resolve, patience)
        with _connected(to, found, began + patience) as link:
            cut = Timer(max(0.0, began + patience - monotonic()), _cut, (link,))  # also for a server that sends a byte now and then
            cut.daemon = True
            cut.start()
            try:
                answer, said = _asked(link, to, body, headers)
            finally:
                cut.cancel()
    except Unfit as unfit:
        return Unanswered(str(unfit), spent())
    except (OSError, HTTPException) as wrong:
        late = monotonic() - began >= patience
        return Unanswered(f"no whole answer within {patience:g} s" if late else _words(wrong), spent())
    if monotonic() - began >= patience:  # what was cut off may look like an end
        return Unanswered(f"no whole answer within {patience:g} s", spent())
    if len(said) > LARGEST:
        return Unanswered(f"the answer is longer than {LARGEST // 1024} KiB", spent())
    again = answer.getheader("Retry-After", "")
    return Answered(answer.status, spent(), said, int(again) if again.isascii() and again.isdigit() and len(again) < 9 else None)


def _connected(to: Destination, found: Iterable[str], until: float) -> socket.socket:
    """A connection to the first address that takes one, by TLS to whoever proves to be the named host."""
    wrong: OSError = OSError("no address")
    for address in found:
        left = until - monotonic()
        if left <= 0:
            raise TimeoutError
        try:
            link = socket.create_connection((address, to.port), timeout=left)
        except OSError as refused:
            wrong = refused
            continue
        if to.scheme == "http":
            return link
        try:
            link.settimeout(max(0.001, until - monotonic()))
            return _tls().wrap_socket(link, server_hostname=to.host.rstrip("."))
        except BaseException:
            link.close()
            raise
    raise wrong


def _asked(link: socket.socket, to: Destination, body: bytes, headers: dict[str, str]) -> tuple[HTTPResponse, bytes]:
    speaking = HTTPConnection(to.host, to.port)
    speaking.sock = link
    speaking.putrequest("POST", to.target, skip_host=True, skip_accept_encoding=True)
    own = {"Host": to.authority, "Content-Length": str(len(body)), "Connection": "close"}
    for name, value in {**own, **headers}.items():
        speaking.putheader(name, value)
    speaking.endheaders(body)
    answer = speaking.getresponse()
    return answer, answer.read(LARGEST + 1)


def _cut(link: socket.socket) -> None:
    with suppress(OSError):
        socket.socket.shutdown(link, socket.SHUT_RDWR)  # not the TLS socket's own, which another thread is reading from


@cache
def _tls() -> ssl.SSLContext:
    return ssl.create_default_context()


def _words(wrong: OSError | HTTPException) -> str:
    match wrong:
        case ssl.SSLCertVerificationError():
            return f"the certificate is not that of the host: {wrong.verify_message}"
        case TimeoutError():
            return "nothing came back in time"
        case ConnectionRefusedError():
            return "nobody listens there"
        case RemoteDisconnected():
            return "the connection broke before an answer came"
        case HTTPException():
            return "what came back is no HTTP"
        case _:
            return f"the connection broke: {wrong.strerror or type(wrong).__name__}"
