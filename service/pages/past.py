"""What has happened in a match, read from its log."""

from __future__ import annotations

from domain.match.codec import decode
from domain.match.events import Event, MatchCreated
from domain.match.match import Match
from service.here import site


def events(match: Match) -> list[Event]:
    """The events up to the match's version, the first of them at place 0."""
    stored = site().log.read(match.id, 0, match.version)
    return [decode(match.game if place else None, each) for place, each in enumerate(stored)]


def created(match: Match) -> MatchCreated:
    """The first of them, which holds what was asked for."""
    fact = decode(None, site().log.read(match.id, 0, 1)[0]).fact
    assert isinstance(fact, MatchCreated)
    return fact
