"""What is about no match is done once, however often the request for it is sent: the log sees to that for all that is about one."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from secrets import token_hex
from typing import Final

from domain.match.refusal import Refused
from domain.ports import LogUnavailable
from infra.replies import Replies
from service.contract.operations import Call, Gives, Reply
from service.problems import Problem

REPLAYED: Final = {"Idempotent-Replayed": "true"}


def once(call: Call, do: Callable[[str], str], tell: Callable[[str, str], Reply]) -> Reply:
    """Do it and tell what came of it, by the name that `do` gives; only tell it where this very request was done before.

    Both are given a seed by lot, the same for the same request, so that whoever does it again after a crash makes nothing twice, and a secret
    that follows from it can be told again. Raises Refused (key-reused, busy), and whatever `do` and `tell` raise.
    """
    if call.key is None:
        seed = token_hex(16)
        return tell(do(seed), seed)
    replies = Replies(call.site.redis)
    begun = replies.begin(call.key)
    if begun.brought is not None:
        return again(tell(begun.brought, begun.seed))
    try:
        brought = do(begun.seed)
    except Exception as wrong:
        with suppress(LogUnavailable):  # then it is nobody's in a moment
            if isinstance(wrong, Problem | Refused):
                replies.drop(call.key)
            else:
                replies.leave(call.key)
        raise
    replies.keep(call.key, brought)
    return tell(brought, begun.seed)


def again(reply: Reply) -> Reply:
    """The reply as the answer to what had been done before."""
    return replace(reply, status=200, headers={**reply.headers, **REPLAYED})


def repeated(gives: Gives, about: str = "This very request, by its idempotency key, was done before.") -> Gives:
    """The kind of answer for that."""
    return replace(gives, about=about, headers=(*gives.headers, *REPLAYED))


def used_up(what: str) -> Problem:
    """What a key brought is not there any more."""
    return Problem("key-reused", f"{what}; give the request a new key")
