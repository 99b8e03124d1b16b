"""A link that opens nothing, or nothing any more: what to do about it."""

from __future__ import annotations

from flask import Response

from service.pages import resend
from service.pages.frame import sheet
from service.pages.opening import Opened


def unknown() -> Response:
    """No link of ours, or what is left of one."""
    return sheet("unknown_link.html", 404)


def faded(opened: Opened) -> Response:
    """A link whose time is over, or whose seat is somebody else's by now."""
    return sheet("faded.html", 410, opened=opened, asked=resend.asked(opened))
