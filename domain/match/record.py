"""A match as a text to read and to keep: who sat where, what was agreed, every event with its time, and the head that it all ends in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from domain.chain import stamp
from domain.match.events import Event
from domain.match.telling import Cast, Told, capital, tell
from domain.match.terms import ending, terms, verdict
from domain.times import span


def record(happened: Sequence[Event], cast: Cast, head: str, signature: str = "") -> str:
    """All events of a match up to the version that the cast's match is at; `head` is its hash (hex), `signature` a compact JWS if there is one."""
    match = cast.match
    told = tell(happened, cast)
    width = len(str(match.version))
    parts = (
        _titled(match.game.title, "="),
        "\n".join(_terms(cast)),
        _titled("What happened", "-"),
        "\n".join(_line(event, width) for event in told),
        _titled("The head", "-"),
        "\n".join([f"Version    {match.version}", f"Hash       {head}", *([f"Signature  {signature}"] if signature else [])]),
    )
    return "\n\n".join(parts) + "\n"


def _titled(title: str, under: str) -> str:
    return f"{title}\n{under * len(title)}"


def _terms(cast: Cast) -> Iterator[str]:
    match = cast.match
    settings = match.settings
    yield f"Match    {match.id}, by edition {match.game.edition} of the rules"
    yield f"Options  {'; '.join(f'{name}: {value}' for name, value in terms(match)) or 'as usual'}"
    yield f"Pace     {span(settings.clock.seconds * 1000)} for a turn; seats {'by lot' if settings.seating == 'random' else 'as they were taken'}"
    yield from (f"{'Seats' if not place else '':<9}{cast.seat(seat)}" for place, seat in enumerate(match.seats))
    if match.outcome:
        yield f"Outcome  {capital(verdict(cast))}, {ending(match)}"
        yield from (f"{'':<9}{rank}. {cast.seat(seat)}{_points(match.outcome, seat)}" for seat, rank in _by_rank(match.outcome["ranks"]))
    else:
        yield f"Outcome  {'none: it was called off' if match.status == 'aborted' else 'none yet'}"


def _by_rank(ranks: dict[str, int]) -> list[tuple[str, int]]:
    return sorted(ranks.items(), key=lambda placed: placed[1])


def _points(outcome: dict[str, dict[str, int]], seat: str) -> str:
    return f", {outcome['scores'][seat]}" if seat in outcome["scores"] else ""


def _line(event: Told, width: int) -> str:
    said = f"{event.words}: {event.line}" if event.acted else event.words
    noted = "; ".join(part for part in (event.tag, event.way) if part)
    return f"{event.version:>{width}}  {stamp(event.at)}  {said}{f' ({noted})' if noted else ''}"
