"""A request as WSGI has it, and the answer of a WSGI application as ASGI has it."""

from __future__ import annotations

import sys
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote_to_bytes

from service.contract.operations import TAKEN
from service.front.body import Body
from service.front.shapes import Application, Environ, Scope

SAME = {
    "SCRIPT_NAME": "",
    "wsgi.version": (1, 0),
    "wsgi.errors": sys.stderr,
    "wsgi.input_terminated": True,  # Werkzeug's word for a body that ends by itself
    "wsgi.multithread": True,
    "wsgi.multiprocess": True,
    "wsgi.run_once": False,
}
KNOWN = {
    b"accept": "HTTP_ACCEPT",
    b"authorization": "HTTP_AUTHORIZATION",
    b"content-length": "CONTENT_LENGTH",
    b"content-type": "CONTENT_TYPE",
    b"host": "HTTP_HOST",
    b"user-agent": "HTTP_USER_AGENT",
}


@dataclass
class Answer:
    """What an application says to a request."""

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes


def environ(scope: Scope, body: Body) -> Environ:
    """The request as the application gets it; a header that came several times is one, and one whose name could be taken for another's is none."""
    raw: bytes = scope.get("raw_path") or scope["path"].encode()
    said: Environ = {
        **SAME,
        "REQUEST_METHOD": scope["method"],
        "PATH_INFO": (unquote_to_bytes(raw) if b"%" in raw else raw).decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": body.file,
    }
    if not body.late:
        said[TAKEN] = body.data
    for key, (host, port) in (("SERVER", scope["server"]), ("REMOTE", scope["client"])):
        said["SERVER_NAME" if key == "SERVER" else "REMOTE_ADDR"] = host
        said[f"{key}_PORT"] = str(port)
    for raw_name, raw_value in scope["headers"]:
        if b"_" in raw_name or raw_name == b"upgrade":  # to nothing; and Werkzeug would take it for a web socket
            continue
        name = KNOWN.get(raw_name) or f"HTTP_{raw_name.decode('latin-1').upper().replace('-', '_')}"
        value = raw_value.decode("latin-1")
        before = said.get(name)
        said[name] = value if before is None else f"{before}{'; ' if name == 'HTTP_COOKIE' else ','}{value}"
    return said


def answered(app: Application, said: Environ) -> Answer:
    """The application's whole answer; takes as long as the application does."""
    started: list[Any] = []

    def start(status: str, headers: list[tuple[str, str]], _error: Any = None) -> None:
        started[:] = status, headers

    pieces = app(said, start)
    try:
        body = b"".join(pieces)
    finally:
        with suppress(AttributeError):
            pieces.close()
    status, headers = started
    return Answer(int(status[:3]), [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers], body)
