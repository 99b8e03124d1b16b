"""The inbox: mails that came in, kept byte for byte before anybody is told so, worked on under a lease, gone when they are dealt with."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from hashlib import sha256
from importlib.resources import files
from typing import Any, Final, Literal, TypeAlias, cast

import msgspec
from redis import Redis
from redis.client import Pipeline

from domain.chain import canonical
from domain.game import Record
from domain.ports import LogUnavailable
from infra.mail.mailbox import Envelope
from infra.outbox import TAKE, Notice
from infra.redis_log import keys
from infra.redis_log.replicas import Replicas
from infra.redis_log.unavailable import in_words

LARGEST: Final = 256 << 10  # bytes of a mail
REMEMBERED: Final = 14 * 86_400_000  # ms in which the same mail is known when it is handed in again: longer than mail servers try
ANSWERED: Final = 90 * 86_400_000  # ms in which what is answered once is not answered again
REPLYING: Final = 7 * 86_400_000  # ms that a reply is kept: longer than sending it is tried
RECORDED: Final = 2_000  # mails of which the record says what became of them
LONGEST: Final = 500  # characters of why a mail is parked
HEAD: Final = 64 << 10  # bytes of a mail in which its Message-ID is looked for
MESSAGE_ID: Final = re.compile(rb"^message-id:[ \t]*(?:\r?\n[ \t]+)?([^\r\n]{1,998})", re.IGNORECASE | re.MULTILINE)

RECEIVE, DEALT = (files("infra.redis_log").joinpath(f"{name}.lua").read_text() for name in ("receive", "dealt"))

# What a mail was, and so what was done with it; only a `letter` is read.
Sort: TypeAlias = Literal["letter", "bounce", "receipt", "reaction", "meeting", "automatic", "ours", "loop", "stray", "damaged"]


class Became(Record, frozen=True, omit_defaults=True):
    """What became of a mail, without a word of its text; `words` are ours."""

    sort: Sort
    words: str
    at: int
    match: str = ""
    player: str = ""
    mail: str = ""


class Reply(Record, frozen=True, omit_defaults=True, kw_only=True):
    """What is answered to a mail; the rest of the answer is the match as it is when it goes.

    `lines` is a list (of actions, say) under `listed`; `link` is where the reader goes on. A `receipt` (for a turn, for an offer) is only sent
    if no other mail tells the reader how that went on; one for an offer names its number. `onto` is another match that the link leads to, and
    `asks` what a bare yes to the answer says yes to. `to` is the Message-ID that is answered.
    """

    headline: str
    words: tuple[str, ...]
    listed: str = ""
    lines: tuple[str, ...] = ()
    link: Literal["turn", "ending", "match"] = "turn"
    board: bool = True
    receipt: Literal["", "turn", "offer"] = ""
    offer: int = 0
    onto: str = ""
    asks: Literal["", "resign"] = ""
    to: str = ""


class Parked(Record, frozen=True):
    """A mail that could not be dealt with: since when (ms), why, who its envelope says sent it ("" for nobody), and how many bytes it has."""

    mail: str
    at: int
    why: str
    sender: str
    size: int

    @property
    def name(self) -> str:
        """By which an operator names it; a notice has no such name."""
        return f"in-{self.mail[:10]}"


class Inbox:
    """Mails by when they are to be worked on. All methods raise LogUnavailable.

    Whoever takes a mail hands it to a job; when the lease runs out before it is dealt with, it is taken again. So a mail may be worked on
    twice: a move in it is made under the mail's own idempotency key, and `dealt` schedules one answer, whoever comes first.
    """

    def __init__(self, client: Redis, replicas: Replicas | None = None) -> None:
        self._client, self._replicas = client, replicas or Replicas()
        self._receive, self._take, self._dealt = (client.register_script(source) for source in (RECEIVE, TAKE, DEALT))

    def keep(self, raw: bytes, envelope: Envelope) -> bool:
        """Keep a mail; False if it had come before. When this returns, it is as safe as a move, and replicas that are waited for have it, too."""
        mail = name_of(raw, envelope.to)
        with in_words(writing=True):
            new = self._receive(
                keys=[keys.inbox(), keys.inbox_mail(mail), keys.inbox_known(mail)],
                args=[mail, envelope.at, raw, msgspec.json.encode(envelope), REMEMBERED],
            )
            if not self._replicas.have(self._client, keys.inbox()):
                raise LogUnavailable("the mail is stored, and replicas have yet to say that they have it: hand it in again")
        return bool(new)

    def take(self, now: int, lease_ms: int, limit: int) -> list[str]:
        """The ids of mails whose time has come; they come back unless dealt with within the lease."""
        with in_words(writing=True):
            return [mail.decode() for mail in cast("list[bytes]", self._take(keys=[keys.inbox()], args=[now, now + lease_ms, limit]))]

    def open(self, mail: str) -> tuple[bytes, Envelope] | None:
        """A mail's bytes and its envelope; None when it is dealt with."""
        with in_words():
            raw, envelope = cast("list[bytes | None]", self._client.hmget(keys.inbox_mail(mail), ["raw", "envelope"]))
        return None if raw is None or envelope is None else (raw, msgspec.json.decode(envelope, type=Envelope))

    def dealt(self, mail: str, became: Became, answer: tuple[Notice, int, Reply] | None = None, once: str = "") -> bool:
        """It is dealt with: write down what became of it, and have it answered at a time (ms); what names the same `once` is answered once."""
        notice, at, reply = answer or (None, 0, None)
        with in_words(writing=True):
            return bool(
                self._dealt(
                    keys=[
                        keys.inbox(),
                        keys.inbox_mail(mail),
                        keys.inbox_record(),
                        keys.notices(0),
                        keys.inbox_reply(mail),
                        keys.inbox_once(once),
                    ],
                    args=[
                        mail,
                        msgspec.json.encode(became),
                        canonical(notice) if notice else "",
                        at,
                        msgspec.json.encode(reply) if reply else "",
                        ANSWERED,
                        "1" if once else "",
                        RECORDED,
                        REPLYING,
                    ],
                )
            )

    def reply(self, mail: str) -> Reply | None:
        """What is answered to a mail."""
        with in_words():
            kept = cast("bytes | None", self._client.get(keys.inbox_reply(mail)))
        return msgspec.json.decode(kept, type=Reply) if kept else None

    def count(self, what: str, for_ms: int) -> int:
        """How often that was counted within so many ms, this time included."""
        with in_words(writing=True):
            pipe = self._client.pipeline()
            pipe.incr(keys.inbox_once(what))
            pipe.pexpire(keys.inbox_once(what), for_ms)
            counted: int = pipe.execute()[0]
        return counted

    def park(self, mail: str, now: int, why: str) -> None:
        """It cannot be dealt with, and is not tried again before somebody has looked at why."""
        with in_words(writing=True):
            pipe = self._client.pipeline()
            pipe.zrem(keys.inbox(), mail)
            pipe.zadd(keys.inbox_parked(), {mail: now}, nx=True)
            pipe.hset(keys.inbox_mail(mail), "why", why[:LONGEST])
            pipe.execute()

    def release(self, mail: str, now: int) -> bool:
        """Have a parked mail dealt with at once; False where it is parked no more."""

        def move(pipe: Pipeline) -> None:
            there = pipe.zscore(keys.inbox_parked(), mail)
            pipe.multi()
            if there is not None:
                pipe.zrem(keys.inbox_parked(), mail)
                pipe.zadd(keys.inbox(), {mail: now}, nx=True)

        with in_words(writing=True):
            return bool(self._client.transaction(move, keys.inbox_parked()))

    def drop(self, mail: str) -> bool:
        """Throw a mail away, parked or waiting; False where it is not there any more. It stays known: handed in again, it is nothing new."""
        with in_words(writing=True):
            pipe = self._client.pipeline()
            pipe.zrem(keys.inbox_parked(), mail)
            pipe.zrem(keys.inbox(), mail)
            pipe.delete(keys.inbox_mail(mail), keys.inbox_reply(mail))
            return bool(pipe.execute()[2])

    def parked(self) -> list[str]:
        """The mails that were parked, the oldest first."""
        with in_words():
            return [mail.decode() for mail in cast("list[bytes]", self._client.zrange(keys.inbox_parked(), 0, -1))]

    def parked_with_cause(self) -> list[Parked]:
        """The same, each with since when, why, and what can be said of it."""
        with in_words():
            rows = cast("list[tuple[bytes, float]]", self._client.zrange(keys.inbox_parked(), 0, -1, withscores=True))
            pipe = self._client.pipeline(transaction=False)
            for mail, _ in rows:
                pipe.hmget(keys.inbox_mail(mail.decode()), ["raw", "envelope", "why"])
            found: list[list[bytes | None]] = pipe.execute()
        return [
            Parked(mail.decode(), int(at), (why or b"").decode(), msgspec.json.decode(envelope, type=Envelope).sender, len(raw))
            for (mail, at), (raw, envelope, why) in zip(rows, found, strict=True)
            if raw is not None and envelope is not None
        ]

    def forget(self, theirs: Callable[[bytes, Envelope], bool], player: str) -> None:
        """Throw away every mail that is kept and is `theirs`, and what was answered to the player lately."""
        with in_words():
            kept = [*self.parked(), *(mail.decode() for mail in cast("list[bytes]", self._client.zrange(keys.inbox(), 0, -1)))]
        for mail in kept:
            if (found := self.open(mail)) and theirs(*found):
                self.drop(mail)
        for became in self.record(RECORDED):
            if became.player == player:
                self.drop(became.mail)

    def waiting(self) -> int:
        """How many mails have yet to be dealt with."""
        with in_words():
            return self._client.zcard(keys.inbox())

    def record(self, limit: int = 50) -> Iterator[Became]:
        """What became of the mails that were dealt with last, the newest first."""
        with in_words():
            found: Any = self._client.xrevrange(keys.inbox_record(), count=limit)
        for _, entry in found:
            became = msgspec.json.decode(entry[b"became"], type=Became)
            yield msgspec.structs.replace(became, mail=entry[b"mail"].decode())


def name_of(raw: bytes, to: tuple[str, ...]) -> str:
    """A mail's id: of its Message-ID, its body and whom it came for, since servers that hand it in again write other lines above it.

    One without a Message-ID is named after all its bytes.
    """
    head, _, body = raw.replace(b"\r\n", b"\n").partition(b"\n\n")
    found = MESSAGE_ID.search(head[:HEAD])
    whole = b"\0".join([found[1].strip() if found else head, body, *sorted(box.lower().encode() for box in to)])
    return sha256(whole).hexdigest()[:32]
