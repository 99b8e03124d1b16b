"""What a player can do about themselves, the same by API and by page: settings, tokens, mail."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from domain.chain import stamp
from infra.people.players import Pass, Player
from infra.people.preferences import told
from infra.people.spelling import Misspelled, spelled, zone
from infra.wiring import Site
from service.hooks import shown as webhooks_shown
from service.problems import invalid


def shown(site: Site, player: Player) -> dict[str, Any]:
    """The player as they see themselves."""
    moving = site.players.moving(player.id)
    return {
        "id": player.id,
        "name": player.name,
        "email": player.address,
        "new_email": moving.address if moving else None,
        "zone": player.zone,
        "confirmed": player.confirmed,
        "created_at": stamp(player.created),
        "mail": told(site.preferring.preferences(player.id)),
    }


def listed(one: Pass) -> dict[str, Any]:
    """A token as it is listed."""
    return {
        "id": one.id,
        "name": one.name,
        "scopes": list(one.scopes),
        "created_at": stamp(one.created),
        "expires_at": None if one.expires is None else stamp(one.expires),
        "used_at": None if one.used is None else stamp(one.used),
    }


def checked(site: Site, said: Mapping[str, Any]) -> dict[str, Any]:
    """What was said with its name, address and zone as they are kept. Raises a Problem that names every one that cannot be."""
    reading = {"name": spelled, "email": site.players.box, "zone": zone}
    kept, errors = dict(said), []
    for field in (field for field in reading if field in said):
        try:
            kept[field] = reading[field](said[field])
        except Misspelled as wrong:
            errors.append({"detail": f"`{field}`: {wrong}", "pointer": f"#/{field}"})
    if errors:
        raise invalid(errors)
    return kept


def change(site: Site, player: Player, said: Mapping[str, Any]) -> bool:
    """Change what was said, all of which was checked before; False where the new address has had too many mails already to get another."""
    if "name" in said:
        site.players.rename(player.id, said["name"])
    if "zone" in said:
        site.players.live_in(player.id, said["zone"])
    if "mail" in said:
        site.preferring.choose(player.id, said["mail"])
    return move(site, player, said["email"]) if "email" in said else True


def move(site: Site, player: Player, email: str) -> bool:
    """Ask a new address whether it is the player's, and tell the old one; the old one itself withdraws such a wish."""
    if email == player.address:
        site.players.stay(player.id)
        return True
    now = site.clock()
    wish = site.players.wish_to_move(player.id, email, now // 60_000)
    if not site.knocks.ask("address", player.id, wish.address, now):
        site.players.stay(player.id)
        return False
    site.knocks.ask("moving", player.id, player.address, now)
    return True


def in_ms(time: str) -> int:
    """A time in RFC 3339 as ms. Raises ValueError for a day that there is not."""
    return int(datetime.fromisoformat(time).astimezone(UTC).timestamp() * 1000)


def dossier(site: Site, player: Player) -> dict[str, Any]:
    """Everything that is known about a player, for themselves."""
    matches, cursor = [], ""
    while True:
        rows, cursor = site.listing.find(viewer=player.id, player=player.id, cursor=cursor, limit=100)
        matches += [{"id": row.match, "game": row.game, "status": row.status, "created_at": stamp(row.created)} for row in rows]
        if not cursor:
            break
    return {
        **shown(site, player),
        "mail_refused": player.suppressed or None,
        "tokens": [listed(one) for one in site.players.passes(player.id)],
        "keys": [{"kid": key.kid, "name": key.name, "created_at": stamp(key.created)} for key in site.player_keys.of(player.id)],
        "webhooks": webhooks_shown(site, site.webhooks.of(player.id)),
        "signed_in_since": [stamp(at) for at in site.sessions.begun(player.id)],
        "matches": matches,
    }
