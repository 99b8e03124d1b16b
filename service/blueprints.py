"""Where the operations hang: those under `/api/v1`, and those that have a fixed place elsewhere."""

from __future__ import annotations

from flask import Blueprint

api = Blueprint("api", __name__, url_prefix="/api/v1")
outside = Blueprint("outside", __name__)
