"""What a seat may do: its legal actions page by page, or the words that may follow the beginning of a line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

from domain.game import Action, Seat
from domain.match.match import Match
from domain.match.reading import kinds_of
from domain.match.refusal import Refused
from domain.words import next_words
from service.api.showing import PRIVATE, looked_up
from service.blueprints import api
from service.contract.operations import JSON, Call, Gives, Operation, Reply, operation
from service.problems import Problem, refusal
from service.schemas.play import LEGAL_ACTIONS, LEGAL_QUERY, NEXT_WORDS

LONGEST = 100_000  # actions of a list that are gone through, those of other types and of earlier pages included; a tenth of a second
CURSOR = re.compile(r"([0-9]{1,9})-([0-9]{1,9})")  # version and place in the list


@operation(
    api,
    Operation(
        method="GET",
        rule="/matches/<id>/legal-actions",
        tag="play",
        limit="heavy",
        scope="matches:read",
        public=True,
        query=LEGAL_QUERY,
        gives={200: Gives(about="Actions; words, where `prefix` was given.", forms={JSON: [LEGAL_ACTIONS, NEXT_WORDS]}, headers=("Link",))},
        refuses=("no-such-match", "no-such-seat", "not-live", "match-over", "stale-ply"),
    ),
)
def legal_actions(call: Call) -> Reply:
    """List what a seat may do now, or the words that a line may go on with.

    Without `prefix`: its legal actions in the canonical order of the game, page by page. Some games have very long lists; what is
    legal can always be asked with `checks`, and found word by word with `prefix`: the words that may follow it, where a prefix is
    whole words with blanks between them. An empty `prefix` gives the first words.
    """
    match = looked_up(call).match
    if match.status != "live":
        kind, words = ("not-live", "this match has not begun") if match.status == "waiting" else ("match-over", "this match is over")
        raise refusal(Refused(kind, f"{words}: there is nothing to do"))  # type: ignore[arg-type]
    seat = _seat(match, call)
    if "prefix" in call.query:
        return _words(match, seat, call)
    return _actions(match, seat, call)


def _seat(match: Match, call: Call) -> Seat:
    if said := call.query.get("seat"):
        match.must_have(said)
        return str(said)
    mine = match.seats_of(call.player)
    return next((ask.seat for ask in match.asks if ask.seat in mine), match.asks[0].seat)


def _words(match: Match, seat: Seat, call: Call) -> Reply:
    if "type" in call.query:
        raise _wrong("prefix", "`prefix` asks for words, and `type` goes with actions: give one or the other")
    start, limit = _start(match, call), call.query["limit"]
    found = next_words(match.game, match.state, seat, tuple(call.query["prefix"].split())) if match.ask(seat) else iter(())
    words = [{"word": word, "complete": complete} for word, complete in islice(found, start, start + limit + 1)]
    following = f"{match.version}-{start + limit}" if len(words) > limit else None
    return Reply({"ply": match.ply, "seat": seat, "words": words[:limit], "next": following}, headers=_paged(call, following))


def _actions(match: Match, seat: Seat, call: Call) -> Reply:
    start, kind, limit = _start(match, call), call.query.get("type"), call.query["limit"]
    if kind is not None and kind not in (kinds := kinds_of(match.game)):
        raise _wrong("type", f"{match.game.title} has no actions of the type `{kind[:40]}`; there are {', '.join(kinds)}")
    actions: list[dict[str, Any]] = []
    place, following, cut = start, None, False
    legal = _listed(match, seat, kind) if match.ask(seat) else iter(())
    for place, action in enumerate(islice(legal, start, None), start):
        if place >= LONGEST:
            cut = True
            break
        if action is None:
            continue
        if len(actions) == limit:
            following = f"{match.version}-{place}"
            break
        actions.append({"action": action, "text": match.game.write(action)})
    return Reply({"ply": match.ply, "seat": seat, "actions": actions, "next": following, "cut": cut}, headers=_paged(call, following))


def _paged(call: Call, following: str | None) -> dict[str, str]:
    return PRIVATE | ({} if following is None else {"Link": call.next_link(cursor=following)})


def _listed(match: Match, seat: Seat, kind: str | None) -> Iterator[Action | None]:
    """The legal actions; where they are looked for among those of other types, None stands for each of these."""
    game, state = match.game, match.state
    if kind is None:
        return game.legal(state, seat)
    if game.legal_of:
        return game.legal_of(state, seat, kind)
    return (action if type(action).__struct_config__.tag == kind else None for action in game.legal(state, seat))


def _start(match: Match, call: Call) -> int:
    """Where in the list the page begins."""
    said = call.query.get("cursor")
    if said is None:
        return 0
    cursor = CURSOR.fullmatch(said)
    if cursor is None:
        raise _wrong("cursor", "this is no `cursor` that was given here: begin again without one")
    if int(cursor[1]) != match.version:
        words = "something has happened since this cursor was given, so the list may be another: begin again without it"
        raise refusal(Refused("stale-ply", words), match)
    return int(cursor[2])


def _wrong(parameter: str, words: str) -> Problem:
    return Problem("invalid-request", words, errors=[{"detail": words, "parameter": parameter}])
