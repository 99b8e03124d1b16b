"""The pages of the service: HTML without a script, whose GET writes nothing and whose POST acts."""

from __future__ import annotations

from service.pages import (
    calendar,
    dev_mail,
    docs,
    guide,
    history,
    link,
    lost,
    match,
    match_mail,
    me,
    paints,
    seat,
    session,
    settings,
    sign_in,
    start,
    started,
    unsubscribe,
    verify,
)
from service.pages.frame import pages

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
]
