"""Who sits around the board: every seat with its player, its score, and whether the match waits for it."""

from __future__ import annotations

from collections.abc import Mapping

from domain.game import Record, Seat
from domain.match.match import Ask, Match
from domain.match.telling import Cast


class Place(Record, frozen=True):
    """One seat; `index` is its place in the game's order, which gives it its colour.

    `score` is None while there is none to tell; `drawn`: who sits there is settled.
    """

    seat: Seat
    index: int
    who: str
    you: bool
    bot: str | None
    ask: Ask | None
    score: int | None
    rank: int | None
    vacated: bool
    drawn: bool


def places(match: Match, cast: Cast, you: str | None) -> tuple[Place, ...]:
    """All seats in the game's order, seen by player `you` (or by nobody in particular)."""
    scores, ranks = _scores(match), _ranks(match)
    return tuple(
        Place(
            seat=seat,
            index=index,
            who=_who(match, cast, seat),
            you=you is not None and chair.player == you,
            bot=chair.bot,
            ask=match.ask(seat),
            score=scores.get(seat),
            rank=ranks.get(seat),
            vacated=seat in match.vacated,
            drawn=match.status != "waiting" or match.settings.seating == "joined",
        )
        for index, (seat, chair) in enumerate(zip(match.seats, match.chairs, strict=True))
    )


def _who(match: Match, cast: Cast, seat: Seat) -> str:
    chair = match.chair(seat)
    if chair.bot is not None:
        return f"house bot ({chair.bot})"
    if chair.player is not None:
        return cast.name(chair.player)
    return f"{cast.name(chair.invited)}, invited" if chair.invited else "nobody yet"


def _scores(match: Match) -> Mapping[Seat, int]:
    if match.outcome is not None:
        return match.outcome["scores"]  # type: ignore[no-any-return]
    return match.game.standing(match.state).scores if match.status == "live" else {}


def _ranks(match: Match) -> Mapping[Seat, int]:
    return match.outcome["ranks"] if match.outcome is not None else {}
