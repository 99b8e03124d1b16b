"""Facts into letters: what each kind of notice tells its reader about the match."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any, Final, assert_never

from msgspec.structs import asdict, replace

from domain.chain import instant
from domain.desk import Sight
from domain.game import Record, Seat
from domain.match.ending import deserted, outcome
from domain.match.events import ClockChanged, Event, OfferMade, SeatVacated
from domain.match.match import Ask, Match
from domain.match.past import chosen_by, last_turn, others_actions
from domain.match.telling import Cast, capital, isolated, listed, proposal, tell
from domain.match.terms import ending, terms, verdict
from domain.picture import narrow
from domain.times import UTC_ZONE, in_zone, moment, span
from infra.mail.inbox import Reply
from infra.outbox import Kind, Notice
from infra.seals.links import STEPS, to_ending, to_invitation, to_match, to_turn, to_unsubscribe, to_unsubscribe_all
from workers.letters.letter import Answered, Choice, Invited, Letter, Offered, Over, Passage, Place, Told, Turn, TurnedDown, Unreached
from workers.letters.links import Links
from workers.letters.story import LINES, news

CHOICES: Final = 40  # so many legal actions become links; longer lists are for the page
MARKED: Final = 8  # so many of the last actions are marked on the board


class Facts(Record, frozen=True, kw_only=True):
    """All that a letter is made of: the match with its whole history, and who reads it.

    `names` are the players' by id; mail does not reach those in `unreached`.
    """

    notice: Notice
    sight: Sight
    history: Sequence[Event]
    to: str  # the reader's name
    zone: str = UTC_ZONE
    names: Mapping[str, str]
    unreached: frozenset[str] = frozenset()
    now: int

    @property
    def match(self) -> Match:
        """The match as it is."""
        return self.sight.match

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The reader's seats, those first that were not vacated; for somebody invited, the seats that are kept."""
        match, player = self.match, self.notice.player
        held = sorted(match.seats_of(player), key=lambda seat: seat in match.vacated)
        return tuple(held) or tuple(seat for seat in match.seats if match.chair(seat).invited == player)

    @property
    def cast(self) -> Cast:
        """Who is who for this reader."""
        return Cast(self.match, self.names, self.notice.player, self.zone)


def letter(facts: Facts, links: Links) -> Letter:
    """The letter that a notice asks for."""
    kind = facts.notice.kind
    match kind:
        case "turn" | "reminder":
            return _turn(facts, links)
        case "over":
            return _over(facts, links)
        case "invitation":
            return _invitation(facts, links)
        case "offer":
            return _offer(facts, links)
        case "vacated":
            return replace(_told(facts, links, _leaving(facts)), ending=_ending(facts, links))
        case "declined":
            answer = facts.history[facts.notice.version - 1]
            headline = f"{capital(facts.cast.player(answer.by.player or None))} declined your offer {_proposal(facts)}"
            return replace(_told(facts, links, headline), ending=_ending(facts, links))
        case "turned-down":
            by = capital(facts.cast.player(facts.history[facts.notice.version - 1].by.player or None))
            return TurnedDown(**asdict(_letter(facts, links, f"{by} declined the invitation")), by=by)
        case "paused":
            return replace(_told(facts, links, _paused(facts)), ending=_ending(facts, links))
        case "taken-back":
            return replace(_told(facts, links, "A turn was taken back: it is not your turn any more"), ending=_ending(facts, links))
        case "given-away":
            return _letter(facts, links, "Your seat was given to a house bot")
        case "unreachable":
            about = listed([facts.cast.player(player) for player in sorted(facts.unreached)])
            base = asdict(_letter(facts, links, f"Our mails do not reach {about}"))
            return Unreached(**{**base, "ending": _ending(facts, links)}, about=about)
        case "aborted":
            return _told(facts, links, "The match was called off")
        case "bot" | "bot-offer":
            raise ValueError(f"a {kind} notice is for a house bot, which reads no mail")
        case "answer":
            raise ValueError("what is answered to a mail is not told by the match alone")
        case "sign-in" | "address" | "moving" | "digest" | "webhook-off":
            raise ValueError(f"a {kind} notice is about no match")
        case _ as never:
            assert_never(never)


def answer(facts: Facts, links: Links, reply: Reply, onto: Match | None = None) -> Answered:
    """What is answered to a mail that came in; `onto` is another match that its link leads to."""
    match, seat = facts.match, facts.notice.seat
    ask = match.ask(seat) if seat else None
    base = _letter(facts, links, reply.headline)
    url, onward = base.url, "The match"
    if onto is not None and (seats := onto.seats_of(facts.notice.player)):
        url, onward = links.link(to_match(onto, seats[0], facts.now)), "The new match"
    elif reply.link == "turn" and ask is not None and match.chair(seat).player == facts.notice.player:
        url, onward = links.link(to_turn(match, ask)), "The board, to play there"
    elif reply.link == "ending" and (ending := _ending(facts, links)):
        url, onward = ending, "Resign, or offer to end, pause or take back a turn"
    elif match.status == "waiting" and facts.seats and match.chair(facts.seats[0]).player is None:
        url, onward = links.link(to_invitation(match, facts.seats[0], facts.now)), "The invitation"
    return Answered(
        **{**asdict(base), "url": url},
        words=tuple(in_zone(words, facts.zone) for words in reply.words),
        listed=reply.listed,
        lines=reply.lines,
        onward=onward,
    )


def _told(facts: Facts, links: Links, headline: str) -> Told:
    since = last_turn(facts.history, facts.seats)
    told = news(tell(facts.history, facts.cast)[since:], facts.cast)
    return Told(
        **asdict(_letter(facts, links, headline)),
        news=tuple(told[-LINES:]),
        earlier=max(len(told) - LINES, 0),
        history=f"{links.link(to_match(facts.match, facts.seats[0], facts.now))}/history" if facts.seats else "",
        brief=links.history(to_match(facts.match, facts.seats[0], facts.now)) if facts.seats else "",
    )


def _leaving(facts: Facts) -> str:
    """Who has left, as a headline."""
    happened = facts.history[: facts.notice.version]
    last = max(event.at for event in happened)
    left = {event.fact.seat: event.fact.reason for event in happened if isinstance(event.fact, SeatVacated) and event.at == last}
    if set(left) & set(facts.match.seats_of(facts.notice.player)):
        return "You are out: the time for your turn has passed"
    what = "left the match" if "resignation" in left.values() else "run out of time and is out" if len(left) == 1 else "run out of time and are out"
    return f"{listed([facts.cast.seat(seat) for seat in left])} {'has' if len(left) == 1 else 'have'} {what}"


def _paused(facts: Facts) -> str:
    """That the clock stands still, or that it did while the site was away and who has how long now, as a headline."""
    changed, match = facts.history[facts.notice.version - 1], facts.match
    if not isinstance(changed.fact, ClockChanged) or not changed.fact.since:
        return f"The clock stands still until {moment(match.paused_until, facts.zone)}"
    away = f"Our site was away for {span(changed.at - instant(changed.fact.since))}, and that time is given back"
    if not match.asks:
        return away
    ask = next((ask for ask in match.asks if ask.seat in facts.seats), match.asks[0])
    return f"{away}: {'you have' if ask.seat in facts.seats else f'{facts.cast.seat(ask.seat)} has'} until {moment(ask.due, facts.zone)}"


def _ending(facts: Facts, links: Links) -> str:
    """Where the reader offers to end the match or leaves it; nothing for whoever has no seat in it any more."""
    match = facts.match
    seat = next((seat for seat in match.seats_of(facts.notice.player) if seat not in match.vacated), None)
    return links.link(to_ending(match, seat, facts.now)) if seat and match.status == "live" else ""


def _letter(facts: Facts, links: Links, headline: str) -> Letter:
    match = facts.match
    seat = facts.notice.seat or next(iter(facts.seats), None)
    board = "" if match.state is None or not facts.seats else match.game.text(match.state)
    return Letter(
        to=isolated(facts.to),
        headline=headline,
        game=match.game.title,
        match=match.id,
        seat=seat,
        places=tuple(_place(facts, place) for place in match.seats),
        colours=dict(zip(match.seats, match.game.look.seats, strict=False)),
        url=links.link(to_match(match, seat, facts.now)) if seat else "",
        guide=links.guide(match.game.id),
        waits=_waits(facts),
        settings=links.settings(),
        unsubscribe=links.unsubscription(to_unsubscribe(match, seat, facts.now) if seat else to_unsubscribe_all(facts.notice.player, facts.now)),
        version=match.version,
        head=facts.sight.tip.hash.hex(),
        board=board,
        passages=tuple(_passage(paragraph) for paragraph in board.split("\n\n") if board),
    )


def _waits(facts: Facts) -> str:
    """Whose turn it is, and until when: also who only hears of something else may want to know."""
    match, asks = facts.match, facts.match.asks
    if match.status != "live" or not asks:
        return ""
    mine = [ask for ask in asks if match.chair(ask.seat).player == facts.notice.player]
    until = moment(min(ask.due for ask in mine or asks), facts.zone)
    if mine:
        return f"It is your turn ({listed([ask.seat for ask in mine])}), until {until}."
    return f"The match waits for {listed([facts.cast.seat(ask.seat) for ask in asks])}, until {until}."


def _passage(paragraph: str) -> Passage:
    """A paragraph with its full-width letters, which boards need in proportional fonts, turned to plain ones for a font of one width."""
    plain = narrow(paragraph)
    return Passage(plain, drawn=plain != paragraph and "\n" in paragraph)


def _turn(facts: Facts, links: Links) -> Turn:
    match, seat = facts.match, facts.notice.seat
    ask = match.ask(seat)
    assert ask is not None
    begun = any(chosen_by(event, (seat,)) for event in facts.history[ask.version :])
    told = _told(facts, links, _call(match, seat, facts.notice.kind, begun=begun))
    return Turn(
        **{**asdict(told), "url": links.link(to_turn(match, ask)), "ending": _ending(facts, links)},
        first=not any(chosen_by(event, facts.seats) for event in facts.history),
        deadline=moment(ask.due, facts.zone),
        left=span(ask.due - facts.now),
        idle=_idle(match, seat),
        example=match.game.write(next(iter(match.game.legal(match.state, seat)))),
        choices=_choices(match, ask, links),
    )


def _call(match: Match, seat: Seat, kind: Kind, *, begun: bool) -> str:
    """What is wanted: an answer where the clock would give one for the seat, as to a trade; a turn otherwise."""
    if match.game.lapsed(match.state, seat) is not None:
        return "Reminder: your answer is still wanted" if kind == "reminder" else "Your answer is wanted"
    return "Reminder: it is still your turn" if kind == "reminder" else "Your turn goes on" if begun else "It is your turn"


def _choices(match: Match, ask: Ask, links: Links) -> tuple[Choice, ...]:
    """The legal actions with a link each; none where they are too many, or where the turn has gone too far for a link to count its steps."""
    game = match.game
    legal = list(islice(game.legal(match.state, ask.seat), CHOICES + 1))
    if len(legal) > CHOICES or match.ply - ask.ply > STEPS:
        return ()
    return tuple(Choice(game.write(action), links.link(to_turn(match, ask, place))) for place, action in enumerate(legal, start=1))


def _idle(match: Match, seat: Seat) -> str:
    """What becomes of a seat whose time runs out."""
    game = match.game
    if (answer := game.lapsed(match.state, seat)) is not None:
        return f"If you do nothing until then, “{game.write(answer)}” is recorded for you and the match goes on."
    mine = [held for held in match.seats_of(match.chair(seat).player or "") if held not in match.vacated]
    left = replace(match, vacated=(*match.vacated, *mine))
    if deserted(left):
        return "If you do nothing until then, you are out, and the match ends with you in the last place."
    seats = "your seat is" if len(mine) == 1 else "your seats are"
    return f"If you do nothing until then, you are out: {seats} vacated and the match goes on without you."


def _over(facts: Facts, links: Links) -> Over:
    match = facts.match
    assert match.outcome is not None
    told = _told(facts, links, f"The match is over: {verdict(facts.cast)}")
    return Over(
        **{**asdict(told), "places": _ranked(facts, match.outcome)},
        reason=f"It ended {ending(match)}.",
        scored=bool(match.outcome["scores"]),
        verify=links.verify(),
    )


def _invitation(facts: Facts, links: Links) -> Invited:
    match = facts.match
    by = capital(facts.cast.player(match.creator))
    seat = facts.seats[0]
    base = asdict(_letter(facts, links, f"{by} invites you to a match of {match.game.title}"))
    return Invited(
        **{**base, "url": links.link(to_invitation(match, seat, facts.now)), "seat": None},
        by=by,
        pace=span(match.settings.clock.seconds * 1000),
        terms=tuple(f"{name}: {value}" for name, value in terms(match)),
    )


def _offer(facts: Facts, links: Links) -> Offered:
    match, pending = facts.match, facts.match.offer
    assert pending is not None
    by, what = capital(facts.cast.player(pending.player)), proposal(pending.kind, pending.seconds)
    now = outcome(match, match.game.standing(match.state), "agreement")
    base = asdict(_letter(facts, links, f"{by} offers {what}"))
    url = links.link(to_ending(match, facts.seats[0], facts.now))
    return Offered(**{**base, "places": _ranked(facts, now), "url": url}, by=by, what=what, ends=pending.kind == "end", scored=bool(now["scores"]))


def _proposal(facts: Facts) -> str:
    """What the newest offer up to the notice was about."""
    made = next(event.fact for event in reversed(facts.history[: facts.notice.version]) if isinstance(event.fact, OfferMade))
    return proposal(made.kind, made.seconds or 0)


def _ranked(facts: Facts, result: dict[str, Any]) -> tuple[Place, ...]:
    """The seats by rank, with their scores where the game has any."""
    ranks, scores = result["ranks"], result["scores"]
    places = (_place(facts, seat, ranks[seat], scores.get(seat)) for seat in facts.match.seats)
    return tuple(sorted(places, key=lambda place: place.rank or 0))


def _place(facts: Facts, seat: Seat, rank: int | None = None, score: int | None = None) -> Place:
    match = facts.match
    chair = match.chair(seat)
    drawn = match.state is None and match.settings.seating == "random"
    player = chair.player or chair.invited
    who = "house bot" if chair.bot else facts.cast.player(player) if player else "free"
    if player in facts.unreached:
        who += ", whom our mails do not reach"
    return Place(
        seat=f"Chair {match.seats.index(seat) + 1}" if drawn else seat.capitalize(),
        who=f"{who}, invited" if chair.player is None and chair.invited else who,
        colour=match.game.look.line if drawn else match.game.look.seats[match.seats.index(seat)],
        yours=player == facts.notice.player,
        left=seat in match.vacated,
        rank=rank,
        score=score,
    )


def picture(facts: Facts) -> str:
    """The position as SVG, seen from the reader's side, with what others did since the reader's last turn marked."""
    match = facts.match
    marked = others_actions(facts.history, facts.seats)[-MARKED:]
    svg: str = match.game.svg(match.state, match.game.look, facts.notice.seat or next(iter(facts.seats), None), marked)
    return svg
