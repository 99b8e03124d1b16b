"""What has happened in a match, told to one player in short lines: actions in the game's own words, everything else in ours."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, Final, assert_never

from domain.game import Seat
from domain.match import events
from domain.match.events import ActionTaken, Event
from domain.match.match import Match
from workers.letters.letter import News

LINES: Final = 30  # told of what came since a player's last turn; the rest stands in the history

LEFT: Final = {"resignation": "resigned and left the match", "timeout": "ran out of time and is out"}
ANSWERED: Final = {"accept": "agreed to end the match", "decline": "declined to end the match"}


class Teller:
    """Tells one match to one of its players; `names` are the players' names by id."""

    def __init__(self, match: Match, reader: str, names: Mapping[str, str]) -> None:
        self._match, self._reader, self._names = match, reader, names

    def name(self, player: str) -> str:
        """What a player is called here: a name, `you`, or `house bot`."""
        if player == self._reader:
            return "you"
        bot = next((chair.bot for chair in self._match.chairs if chair.player == player), None)
        return "house bot" if bot else self._names.get(player, "somebody who is no longer here")

    def whose(self, seat: Seat) -> str:
        """A seat and who sits there: `South (you)`."""
        player = self._match.chair(seat).player
        return f"{seat.capitalize()} ({self.name(player)})" if player else seat.capitalize()

    def news(self, happened: Iterable[Event]) -> list[News]:
        """What happened, one after the other; what one seat did in a row is one piece of news."""
        told: list[News] = []
        for seat, run in groupby((pair for event in happened if (pair := self._told(event))), key=lambda pair: pair[0]):
            words = [words for _, words in run]
            told += [News(seat, self.whose(seat), "; ".join(words))] if seat else [News("", "", one) for one in words]
        return told

    def _told(self, event: Event) -> tuple[Seat, str] | None:
        """Which seat did it, if one did, and the words; None for what nobody needs to read."""
        fact = event.fact
        match fact:
            case ActionTaken():
                return event.by.seat or "", fact.text + _remark(event, fact)
            case events.ChanceDrawn(kind=kind, text=text):
                return "", "The seats were drawn by lot" if kind == "seats" else f"By lot: {text.removeprefix('* ')}"
            case events.MatchStarted():
                return "", "The match began"
            case events.TurnTakenBack():
                return event.by.seat or "", "took the turn back"
            case events.SeatVacated(seat=seat, reason=reason):
                return "", f"{self.whose(seat)} {LEFT[reason]}"
            case events.OfferMade():
                return "", f"{self._person(event)} offered to end the match as it stands"
            case events.OfferAnswered(answer=answer):
                return "", f"{self._person(event)} {ANSWERED[answer]}"
            case events.OfferLapsed():
                return "", "The offer to end the match lapsed, because the match went on"
            case events.MatchAborted():
                return "", "The match was called off"
            case events.MatchFinished():
                return "", "The match ended"
            case events.MatchCreated() | events.SeatTaken() | events.SeatLeft() | events.SeedRevealed():
                return None
            case _ as never:
                assert_never(never)

    def _person(self, event: Event) -> str:
        player = event.by.player
        assert player
        name = self.name(player)
        return name[0].upper() + name[1:]


def _remark(event: Event, fact: ActionTaken[Any]) -> str:
    """Why an action was made that nobody chose."""
    if event.by.via == "caretaker":
        return " (by the caretaker)"
    if fact.timeout is True:
        return " (the time ran out)"
    return " (forced)" if fact.forced else ""


def chosen_by(event: Event, seats: Sequence[Seat]) -> bool:
    """Whether somebody chose this action for one of these seats."""
    fact = event.fact
    return isinstance(fact, ActionTaken) and not fact.forced and fact.timeout is not True and event.by.seat in seats


def since_last_turn(history: Sequence[Event], seats: Sequence[Seat]) -> Sequence[Event]:
    """What came after the last turn of these seats, that turn's last action first; everything where they have not played yet."""
    last = max((place for place, event in enumerate(history) if chosen_by(event, seats)), default=0)
    return history[last:]
