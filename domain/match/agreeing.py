"""What a new match is to be played by: the game, its options and the settings, held against each other before anybody sits down."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import UNSET

from domain.bots import kinds
from domain.game import Game
from domain.games import EDITIONS, GAMES
from domain.match.commands import CreateMatch, Hold, House, Invite
from domain.match.entropy import must_be_a_piece
from domain.match.refusal import Refused
from domain.match.settings import Settings
from domain.shapes import Fault, faults


def agreed(command: CreateMatch) -> tuple[Game[Any, Any, Any], Any, Settings]:
    """The game, its options and the settings. Raises Refused (invalid-match), which names everything that does not fit, by its place in the wish."""
    must_be_a_piece(command.entropy, "invalid-match")
    game = GAMES.get(command.game) if command.edition is UNSET else EDITIONS.get((command.game, command.edition))
    wrong = [*_against_settings(command), *_against_entropy(command)]
    if game is None:
        raise Refused.of("invalid-match", [Fault(("game",), f"there is no game {command.game!r}; there are {', '.join(sorted(GAMES))}"), *wrong])
    wrong = [*_against_seats(command, game), *_against_options(command, game), *wrong]
    if wrong:
        raise Refused.of("invalid-match", wrong)
    settings, shared = msgspec.convert(command.settings, Settings), _several(command)
    several = settings.several_seats is True or shared
    return game, msgspec.convert(command.options, game.options), msgspec.structs.replace(settings, several_seats=True if several else UNSET)


def no_such_bot(game: Game[Any, Any, Any], house: House) -> str | None:
    """That there is no such house bot, in words; None where there is."""
    return None if house.bot in kinds(game) else f"{game.title} has no house bot {house.bot!r}; there are {', '.join(kinds(game))}"


def _against_seats(command: CreateMatch, game: Game[Any, Any, Any]) -> Iterator[Fault]:
    named = len(command.places)
    if named not in game.sizes:
        yield Fault(("seats",), f"{game.title} is for {game.sizes_said} seats, and {named} {'was' if named == 1 else 'were'} named")
    for place, who in enumerate(command.places):
        if isinstance(who, House) and (words := no_such_bot(game, who)):
            yield Fault(("seats", str(place), "bot"), words)
    if not game.shareable and (_several(command) or command.settings.get("several_seats") is True):
        yield Fault(("seats",) if _several(command) else ("settings", "several_seats"), f"in {game.title} every player has one seat")


def _against_options(command: CreateMatch, game: Game[Any, Any, Any]) -> Iterator[Fault]:
    found = list(faults(command.options, game.options))
    yield from (Fault(("options", *path), f"options: {words}") for path, words in found)
    if not found and (unfit := game.unfit(msgspec.convert(command.options, game.options), game.seats[: len(command.places)])):
        yield Fault(("options",), unfit)


def _against_settings(command: CreateMatch) -> Iterator[Fault]:
    clock = command.settings.get("clock")
    if isinstance(clock, dict) and "kind" not in clock:  # where there is one kind only, msgspec would take it for granted
        yield Fault(("settings", "clock", "kind"), "settings: `clock.kind` is missing")
    yield from (Fault(("settings", *path), f"settings: {words}") for path, words in faults(command.settings, Settings))
    if command.settings.get("several_seats") is False and _several(command):
        yield Fault(("settings", "several_seats"), "a player is named for several seats, but `several_seats` is false")


def _against_entropy(command: CreateMatch) -> Iterator[Fault]:
    if command.entropy is not UNSET and Hold(command.actor.player) not in command.places:
        yield Fault(("entropy",), "entropy is given with a seat of one's own: leave it out here, and give it when joining")


def _several(command: CreateMatch) -> bool:
    """Whether a player is named for several seats."""
    held = [place.player for place in command.places if isinstance(place, Hold | Invite)]
    return len(set(held)) < len(held)
