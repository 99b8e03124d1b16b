"""The body of a request, read before anybody is given it: no more of it than anybody takes, and no longer than a fair client needs."""

from __future__ import annotations

from asyncio import timeout
from dataclasses import dataclass
from io import BytesIO
from typing import Any, NoReturn

from werkzeug.exceptions import RequestTimeout

from service.contract.operations import LARGEST_BODY
from service.front.shapes import Receive, Scope

LONGEST = 10.0  # seconds that a body may take, all in all
LISTENED = 1 << 20  # bytes of a body that is too large which are read all the same: whoever still sends does not hear the answer
HAS_BODY = (b"content-length", b"transfer-encoding")


@dataclass
class Body:
    """What was sent: not more than one byte too many. `whole`: nothing of it is still to come."""

    data: bytes = b""
    whole: bool = True
    late: bool = False

    @property
    def file(self) -> BytesIO:
        """As the application reads it."""
        return _Late() if self.late else BytesIO(self.data)


class _Late(BytesIO):
    """A body that did not come in time. Whoever reads it answers 408, in the form that whoever asked can read."""

    def read(self, *_size: Any) -> NoReturn:
        raise RequestTimeout(f"the body did not arrive within {LONGEST:.0f} seconds: send the request again, in one go")

    readline = readinto = read


async def taken(scope: Scope, receive: Receive) -> Body | None:
    """The body of a request; None when whoever sent it has gone."""
    said = [value for name, value in scope["headers"] if name in HAS_BODY]
    if not said:
        return Body()
    # The server would tell by a message of its own that nothing more comes: four switches of threads, where the length has told it before.
    length = int(said[0]) if len(said) == 1 and said[0].isdigit() else None
    data, read = bytearray(), 0
    try:
        async with timeout(LONGEST):
            while read != length:
                message = await receive()
                if message["type"] == "http.disconnect":
                    return None
                piece: bytes = message.get("body", b"")
                data += piece[: LARGEST_BODY + 1 - len(data)]
                read += len(piece)
                if not message.get("more_body", False):
                    break
                if read > LISTENED:
                    return Body(bytes(data), whole=False)
            return Body(bytes(data))
    except TimeoutError:
        return Body(bytes(data), whole=False, late=len(data) <= LARGEST_BODY)
