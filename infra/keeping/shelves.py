"""Where bundles of the archive are kept: in a directory, or in a bucket of an S3-compatible store."""

from __future__ import annotations

import os
from pathlib import Path
from secrets import token_hex
from typing import Protocol
from urllib.parse import unquote, urlsplit

import obstore
from obstore.exceptions import BaseError
from obstore.store import S3Store

PATIENCE = "10s"  # for one request to the store
TRIES = 2  # after the first


class ShelfError(Exception):
    """The archive cannot be read or written just now; the words say why."""


class Shelf(Protocol):
    """A place for files with names like `07/07-….ndjson`."""

    def named(self, name: str) -> str:
        """Where the file is, or would be, for people."""
        ...

    def put(self, name: str, held: bytes) -> None:
        """Kept when this returns, whole or not at all. Raises ShelfError."""
        ...

    def get(self, name: str) -> bytes | None:
        """The file, None where there is none. Raises ShelfError."""
        ...


class Directory:
    """Files on this machine, each on disk before it counts."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def named(self, name: str) -> str:
        return str(self._root / name)

    def put(self, name: str, held: bytes) -> None:
        try:
            self._write(self._root / name, held)
        except OSError as gone:
            raise ShelfError(f"the archive cannot be written to: {gone}") from gone

    def get(self, name: str) -> bytes | None:
        try:
            return (self._root / name).read_bytes()
        except FileNotFoundError:
            return None
        except OSError as gone:
            raise ShelfError(f"the archive cannot be read: {gone}") from gone

    def _write(self, place: Path, held: bytes) -> None:
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = place.with_suffix(f".{token_hex(4)}")
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as paper:
            paper.write(held)
            paper.flush()
            os.fsync(paper.fileno())
        draft.replace(place)
        fd = os.open(place.parent, os.O_RDONLY)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)


class Bucket:
    """Objects in a bucket, under a prefix. Keys, region and endpoint come from the environment, by the names that AWS's own tools know."""

    def __init__(self, bucket: str, prefix: str) -> None:
        self._url = f"s3://{bucket}/{prefix}/" if prefix else f"s3://{bucket}/"
        endpoint = os.environ.get("AWS_ENDPOINT_URL", "")
        self._store = S3Store(
            bucket,
            prefix=prefix or None,
            region=os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION") or "us-east-1",
            client_options={"timeout": PATIENCE, "connect_timeout": PATIENCE, "allow_http": endpoint.startswith("http:")},
            retry_config={"max_retries": TRIES},
        )

    def named(self, name: str) -> str:
        return self._url + name

    def put(self, name: str, held: bytes) -> None:
        try:
            obstore.put(self._store, name, held)
        except (BaseError, OSError) as gone:
            raise ShelfError(f"the archive cannot be written to: {_first(gone)}") from gone

    def get(self, name: str) -> bytes | None:
        try:
            return bytes(obstore.get(self._store, name).bytes())
        except FileNotFoundError as missing:
            if "NoSuchBucket" in str(missing):
                raise ShelfError(f"the archive cannot be read: there is no bucket for {self._url}") from missing
            return None
        except (BaseError, OSError) as gone:
            raise ShelfError(f"the archive cannot be read: {_first(gone)}") from gone


def shelf(url: str) -> Shelf:
    """The shelf behind `file:///srv/archive` (or that path) or `s3://bucket/prefix`; ValueError for any other address."""
    parts = urlsplit(url)
    if parts.scheme == "s3" and parts.netloc and "@" not in parts.netloc and not parts.query:
        return Bucket(parts.netloc, unquote(parts.path).strip("/"))
    path = Path(unquote(parts.path)) if parts.scheme == "file" else Path(url)
    if parts.scheme not in {"", "file"} or parts.netloc or not path.is_absolute():
        raise ValueError(url)
    return Directory(path)


def _first(error: Exception) -> str:
    """What a person needs of it: the first line, without the debug part."""
    return str(error).strip().splitlines()[0]
