"""The ASGI application around the WSGI one: it waits for clients, so that the application never has to."""

from __future__ import annotations

import json
import logging
import signal
from asyncio import get_running_loop
from functools import partial
from secrets import token_hex

from infra.tally import Tally
from service.contract.operations import LARGEST_BODY
from service.door.headers import lacking
from service.front.body import taken
from service.front.hands import Hands
from service.front.shapes import Application, Receive, Scope, Send
from service.front.wire import CutOff, be_impatient, sent
from service.front.wsgi import Answer, answered, environ
from service.problems import MEDIA, Problem
from service.streams.audience import Audience
from service.streams.stream import OPENING, Opening, Stream, Wish

log = logging.getLogger(__name__)

LEAVE = signal.SIGUSR1  # ends the streams of a process
CLOSE = (b"connection", b"close")


def _told(problem: Problem) -> Answer:
    """A problem that the front tells by itself; who asked, and for what, it does not know."""
    headers = [(name.lower().encode(), value.encode()) for name, value in lacking((), shared=True, https=False)]
    return Answer(problem.status, [(b"content-type", MEDIA.encode()), *headers], json.dumps(problem.body()).encode())


# Heard by those only who still listen: whoever sent something that is no body, as a chunk without a length.
BROKEN = _told(Problem("bad-request", "the body breaks off, or its chunks are none: send the request again, with a `Content-Length`"))


class Front:
    """Takes requests in whole, has them answered by one of the hands, sends the answers, and goes on with those that are streams."""

    def __init__(self, app: Application, hands: Hands, audience: Audience, tally: Tally) -> None:
        self._app, self._hands, self._audience, self._tally = app, hands, audience, tally
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
            self._tally.count("turned-away", "no-body")
            await send({"type": "http.response.start", "status": BROKEN.status, "headers": [*BROKEN.headers, CLOSE]})
            await send({"type": "http.response.body", "body": BROKEN.body})
            return
        if body.late or len(body.data) > LARGEST_BODY:
            self._tally.count("turned-away", "late" if body.late else "too-large")
        opening = Opening(self._audience)
        try:
            answer = await self._hands.do(partial(answered, self._app, environ(scope, body) | {OPENING: opening}))
        except Exception:
            incident = token_hex(6)
            log.exception("incident %s: the application did not answer", incident)
            self._tally.count("turned-away", "fault")
            words = f"something went wrong here, not with your request; in the log it is incident {incident}"
            answer = _told(Problem("internal-error", words, incident=incident))
        headers = answer.headers if body.whole else [*answer.headers, CLOSE]
        if opening.wish is not None:
            await self._stream(opening.wish, answer, scope, receive, send)
            return
        await send({"type": "http.response.start", "status": answer.status, "headers": headers})
        try:
            await sent(scope, send, answer.body, more=False)
        except CutOff:
            self._tally.count("turned-away", "not-read")

    async def _stream(self, wish: Wish, answer: Answer, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            headers = [(name, value) for name, value in answer.headers if name != b"content-length"]
            await send({"type": "http.response.start", "status": answer.status, "headers": headers})
            self._tally.count("streams", await Stream(wish, self._audience, self._hands).tell(scope, receive, send))
        finally:
            self._audience.part(wish.who)

    async def _live(self, receive: Receive, send: Send) -> None:
        """The server tells when it begins and when it ends; but it waits for streams to end before it tells, so that we must hear of it sooner."""
        await receive()
        get_running_loop().add_signal_handler(LEAVE, self._audience.disperse)
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await send({"type": "lifespan.shutdown.complete"})
