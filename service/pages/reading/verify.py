"""The page that checks a history in the browser, for whoever installs nothing; the file goes nowhere."""

from __future__ import annotations

from flask import Response

from service.pages.frame import SCRIPTED, pages, sheet


@pages.get("/verify", strict_slashes=False)
def verify() -> Response:
    """The same for everybody."""
    page = sheet("verify.html")
    page.headers["Content-Security-Policy"] = SCRIPTED
    return page
