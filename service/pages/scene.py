"""A match as a page shows it: the board, who sits around it, what has happened, all in words and pictures for one reader."""

from __future__ import annotations

from markupsafe import Markup

from domain.desk import Sight
from domain.game import Action, Record, Seat
from domain.match.match import Match
from domain.match.past import last_actions
from domain.match.telling import Cast, Told, capital, named, proposal, tell
from domain.match.terms import ending, verdict
from domain.picture import Look, narrow
from domain.times import UTC_ZONE
from service.here import site
from service.pages.guard import guard
from service.pages.seats import Place, places

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
    """A match at one version, seen from `seat` by `player`, either of whom may be nobody; times are those of the reader's `zone`."""

    sight: Sight
    seat: Seat | None
    player: str | None
    zone: str
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
    def offered(self) -> str:
        """What the offer on the table is about: `to end the match as it stands`; empty where there is none."""
        pending = self.match.offer
        return proposal(pending.kind, pending.seconds) if pending else ""

    @property
    def ending(self) -> str:
        """Why it ended, in words."""
        return ending(self.match)

    @property
    def verdict(self) -> str:
        """Who won, for this reader."""
        return capital(verdict(self.cast))


def scene_of(sight: Sight, seat: Seat | None, player: str | None) -> Scene:
    """Everything a page says about a match; reads the log and the players' records, writes nothing."""
    match = sight.match
    happened = site().desk.events(match)
    cast = Cast(match, site().players.names(named(match)), player)
    reader = site().players.get(player) if player else None
    if reader:
        guard().meet(reader)
    return Scene(
        sight=sight,
        seat=seat,
        player=player,
        zone=reader.zone if reader else UTC_ZONE,
        cast=cast,
        places=places(match, cast, player),
        told=tuple(tell(happened, cast)),
        board=picture(match, seat, LOOK, last_actions(happened)),
        text="" if match.state is None else narrow(match.game.text(match.state)),
    )


def picture(match: Match, seat: Seat | None, look: Look, last: tuple[Action, ...]) -> Markup:
    """The board as SVG; empty before the start."""
    return Markup() if match.state is None else inlined(match.game.svg(match.state, look, seat, last))


def inlined(svg: str) -> Markup:
    """A board goes into a page as it is, since only our own code draws boards."""
    return Markup(svg)  # noqa: S704
