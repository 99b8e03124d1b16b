"""Calling the `forgepost` command in this process."""

from pathlib import Path

from click.testing import CliRunner, Result

from service.cli import main


def forgepost(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])
