"""`forgepost player`: players, from the operator's side."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import click

from domain.chain import stamp
from infra.ids import is_player_id
from infra.people.erasure import erase as forget
from infra.people.erasure import matches_of, under_way
from infra.people.players import SCOPES, Player, TooMany
from infra.wiring import Site, site
from service.commands.where import data_option, settings_of

PLAYING = tuple(scope for scope in SCOPES if scope != "admin")
DAY = 86_400_000  # ms

scope_option = click.option("--scope", "scopes", multiple=True, type=click.Choice(SCOPES), help="What the token allows; may be given several times.")


@click.group("player")
def player_group() -> None:
    """See to players: add, show, rename, erase them, make tokens."""


@player_group.command(short_help="Add a player and print the id.")
@click.argument("name")
@click.argument("email")
@click.option("--token", is_flag=True, help="Print an API token too, with which a program can create, read and play matches; it is shown this once.")
@scope_option
@data_option
def add(name: str, email: str, scopes: tuple[str, ...], data: Path | None, *, token: bool) -> None:
    """Add a player and print the id; a known address is a known player."""
    players = site(settings_of(data)).players
    added = players.add(name, email)
    if added.name != name:
        click.echo(f"{email} is known already, as {added.name}", err=True)
    click.echo(added.id)
    if token or scopes:
        click.echo(players.new_token(added.id, scopes or PLAYING, "forgepost player add"))


@player_group.command("list", short_help="List all players, and whether mail reaches them.")
@data_option
def list_players(data: Path | None) -> None:
    """List all players: id, name, address, and whether mail reaches them."""
    for known in site(settings_of(data)).players.everybody():
        click.echo(f"{known.id}  {known.name}  <{known.address}>{_state(known)}")


@player_group.command()
@click.argument("who")
@data_option
def show(who: str, data: Path | None) -> None:
    """Show a player, named by id or address."""
    here = site(settings_of(data))
    known = named(here, who)
    click.echo(f"{known.id}\nname     {known.name}\naddress  {known.address}{_state(known)}\nzone     {known.zone}\nsince    {stamp(known.created)}")
    for one in here.players.passes(known.id):
        used = f"used {stamp(one.used)}" if one.used else "never used"
        click.echo(f"token    {one.id}  {one.name}: {' '.join(one.scopes)}; {used}{f'; until {stamp(one.expires)}' if one.expires else ''}")
    for key in here.player_keys.of(known.id):
        click.echo(f"key      {key.kid}  {key.name}")
    for match in matches_of(here, known.id):
        click.echo(f"match    {match}")


@player_group.command()
@click.argument("who")
@scope_option
@click.option("--name", default="forgepost player token", show_default=True, help="What it is for.")
@click.option("--days", type=click.IntRange(1, 3650), help="How long it is good; without, until it is revoked.")
@click.option("--revoke", metavar="ID", help="Revoke the token with this id instead.")
@data_option
def token(who: str, scopes: tuple[str, ...], name: str, days: int | None, revoke: str | None, data: Path | None) -> None:
    """Make an API token for a player and print it, or revoke one. Only here can one have the scope `admin`."""
    here = site(settings_of(data))
    known = named(here, who)
    if revoke:
        if not here.players.revoke(known.id, revoke):
            raise click.ClickException(f"{known.id} has no token {revoke}; forgepost player show {known.id} lists them")
        return
    expires = int(datetime.now(UTC).timestamp() * 1000) + days * DAY if days else None
    try:
        click.echo(here.players.new_token(known.id, scopes or PLAYING, name, expires))
    except TooMany as full:
        raise click.ClickException(str(full)) from full


@player_group.command()
@click.argument("who")
@click.argument("name")
@data_option
def rename(who: str, name: str, data: Path | None) -> None:
    """Give a player another name."""
    here = site(settings_of(data))
    here.players.rename(named(here, who).id, name)


@player_group.command(short_help="Send no more mail to a player, or again.")
@click.argument("who")
@click.argument("why", default="by whoever runs this site")
@click.option("--lift", is_flag=True, help="Send mail there again.")
@data_option
def suppress(who: str, why: str, data: Path | None, *, lift: bool) -> None:
    """Send no more mail to a player, until they sign in or open a link; or (--lift) again."""
    here = site(settings_of(data))
    here.players.suppress(named(here, who).id, "" if lift else why)


@player_group.command(short_help="Erase a player: name, address, keys, tokens, seats.")
@click.argument("who")
@click.option("--yes", "sure", is_flag=True, help="Do not ask back.")
@data_option
def erase(who: str, data: Path | None, *, sure: bool) -> None:
    """Erase a player: name, address, keys, tokens; seats in running matches are resigned. Histories stay, and name a former player."""
    here = site(settings_of(data))
    player = who if is_player_id(who) and (here.players.get(who) or who in under_way(here)) else named(here, who).id
    matches = matches_of(here, player)
    if not sure:
        click.echo(f"{player} will be erased, and leaves {len(matches)} matches that are not over. This cannot be undone.")
        click.confirm("Erase?", abort=True)
    forget(here, player, "web")
    click.echo(f"{player} is erased")


def named(here: Site, who: str) -> Player:
    """Somebody by id or address. Raises ClickException."""
    known = here.players.get(who) if is_player_id(who) else here.players.by_address(who)
    if known is None:
        raise click.ClickException(f"there is no player {who}; forgepost player list shows them all")
    return known


def _state(known: Player) -> str:
    said = [] if known.confirmed else ["has not answered yet"]
    said += [f"no mail: {known.suppressed}"] if known.suppressed else []
    return f"  ({'; '.join(said)})" if said else ""
