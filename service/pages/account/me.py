"""My matches: those that wait for me first, then those that wait for others, then the rest."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec
from flask import Response, make_response

from domain.game import Record
from domain.games import GAMES
from domain.match.telling import isolated, listed
from infra.listing import MatchRow
from infra.people.players import Player
from service.accounts import dossier
from service.here import site
from service.pages.frame import pages, sheet
from service.pages.session import yourself

MOST: Final = 100  # matches looked at, the newest
FINISHED: Final = 20  # of them are shown that are over


class Line(Record, frozen=True):
    """A match in the list: with whom, in words, and until when (ms) somebody is awaited."""

    match: str
    title: str
    others: str
    due: int | None
    status: str
    changed: int


@pages.get("/me", strict_slashes=False)
def me() -> Response:
    """The list, for whoever is signed in."""
    player = yourself()
    rows, more = site().listing.find(viewer=player.id, player=player.id, limit=MOST)
    lines = _lines(rows, player)
    mine = {row.match for row in rows if player.id in row.awaiting()}
    asked = {row.match for row in rows if player.id in row.invited.values()}
    live = [line for line in lines if line.status == "live"]
    return sheet(
        "me.html",
        player=player,
        invitations=[line for line in lines if line.match in asked],
        turns=sorted((line for line in live if line.match in mine), key=lambda line: line.due or 0),
        others=[line for line in live if line.match not in mine],
        waiting=[line for line in lines if line.status == "waiting" and line.match not in asked],
        finished=sorted((line for line in lines if line.status in ("over", "aborted")), key=lambda line: -line.changed)[:FINISHED],
        more=bool(more),
    )


@pages.get("/me/data.json")
def my_data() -> Response:
    """Everything that is known about whoever is signed in, as a file."""
    made = make_response(msgspec.json.format(msgspec.json.encode(dossier(site(), yourself())), indent=2))
    made.mimetype = "application/json"
    made.headers["Content-Disposition"] = 'attachment; filename="forgepost-me.json"'
    return made


def _lines(rows: Iterable[MatchRow], player: Player) -> list[Line]:
    rows = list(rows)
    names = site().players.names(who for row in rows for who in row.people())
    return [
        Line(row.match, GAMES[row.game].title if row.game in GAMES else row.game, _others(row, player, names), row.due, row.status, row.changed)
        for row in rows
    ]


def _others(row: MatchRow, player: Player, names: dict[str, str]) -> str:
    """Who else plays: `Bo, Cid and 2 house bots`; no names of those who have yet to answer, as these would tell who plays with which address."""
    seated = {who for seat, who in row.players.items() if seat not in row.bots} - {player.id}
    people = sorted(isolated(names.get(who, "a former player")) for who in seated)
    if invited := len(set(row.invited.values()) - {player.id}):
        people.append("somebody invited" if invited == 1 else f"{invited} others invited")
    bots = len(row.bots)
    return listed([*people, *(["a house bot"] if bots == 1 else [f"{bots} house bots"] if bots else [])]) or "nobody else yet"
