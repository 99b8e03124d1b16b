"""`forgepost match`: look at a match from the operator's side, verify it, and let it go on when a person has looked."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import click

from domain.chain import stamp
from domain.match.match import Match
from infra.keeping.absence import made_up
from infra.keeping.archive import ArchiveUnavailable
from infra.keeping.archiving import archive, old_enough
from infra.keeping.inspection import Inspection, inspect
from infra.keeping.projections import rebuild, tidy
from infra.wiring import Site, site
from service.commands.where import data_option, ids_argument, settings_of

SPARED: Final = 60_000  # ms


@click.group("match")
def match_group() -> None:
    """See to matches: show, verify, archive, release them."""


@match_group.command()
@ids_argument
@data_option
def show(ids: tuple[str, ...], data: Path | None) -> None:
    """Show where matches stand: head, status, seats, who is to act."""
    here = site(settings_of(data))
    for name in ids:
        for line in _shown(_found(here, name), here.readonly.marked().get(name, "")):
            click.echo(line)


@match_group.command(short_help="Hold matches to their logs, chains, rules and witness.")
@ids_argument
@click.option("--all", "every", is_flag=True, help="Every match there is.")
@click.option("--head", "heads", multiple=True, metavar="JWS", help="A signed head of the match, from a mail or an answer of the API.")
@data_option
def verify(ids: tuple[str, ...], heads: tuple[str, ...], data: Path | None, *, every: bool) -> None:
    """Hold matches to everything there is: chain, head, witness, rules, lots. Status 1 when one does not hold; nothing is changed."""
    here = site(settings_of(data))
    sound = True
    for name in _named(here, ids, every=every):
        found = inspect(here, name, heads)
        sound = sound and found.known and not found.damage
        click.echo(_verdict(found, here.readonly.marked().get(name, "")))
        for words in found.damage:
            click.echo(f"  {words}")
    sys.exit(0 if sound else 1)


@match_group.command()
@ids_argument
@click.option("--all", "every", is_flag=True, help="Every match that is read-only.")
@click.option("--i-have-looked", "looked", is_flag=True, help="A person has looked at what `forgepost match verify` says, and takes what is stored.")
@data_option
def release(ids: tuple[str, ...], data: Path | None, *, every: bool, looked: bool) -> None:
    """Let read-only matches go on from what their logs hold. What was lost stays lost: tell the players."""
    if not looked:
        raise click.UsageError("look first (forgepost match verify ID), tell the players what was lost, then say --i-have-looked")
    here = site(settings_of(data))
    marked = here.readonly.marked()
    released = [_release(here, name) for name in (sorted(marked) if every else ids)]
    if any(released):
        click.echo("Restart the web servers and workers: they may remember these matches as they were.")
    sys.exit(0 if all(released) else 1)


@match_group.command("make-up", short_help="Give back time in which nobody could play.")
@ids_argument
@click.option("--all", "every", is_flag=True, help="Every match that is being played.")
@click.option(
    "--since",
    type=click.DateTime(["%Y-%m-%dT%H:%MZ", "%Y-%m-%dT%H:%M:%SZ"]),
    required=True,
    help="From when on nobody could play, in UTC, as in 2026-11-29T10:00Z.",
)
@data_option
def make_up_time(ids: tuple[str, ...], since: datetime, data: Path | None, *, every: bool) -> None:
    """Give back the time since then: after an outage that the site did not see itself, as one of your mail server.

    The clock counts as if it had stood still, from a match's last event on at most; the players are told, and the history says so. Status 1
    when a match could not be given anything.
    """
    here = site(settings_of(data))
    if bool(ids) == every:
        raise click.UsageError("name matches by their ids, or say --all")
    began = int(since.replace(tzinfo=UTC).timestamp() * 1000)
    if began > here.clock():
        raise click.UsageError(f"{stamp(began)} is yet to come; times are in UTC")
    heads = here.census.heads(sorted(here.census.matches()) if every else ids)
    left = 0
    for name in [name for name, head in heads.items() if not every or (head and head.status == "live" and not head.why)]:
        why = made_up(here, name, began)
        left += bool(why)
        now = None if why else here.desk.look(name).match.due
        click.echo(f"{name}: {why}" if now is None else f"{name} waits until {stamp(now)}")
    sys.exit(1 if left else 0)


@match_group.command("archive", short_help="Move matches that are over to the archive.")
@ids_argument
@click.option("--older-than", "days", type=click.IntRange(min=0), help="Every match that was over so many days ago.")
@data_option
def archive_matches(ids: tuple[str, ...], days: int | None, data: Path | None) -> None:
    """Move matches that are over to the archive (ARCHIVE_URL), where the site still reads them. Status 1 when one was not moved."""
    here = site(settings_of(data))
    if bool(ids) == (days is not None):
        raise click.UsageError("name matches by their ids, or say --older-than DAYS")
    left = 0
    for name in ids if days is None else old_enough(here, days):
        try:
            why = archive(here, name)
        except ArchiveUnavailable as gone:
            raise click.ClickException(f"{gone}; nothing was taken out of Redis") from gone
        left += bool(why)
        click.echo(f"{name} was NOT archived: {why}" if why else f"{name} is in {here.archive.place(name)}")
    sys.exit(1 if left else 0)


@match_group.command("rebuild", short_help="Make listing and deadlines of these matches anew.")
@ids_argument
@data_option
def rebuild_matches(ids: tuple[str, ...], data: Path | None) -> None:
    """Make what is told about matches (listing, deadlines) anew from their logs; nobody gets a mail."""
    _rebuild(site(settings_of(data)), ids)


@click.command("rebuild", short_help="Make listing and deadlines anew from the logs.")
@data_option
def rebuild_all(data: Path | None) -> None:
    """Make everything that is told about matches (listing, deadlines) anew from their logs; nobody gets a mail."""
    here = site(settings_of(data))
    matches = sorted(here.census.matches())
    wrong = _rebuild(here, matches)
    gone = tidy(here)
    click.echo(f"{len(matches)} matches, {wrong} of them put right; {gone} entries of the listing that stood for nothing taken out")


def _rebuild(here: Site, ids: Iterable[str]) -> int:
    """How many were put right."""
    wrong = 0
    for name, words in rebuild(here, ids):
        if words:
            click.echo(f"{name}: {words} put right")
        wrong += bool(words)
    return wrong


def _release(here: Site, name: str) -> bool:
    """Whether it goes on; a match of which nothing is there is no longer waited for."""
    if name not in here.readonly.marked():
        click.echo(f"{name} is not read-only")
        return True
    found = inspect(here, name)
    if found.match is None and found.tip.version:
        click.echo(f"{name} cannot go on: {found.damage[-1]}. Bring its events back from a backup, or leave it as it is.")
        return False
    here.witness.release(name)
    if found.match is None:
        here.readonly.forget(name)
        click.echo(f"{name} is gone, and nobody waits for it any more")
        return True
    at, tip = found.match, found.tip
    spared = at.due and max(at.due, here.clock() + SPARED)  # nobody times out before the time that nobody could play is given back
    if not here.readonly.lift(name, tip.version, tip.hash.hex(), _status(at), spared, at.at):
        click.echo(f"{name} cannot go on: its stream changed meanwhile, or has a gap at its end; verify it once more")
        return False
    here.witness.record([(name, tip.version, tip.hash)])
    click.echo(f"{name} goes on from version {tip.version}")
    if at.status == "live" and not made_up(here, name, 0):
        click.echo(f"  the time since its last event was given back: it waits until {stamp(here.desk.look(name).match.due or 0)}")
    else:
        list(rebuild(here, [name]))  # the deadline is that of the log again
    return True


def _named(here: Site, ids: tuple[str, ...], *, every: bool) -> list[str]:
    if bool(ids) == every:
        raise click.UsageError("name matches by their ids, or say --all")
    return sorted(here.census.matches() | here.readonly.marked().keys()) if every else list(ids)


def _found(here: Site, name: str) -> Inspection:
    found = inspect(here, name)
    if not found.known:
        raise click.ClickException(f"there is no match {name}")
    return found


def _status(match: Match) -> str:
    return "over" if match.status == "aborted" else match.status


def _verdict(found: Inspection, why: str) -> str:
    if not found.known:
        return f"{found.id}: there is no such match"
    closed = "; read-only" if why else ""
    if found.damage:
        return f"{found.id} does NOT hold{closed}:"
    return f"{found.id} holds: {found.tip.version} events, chain, head and rules{closed}"


def _shown(found: Inspection, why: str) -> list[str]:
    head, match = found.head, found.match
    said = [f"{found.id}  {match.game.id if match else 'unreadable'}, {match.status if match else 'unknown'}, version {found.tip.version}"]
    said.append(f"  head       {found.tip.hash.hex()}" + (f", written {stamp(head.at)}" if head else ""))
    if head and head.status == "archived":
        said.append("  archived   its events are in the archive")
    if why:
        said.append(f"  read-only  {why}")
    if match:
        for seat, chair in zip(match.seats, match.chairs, strict=True):
            who = chair.player or ("invited" if chair.invited else "free")
            said.append(f"  {seat:<10} {who}{' (house bot ' + chair.bot + ')' if chair.bot else ''}{' (left)' if seat in match.vacated else ''}")
        said += [f"  to act     {ask.seat}, until {stamp(ask.due)}" for ask in match.asks]
    return said + [f"  damage     {words}" for words in found.damage]
