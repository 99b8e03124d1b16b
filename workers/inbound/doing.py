"""A wish from a reply, done at the one desk, and what is answered: what came of it, or the refusal in the desk's own words."""

from __future__ import annotations

import re
from hashlib import sha256
from itertools import islice
from typing import Final, assert_never

from msgspec import UNSET

from domain.desk import Answer as Done
from domain.game import Record, Unreadable
from domain.match.commands import Actor, Answer, Command, Join, Leave, Offer, Resign, TakeBack
from domain.match.events import ActionTaken
from domain.match.match import Match
from domain.match.reading import lines_of, submission
from domain.match.refusal import Refused
from domain.match.telling import Cast, listed, named, proposal, tell
from domain.ports import Key
from domain.times import moment
from infra.mail.inbox import Reply
from infra.people.preferences import ALWAYS
from infra.rematching import play_again
from infra.wiring import Site
from workers.inbound.speaker import Speaker
from workers.inbound.wishes import Again, Answering, Mailing, Playing, Proposing, Resigning, Show, Undo, Wish

CHOICES: Final = 40  # so many legal actions are listed
TOLD: Final = 30  # so many events of a history
PLAIN: Final = re.compile(r"(?P<said>yes|no)(?P<more>,? (please|thanks|thank you))?[.!]*(?P<comma>[,;.!:].+)?", re.IGNORECASE)
PATIENCE: Final = 10_000  # ms before a receipt, in which the next turn may come instead

HELP: Final = (
    "board – the position as it is now",
    "legal – what your seat can do",
    "check LINE – whether a line could be played; nothing is played",
    "history – what happened last",
    "undo – takes back the turn that you have just played",
    "offer end – offers to end the match as it stands",
    "offer take-back – asks the others to let you take your last turn back",
    "vacation 3 days – offers a pause, from 1 hour to 30 days",
    "accept, decline – answers an offer, a trade or an invitation",
    "resign – leaves the match; asks you first",
    "stop, start – no more mails about this match, and mails again (stop all, start all: about every match)",
    "rematch – the same players once more, when a match is over",
)


class Outcome(Record, frozen=True):
    """What to answer, if anything, and after how many ms; `once`: only once for the seat and its turn. `words` are for the record."""

    words: str
    reply: Reply | None = None
    after: int = 0
    once: str = ""


def do(site: Site, who: Speaker, wish: Wish, mail: str) -> Outcome:
    """Do what a mail wishes; `mail` is its id, under which it is done once. Raises LogUnavailable."""
    try:
        match wish:
            case Playing() if who.invited:
                return _yes_or_no(site, who, wish, mail)
            case Playing() if _is_offered(who) and (said_so := _plainly(wish)):
                return _answer(site, who, Answering("accept" if said_so == "yes" else "decline"), mail)
            case Playing() if who.resigning and _plainly(wish) == "yes":
                return _resign(site, who, mail, sure=True)
            case Playing() if who.resigning and _plainly(wish) == "no":
                return Outcome("stays", Reply(headline="You stay in the match", words=("Nothing was done. The match goes on.",), link="match"))
            case Playing():
                return _play(site, who, wish, mail)
            case Show():
                return Outcome(f"asked for {wish.what}", _shown(site, who, wish))
            case Resigning():
                return _resign(site, who, mail, sure=wish.sure)
            case Undo():
                return _undo(site, who, mail)
            case Proposing():
                return _propose(site, who, wish, mail)
            case Answering():
                return _answer(site, who, wish, mail)
            case Mailing():
                return _silence(site, who, wish)
            case Again():
                return _again(site, who)
            case _ as never:
                assert_never(never)
    except Refused as refused:
        return Outcome(f"refused: {refused.kind}", _refused(site, who, refused))


def _play(site: Site, who: Speaker, wish: Playing, mail: str) -> Outcome:
    """The actions, or what is wrong with them. An action for a turn that was answered in the same way before is known."""
    if not wish.lines:
        return Outcome("nothing to check", Reply(headline="Nothing was tried", words=("Write the line to try behind the word: check LINE.",)))
    match, text = who.match, "\n".join(wish.lines)
    if who.ask is None and match.ask(who.seat) is not None and not wish.only_try:
        return _too_late(site, who, text)
    asked = submission(_actor(who), who.seat, who.ply, text)
    try:
        if wish.only_try:
            site.desk.check(match.id, submission(_actor(who), who.seat, match.ply, text))
            words = (f"“{said(wish.lines)}” could be played now. Nothing was played: to play it, reply with the line alone.",)
            return Outcome("tried", Reply(headline="That could be played", words=words, board=False))
        done = site.desk.do(match.id, asked, key_of(who, mail, text))
    except Refused as refused:
        if refused.kind in ("stale-ply", "not-your-turn") and who.ask is not None:
            return _too_late(site, who, text, refused)
        unread = refused.kind == "unreadable-text"
        if unread and refused.action:
            refused = Refused(refused.kind, f"{refused.words}. Leave an empty line between what you play and whatever else you write")
        once = f"unread:{match.id}:{who.seat}:{_turn(who)}" if unread else ""
        headline = "Not understood" if unread else "That could not be played" if wish.only_try else ""
        return Outcome(f"refused: {refused.kind}", _refused(site, who, refused, headline), once=once)
    return Outcome("played", _receipt(site, who, done), PATIENCE)


def _too_late(site: Site, who: Speaker, text: str, refused: Refused | None = None) -> Outcome:
    """For a turn that is over, or a position that is no more."""
    history = site.desk.events(site.desk.look(who.match.id).match)
    lines = lines_of(text)
    past = next(
        (event.fact for event in history if event.ply == who.ply + 1 and isinstance(event.fact, ActionTaken) and event.by.seat == who.seat), None
    )
    if who.ask is not None and past is not None and lines and past.text.casefold() == lines[0].casefold():
        return Outcome("known already", Reply(headline=f"Already played: {past.text}", words=("Your first mail did it. This is how it stands now.",)))
    more = "This is how it stands now. To play, reply to this mail."
    if refused is None and not who.about:
        words = "Not played yet: it is your turn, but you replied to a mail that was not about this turn."
        return Outcome("not seen yet", Reply(headline="It is your turn now", words=(words, more)))
    words = f"Not played: {refused.words}." if refused else "Not played: the mail that you replied to was not about the turn that is yours now."
    since = tuple(refused.since[-TOLD:]) if refused else ()
    return Outcome("too late", Reply(headline="Too late for that turn", words=(words, more), listed="Since then", lines=since))


def _receipt(site: Site, who: Speaker, done: Done) -> Reply:
    """That it was played, for whoever waits for others now."""
    after = done.sight.match
    history = site.desk.events(after)
    first = done.lines[0].version
    told = tell(history, _cast(site, after, who))[first - 1 : done.lines[-1].version]
    lines = [f"{event.words} {event.line}".strip() for event in told]
    until = after.last_chance_to_take_back
    back = (
        f" It can be taken back until {moment(until, who.player.zone)}: reply undo." if until and after.mark and after.mark.seat == who.seat else ""
    )
    waits = f"Now the match waits for {listed([_cast(site, after, who).seat(ask.seat) for ask in after.asks])}." if after.asks else ""
    return Reply(headline="Played", words=(f"{waits}{back}".strip(),), listed="What happened", lines=tuple(lines), link="match", receipt="turn")


def _shown(site: Site, who: Speaker, wish: Show) -> Reply:
    match = who.match
    match wish.what:
        case "board":
            return Reply(headline="The position", words=(_state_of(site, who),))
        case "legal":
            lines, more = legal(match, who)
            words = (_state_of(site, who), more) if more else (_state_of(site, who),)
            return Reply(headline="What you can do", words=words, listed="You can play", lines=lines, board=False)
        case "history":
            told = tell(site.desk.events(match), _cast(site, match, who))[-TOLD:]
            lines = tuple(f"{event.words} {event.line}".strip() for event in told)
            return Reply(
                headline="What happened last", words=(_state_of(site, who),), listed="The newest last", lines=lines, link="match", board=False
            )
        case "help":
            return Reply(headline="How to play by replying", words=how_to(match, who), listed="And these words", lines=HELP, board=False)
        case _ as never:
            assert_never(never)


def how_to(match: Match, who: Speaker) -> tuple[str, ...]:
    """How an action is written, with an example that could be played as it stands: several would be too many for most turns."""
    lines, _ = legal(match, who)
    such = f", for example: {lines[0]}" if lines else ""
    words = f"Write the action alone on the first line of your reply{such}. Several actions stand on lines of their own, or with ; between them."
    return (words, "What is quoted below your reply and how you sign it makes no difference. The game's own page says how each action is written.")


def legal(match: Match, who: Speaker) -> tuple[tuple[str, ...], str]:
    """The legal actions of the seat, as many as one can read, and a sentence where there are more."""
    if match.status != "live" or match.ask(who.seat) is None:
        return (), ""
    found = tuple(match.game.write(action) for action in islice(match.game.legal(match.state, who.seat), CHOICES + 1))
    return found[:CHOICES], f"These are the first {CHOICES}; the board's own page shows all." if len(found) > CHOICES else ""


def _resign(site: Site, who: Speaker, mail: str, *, sure: bool) -> Outcome:
    if not sure:
        site.desk.check(who.match.id, Resign(_actor(who)))
        words = "You are still in the match. To leave it with all your seats, for good, reply to this mail with one word: yes"
        question = Reply(headline="Do you want to resign?", words=(words,), link="ending", board=False, asks="resign")
        return Outcome("asked back", question)
    site.desk.do(who.match.id, Resign(_actor(who)), key_of(who, mail, "resign"))
    left = Reply(headline="You have left the match", words=("The others have been told.",), link="match", receipt="turn")
    return Outcome("resigned", left, PATIENCE)  # where the match ended with it, the mail about the end says so


def _undo(site: Site, who: Speaker, mail: str) -> Outcome:
    match = who.match
    if match.mark is not None and match.mark.seat == who.seat and who.about and match.mark.ask.version > who.about:
        raise Refused("nothing-to-take-back", "another turn has begun since the mail that you replied to")
    try:
        site.desk.do(match.id, TakeBack(_actor(who), who.seat), key_of(who, mail, "undo"))
    except Refused as refused:
        if refused.kind != "nothing-to-take-back":
            raise
        words = (f"Not done: {refused.words}.", *_by_agreement(site, who))
        return Outcome("refused: nothing-to-take-back", Reply(headline="Nothing was taken back", words=words))
    return Outcome("taken back", Reply(headline="Your turn is taken back", words=("It is your turn again.",), receipt="turn"), PATIENCE)


def _by_agreement(site: Site, who: Speaker) -> tuple[str, ...]:
    """How to ask the others for one's last turn back, where they could give it."""
    try:
        site.desk.check(who.match.id, Offer(_actor(who), "take-back"))
    except Refused:
        return ()
    return ("To ask the others for it, reply: offer take-back",)


def _propose(site: Site, who: Speaker, wish: Proposing, mail: str) -> Outcome:
    if wish.kind == "pause" and wish.seconds is None:
        words = "Say how long the clock is to stand still, from 1 hour to 30 days: vacation 3 days"
        return Outcome("no length", Reply(headline="For how long?", words=(words,), board=False))
    command = Offer(_actor(who), wish.kind, UNSET if wish.seconds is None else wish.seconds)
    done = site.desk.do(who.match.id, command, key_of(who, mail, wish.kind))
    what = proposal(wish.kind, wish.seconds or 0)
    words = "It is done if everybody agrees; the offer stands until somebody plays."
    offered = Reply(headline=f"You have offered {what}", words=(words,), link="match", receipt="offer", offer=done.sight.match.offers)
    return Outcome("offered", offered, PATIENCE)


def _answer(site: Site, who: Speaker, wish: Answering, mail: str) -> Outcome:
    """An invitation first, then what the game itself asks, then what everybody was offered."""
    match = who.match
    if who.invited:
        return _invitation(site, who, wish, mail)
    if who.ask is not None and _is_action(match, who, wish.answer):
        return _play(site, who, Playing((wish.answer,)), mail)
    if match.offer is None:
        raise Refused("no-such-offer", "there is no offer to answer; offers end with the position they were made for")
    offer = match.offer
    site.desk.do(match.id, Answer(_actor(who), offer.offer, wish.answer), key_of(who, mail, wish.answer))
    what = proposal(offer.kind, offer.seconds)
    if wish.answer == "decline":
        return Outcome("declined", Reply(headline=f"You have declined the offer {what}", words=("The match goes on.",), link="match", receipt="turn"))
    words = "It is done as soon as everybody has agreed."
    agreed = Reply(headline=f"You have agreed {what}", words=(words,), link="match", receipt="offer", offer=offer.offer)
    return Outcome("accepted", agreed, PATIENCE)


def _yes_or_no(site: Site, who: Speaker, wish: Playing, mail: str) -> Outcome:
    """What somebody writes to an invitation in words of their own; who is not seated has nothing to play."""
    if said_so := _plainly(wish, more=True):
        return _invitation(site, who, Answering("accept" if said_so == "yes" else "decline"), mail)
    words = "Nothing was done: you are invited, and have not said yes or no. Reply with one word on the first line: accept, or decline."
    return Outcome("not seated yet", Reply(headline="Do you want to play?", words=(words,), board=False), once=f"unsaid:{who.match.id}:{who.seat}")


def _is_offered(who: Speaker) -> bool:
    """Whether the mail that is answered was about no turn, while an offer waits for its reader: a plain yes or no is to that."""
    pending = who.match.offer
    about_none = who.ask is None and not who.about and not who.resigning
    return about_none and pending is not None and who.player.id not in pending.agreed


def _plainly(wish: Playing, *, more: bool = False) -> str:
    """A yes or no that somebody wrote on the first line; `more`: they may have gone on in words of their own."""
    found = None if wish.only_try else PLAIN.fullmatch(wish.lines[0].strip())
    return found["said"].casefold() if found and (more or not found["comma"]) else ""


def _invitation(site: Site, who: Speaker, wish: Answering, mail: str) -> Outcome:
    actor = _actor(who)
    command: Command = Join(actor, who.seat) if wish.answer == "accept" else Leave(actor)
    after = site.desk.do(who.match.id, command, key_of(who, mail, wish.answer)).sight.match
    if wish.answer == "decline":
        return Outcome("declined", Reply(headline="You have declined the invitation", words=("Whoever invited you has been told.",), link="match"))
    words = (
        "The match has begun." if after.status == "live" else "The match begins when every seat is taken; you will get a mail when it is your turn."
    )
    return Outcome(
        "joined", Reply(headline="You have a seat", words=(words,), link="match", receipt="turn" if after.status == "live" else ""), PATIENCE
    )


def _silence(site: Site, who: Speaker, wish: Mailing) -> Outcome:
    where, about = (ALWAYS, "any match") if wish.everywhere else (who.match.id, "this match")
    if not wish.on:
        site.preferring.silence(who.player.id, where)
        words = (
            f"You get no more mails about {about}, also not about turns that are yours: your time runs all the same. To get them again, reply: start"
        )
        return Outcome("mails off", Reply(headline="No more mails", words=(words + (" all" if wish.everywhere else ""),), link="match", board=False))
    if site.preferring.preferences(who.player.id, where).cadence == "off":
        site.preferring.choose(who.player.id, {"cadence": "each"}, where)
    return Outcome("mails on", Reply(headline="You get mails again", words=(f"There will be mails about {about}.",), board=False))


def _again(site: Site, who: Speaker) -> Outcome:
    done = play_again(site, who.match, _actor(who))
    words = f"It is match {done.sight.match.id}, with the same players; its mails come in a thread of their own."
    return Outcome("rematch", Reply(headline="One more match", words=(words,), onto=done.sight.match.id, board=False))


def _refused(site: Site, who: Speaker, refused: Refused, headline: str = "") -> Reply:
    """The refusal in the words that are said everywhere, with what would be legal."""
    lines, more = legal(site.desk.look(who.match.id).match, who)
    how = how_to(who.match, who)[:1] if refused.kind == "unreadable-text" else ()
    words = (f"Nothing was done: {refused.words}.", *how, _onward(site, who), *((more,) if more else ()))
    return Reply(headline=headline or "That was not done", words=words, listed="You can play", lines=lines)


def _onward(site: Site, who: Speaker) -> str:
    """What to do next: whoever is not asked has nothing to try again."""
    match = site.desk.look(who.match.id).match
    if match.status == "live" and match.ask(who.seat) is None:
        return "You get a mail when it is your turn; help tells you what you can write until then."
    return "To try again, reply to this mail; help tells you more."


def _is_action(match: Match, who: Speaker, line: str) -> bool:
    try:
        return match.status == "live" and match.game.objection(match.state, who.seat, match.game.read(match.state, line)) is None
    except Unreadable:
        return False


def _state_of(site: Site, who: Speaker) -> str:
    """Whose turn it is, and until when."""
    match = who.match
    if match.status != "live":
        return {"waiting": "The match has not begun: it waits for players.", "over": "The match is over.", "aborted": "The match was called off."}[
            match.status
        ]
    if (ask := match.ask(who.seat)) is not None:
        return f"It is your turn, until {moment(ask.due, who.player.zone)}."
    return f"The match waits for {listed([_cast(site, match, who).seat(ask.seat) for ask in match.asks])}."


def _cast(site: Site, match: Match, who: Speaker) -> Cast:
    return Cast(match, site.players.names(named(match)), who.player.id)


def _turn(who: Speaker) -> int:
    """What tells one turn of a seat from another."""
    ask = who.match.ask(who.seat)
    return ask.version if ask else who.match.version


def _actor(who: Speaker) -> Actor:
    return Actor(who.player.id, "reply")


def said(lines: tuple[str, ...]) -> str:
    """Lines as one says them in a sentence."""
    return "; ".join(lines)


def key_of(who: Speaker, mail: str, wish: str) -> Key:
    """The idempotency key of what a mail does: a worker that dies half way does nothing twice."""
    print_ = sha256(f"forgepost-reply-v1\n{who.match.id}\n{who.seat}\n{wish}".encode()).hexdigest()[:32]
    return Key(who.player.id, f"mail-{mail}", print_)
