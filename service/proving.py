"""The `forgepost history` commands: what anybody can do with histories as they were downloaded, without a site and without trusting one."""

from __future__ import annotations

import gzip
import sys
import zlib
from collections.abc import Iterator, Sequence
from email import message_from_binary_file
from email.policy import default
from functools import reduce
from io import BufferedReader, RawIOBase
from typing import IO, cast

import click
import msgspec
from msgspec.structs import replace

from domain.chain import canonical
from domain.match.match import begin, evolve
from domain.match.record import record
from domain.match.telling import anonymous
from domain.proof.scrutiny import LARGEST, Flaw, exports, scrutinise
from domain.proof.verify import Report, verify
from domain.proof.witness import Keys, Seen, Witness, witness
from infra.seals.heads import signed

GZIP = b"\x1f\x8b"


@click.group()
def history() -> None:
    """Check and read histories that were downloaded."""


@history.command("verify", short_help="Check histories without trusting whoever wrote them.")
@click.argument("files", nargs=-1, required=True, type=click.File("rb"))
@click.option("--json", "as_json", is_flag=True, help="One JSON object a match.")
@click.option(
    "--keys", type=click.File("rb"), help="The server's public keys, as /.well-known/jwks.json gave them; better than those in the file itself."
)
@click.option(
    "--head", "heads", multiple=True, metavar="VERSION:HASH", help="A head that you saw; MATCH:VERSION:HASH where the files hold more than one."
)
@click.option("--head-jws", "jws", multiple=True, metavar="JWS", help="A signed head that you were given; it must be signed with the server's keys.")
@click.option("--mail", "mails", multiple=True, type=click.File("rb"), help="A saved mail of the match: the signed head is taken from it.")
def verify_history(
    files: tuple[IO[bytes], ...], *, as_json: bool, keys: IO[bytes] | None, heads: tuple[str, ...], jws: tuple[str, ...], mails: tuple[IO[bytes], ...]
) -> None:
    """Check histories without trusting whoever wrote them; one line a match. Status 1 when one does not hold.

    A file may be compressed with gzip and may hold many histories, one after the other; - is standard input.
    """
    known = _published(keys) if keys else None
    seen: list[Seen] = [*map(_seen, heads), *jws, *map(_enclosed, mails)]
    sound, met = True, set[int]()
    for file in files:
        name = getattr(file, "name", "-")
        for _, report in _reports(file, known, seen):
            sound = sound and not report.flaws
            met.update(report.witnessed)
            if as_json:
                click.echo(canonical({"file": name, "sound": not report.flaws, **msgspec.to_builtins(report)}))
            else:
                click.echo(f"{name}: {report.words}")
    if sound and (missing := len(seen) - len(met)):
        sound = False
        click.echo(f"{missing} of the heads that were seen elsewhere {'is' if missing == 1 else 'are'} of no match in these files", err=True)
    sys.exit(0 if sound else 1)


@history.command("show")
@click.argument("files", nargs=-1, required=True, type=click.File("rb"))
def show_history(files: tuple[IO[bytes], ...]) -> None:
    """Write histories as texts to read, each with what holds. Players are called by their ids. Status 1 when one does not hold."""
    sound = True
    for file in files:
        for export, report in _reports(file):
            sound = sound and not report.flaws
            if not report.flaws:
                read = scrutinise(export)
                first, *later = read.log
                match = reduce(evolve, later, begin(report.match, first))
                click.echo(record(read.log, anonymous(match, read.log), report.hash, (read.trailer and read.trailer.signature) or ""))
            click.echo(report.words, err=bool(report.flaws))
    sys.exit(0 if sound else 1)


def _reports(file: IO[bytes], keys: Keys | None = None, seen: Sequence[Seen] = ()) -> Iterator[tuple[bytes, Report]]:
    """Each export in a file, and what holds of it. What cannot be unpacked any further does not hold, and the other files are read all the same."""
    broken: list[str] = []
    for export in exports(_lines(file, broken)):
        report = verify(export, signed, keys, seen)
        flaws = (Flaw("form", export.count(b"\n") + 1, words) for words in broken)
        yield export, replace(report, holds=(), flaws=(*flaws, *report.flaws)) if broken else report


def _lines(file: IO[bytes], broken: list[str]) -> Iterator[bytes]:
    """A file line by line, unpacked if it is packed, up to where it is broken; a line that never ends comes in pieces."""
    with BufferedReader(cast("RawIOBase", file)) as packed:
        plain = gzip.GzipFile(fileobj=packed) if packed.peek(2)[:2] == GZIP else packed
        try:
            while line := plain.readline(LARGEST):
                yield line
        except (EOFError, gzip.BadGzipFile, zlib.error) as wrong:
            broken.append(f"its file cannot be unpacked: {wrong}")


def _published(file: IO[bytes]) -> Keys:
    try:
        return msgspec.json.decode(file.read(), type=_KeySet).keys
    except msgspec.MsgspecError as wrong:
        words = f"{getattr(file, 'name', '-')} is no set of public keys as /.well-known/jwks.json gives it: {wrong}"
        raise click.BadParameter(words, param_hint="--keys") from wrong


def _seen(said: str) -> Witness:
    try:
        return witness(said)
    except ValueError as wrong:
        raise click.BadParameter(str(wrong), param_hint="--head") from wrong


def _enclosed(mail: IO[bytes]) -> str:
    """The signed head in a mail."""
    head = message_from_binary_file(mail, policy=default)["Forgepost-Head"]
    if head is None:
        words = f"{getattr(mail, 'name', '-')} is no mail of a match with all its headers: save it as it came (“show original”, .eml)"
        raise click.BadParameter(words, param_hint="--mail")
    return "".join(str(head).split())


class _KeySet(msgspec.Struct):
    keys: Keys
