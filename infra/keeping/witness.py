"""The witness: signed heads in a file outside Redis, so that a log that comes back older than it was does not pass for whole."""

from __future__ import annotations

import os
from base64 import urlsafe_b64decode
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from fcntl import LOCK_EX, flock
from pathlib import Path
from typing import Any

import msgspec

from domain.chain import canonical
from domain.game import Record
from infra.seals.heads import signed
from infra.seals.keys import Keys
from infra.seals.signing import Signing

COMPACT = 16 << 20  # bytes from which on the file is written anew with the newest head of each match, when that makes it half as long


class Seen(Record, frozen=True):
    """A head as it was witnessed; `jws` proves that the site signed it."""

    version: int
    hash: str  # hex
    jws: str


class _Line(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line of the file: a head, or that a person has looked at a match and what was seen of it before no longer counts."""

    head: str = ""
    released: str = ""


class _Said(msgspec.Struct, frozen=True):
    hash: str
    match: str
    version: int


_line, _said = msgspec.json.Decoder(_Line), msgspec.json.Decoder(_Said)


class Witness:
    """The file `heads.ndjson` of a directory. Several processes may write to it, and several machines where the directory is shared (with locks)."""

    def __init__(self, directory: Path, signing: Signing | Keys) -> None:
        self._file, self._signing = directory / "heads.ndjson", signing
        self._length = 0  # bytes after the last compaction

    @property
    def place(self) -> Path:
        """Where the file is."""
        return self._file

    def record(self, heads: Iterable[tuple[str, int, bytes]]) -> None:
        """Sign and write down matches, versions and hashes; on disk when this returns. Raises OSError."""
        self._write(canonical(_Line(head=self._signing.sign_head(*head))) + b"\n" for head in heads)

    def release(self, match: str) -> None:
        """A person has looked: what was seen of the match so far no longer counts. Raises OSError."""
        self._write([canonical(_Line(released=match)) + b"\n"])

    def newest(self) -> dict[str, Seen]:
        """The newest head of every match; where two of one version differ, the one that was there first."""
        seen: dict[str, Seen] = {}
        try:
            with self._file.open("rb") as paper:
                for raw in paper:
                    _take_in(raw, seen)
        except FileNotFoundError:
            pass
        return seen

    def vouches(self, seen: Seen) -> bool:
        """Whether the site signed this, with a key that it has or had."""
        return self.reads(seen.jws) is not None

    def reads(self, jws: str) -> dict[str, Any] | None:
        """What a head says that a mail or an answer carried; None if this site did not sign it."""
        return signed(self._signing.public(), jws)

    def _write(self, lines: Iterable[bytes]) -> None:
        if not (written := b"".join(lines)):
            return
        with self._locked():
            fd = os.open(self._file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            try:
                os.write(fd, written)
                os.fsync(fd)
                length = os.fstat(fd).st_size
            finally:
                os.close(fd)
            if length > max(COMPACT, 2 * self._length):
                self._compact()

    def _compact(self) -> None:
        draft = self._file.with_suffix(".new")
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as paper:
            for seen in self.newest().values():
                paper.write(canonical(_Line(head=seen.jws)) + b"\n")
            paper.flush()
            os.fsync(paper.fileno())
            self._length = paper.tell()
        draft.replace(self._file)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        fd = os.open(self._file.with_suffix(".lock"), os.O_RDWR | os.O_CREAT, 0o600)
        try:
            flock(fd, LOCK_EX)
            yield
        finally:
            os.close(fd)


def _take_in(raw: bytes, seen: dict[str, Seen]) -> None:
    """One line; a torn or foreign one says nothing."""
    try:
        line = _line.decode(raw)
        if line.released:
            seen.pop(line.released, None)
            return
        middle = line.head.split(".")[1]
        said = _said.decode(urlsafe_b64decode(middle + "=" * (-len(middle) % 4)))
    except (IndexError, ValueError, msgspec.MsgspecError):
        return
    held = seen.get(said.match)
    if held is None or held.version < said.version:
        seen[said.match] = Seen(said.version, said.hash, line.head)
