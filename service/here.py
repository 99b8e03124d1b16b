"""The site that the request at hand is served by."""

from __future__ import annotations

from typing import cast

from flask import current_app

from infra.wiring import Site


def site() -> Site:
    """What `create_app` was given; needs an application context."""
    return cast("Site", current_app.extensions["forgepost"])
