"""`forgepost backup` and `forgepost restore`: all of a site on paper, and back."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from domain.chain import stamp
from infra.keeping.backup import CannotBackUp, back_up
from infra.keeping.paper import Manifest
from infra.keeping.restore import CannotRestore, restore, signed_by, verify_backup
from infra.wiring import site
from service.commands.where import data_option, settings_of

MOST = 10  # matches named one by one


@click.command("backup")
@click.argument("directory", type=click.Path(path_type=Path))
@click.option("--check", is_flag=True, help="Write nothing: hold a backup that is there to its hashes and chains.")
@data_option
def backup_command(directory: Path, data: Path | None, *, check: bool) -> None:
    """Write everything to a new DIRECTORY while the site runs. It is signed. Status 1 when a match in it does not hold; it is kept as it is.

    The secrets are not in it: keep FORGEPOST_SECRETS and FORGEPOST_SEED_SECRET (of a development machine, the file secrets in its data
    directory) elsewhere. It holds the players' addresses: only its owner may read it.
    """
    try:
        manifest = verify_backup(directory) if check else back_up(site(settings_of(data)), directory)
        if not check:
            verify_backup(directory)
        signer = signed_by(directory, manifest.keys, "the keys that it names")
    except (CannotBackUp, CannotRestore) as trouble:
        raise click.ClickException(str(trouble)) from trouble
    except OSError as trouble:
        undone = f"{directory} cannot be read" if check else f"{directory} cannot be written, and nothing was kept of it"
        raise click.ClickException(f"{undone}: {trouble}") from trouble
    click.echo(f"{directory}: {_counted(manifest)}, made at {manifest.at}, signed with the key {signer}")
    for match, why in manifest.damaged.items():
        click.echo(f"match {match} does NOT hold: {why}")
    sys.exit(1 if manifest.damaged else 0)


@click.command("restore")
@click.argument("directory", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--unproven", is_flag=True, help="Take a backup also without a signature of this site: you know from elsewhere that it is yours.")
def restore_command(directory: Path, *, unproven: bool) -> None:
    """Put a backup into the EMPTY Redis at EVENTS_REDIS_URL. Nothing is enforced and no mail is sent before a clock is started.

    Then nobody is late: the time since the backup is given back, and whoever is asked is told until when the match waits.
    Start that Redis alone, with the settings and secrets that the site had, restore, look at what is said here, then start the rest.
    """
    here = site(settings_of(None))
    try:
        done = restore(here, directory, unproven=unproven)
    except (CannotRestore, OSError) as trouble:
        raise click.ClickException(str(trouble)) from trouble
    click.echo(f"restored {_counted(done.manifest)}, as they were at {done.manifest.at}")
    for match in done.manifest.damaged:
        click.echo(f"match {match} did not hold when the backup was made: it is read-only")
    if done.unlisted:
        click.echo(f"{len(done.unlisted)} matches are not in the lists yet; when they can be read, `forgepost rebuild` puts them there:")
        for match, why in sorted(done.unlisted.items())[:MOST]:
            click.echo(f"  match {match}: {why.removesuffix(', so nothing was')}")
    if done.late:
        click.echo(f"{len(done.late)} deadlines have passed since; a clock that is started gives all time since then back before it enforces any:")
        for match, due in sorted(done.late.items(), key=lambda late: late[1])[:MOST]:
            click.echo(f"  match {match}, due {stamp(due)}")
    if done.behind:
        click.echo(f"{len(done.behind)} matches had gone on after the backup; they will be read-only until you have looked:")
        for match, why in sorted(done.behind.items())[:MOST]:
            click.echo(f"  match {match}: {why}")


def _counted(manifest: Manifest) -> str:
    return f"{manifest.matches} matches with {manifest.events} events"
