"""The pages of the service: HTML without a script, whose GET writes nothing and whose POST acts."""

from __future__ import annotations

from service.pages import dev_mail, paints, session
from service.pages.account import calendar, me, settings, sign_in, unsubscribe, webhooks
from service.pages.frame import pages
from service.pages.playing import link, lost, match, match_mail, seat
from service.pages.reading import docs, guide, history, verify
from service.pages.starting import start, started

__all__ = [
    "calendar",
    "dev_mail",
    "docs",
    "guide",
    "history",
    "link",
    "lost",
    "match",
    "match_mail",
    "me",
    "pages",
    "paints",
    "seat",
    "session",
    "settings",
    "sign_in",
    "start",
    "started",
    "unsubscribe",
    "verify",
    "webhooks",
]
