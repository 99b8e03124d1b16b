"""The audience of a process: who listens to which match, and how many may."""

from __future__ import annotations

from asyncio import Event
from collections import Counter, defaultdict, deque
from dataclasses import dataclass, field
from threading import Lock

from domain.match.codec import Line
from domain.ports import Tip
from infra.redis_log.follower import Follower
from service.problems import Problem
from service.streams.frames import LAST, ending, frame

MOST = 2000  # streams in a process
EACH = 1000  # streams in a process by one token, or where none is needed by one address: a thousand fit, whichever process they meet
LATE = 5  # seconds after which to come back where there is no room
KEPT = 1 << 18  # bytes that are kept for a listener who does not read; who falls further behind is cut off


@dataclass(eq=False)
class Listener:
    """Somebody who listens to a match: what is still to be told to them, and why it ends, if it does."""

    after: int  # the version after which they want to hear
    waiting: deque[bytes] = field(default_factory=deque)
    size: int = 0
    over: bool = False  # the match is: what waits is the last of it
    gone: bool = False  # nothing more is to be told: they left, fell behind, or we stop
    behind: bool = False
    called: Event = field(default_factory=Event)

    def hear(self, said: bytes) -> None:
        """Keep it until they take it."""
        self.waiting.append(said)
        self.size += len(said)
        if self.size > KEPT:
            self.behind = True
            self.leave()
        self.called.set()

    def take(self) -> bytes:
        """Everything that waits."""
        said = b"".join(self.waiting)
        self.waiting.clear()
        self.size = 0
        return said

    def leave(self) -> None:
        """Tell them nothing more."""
        self.gone = True
        self.waiting.clear()
        self.called.set()


class Audience:
    """Everybody who listens in this process. Room is taken by the threads that let them in, the rest happens in the event loop."""

    def __init__(self, follower: Follower) -> None:
        self._follower = follower
        self._listeners: dict[str, set[Listener]] = defaultdict(set)
        self._places: Counter[str] = Counter()
        self._lock = Lock()
        follower.tell(self._told)

    @property
    def open(self) -> int:
        """How many listen, or are about to."""
        with self._lock:
            return self._places.total()

    def admit(self, who: str) -> None:
        """Take a place for a token or an address, which `leave` gives back. Raises Problem."""
        with self._lock:
            if self._places[who] >= EACH:
                words = f"you have {EACH} streams open here: close some, or look at the matches now and then instead"
                raise Problem("too-many-streams", words, headers={"Retry-After": str(LATE)})
            if self._places.total() >= MOST:
                raise Problem("streams-full", "there is no room for another stream just now", headers={"Retry-After": str(LATE)})
            self._places[who] += 1

    def part(self, who: str) -> None:
        """Give the place back."""
        with self._lock:
            self._places[who] -= 1
            if not self._places[who]:
                del self._places[who]

    def enter(self, match: str, tip: Tip, listener: Listener) -> int:
        """From now on they hear what happens after the version that this gives."""
        self._listeners[match].add(listener)
        return self._follower.follow(match, tip)

    def leave(self, match: str, listener: Listener) -> None:
        """They hear nothing any more."""
        self._listeners[match].discard(listener)
        if not self._listeners[match]:
            del self._listeners[match]
            self._follower.forget(match)

    def disperse(self) -> None:
        """Everybody is sent away; they come back to whoever listens at the port then."""
        for listeners in self._listeners.values():
            for listener in listeners:
                listener.leave()
        self._follower.stop()

    def _told(self, match: str, lines: list[Line] | None) -> None:
        listeners = tuple(self._listeners.get(match, ()))
        if lines is None:
            for listener in listeners:
                listener.leave()
            return
        version, over = lines[-1].version, lines[-1].type == LAST
        end = ending(match, version) if over else b""
        said = b"".join(map(frame, lines)) + end
        for listener in listeners:
            listener.over = listener.over or over
            known = listener.after >= lines[0].version  # whoever asked a moment ago may know more than was followed
            listener.hear(b"".join(frame(line) for line in lines if line.version > listener.after) + end if known else said)
