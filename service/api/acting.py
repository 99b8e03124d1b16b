"""Doing something in a match: the road that every wish takes to the desk and back."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from domain.desk import Seen
from domain.match.commands import Command
from domain.match.match import Match
from domain.match.refusal import Refused
from infra.ids import is_match_id
from service.api.showing import done, etag, unknown
from service.contract.operations import Call, Reply
from service.problems import TOLD_THE_POSITION, Problem, refusal

Wish: TypeAlias = Callable[[Match], Command]  # what is asked, as it reads in the match as it stands


def act(call: Call, wish: Wish, *, may: Callable[[Match, str], bool] = Match.visible_to) -> Reply:
    """Do it, once. `may`: for whom there is such a match."""
    try:
        return done(call, call.site.desk.do(named(call), seen(call, wish, may), call.key, as_seen(call)))
    except Refused as refused:
        raise in_words(call, refused) from None


def named(call: Call) -> str:
    """The id in the address, if it can be one."""
    name: str = call.path["id"]
    if not is_match_id(name):
        raise unknown(name)
    return name


def seen(call: Call, wish: Wish, may: Callable[[Match, str], bool] = Match.visible_to) -> Wish:
    """The wish, for those who may know that there is such a match."""

    def asked(match: Match) -> Command:
        if not may(match, call.player):
            raise Refused("no-such-match", "")
        return wish(match)

    return asked


def as_seen(call: Call) -> Seen | None:
    """Whether the match is what `If-Match` names, where that came along."""
    return (lambda sight: call.wants(etag(sight))) if call.conditional else None


def in_words(call: Call, refused: Refused) -> Problem:
    """A refusal as a problem; where the position explains it, with the position as it is now."""
    name: str = call.path["id"]
    if refused.kind == "no-such-match":
        return unknown(name)
    return refusal(refused, call.site.desk.look(name).match if refused.kind in TOLD_THE_POSITION else None)
