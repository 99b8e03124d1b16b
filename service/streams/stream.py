"""One stream, from its beginning to its end."""

from __future__ import annotations

from asyncio import create_task, get_running_loop, timeout
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Literal, TypeAlias

from domain.match.codec import Line
from domain.ports import LogUnavailable, Tip
from service.front.hands import Hands
from service.front.shapes import Receive, Scope, Send
from service.front.wire import CutOff, hang_up, sent
from service.streams.audience import Audience, Listener
from service.streams.frames import BEAT, LAST, beginning, ending, frame

End: TypeAlias = Literal["over", "left", "not-read"]  # the match is; they have, or were sent away; they were cut off

OPENING = "forgepost.stream"  # the name of an `Opening` in the WSGI environment
EVERY = 15.0  # seconds between two signs of life, and between two looks whether the token still opens the match
PAGE = 200  # events at once of what had happened before


@dataclass(frozen=True)
class Wish:
    """What somebody wants to hear: a match from after a version on. `tip`: where it stood when they asked."""

    match: str
    after: int
    tip: Tip
    who: str  # whose place in the audience it takes
    past: Callable[[int, int], list[Line]]  # events after a version, at most so many
    still: Callable[[], bool]  # whether they may still listen


@dataclass
class Opening:
    """What a request finds in its environment where streams can be had: the way to let its answer go on as one."""

    audience: Audience
    wish: Wish | None = None

    def take(self, wish: Wish) -> None:
        """Go on as a stream. Raises Problem where there is no room."""
        self.audience.admit(wish.who)
        self.wish = wish


class Stream:
    """Tells a match to one listener, whose answer has been begun."""

    def __init__(self, wish: Wish, audience: Audience, hands: Hands) -> None:
        self._wish, self._audience, self._hands = wish, audience, hands
        self._listener = Listener(wish.after)

    async def tell(self, scope: Scope, receive: Receive, send: Send) -> End:
        """Return when there is nothing more to tell, or nobody to tell it to."""
        wish, listener = self._wish, self._listener
        watching = create_task(self._watch(receive))
        try:
            base = self._audience.enter(wish.match, wish.tip, listener)
            await sent(scope, send, beginning(wish.after), more=True)
            await self._catch_up(base, scope, send)
            await self._go_on(scope, send)
            if listener.behind:
                hang_up(scope["client"])
                return "not-read"
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        except CutOff:
            return "not-read"
        finally:
            self._audience.leave(wish.match, listener)
            watching.cancel()
        return "over" if listener.over else "left"

    async def _catch_up(self, base: int, scope: Scope, send: Send) -> None:
        """What happened before they came."""
        told = self._wish.after
        while told < base and not self._listener.gone:
            try:
                page = await self._hands.do(partial(self._wish.past, told, min(PAGE, base - told)))
            except LogUnavailable:
                await self._called(EVERY)
                await sent(scope, send, BEAT, more=True)
                continue
            said = b"".join(map(frame, page))
            told = page[-1].version
            if page[-1].type == LAST:
                self._listener.over = True
                said += ending(self._wish.match, told)
            await sent(scope, send, said, more=True)

    async def _go_on(self, scope: Scope, send: Send) -> None:
        """What happens from now on."""
        listener, clock = self._listener, get_running_loop().time
        due = clock() + EVERY
        while not listener.gone:
            if clock() >= due:
                if not await self._hands.do(self._wish.still):
                    return
                due = clock() + EVERY
                await sent(scope, send, BEAT, more=True)
            elif said := listener.take():
                await sent(scope, send, said, more=True)
            elif listener.over:
                return
            else:
                await self._called(due - clock())

    async def _called(self, patience: float) -> None:
        """Wait for something to tell, or so many seconds."""
        with suppress(TimeoutError):
            async with timeout(patience):
                await self._listener.called.wait()
        self._listener.called.clear()

    async def _watch(self, receive: Receive) -> None:
        """See when they go."""
        while (await receive())["type"] != "http.disconnect":
            pass
        self._listener.leave()
