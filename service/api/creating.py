"""Creating a match: who sits where, and who is invited."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from typing import Any

from msgspec import UNSET

from domain.chain import SeedLot
from domain.match.commands import CreateMatch, Hold, House, Invite, Open, Place
from domain.match.decide import decide
from domain.match.refusal import Refused
from domain.ports import Key
from infra.ids import bot_player_id, match_id_for, new_match_id
from infra.people.players import Players
from infra.people.spelling import Misspelled
from infra.wiring import Site
from service.api.showing import answered, shown, tagged
from service.blueprints import api
from service.contract.operations import JSON, PENDING, Call, Gives, Operation, Reply, operation
from service.inviting import invite
from service.problems import invalid, refusal
from service.schemas.matches import MATCH, NEW_MATCH

HOUSE = {"bot": "random"}


@operation(
    api,
    Operation(
        method="POST",
        rule="/matches",
        tag="matches",
        scope="matches:create",
        limit="create",
        body=NEW_MATCH,
        gives={
            201: Gives(about="The match; where all seats were taken it has begun.", forms={JSON: MATCH}, headers=("Location", "ETag")),
            200: Gives(
                about="This very request, by its idempotency key, created a match before: this is the match as it began.",
                forms={JSON: MATCH},
                headers=("Location", "ETag", "Idempotent-Replayed"),
            ),
            202: Gives(about=PENDING, forms={JSON: MATCH}, headers=("Location", "ETag", "Idempotent-Replayed")),
        },
        refuses=("invalid-match", "key-reused", "busy"),
        examples={
            "against the house": {"game": "fourfold", "seats": [{"player": "me"}, HOUSE, HOUSE, HOUSE]},
            "with others": {
                "game": "fourfold",
                "options": {"goals_to_win": 3},
                "settings": {"clock": {"kind": "per-turn", "seconds": 86400}, "visibility": "public"},
                "seats": [{"player": "me"}, {"invite": "ann@example.org"}, HOUSE, {"open": True}],
            },
        },
    ),
)
def create_match(call: Call) -> Reply:
    """Create a match.

    It starts by itself when its last seat is taken. Whoever is invited gets a mail. Where `seating` is `random`, which it is unless you
    say otherwise, the seats are drawn by lot at the start.
    """
    site = call.site
    name = _named(site, call.key) if call.key else new_match_id(site.settings.partitions)
    addresses = _addresses(site.players, call.body["seats"])
    known = {mail: player.id for mail in set(addresses.values()) if (player := site.players.by_address(mail))}
    try:
        if strangers := set(addresses.values()) - set(known):
            draft = _command(call, name, {**known, **{mail: mail for mail in strangers}}, addresses)
            decide(None, draft, SeedLot(bytes(32), name), site.clock())  # so that a match that cannot be makes nobody a player
            known |= {mail: invite(site.players, mail).id for mail in strangers}
        answer = site.desk.do(name, _command(call, name, known, addresses), call.key)
    except Refused as refused:
        raise refusal(refused) from None
    headers = {"Location": f"{site.settings.url}/api/v1/matches/{name}", **tagged(answer.sight)}
    return answered(shown(answer.sight, site.signing), answer, headers)


def _named(site: Site, key: Key) -> str:
    """The id of the match that this key creates or has created. What it created so long ago that it is forgotten is another match.

    What is remembered of a key says its partition, and not which of its matches: only the last of them can be meant.
    """
    last = ""
    for turn in count():
        name = match_id_for(site.settings.partitions, key.actor, key.key, turn)
        if not site.log.read(name, 0, 1):
            return last if last and site.log.recall(last, key) else name
        last = name
    raise AssertionError  # count() has no end


def _addresses(players: Players, seats: list[dict[str, Any]]) -> dict[int, str]:
    """The address behind each seat that is for somebody invited, as mail is sent to it."""
    found, errors = {}, list[dict[str, str]]()
    for index, said in enumerate(seats):
        if "invite" in said:
            try:
                found[index] = players.box(said["invite"])
            except Misspelled as wrong:
                errors.append({"detail": f"`seats[{index}].invite`: {wrong}", "pointer": f"#/seats/{index}/invite"})
    if errors:
        raise invalid(errors)
    return found


def _command(call: Call, name: str, players: Mapping[str, str], addresses: Mapping[int, str]) -> CreateMatch:
    body = call.body

    def place(index: int, said: dict[str, Any]) -> Place:
        if "bot" in said:
            return House(said["bot"], bot_player_id(name, index))
        if "open" in said:
            return Open()
        invited = players[addresses[index]] if index in addresses else call.player
        return Hold(invited) if invited == call.player else Invite(invited)

    places = tuple(place(index, said) for index, said in enumerate(body["seats"]))
    return CreateMatch(call.actor, body["game"], body["options"], body["settings"], places, body.get("entropy", UNSET))
