"""The board as a picture and as text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from domain.desk import Sight
from domain.game import Seat
from domain.match.past import last_actions
from domain.match.refusal import Refused
from infra.pictures import png
from service.api.showing import etag, looked_back, looked_up, tagged
from service.blueprints import api
from service.contract.operations import Call, Gives, Operation, Reply, operation
from service.problems import refusal
from service.schemas.play import PICTURE_QUERY

WIDTH = 720  # pixels of a PNG
SVG: Final = "image/svg+xml"
PNG: Final = "image/png"
TEXT: Final = "text/plain"
POLICY = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"}  # for whoever opens it by itself


def picture(form: str, media: str, about: str) -> Operation:
    """What all pictures have in common."""
    schema = {} if media == PNG else {"type": "string"}  # OpenAPI 3.1 says nothing of bytes
    return Operation(
        method="GET",
        rule=f"/matches/<id>/board.{form}",
        tag="pictures",
        limit="picture" if media == PNG else "by method",
        scope="matches:read",
        public=True,
        query=PICTURE_QUERY,
        gives={200: Gives(about=about, forms={media: schema}, headers=("ETag",)), 304: Gives(about="It is what you have.")},
        refuses=("no-such-match", "no-such-version", "no-such-seat", "not-live"),
    )


@operation(api, picture("svg", SVG, "The board, with its coordinates and the last actions marked."))
def board_svg(call: Call) -> Reply:
    """See the board as SVG."""
    return _drawn(call, SVG, lambda sight, seat: svg(call, sight, seat).encode())


@operation(api, picture("png", PNG, f"The board in {WIDTH} pixels of width and at most 64 colours."))
def board_png(call: Call) -> Reply:
    """See the board as PNG, as it is in the mails."""
    return _drawn(call, PNG, lambda sight, seat: png(svg(call, sight, seat), WIDTH))


@operation(api, picture("txt", TEXT, "The board in letters, then the position as lists; it is the same for every seat."))
def board_txt(call: Call) -> Reply:
    """See the board as text."""
    return _drawn(call, TEXT, lambda sight, _seat: f"{sight.match.game.text(sight.match.state)}\n".encode())


def svg(call: Call, sight: Sight, seat: Seat | None) -> str:
    """The board with the actions that led to this position marked."""
    return sight.match.game.svg(sight.match.state, sight.match.game.look, seat, last_actions(call.site.desk.events(sight.match)))


def _drawn(call: Call, media: str, draw: Callable[[Sight, Seat | None], bytes]) -> Reply:
    sight = looked_up(call)
    if (version := call.query.get("version")) is not None:
        sight = looked_back(call, sight, version)
    if sight.match.state is None:
        raise refusal(Refused("not-live", "there is no board to see: at this version the match had not begun"))
    seat = call.query.get("seat")
    if seat is not None:
        sight.match.must_have(seat)
    headers = tagged(sight) | POLICY
    if call.knows(etag(sight)):
        return Reply(status=304, headers=headers)
    return Reply(draw(sight, seat), headers=headers, media=media)
