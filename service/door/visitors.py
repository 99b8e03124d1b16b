"""How many pages one address may ask for, start matches from, and have mails sent by."""

from __future__ import annotations

from typing import Final

from flask import request

from infra.limits.quotas import Kind
from service.blueprints import api, outside
from service.door.asking import asking
from service.door.limits import hold_back

MAILING: Final = frozenset(["pages.ask_to_sign_in", "pages.sign_up", "pages.find"])
CREATING: Final = frozenset(["pages.begin"])
FREE: Final = frozenset(["static", "pages.paints"])  # kept by browsers


def hold_back_visitors() -> None:
    """Count a request of a page, or of nothing that there is; the operations of the API see to it themselves. Raises Problem."""
    if request.blueprint in (api.name, outside.name) or request.endpoint in FREE:
        return
    posts = request.method == "POST"
    kind: Kind = "mail" if posts and request.endpoint in MAILING else "create" if posts and request.endpoint in CREATING else "page"
    hold_back(asking(), kind)
