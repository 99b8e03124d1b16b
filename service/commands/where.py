"""Which site a command is about: that of a run on a data directory, or the one that the environment names."""

from __future__ import annotations

import os
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

import click

from infra.ids import is_match_id
from infra.settings import Settings
from service.running.lease import running

HERE = Path("var")

data_option = click.option(
    "--data", type=click.Path(file_okay=False, path_type=Path), help="The data directory of a `forgepost run`; else the environment says where."
)


def settings_of(data: Path | None) -> Settings:
    """Of the run on a data directory, of the environment if that says anything, or of the run on ./var. Raises SettingsError and NotRunning."""
    if data is None and ("EVENTS_REDIS_URL" in os.environ or "FORGEPOST_URL" in os.environ):
        return Settings.from_env(os.environ)
    data = (data or HERE).absolute()
    return running(data).settings(data)


def match_ids(_ctx: click.Context, _param: click.Parameter, names: tuple[str, ...]) -> tuple[str, ...]:
    """The ids on the command line, if they can be ids of matches."""
    for name in names:
        if not is_match_id(name):
            raise click.BadParameter(f"{name} is no id of a match; one looks like 07-0123456789")
    return names


ids_argument = click.argument("ids", metavar="ID…", nargs=-1, callback=match_ids)


def name_server(_ctx: click.Context, _param: click.Parameter, address: str) -> str:
    """The address of a name server, perhaps with a port, if it can be one."""
    try:
        place = urlsplit(f"//{address}")
        sound = not address or bool(ip_address(place.hostname or "") and place.port != 0 and place.netloc == address)
    except ValueError:
        sound = False
    if not sound:
        raise click.BadParameter(f"{address} is no address of a name server; one looks like 9.9.9.9 or 127.0.0.1:5353")
    return address
