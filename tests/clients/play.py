"""Play matches with the client that openapi-python-client makes: a game and its options an argument, as JSON."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from time import sleep
from typing import Any, TypeAlias, TypeVar

from forgepost_client import AuthenticatedClient
from forgepost_client.api.games import show_game
from forgepost_client.api.history import read_history
from forgepost_client.api.matches import create_match, show_match
from forgepost_client.api.me import me as show_me
from forgepost_client.api.play import legal_actions, submit
from forgepost_client.models.action_taken_event import ActionTakenEvent
from forgepost_client.models.actions_submission import ActionsSubmission
from forgepost_client.models.bot_seat import BotSeat
from forgepost_client.models.done import Done
from forgepost_client.models.four_forges_options import FourForgesOptions
from forgepost_client.models.four_forges_view import FourForgesView
from forgepost_client.models.fourfold_options import FourfoldOptions
from forgepost_client.models.fourfold_view import FourfoldView
from forgepost_client.models.game import Game
from forgepost_client.models.history import History
from forgepost_client.models.invited_seat import InvitedSeat
from forgepost_client.models.legal_actions import LegalActions
from forgepost_client.models.match import Match
from forgepost_client.models.match_settings import MatchSettings
from forgepost_client.models.match_status import MatchStatus
from forgepost_client.models.me import Me
from forgepost_client.models.my_seat import MySeat
from forgepost_client.models.my_seat_player import MySeatPlayer
from forgepost_client.models.new_match import NewMatch
from forgepost_client.models.open_seat import OpenSeat
from forgepost_client.models.penny_ante_options import PennyAnteOptions
from forgepost_client.models.penny_ante_view import PennyAnteView
from forgepost_client.models.problem_details import ProblemDetails
from forgepost_client.models.steinnheimr_options import SteinnheimrOptions
from forgepost_client.models.steinnheimr_view import SteinnheimrView

T = TypeVar("T")
Options: TypeAlias = FourForgesOptions | FourfoldOptions | PennyAnteOptions | SteinnheimrOptions
View: TypeAlias = FourForgesView | FourfoldView | PennyAnteView | SteinnheimrView

OPTIONS: dict[str, Callable[[dict[str, Any]], Options]] = {
    "four-forges": FourForgesOptions.from_dict,
    "fourfold": FourfoldOptions.from_dict,
    "penny-ante": PennyAnteOptions.from_dict,
    "steinnheimr": SteinnheimrOptions.from_dict,
}
VIEWS: dict[str, Callable[[dict[str, Any]], View]] = {
    "four-forges": FourForgesView.from_dict,
    "fourfold": FourfoldView.from_dict,
    "penny-ante": PennyAnteView.from_dict,
    "steinnheimr": SteinnheimrView.from_dict,
}


def given(kind: type[T], answer: Any) -> T:
    """What came, or the problem that came instead."""
    if isinstance(answer, ProblemDetails):
        raise SystemExit(f"{answer.type_.value}: {answer.detail}")
    assert isinstance(answer, kind), answer
    return answer


def follow(client: AuthenticatedClient, match: str) -> list[int]:
    """The versions that the match's stream tells, from the first to its end."""
    versions: list[int] = []
    with client.get_httpx_client().stream("GET", f"/api/v1/matches/{match}/stream", params={"from": 1}, timeout=60) as answer:
        answer.raise_for_status()
        for line in answer.iter_lines():
            if line == "event: stream.ended":
                break
            if line.startswith("id: ") and line != "id: 0":
                versions.append(int(line.removeprefix("id: ")))
    return versions


def play(client: AuthenticatedClient, game: str, options: dict[str, Any], me: str) -> tuple[Match, list[int]]:
    """A match against house bots, to its end, and the versions that its stream told meanwhile."""
    size = given(Game, show_game.sync(game, client=client)).sizes[0]
    seats: list[BotSeat | InvitedSeat | MySeat | OpenSeat] = [MySeat(MySeatPlayer.ME), *(BotSeat("random") for _ in range(size - 1))]
    asked = NewMatch(game=game, options=OPTIONS[game](options), seats=seats, settings=MatchSettings(undo_seconds=0))
    match = given(Match, create_match.sync(client=client, body=asked))
    with ThreadPoolExecutor(1) as ear:
        told = ear.submit(follow, client, match.id)
        match = play_on(client, match, me)
        return match, told.result()


def play_on(client: AuthenticatedClient, match: Match, me: str) -> Match:
    """The match at its end."""
    while match.status == MatchStatus.LIVE:
        seen(match)
        mine = [chair.seat for chair in match.seats if chair.player == me]
        seat = next((ask.seat for ask in match.to_act if ask.seat in mine), None)
        if seat is None:
            sleep(0.05)
            match = given(Match, show_match.sync(match.id, client=client))
            continue
        legal = given(LegalActions, legal_actions.sync(match.id, client=client, seat=seat, limit=50))
        chosen = random.choice(legal.actions).action
        body = ActionsSubmission(seat=seat, ply=legal.ply, actions=[chosen])
        match = given(Done, submit.sync(match.id, client=client, body=body)).match
    return match


def seen(match: Match) -> View:
    """Its position, in the shape of its game."""
    assert match.view, match.status
    view = VIEWS[match.game](match.view.to_dict())
    assert view.to_dict() == match.view.to_dict()
    assert not view.additional_properties, view.additional_keys
    return view


def main(site: str, token: str, *asked: str) -> None:
    """One line a match."""
    client = AuthenticatedClient(base_url=site, token=token, raise_on_unexpected_status=True)
    me = given(Me, show_me.sync(client=client)).id
    for one in map(json.loads, asked):
        match, told = play(client, one["game"], one["options"], me)
        events = given(History, read_history.sync(match.id, client=client, limit=1000)).events
        actions = sum(isinstance(event, ActionTakenEvent) for event in events)
        said = {
            "outcome": match.outcome.to_dict() if match.outcome else None,
            "options": match.options.to_dict(),
            "actions": actions,
            "fields": sorted(seen(match).to_dict()),
            "told": told == [event.version for event in events],
        }
        print(json.dumps({"game": one["game"], "status": match.status.value, **said}))  # noqa: T201 - it reports to the test


if __name__ == "__main__":
    main(*sys.argv[1:])
