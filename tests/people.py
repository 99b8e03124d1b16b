"""Random people at a desk: they sit down, leave, play, take back, offer, resign and dawdle, so that every kind of event comes about."""

from __future__ import annotations

from contextlib import suppress
from itertools import islice
from random import Random
from typing import Any

from msgspec import UNSET

from domain.desk import Desk
from domain.game import Action, Game
from domain.games import GAMES
from domain.match.commands import Actor, Answer, CreateMatch, Hold, House, Invite, Join, Leave, Offer, Open, Place, Resign, Submit, TakeBack, TimeOut
from domain.match.events import Proposal, Via
from domain.match.match import Match
from domain.match.refusal import Refused
from domain.match.settle import automatic

NOON = 1_795_953_600_000  # 2026-11-29T12:00:00Z
WAYS: tuple[Via, ...] = ("link", "reply", "web", "api")
LISTED = 50  # a list of legal actions longer than this is not read to its end


class Watch:
    """A clock that goes on when it is told to."""

    def __init__(self, now: int = NOON) -> None:
        self.now = now

    def __call__(self) -> int:
        return self.now


class People:
    """Players of one match after the other, who decide by lot; `lively` is the share of what is no plain move."""

    def __init__(self, desk: Desk, watch: Watch, chance: Random, lively: float = 0.1) -> None:
        self.desk, self.watch, self.chance, self.lively = desk, watch, chance, lively

    def play(
        self, name: str, game: str = "fourfold", options: dict[str, Any] | None = None, *, seats: int = 0, most: int = 2_000, **settings: Any
    ) -> Match:
        """One match, from its creation to its end or until `most` things were tried; `seats` 0: as many as they like."""
        self.gather(name, GAMES[game], options or {}, seats or self.chance.choice(GAMES[game].sizes), settings)
        for _ in range(most):
            match = self.desk.look(name).match
            if match.status != "live":
                break
            self.watch.now += self.chance.randrange(1, 5_000)
            with suppress(Refused):
                self.act(match)
        return self.desk.look(name).match

    def gather(self, name: str, game: Game[Any, Any, Any], options: dict[str, Any], seats: int, settings: dict[str, Any]) -> None:
        """Create it, and let people come and go until it is full."""
        places: list[Place] = [Hold("p-0")]
        for number in range(1, seats):
            someone = f"p-{number}"
            kinds: list[Place] = [Hold(someone), Invite(someone), Open(), House("random", f"p-bot{number}")]
            places.append(self.chance.choice([*kinds, Hold("p-0")] if game.shareable else kinds))
        self.chance.shuffle(places)
        said = {"seating": self.chance.choice(["random", "joined"]), "auto_forced": self.chance.random() < 0.8, **settings}
        self.desk.do(name, CreateMatch(Actor("p-0", "web"), game.id, options, said, tuple(places), entropy=self._word()))
        while (match := self.desk.look(name).match).status == "waiting":
            comer = f"p-{self.chance.randrange(9)}"
            with suppress(Refused):
                self.desk.do(name, Join(Actor(comer, "link"), entropy=self._word()))
            if self.chance.random() < 0.1:
                with suppress(Refused):
                    self.desk.do(name, Leave(Actor(comer, "link")))
            invited = [chair.invited for chair in match.chairs if chair.invited]
            if invited and self.chance.random() < 0.5:
                with suppress(Refused):
                    self.desk.do(name, Join(Actor(invited[0], "link")))

    def act(self, match: Match) -> None:
        """Whatever somebody wants to do now."""
        name, chance = match.id, self.chance
        if chance.random() >= self.lively:
            self.move(match)
            return
        player = chance.choice([chair.player for chair in match.chairs if chair.player])
        actor = Actor(player, chance.choice(WAYS))
        match chance.randrange(8):
            case 0 | 1 if match.mark:
                taker = match.chair(match.mark.seat).player or ""
                self.desk.do(name, TakeBack(Actor(taker, "link"), match.mark.seat))
            case 2 | 3 if match.offer:
                self.desk.do(name, Answer(actor, match.offer.offer, chance.choice(["accept", "accept", "decline"])))
            case 2 | 3 | 4:
                kind: Proposal = chance.choice(["end", "take-back", "pause"])
                self.desk.do(name, Offer(actor, kind, chance.randrange(3_600, 90_000) if kind == "pause" else UNSET))
            case 5 if chance.random() < 0.2:
                self.desk.do(name, Resign(actor))
            case 6 if chance.random() < 0.2 and match.due:
                self.watch.now = match.due + 1
                self.desk.do(name, TimeOut())
            case _:
                self.move(match)

    def move(self, match: Match) -> None:
        """One of the seats that are asked plays: one action, or as many of its turn as it likes."""
        ask = self.chance.choice(match.asks)
        chair = match.chair(ask.seat)
        actor = Actor(chair.player or "", "bot" if chair.bot else self.chance.choice(WAYS))
        first = self._action(match.game, match.state, ask.seat)
        with suppress(Refused):
            after = match.game.apply(match.state, ask.seat, first)
            if self.chance.random() < 0.2 and ask.seat in match.game.awaited(after):
                both = (first, self._action(match.game, after, ask.seat))
                self.desk.do(match.id, Submit(actor, ask.seat, match.ply, both, nonce=self._word()))
                return
        assert automatic(match) is None
        self.desk.do(match.id, Submit(actor, ask.seat, match.ply, (first,), nonce=self._word()))

    def _action(self, game: Game[Any, Any, Any], state: Any, seat: str) -> Action:
        action: Action = self.chance.choice(list(islice(game.legal(state, seat), LISTED)))
        return action

    def _word(self) -> Any:
        """Entropy for a lot, now and then."""
        return f"{self.chance.randrange(1 << 32):08x} é" if self.chance.random() < 0.3 else UNSET
