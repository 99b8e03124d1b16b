"""The ASGI application around the WSGI one: it waits for clients, so that the application never has to."""

from __future__ import annotations

import json
import logging
from contextlib import suppress
from functools import partial

from service.front.body import taken
from service.front.hands import Hands
from service.front.shapes import Application, Receive, Scope, Send
from service.front.wire import CutOff, be_impatient, sent
from service.front.wsgi import Answer, answered, environ
from service.problems import MEDIA, Problem

log = logging.getLogger(__name__)

CLOSE = (b"connection", b"close")
BROKEN = Answer(  # heard by those only who still listen: whoever sent something that is no body, as a chunk without a length
    400,
    [(b"content-type", MEDIA.encode())],
    json.dumps(
        Problem("bad-request", "the body breaks off, or its chunks are none: send the request again, with a `Content-Length`").body()
    ).encode(),
)
FAULT = Answer(500, [(b"content-type", b"text/plain; charset=utf-8")], b"something went wrong here, not with your request\n")


class Front:
    """Takes requests in whole, has them answered by one of the hands, and sends the answers."""

    def __init__(self, app: Application, hands: Hands) -> None:
        self._app, self._hands = app, hands
        self._first = True

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        match scope["type"]:
            case "http":
                await self._http(scope, receive, send)
            case "lifespan":
                await self._live(receive, send)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._first:  # not sooner does the server listen
            self._first = False
            be_impatient()
        body = await taken(scope, receive)
        if body is None:
            await send({"type": "http.response.start", "status": BROKEN.status, "headers": [*BROKEN.headers, CLOSE]})
            await send({"type": "http.response.body", "body": BROKEN.body})
            return
        try:
            answer = await self._hands.do(partial(answered, self._app, environ(scope, body)))
        except Exception:
            log.exception("the application did not answer")
            answer = FAULT
        headers = answer.headers if body.whole else [*answer.headers, CLOSE]
        await send({"type": "http.response.start", "status": answer.status, "headers": headers})
        with suppress(CutOff):
            await sent(scope, send, answer.body, more=False)

    async def _live(self, receive: Receive, send: Send) -> None:
        """The server tells when it begins and when it ends."""
        await receive()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await send({"type": "lifespan.shutdown.complete"})
