"""Steinnheimr a second time, slow and simple: plain JSON on which lines are played, straight from the rules, with none of the game's code."""

import json
import re
from collections.abc import Iterator
from copy import deepcopy
from itertools import count, product
from pathlib import Path
from typing import Any

import domain.games.steinnheimr as package

CARDS = {card["id"]: card for cards in json.loads(Path(package.__file__).with_name("cards.json").read_text()).values() for card in cards}
LEVELS = ["iron", "silver", "gold", "mithril"]
PLACES = [*LEVELS, "furnace", "anvil", "market", "guild", "town"]
POINTS = {"iron": 3, "silver": 2, "gold": 2, "mithril": 1}


class Table:
    """A match on the table; `view` is what can be seen of it."""

    def __init__(self, seats: list[str], items_to_end: int | None, max_rounds: int | None) -> None:
        self.seats, self.max_rounds = seats, max_rounds
        self.items_to_end = items_to_end or {2: 10, 3: 8, 4: 6}[len(seats)]
        self.reason: str | None = None
        self.view: dict[str, Any] = {
            "dwarves": ["silver", "furnace", "market"],
            "shown": {"items": [None] * 4, "towns": [None] * 3, "upgrades": [None] * 3},
            "bonus": [],
            "decks": {"items": 54, "towns": 20, "upgrades": 26, "discarded_upgrades": []},
            "supply": {"iron": 30, "silver": 20, "gold": 20, "mithril": 10},
            "round": 1,
            "first_player": None,
            "players": {seat: self._newcomer() for seat in seats},
            "turn": None,
            "ending": False,
        }

    @staticmethod
    def _newcomer() -> dict[str, Any]:
        nothing = dict.fromkeys(LEVELS, 0)
        return {"coins": 2, "ore": {**nothing}, "ingots": {**nothing}, "items": [], "towns": [], "upgrades": []}

    # Questions

    @property
    def me(self) -> dict[str, Any]:
        mine: dict[str, Any] = self.view["players"][self.view["turn"]["seat"]]
        return mine

    def effects(self, kind: str, key: str = "amount", player: dict[str, Any] | None = None, **like: str) -> int:
        mine = self.me if player is None else player
        held = [CARDS[card]["effect"] or {"kind": None} for card in mine["upgrades"] + mine["towns"]]
        return sum(int(effect[key]) for effect in held if effect["kind"] == kind and like.items() <= effect.items())

    def due(self, item: str) -> dict[str, int]:
        printed = CARDS[item]["ingots"]
        less = {resource: max(0, amount - self.effects("ingot_discount", resource=resource)) for resource, amount in printed.items()}
        lowest = min(printed, key=LEVELS.index)
        return {resource: amount for resource, amount in less.items() if amount} or {lowest: 1}

    def excess(self) -> int:
        return int(sum(self.me["ore"].values()) + sum(self.me["ingots"].values())) - 8 - self.effects("capacity")

    def has(self, **stocks: dict[str, int]) -> bool:
        return all(self.me[form][resource] >= amount for form, stock in stocks.items() for resource, amount in stock.items())

    def legal(self) -> list[str]:
        turn, found = self.view["turn"], []
        if turn["step"] == "discard":
            return self._discards()
        if not turn["refreshed"] and any(self.view["shown"]["upgrades"]) and self.me["coins"] >= 2 - self.effects("refresh_discount"):
            found.append("refresh")
        for place in PLACES:
            occupied = place in self.view["dwarves"]
            if (turn["step"] == "place" and not occupied) or (turn["step"] == "remove" and occupied and place != turn["placed_at"]):
                found += [f"{turn['step']} {place}, {deed}" for deed in ("nothing", *self._deeds(place))]
        return found

    def _deeds(self, place: str) -> Iterator[str]:
        me, shown, supply = self.me, self.view["shown"], self.view["supply"]
        if place in LEVELS and supply[place]:
            yield "mine"
        if place == "furnace":
            yield from (f"refine {number} {resource}" for resource in LEVELS for number in range(1, me["ore"][resource] + 1))
        if place == "anvil":
            yield from (f"craft {item}" for item in shown["items"] if item and self.has(ingots=self.due(item), ore=CARDS[item]["ore"]))
        if place == "market":
            for form, give, get in product(("ore", "ingot"), LEVELS, LEVELS):
                step = LEVELS.index(get) - LEVELS.index(give)
                if step in (-1, 1):
                    stock = me["ore" if form == "ore" else "ingots"][give]
                    for times in count(1):
                        if times * (2 if step == 1 else 1) > stock or times * (1 if step == 1 else 2) > supply[get]:
                            break
                        yield f"trade {give}>{get} {form} x{times}"
        if place == "guild":
            yield from (f"buy {upgrade}" for upgrade in shown["upgrades"] if upgrade and CARDS[upgrade]["cost"] <= me["coins"])
        if place == "town":
            yield "work"
            for town in filter(None, shown["towns"]):
                asked = CARDS[town]["donation"]
                for ways in product(*(range(asked.get(resource, 0) + 1) for resource in LEVELS)):
                    ingots = dict(zip(LEVELS, ways, strict=True))
                    if self.has(ingots=ingots, ore={resource: asked.get(resource, 0) - ingots[resource] for resource in LEVELS}):
                        paid = ", ".join(f"{amount} {resource} ingot" for resource, amount in ingots.items() if amount)
                        yield f"donate {town} with {paid}" if paid else f"donate {town}"

    def _discards(self) -> list[str]:
        """One token after another, from nothing; the same choice made in another order is the same choice."""
        kinds = [(form, resource) for form in ("ore", "ingots") for resource in LEVELS]
        stock = [self.me[form][resource] for form, resource in kinds]
        choices = {(0,) * len(kinds)}
        for _ in range(self.excess()):
            choices = {
                (*choice[:kind], choice[kind] + 1, *choice[kind + 1 :])
                for choice in choices
                for kind in range(len(kinds))
                if choice[kind] < stock[kind]
            }
        return [
            "discard "
            + ", ".join(f"{number} {resource} {form.rstrip('s')}" for number, (form, resource) in zip(choice, kinds, strict=True) if number)
            for choice in sorted(choices, reverse=True)
        ]

    def scores(self) -> dict[str, int]:
        players = self.view["players"]
        points = {seat: self._points(player) for seat, player in players.items()}
        for bonus in self.view["bonus"]:
            numbers = {seat: self._counted(player, CARDS[bonus]["counts"]) for seat, player in players.items()}
            best = [seat for seat, number in numbers.items() if number == max(numbers.values()) and number > 0]
            if len(best) == 1:
                points[best[0]] += CARDS[bonus]["vp"]
        return points

    def _counted(self, player: dict[str, Any], what: str) -> int:
        if what in ("town", "upgrade"):
            return len(player[what + "s"])
        if what == "coin":
            return int(player["coins"])
        if what == "resource":
            return int(sum(player["ore"].values()) + sum(player["ingots"].values()))
        return [CARDS[item]["type"] for item in player["items"]].count(what)

    def _points(self, player: dict[str, Any]) -> int:
        points = sum(CARDS[card]["vp"] for card in player["items"] + player["towns"]) + player["coins"] // 2
        points += sum((player["ore"][resource] + player["ingots"][resource]) // worth for resource, worth in POINTS.items())
        points += self.effects("vp_per_town", "vp", player) * len(player["towns"])
        for kind in ("weapon", "armor", "tool", "jewelry"):
            points += self.effects("vp_per_item", "vp", player, type=kind) * self._counted(player, kind)
        return int(points)

    def seen(self) -> dict[str, Any]:
        """The view as the game gives it."""
        due = {item: self.due(item) for item in self.view["shown"]["items"] if item} if self.view["turn"] else {}
        return {**deepcopy(self.view), "due": due, "scores": self.scores()}

    # What happens

    def play(self, line: str) -> None:
        """An action, or what was drawn."""
        words = line.replace(",", "").split()
        if line.startswith("* "):
            self._drawn(words)
        elif words[0] == "refresh":
            self._refresh()
        elif words[0] == "discard":
            self._give(words[1:])
            self._pass()
        else:
            dwarves, turn = self.view["dwarves"], self.view["turn"]
            if words[0] == "place":
                dwarves.append(words[1])
                dwarves.sort(key=PLACES.index)
                turn["step"], turn["placed_at"] = "remove", words[1]
            else:
                dwarves.remove(words[1])
                turn["step"] = "discard"
            self._do(words[1], words[2:])
            self._settle()

    def _drawn(self, words: list[str]) -> None:
        if words[2] == "begins":
            self.view["first_player"] = words[1]
            self.view["turn"] = {"seat": words[1], "step": "place", "placed_at": None, "refreshed": False}
        elif words[2] == "in":
            self.view["bonus"].append(words[1])
        else:
            kind = words[1].split("-")[0] + "s"
            shown, decks = self.view["shown"][kind], self.view["decks"]
            if kind == "upgrades" and decks["upgrades"] == 0:
                decks["upgrades"], decks["discarded_upgrades"] = len(decks["discarded_upgrades"]), []
            shown[shown.index(None)] = words[1]
            decks[kind] -= 1
            if decks["towns"] == 0 and not self.view["ending"]:
                self.view["ending"], self.reason = True, "town-deck"
            self._settle()

    def _settle(self) -> None:
        """When both actions are done, everything drawn that can be, and nothing to discard, the turn is over."""
        shown, decks = self.view["shown"], self.view["decks"]
        left = {**decks, "upgrades": decks["upgrades"] + len(decks["discarded_upgrades"])}
        waiting = any(None in shown[kind] and left[kind] for kind in shown)
        if self.view["turn"]["step"] == "discard" and not waiting and self.excess() <= 0:
            self._pass()

    def _pass(self) -> None:
        view = self.view
        after = self.seats[(self.seats.index(view["turn"]["seat"]) + 1) % len(self.seats)]
        view["turn"] = {"seat": after, "step": "place", "placed_at": None, "refreshed": False}
        if after == view["first_player"]:
            if view["ending"] or view["round"] == self.max_rounds:
                view["turn"], self.reason = None, self.reason or "round-limit"
            else:
                view["round"] += 1

    def _refresh(self) -> None:
        view = self.view
        self.me["coins"] -= max(0, 2 - self.effects("refresh_discount"))
        view["decks"]["discarded_upgrades"] += [card for card in view["shown"]["upgrades"] if card]
        view["shown"]["upgrades"] = [None] * 3
        view["turn"]["refreshed"] = True

    def _give(self, words: list[str]) -> None:
        """Goods back to the supply: `2 iron ore 1 gold ingot`."""
        for number, resource, form in zip(words[::3], words[1::3], words[2::3], strict=True):
            self._move("ore" if form == "ore" else "ingots", resource, -int(number))

    def _move(self, form: str, resource: str, number: int) -> None:
        self.me[form][resource] += number
        self.view["supply"][resource] -= number

    def _take(self, kind: str, card: str) -> None:
        shown = self.view["shown"][kind]
        shown[shown.index(card)] = None
        self.me[kind].append(card)

    def _do(self, place: str, deed: list[str]) -> None:
        me = self.me
        match deed:
            case ["nothing"]:
                pass
            case ["mine"]:
                printed = {"iron": 3, "silver": 2, "gold": 2, "mithril": 1}[place]
                self._move("ore", place, min(self.view["supply"][place], printed + self.effects("mine_bonus", resource=place)))
            case ["refine", number, resource]:
                me["ore"][resource] -= int(number)
                me["ingots"][resource] += int(number)
            case ["craft", item]:
                for form, price in (("ingots", self.due(item)), ("ore", CARDS[item]["ore"])):
                    for resource, amount in price.items():
                        self._move(form, resource, -amount)
                self._take("items", item)
                if len(me["items"]) >= self.items_to_end and not self.view["ending"]:
                    self.view["ending"], self.reason = True, "items"
            case ["trade", kinds, form, times]:
                give, get = kinds.split(">")
                up = LEVELS.index(get) > LEVELS.index(give)
                stock, often = "ore" if form == "ore" else "ingots", int(times[1:])
                self._move(stock, give, -often * (2 if up else 1))
                self._move(stock, get, often * (1 if up else 2))
            case ["buy", upgrade]:
                me["coins"] -= CARDS[upgrade]["cost"]
                self._take("upgrades", upgrade)
            case ["work"]:
                me["coins"] += 3 + self.effects("town_wage")
            case ["donate", town, *paid]:
                ingots = dict(zip(paid[2::3], map(int, paid[1::3]), strict=True))
                for resource, amount in CARDS[town]["donation"].items():
                    self._move("ingots", resource, -ingots.get(resource, 0))
                    self._move("ore", resource, ingots.get(resource, 0) - amount)
                effect = CARDS[town]["effect"] or {}
                me["coins"] += effect["amount"] if effect.get("kind") == "coins" else 0
                self._take("towns", town)
            case _:
                raise AssertionError(re.sub(r"\s+", " ", f"what is {deed}?"))
