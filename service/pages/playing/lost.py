"""For whoever has lost the link: their address brings it back, to their mailbox and nowhere else."""

from __future__ import annotations

from contextlib import suppress

from flask import Response, request

from domain.match.reading import plain
from domain.match.refusal import Refused
from infra.people.spelling import Misspelled
from service.here import site
from service.pages import resend
from service.pages.frame import go, pages, sentence, sheet

MOST = 20  # matches whose links are mailed at once


@pages.get("/lost", strict_slashes=False)
def lost() -> Response:
    """The form."""
    return sheet("lost.html", address="", wrong="")


@pages.post("/lost", strict_slashes=False)
def find() -> Response:
    """Mail the links of all turns that wait for this address. The answer is the same for addresses that nobody plays with."""
    said = request.form.get("address", "")
    try:
        player = site().players.by_address(said)
    except Misspelled as wrong:
        return sheet("lost.html", 422, address=plain(said, 254), wrong=sentence(str(wrong), said.strip()))
    if player is not None:
        rows, _ = site().listing.find(viewer=player.id, awaiting=player.id, limit=MOST)
        for row in rows:
            with suppress(Refused):  # one that is damaged is no reason to keep the others back
                resend.mail(site().desk.look(row.match).match, player.id)
    return go("pages.found")


@pages.get("/lost/mailed")
def found() -> Response:
    """Where the form leads."""
    return sheet("found.html")
