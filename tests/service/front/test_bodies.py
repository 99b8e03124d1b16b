"""How the body of a request is taken in: until its length is there, or until the server says that it is over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from service.front.body import Body, taken
from tests.loop import looped

LENGTH = (b"content-length", b"10")


def took(headers: Sequence[tuple[bytes, bytes]], *pieces: tuple[bytes, bool]) -> Body | None:
    """What is made of these pieces, each with whether the server says that more comes; whoever asks for one more fails."""
    messages = iter([{"type": "http.request", "body": piece, "more_body": more} for piece, more in pieces])

    async def receive() -> Any:
        return next(messages)

    async def read() -> Body | None:
        body = await taken({"headers": headers}, receive)
        assert next(messages, None) is None
        return body

    return looped(read())


@pytest.mark.parametrize(
    ("headers", "pieces"),
    [
        ([(b"host", b"localhost"), LENGTH], [(b"ten bytes.", True)]),
        ([LENGTH], [(b"ten ", True), (b"", True), (b"bytes.", True)]),
        ([LENGTH], [(b"ten bytes.", False)]),
        ([(b"transfer-encoding", b"chunked")], [(b"ten bytes.", True), (b"", False)]),
        ([LENGTH, LENGTH], [(b"ten bytes.", True), (b"", False)]),
        ([LENGTH, (b"transfer-encoding", b"chunked")], [(b"ten bytes.", True), (b"", False)]),
        ([(b"content-length", b"+10")], [(b"ten bytes.", True), (b"", False)]),
    ],
)
def test_a_body_is_over_at_its_length_and_where_that_is_not_plain_when_the_server_says_so(
    headers: list[tuple[bytes, bytes]], pieces: list[tuple[bytes, bool]]
):
    """Given a request with these headers, when its body comes in these pieces, then all of them are taken and none more is waited for."""
    assert took(headers, *pieces) == Body(b"ten bytes.")


def test_no_body_is_waited_for_where_none_comes():
    assert took([(b"host", b"localhost")]) == Body()
    assert took([(b"content-length", b"0")]) == Body()
    assert took([(b"content-length", b"000")]) == Body()


def test_who_goes_before_the_length_is_there_has_sent_no_body():
    async def receive() -> Any:
        return {"type": "http.disconnect"}

    assert looped(taken({"headers": [LENGTH]}, receive)) is None
