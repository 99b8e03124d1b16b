"""`forgepost mail`: what of the site's mail waits, what is stuck, whom it does not reach, and a mail to try the way."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path

import click

from domain.chain import stamp
from domain.times import span
from infra.mail import bounces
from infra.mail.inbox import Parked
from infra.outbox import Held
from infra.people.players import NoSuchPlayer
from infra.people.spelling import address as spelled
from infra.wiring import Site, site
from service.commands.player import named
from service.commands.where import data_option, settings_of

SHOWN = 50  # notices, unless all are asked for


@click.group("mail")
def mail_group() -> None:
    """See to the mail: try it, see what waits, is stuck or came in."""


@mail_group.command(short_help="Send a test mail, and say what became of it.")
@click.argument("address")
@data_option
def test(address: str, data: Path | None) -> None:
    """Send a test mail to ADDRESS as every mail is sent, and say what the mail server said and what to look at. Status 1 when it was not taken."""
    to, settings = spelled(address), settings_of(data)
    environ = {**os.environ, **settings.environ()}
    os.execve(sys.executable, [sys.executable, "-m", "workers", "trial", to], environ)  # noqa: S606 - writing mails is the workers' business


@mail_group.command(short_help="List what waits to be sent, and why.")
@click.option("--all", "every", is_flag=True, help=f"All of them, and not only the next {SHOWN}.")
@data_option
def waiting(data: Path | None, *, every: bool) -> None:
    """List what waits to be sent, the next first: when it is tried, and what was in its way the last time."""
    here = site(settings_of(data))
    held, now = here.outbox.queued(), here.clock()
    for one in held if every else held[:SHOWN]:
        due = "due now" if one.at <= now else f"in {span(one.at - now)}"
        click.echo(f"{_named(one)}, {due}{f'; put off: {one.why}' if one.why else ''}")
    stuck = sum(bool(one.why) for one in held)
    click.echo(f"{len(held)} wait, {stuck} of them because they could not be sent before")


@mail_group.command()
@data_option
def parked(data: Path | None) -> None:
    """List the mails that are stuck, those that came in as well. It says why; then: `forgepost mail retry`, `drop` or `show`."""
    here = site(settings_of(data))
    held = _held(here)
    for one in held:
        click.echo(f"{_named(one)}, parked {stamp(one.at)}: {one.why or 'the log of the workers says why'}")
    if not held:
        click.echo("nothing is parked")


@mail_group.command(short_help="Show a mail that came in and is parked.")
@click.argument("name")
@data_option
def show(name: str, data: Path | None) -> None:
    """Show a mail that came in and cannot be dealt with, byte for byte where it goes into a file; a terminal gets no control characters."""
    here = site(settings_of(data))
    (one,) = _chosen(here, (name,), every=False)
    if isinstance(one, Held):
        click.echo(f"{_named(one)}: it is not written yet, and cannot be sent: {one.why}")
        return
    raw, envelope = here.inbox.open(one.mail) or (b"", None)
    if _to_a_terminal() and envelope:
        click.echo(f"from {_harmless(envelope.sender or 'nobody')} to {_harmless(', '.join(envelope.to) or 'whom its headers name')}\n")
        click.echo(_harmless(raw.decode(errors="backslashreplace").replace("\r\n", "\n")))
    else:
        click.echo(raw, nl=False)


names_argument = click.argument("names", metavar="NAME…", nargs=-1)
all_option = click.option("--all", "every", is_flag=True, help="Everything that is parked.")


@mail_group.command(short_help="Try parked mails again, once their cause is mended.")
@names_argument
@all_option
@data_option
def retry(names: tuple[str, ...], data: Path | None, *, every: bool) -> None:
    """Try parked mails again, once their cause is mended; NAME is the first word of a line of `forgepost mail parked`."""
    here = site(settings_of(data))
    for one in _chosen(here, names, every=every):
        now = here.clock()
        if here.outbox.release(one.notice, now) if isinstance(one, Held) else here.inbox.release(one.mail, now):
            click.echo(f"{_named(one)}: is tried again")


@mail_group.command()
@names_argument
@all_option
@click.option("--yes", "sure", is_flag=True, help="Do not ask back.")
@data_option
def drop(names: tuple[str, ...], data: Path | None, *, every: bool, sure: bool) -> None:
    """Throw parked mails away: they are never sent, or dealt with. Matches and deadlines stay as they are."""
    here = site(settings_of(data))
    chosen = _chosen(here, names, every=every)
    for one in chosen if not sure else ():
        click.echo(_named(one))
    if chosen and not sure:
        click.confirm("Throw these away?", abort=True)
    for one in chosen:
        if here.outbox.drop(one.notice) if isinstance(one, Held) else here.inbox.drop(one.mail):
            click.echo(f"{_named(one)}: is dropped")


@mail_group.command(short_help="List players whom mail does not reach, or lift that.")
@click.option("--lift", metavar="WHO", multiple=True, help="Send mail to this player (id or address) again; may be given several times.")
@data_option
def suppressed(lift: tuple[str, ...], data: Path | None) -> None:
    """List the players who get no mail because it came back, and why; or (--lift) send them mail again."""
    here = site(settings_of(data))
    for who in lift:
        known = named(here, who)
        try:
            here.players.suppress(known.id, "")
        except NoSuchPlayer as gone:
            raise click.ClickException(f"player {known.id} has just been erased") from gone
        bounces.forget(here, known.id)
        click.echo(f"{known.id}  {known.name}  <{known.address}> gets mail again")
    if lift:
        return
    silent = [known for known in here.players.everybody() if known.suppressed]
    for known in silent:
        click.echo(f"{known.id}  {known.name}  <{known.address}>: {known.suppressed}")
    if not silent:
        click.echo("nobody is suppressed")


@mail_group.command(short_help="List what came in last, and what became of it.")
@click.option("--last", type=click.IntRange(1, 2000), default=20, show_default=True, help="How many.")
@data_option
def received(last: int, data: Path | None) -> None:
    """List the mails that came in last, the newest first, and what became of each: replies, bounces, and what was neither."""
    here = site(settings_of(data))
    found = list(here.inbox.record(last))
    for became in found:
        whose = (f" of {became.player}" if became.player else "") + (f" about match {became.match}" if became.match else "")
        click.echo(f"{stamp(became.at)}  {became.sort}{whose}: {became.words}")
    if waiting := here.inbox.waiting():
        click.echo(f"{waiting} wait to be dealt with")
    elif not found:
        click.echo("no mail has come in yet")


def _named(one: Held | Parked) -> str:
    if isinstance(one, Parked):
        return f"{one.name}  came in from {_harmless(one.sender or 'nobody')}, {one.size} bytes"
    notice = one.notice
    return f"{one.name}  {notice.kind} of {f'match {notice.match}' if notice.match else 'the account'} to {notice.player}"


def _to_a_terminal() -> bool:
    return sys.stdout.isatty()


def _harmless(text: str) -> str:
    """What others wrote, as a terminal may have it: no sign that moves or colours."""
    return "".join(sign if sign.isprintable() or sign in "\n\t" else f"\\x{ord(sign):02x}" for sign in text)


def _held(here: Site) -> list[Held | Parked]:
    return [*here.outbox.parked_with_cause(), *here.inbox.parked_with_cause()]


def _chosen(here: Site, names: Iterable[str], *, every: bool) -> list[Held | Parked]:
    held = _held(here)
    known = {one.name: one for one in held}
    if not every and not names:
        raise click.UsageError("name what is meant (forgepost mail parked lists it), or give --all")
    if unknown := [name for name in names if name not in known]:
        raise click.ClickException(f"{', '.join(unknown)}: nothing of that name is parked; forgepost mail parked lists what is")
    return held if every else [known[name] for name in names]
