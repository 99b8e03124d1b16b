"""Where the archive is kept: a directory and an S3-compatible store promise the same, and say in words what is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path

import pytest
from moto.server import ThreadedMotoServer

from infra.keeping.shelves import Bucket, Directory, Shelf, ShelfError, shelf

NAME = "07/07-0000000001.ndjson"


@pytest.fixture(scope="module")
def store() -> Iterator[str]:
    """The address of a store with one bucket, `kept`."""
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    address = f"http://{host}:{port}"
    line = HTTPConnection(host, port)
    line.request("PUT", "/kept")
    assert line.getresponse().status == 200
    line.close()
    yield address
    server.stop()


@pytest.fixture(params=["directory", "bucket"])
def kept(request: pytest.FixtureRequest, tmp_path: Path, store: str, monkeypatch: pytest.MonkeyPatch) -> Shelf:
    """Each kind of shelf, by its address."""
    for name, value in {"AWS_ENDPOINT_URL": store, "AWS_ACCESS_KEY_ID": "id", "AWS_SECRET_ACCESS_KEY": "secret"}.items():
        monkeypatch.setenv(name, value)
    return shelf(f"file://{tmp_path}/ar%20chive" if request.param == "directory" else f"s3://kept/{request.node.name[:20]}")


def test_what_is_put_there_comes_back_byte_for_byte(kept: Shelf):
    assert kept.get(NAME) is None
    kept.put(NAME, b"one\xff\n" * 40_000)
    assert kept.get(NAME) == b"one\xff\n" * 40_000
    kept.put(NAME, b"two\n")
    assert kept.get(NAME) == b"two\n"


def test_each_says_where_a_file_is(tmp_path: Path):
    assert shelf(f"{tmp_path}").named(NAME) == f"{tmp_path}/{NAME}"
    assert shelf("s3://kept/a/b/").named(NAME) == f"s3://kept/a/b/{NAME}"
    assert shelf("s3://kept").named(NAME) == f"s3://kept/{NAME}"
    assert isinstance(shelf("s3://kept"), Bucket)
    assert isinstance(shelf("file:///srv/a"), Directory)


@pytest.mark.parametrize("url", ["archive", "file://host/x", "s3://", "s3://id:secret@kept", "https://x/y", "s3://kept?x=y"])
def test_other_addresses_are_no_shelves(url: str):
    with pytest.raises(ValueError, match=r".+"):
        shelf(url)


def test_a_bucket_that_is_not_there_is_not_taken_for_an_empty_one(store: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("AWS_ENDPOINT_URL", store)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "id")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    lost = shelf("s3://lost/x")
    with pytest.raises(ShelfError, match="there is no bucket for s3://lost/x/"):
        lost.get(NAME)
    with pytest.raises(ShelfError, match="the archive cannot be written to"):
        lost.put(NAME, b"x")


def test_a_store_that_is_away_is_said_in_one_line(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "id")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    with pytest.raises(ShelfError) as away:
        shelf("s3://kept").get(NAME)
    assert str(away.value).startswith("the archive cannot be read: ")
    assert "\n" not in str(away.value)


def test_a_directory_that_cannot_be_written_is_said_in_words(tmp_path: Path):
    (tmp_path / "07").write_text("in the way")
    with pytest.raises(ShelfError, match="the archive cannot be written to"):
        Directory(tmp_path).put(NAME, b"x")
