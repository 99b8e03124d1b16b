"""The `forgepost` command: run everything or one part of it, look after it, check a history."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import NoReturn

import click

from domain.ports import LogUnavailable
from infra.embedded import NoServer
from infra.people.spelling import Misspelled
from infra.settings import Settings, SettingsError
from service.checkup.doctor import examine
from service.commands.keeping import backup_command, restore_command
from service.commands.mail import mail_group
from service.commands.match import match_group, rebuild_all
from service.commands.player import player_group
from service.commands.where import HERE, data_option, name_server, settings_of
from service.proving import history
from service.running.household import QUEUES, CannotRun, keep_house
from service.running.lease import InUse, NotRunning
from service.running.ports import NoPort

host_option = click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at; 0.0.0.0 for every one of this machine.")
port_option = click.option("--port", type=click.IntRange(1, 65_535), default=8000, show_default=True, help="The port to listen at.")


class Command(click.Group):
    """A group whose known troubles end with their words and status 1, not with a traceback."""

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except (CannotRun, InUse, LogUnavailable, Misspelled, NoPort, NoServer, NotRunning, SettingsError) as trouble:
            raise click.ClickException(str(trouble)) from trouble


@click.group(cls=Command, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="forgepost")
def main() -> None:
    """Board games by mail. `forgepost run` starts everything on this machine.

    Otherwise the environment says which site is meant (FORGEPOST_URL and others), or --data the directory of a `forgepost run`. Status 0: it is done;
    1: it could not be done, or something must be done, as is said; 2: the command line is wrong.
    """


@main.command(short_help="Run everything on this machine, to play or to try it.")
@host_option
@port_option
@click.option(
    "--data", type=click.Path(file_okay=False, path_type=Path), default=HERE, show_default=True, help="Where matches, mails and logs are kept."
)
@click.option("--url", help="The address in links, where others reach this machine by another name, as in http://tower.local:8000.")
def run(host: str, port: int, data: Path, url: str | None) -> None:
    """Run everything on this machine: Redis, web, workers, clock and a mailbox that receives all mails."""
    try:
        data.mkdir(parents=True, exist_ok=True)
    except OSError as wrong:
        raise CannotRun(f"the data directory {data} cannot be made: {wrong.strerror}") from wrong
    keep_house(data.absolute(), host, port, url, click.echo)


@main.command()
@host_option
@port_option
def web(host: str, port: int) -> None:
    """Run the web server alone, as the environment configures it."""
    from service.web import serve  # noqa: PLC0415 - only who serves loads the whole service

    Settings.from_env(os.environ)  # what is wrong is said here once, and not by every worker process
    serve(host, port)


@main.command(short_help="Run a worker for one queue.")
@click.argument("queue", type=click.Choice(QUEUES))
def worker(queue: str) -> None:
    """Run a worker for one queue: notices, deadlines, bots, webhooks or inbound."""
    _become("worker", queue)


@main.command()
def clock() -> None:
    """Run the clock, which sees to it that deadlines are kept."""
    _become("clock")


@main.command("mail-in", short_help="Take replies, from a mail server or a mailbox.")
def mail_in() -> None:
    """Take replies: from our mail server (MAIL_IN_URL), or from a mailbox (IMAP_URL)."""
    _become("mail-in")


@main.command(short_help="Run the development mailbox, which delivers no mail.")
@click.option("--port", type=click.IntRange(1, 65_535), default=2525, show_default=True, help="The SMTP port to listen at, on 127.0.0.1.")
def mailbox(port: int) -> None:
    """Run the development mailbox, which receives every mail and delivers none."""
    _become("mailbox", "--port", str(port))


main.add_command(player_group)
main.add_command(history)


main.add_command(mail_group)
main.add_command(match_group)
main.add_command(rebuild_all)
main.add_command(backup_command)
main.add_command(restore_command)


@main.command(short_help="Say what is missing, broken or at risk, and what to do.")
@data_option
@click.option("--dns", default="", metavar="ADDRESS", callback=name_server, help="The name server to ask about the mail domain, as in 9.9.9.9.")
def doctor(data: Path | None, dns: str) -> None:
    """Say what is configured, what is not, and what would not survive a crash. Status 1 when something must be done.

    Asks Redis, the web server, the mail server (without sending a mail) and the DNS, each with a time limit; changes nothing.
    """
    sys.exit(0 if examine(settings_of(data), click.echo, dns) else 1)


def _become(*command: str) -> NoReturn:
    """The workers are a house of their own: this process becomes theirs."""
    Settings.from_env(os.environ)
    os.execv(sys.executable, [sys.executable, "-m", "workers", *command])  # noqa: S606


if __name__ == "__main__":
    main()
