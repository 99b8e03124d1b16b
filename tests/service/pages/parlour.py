"""Matches for the tests of pages, on a real site: people, house bots that play at once, links as mails carry them."""

from __future__ import annotations

import re
from html import unescape
from random import Random
from typing import Any

from msgspec.structs import replace

from domain.bots import choose
from domain.match.commands import Actor, CreateMatch, Hold, House, Invite, Open, Place, Submit
from domain.match.match import Match
from infra.ids import bot_player_id
from infra.people.players import Player
from infra.seals.tokens import Purpose, Token
from infra.webhooks.queue import Delivery
from infra.webhooks.webhooks import Webhook, Wish
from infra.wiring import Site
from tests.people import Watch

DAY = 86_400_000


class Parlour:
    """One site's matches."""

    def __init__(self, site: Site, watch: Watch) -> None:
        self.site, self.watch, self.chance = site, watch, Random(5)
        self.started = 0

    def person(self, name: str) -> Player:
        """Somebody with a mailbox."""
        return self.site.players.add(name, f"{name.lower()}@example.org")

    def start(
        self, *names: str, game: str = "fourfold", invited: str = "", more_open: bool = False, options: dict[str, Any] | None = None, **settings: Any
    ) -> Match:
        """A match in which these people sit from the first seat on, then who is invited, then house bots or nobody yet."""
        self.started += 1
        match = f"{self.started % 16:02d}-{self.started:010d}"
        people = [self.person(name) for name in names]
        places: list[Place] = [Hold(person.id) for person in people]
        if invited:
            places.append(Invite(self.person(invited).id))
        while len(places) < 4:
            places.append(Open() if more_open else House("random", bot_player_id(match, len(places))))
        said = {"seating": "joined", **settings}
        self.site.desk.do(match, CreateMatch(Actor(people[0].id, "web"), game, options or {}, said, tuple(places)))
        return self.bots(match)

    def failing_webhook(self, name: str) -> Webhook:
        """One whose server has refused an event, and does not answer any more."""
        site, now = self.site, self.watch.now
        hook = site.webhooks.add(self.person(name).id, Wish(f"https://{'very-long-name.' * 8}example.org/{'x' * 200}", "b" * 40), 1)
        site.webhooks.keep(replace(hook, failing=now - 60_000, failures=2, rests=now + 60_000), "failing", "failures", "rests")
        for tries, status in ((1, 500), (2, 0)):
            words, answer = ("no whole answer within 10 s", "") if not status else ("", "z" * 300)
            kept = Delivery(
                f"msg_{hook.id}_07-3f9k2m8qtx_12", "action.taken", "07-3f9k2m8qtx", 12, now, tries, 87, status, answer, words, now + 60_000
            )
            site.hook_queue.note(hook.id, kept)
        return hook

    def look(self, match: Match | str) -> Match:
        """The match as it is now."""
        return self.site.desk.look(match if isinstance(match, str) else match.id).match

    def bots(self, match: Match | str) -> Match:
        """House bots play until a person is asked."""
        while True:
            now = self.look(match)
            if not now.asks or not now.chair(now.asks[0].seat).bot:
                return now
            self.play(now)

    def play(self, match: Match | str, line: str = "") -> Match:
        """Whoever is asked plays this, or something."""
        now = self.look(match)
        seat = now.asks[0].seat
        action = now.game.read(now.state, line) if line else choose(now.game, "random", now.state, seat, self.chance.randrange)
        chair = now.chair(seat)
        self.site.desk.do(now.id, Submit(Actor(chair.player or "", "bot" if chair.bot else "link"), seat, now.ply, (action,)))
        return self.look(match)

    def through(self, match: Match | str) -> Match:
        """To its end."""
        while (now := self.look(match)).status == "live":
            self.play(now)
        return now

    def legal(self, match: Match) -> list[str]:
        """What whoever is asked can do, as lines."""
        return [match.game.write(action) for action in match.game.legal(match.state, match.asks[0].seat)]

    def choosing(self, *names: str, **wishes: Any) -> Match:
        """A match in which the first of these people is asked for one of at least two actions."""
        names = names or ("Ann",)
        while True:
            match = self.start(*names, **wishes)
            for _ in range(40):
                if match.asks and match.chair(match.asks[0].seat).player == self.person(names[0]).id and len(self.legal(match)) > 1:
                    return match
                if match.status != "live":
                    break
                match = self.play(match)

    def going_on(self) -> tuple[Match, Match]:
        """A match before and after the first legal action of its person, in the middle of whose turn there is a choice again."""
        while True:
            before = self.choosing("Ann")
            after = self.play(before, self.legal(before)[0])
            if after.asks and after.asks[0].version == before.asks[0].version and len(self.legal(after)) > 1:
                return before, after

    def token(self, match: Match, purpose: Purpose = "move", *, seat: str = "", choice: int = 0, expires: int = DAY, ask: int | None = None) -> str:
        """The token of a link that would be mailed to a seat now; the seat that is asked, unless said otherwise."""
        seat = seat or match.asks[0].seat
        standing = match.ask(seat)
        born = match.chair(seat).since if purpose != "move" else standing.version if standing else 0
        step = match.ply - standing.ply if standing and purpose == "move" else 0
        token = Token(purpose, match.id, match.seats.index(seat), born if ask is None else ask, step, choice, self.watch.now + expires)
        return self.site.tokens.seal(token)

    def link(self, match: Match, purpose: Purpose = "move", **kwargs: Any) -> str:
        """The path of such a link."""
        return f"/m/{self.token(match, purpose, **kwargs)}"

    def written(self) -> tuple[int, int]:
        """What changes with every write: Redis's own count of changes, and the number of keys."""
        info: dict[str, Any] = self.site.redis.info("persistence")
        size: int = self.site.redis.dbsize()
        return info["rdb_changes_since_last_save"], size


def words(html: str) -> str:
    """What a page says, without its markup."""
    body = re.sub(r"<(style|script|svg)\b.*?</\1>", " ", html, flags=re.DOTALL)
    said = " ".join(unescape(re.sub(r"<[^>]*>", " ", body)).split())
    return re.sub(r" (?=[,.;:?!])", "", said)
