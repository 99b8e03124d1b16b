"""A match as a page shows it: the board, who sits around it, what has happened, all in words and pictures for one reader."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from markupsafe import Markup

from domain.desk import Sight
from domain.game import Action, Record, Seat
from domain.match.events import ActionTaken, Event, TurnTakenBack
from domain.match.match import Match
from domain.picture import Look
from service.here import site
from service.pages.past import events
from service.pages.seats import Place, ending, places, verdict
from service.pages.telling import Cast, Told, tell

SHOWN = 30  # events on a match's page; the rest stands in its history
MARKED = 3  # last actions to mark on the board

# The colours of the style sheet, so that a board in a page follows light and dark.
LOOK = Look(
    paper="var(--paper)",
    board="var(--board)",
    board_dark="var(--board-dark)",
    line="var(--board-line)",
    ink="var(--ink)",
    faint="var(--faint)",
    mark="var(--mark)",
    seats=("var(--seat-0)", "var(--seat-1)", "var(--seat-2)", "var(--seat-3)"),
    on_seat="var(--on-seat)",
    font="inherit",
)


class Scene(Record, frozen=True):
    """A match at one version, seen from `seat` by `player`, either of whom may be nobody."""

    sight: Sight
    seat: Seat | None
    player: str | None
    cast: Cast
    places: tuple[Place, ...]
    told: tuple[Told, ...]
    board: Markup
    text: str

    @property
    def match(self) -> Match:
        """The match at that version."""
        return self.sight.match

    @property
    def ending(self) -> str:
        """Why it ended, in words."""
        return ending(self.match)

    @property
    def verdict(self) -> str:
        """Who won, for this reader."""
        return verdict(self.match, self.player)


def scene_of(sight: Sight, seat: Seat | None, player: str | None) -> Scene:
    """Everything a page says about a match; reads the log and the names, writes nothing."""
    match = sight.match
    happened = events(match)
    cast = Cast(match, site().players.names(people(match)))
    return Scene(
        sight=sight,
        seat=seat,
        player=player,
        cast=cast,
        places=places(match, cast, player),
        told=tuple(tell(happened, cast)),
        board=picture(match, seat, LOOK, last_actions(happened)),
        text="" if match.state is None else _monospaced(match.game.text(match.state)),
    )


def people(match: Match) -> list[str]:
    """The players that a page of this match may have to name; house bots have no name."""
    named = [chair.player or chair.invited for chair in match.chairs if not chair.bot]
    return [player for player in dict.fromkeys([*named, match.creator]) if player]


def picture(match: Match, seat: Seat | None, look: Look, last: tuple[Action, ...]) -> Markup:
    """The board as SVG; empty before the start."""
    return Markup() if match.state is None else inlined(match.game.svg(match.state, look, seat, last))


def inlined(svg: str) -> Markup:
    """A board goes into a page as it is, since only our own code draws boards."""
    return Markup(svg)  # noqa: S704


def _monospaced(text: str) -> str:
    """A board in full-width letters, as mails need them, in plain ones: a page has a font of one width, and not everybody has those letters."""
    return unicodedata.normalize("NFKC", text).replace("\u30fb", ".")


def last_actions(happened: Sequence[Event]) -> tuple[Action, ...]:
    """The newest actions of the seat that acted last, since any other did; nothing across a take-back."""
    found: list[Action] = []
    seats = set()
    for event in reversed(happened):
        if isinstance(event.fact, TurnTakenBack) or len(found) == MARKED:
            break
        if isinstance(event.fact, ActionTaken):
            seats.add(event.by.seat)
            if len(seats) > 1:
                break
            found.append(event.fact.action)
    return tuple(reversed(found))
