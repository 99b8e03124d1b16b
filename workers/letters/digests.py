"""Several pieces of news in one mail, for whoever wants fewer mails: what waits longest for an answer first, each with its own link."""

from __future__ import annotations

from collections.abc import Sequence
from email.headerregistry import Address
from email.message import EmailMessage
from typing import Final

from domain.game import Record
from domain.match.telling import isolated
from infra.outbox import Notice
from infra.people.players import Player
from infra.seals.links import to_unsubscribe_all
from workers.letters.envelope import SENDER, Addresses, begun, unsubscribed
from workers.letters.letter import Letter, News, Told, Turn
from workers.letters.links import Links
from workers.letters.writing import Facts, letter
from workers.letters.written import written

MOST: Final = 40  # matches in a mail; the rest is on the site
LINES: Final = 5  # of news about each


class Item(Record, frozen=True, kw_only=True):
    """What a digest says about one match: `reply` is where an answer to it goes."""

    headline: str
    game: str
    match: str
    seat: str
    deadline: str
    left: str
    news: tuple[News, ...]
    colours: dict[str, str]
    url: str
    reply: str


class Digest(Letter, frozen=True, kw_only=True):
    """Several matches at once; `more` stand on the reader's own page."""

    items: tuple[Item, ...]
    more: int


def mail(notice: Notice, player: Player, facts: Sequence[Facts], addresses: Addresses, links: Links, now: int) -> EmailMessage:
    """The whole mail."""
    ordered = sorted(facts, key=_urgency)
    turns = sum(each.notice.kind == "turn" for each in facts)
    headline = f"{turns} turns wait for you" if turns > 1 else "A turn waits for you, and other news" if turns else "News from your matches"
    said = Digest(
        to=isolated(player.name),
        headline=headline,
        url=links.mine(),
        settings=links.settings(),
        items=tuple(_item(each, addresses, links) for each in ordered[:MOST]),
        more=max(len(ordered) - MOST, 0),
        unsubscribe=links.unsubscription(to_unsubscribe_all(player.id, now)),
        game="Forgepost",
        match="",
        seat=None,
        places=(),
        colours={},
        guide="",
        version=0,
        head="",
        board="",
        passages=(),
    )
    told = written("digest", said, None)
    message = begun(Address(player.name, addr_spec=player.address), told, addresses.message_id(notice), addresses, now)
    message["List-Id"] = f"{SENDER} digests <digests.{addresses.domain}>"
    unsubscribed(message, told)
    message["Feedback-ID"] = f"digests:all:digest:{SENDER.lower()}"
    return message


def _urgency(facts: Facts) -> tuple[int, int]:
    """Turns by their deadline, everything else behind them as it came."""
    ask = facts.match.ask(facts.notice.seat) if facts.notice.seat else None
    return (0, ask.due) if ask else (1, facts.history[facts.notice.version - 1].at)


def _item(facts: Facts, addresses: Addresses, links: Links) -> Item:
    said = letter(facts, links)
    seat = facts.notice.seat or next(iter(facts.seats), "")
    ask = facts.match.ask(seat) if facts.notice.seat else None
    return Item(
        headline=said.headline,
        game=said.game,
        match=said.match,
        seat=facts.notice.seat,
        deadline=said.deadline if isinstance(said, Turn) else "",
        left=said.left if isinstance(said, Turn) else "",
        news=said.news[-LINES:] if isinstance(said, Told) else (),
        colours=said.colours,
        url=said.url,
        reply=addresses.reply(facts.match, seat, ask, facts.now) if seat else "",
    )
