"""A player's deadlines as a calendar (RFC 5545), at an address that nobody can guess; it opens no turn, so that it may be shared."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Final

from flask import Response
from icalendar import Alarm, Calendar, Event

from domain.match.match import Ask, Match
from domain.match.refusal import Refused
from infra.ids import is_player_id
from service.here import site
from service.pages.frame import pages

MOST: Final = 200  # deadlines
ASKED_AGAIN: Final = timedelta(minutes=15)  # so often a calendar program is to look
BEFORE: Final = timedelta(hours=2)  # an alarm, or a fifth of the time where that is less
UNKNOWN: Final = "This calendar address is damaged or was changed. Sign in: your settings have the one that counts.\n"


@pages.get("/c/<token>.ics")
def calendar(token: str) -> Response:
    """When the player has to have played what; in UTC, which every calendar program shows in its own zone."""
    said = site().tokens.unseal(token)
    player = site().players.get(said.subject) if said and is_player_id(said.subject) and site().calendars.counts(said) else None
    if player is None:
        return Response(UNKNOWN, 404, mimetype="text/plain")
    made = Calendar()
    for name, value in (
        ("prodid", "-//Forgepost//Deadlines//EN"),
        ("version", "2.0"),
        ("method", "PUBLISH"),
        ("x-wr-calname", "My turns at Forgepost"),
    ):
        made.add(name, value)
    made.add("refresh-interval", ASKED_AGAIN, parameters={"value": "DURATION"})
    made.add("x-published-ttl", "PT15M")
    for match, ask in _awaited(player.id):
        made.add_component(_deadline(match, ask))
    return Response(made.to_ical(), mimetype="text/calendar", headers={"Content-Disposition": 'inline; filename="forgepost.ics"'})


def _awaited(player: str) -> Iterator[tuple[Match, Ask]]:
    rows, _ = site().listing.find(viewer=player, awaiting=player, limit=MOST)
    for row in rows:
        try:
            match = site().desk.look(row.match).match
        except Refused:  # one that is damaged is no reason to keep the others back
            continue
        yield from ((match, ask) for ask in match.asks if match.chair(ask.seat).player == player)


def _deadline(match: Match, ask: Ask) -> Event:
    """One ask: the same UID as long as it stands, and a higher SEQUENCE whenever it may have changed."""
    due, asked, about = _at(ask.due), _at(ask.asked), f"{site().settings.url}/matches/{match.id}"
    event = Event()
    event.add("uid", f"{match.id}.{ask.seat}.{ask.version}@{site().settings.mail_domain}")
    event.add("sequence", match.version)
    event.add("dtstamp", asked)
    event.add("dtstart", due)
    event.add("duration", timedelta(0))
    event.add("summary", f"{match.game.title}: play {ask.seat}")
    event.add("description", f"By now you have to have played in match {match.id}. To play, open the newest mail about it, or sign in.\n\n{about}")
    event.add("url", about)
    event.add("transp", "TRANSPARENT")
    alarm = Alarm()
    alarm.add("action", "DISPLAY")
    alarm.add("description", f"{match.game.title}: play {ask.seat}")
    alarm.add("trigger", -min(BEFORE, (due - asked) / 5))
    event.add_component(alarm)
    return event


def _at(ms: int) -> datetime:
    return datetime.fromtimestamp(ms // 1000, UTC)
