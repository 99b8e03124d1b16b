"""Webhooks and their deliveries as their owners see them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from domain.chain import stamp
from infra.webhooks.queue import Delivery
from infra.webhooks.webhooks import Webhook
from infra.wiring import Site


def shown(site: Site, hooks: Sequence[Webhook]) -> list[dict[str, Any]]:
    """Webhooks with how they fare, never with their secrets."""
    now = site.clock()
    return [_shown(hook, count, due, now) for hook, (count, due) in zip(hooks, site.hook_queue.waiting([hook.id for hook in hooks]), strict=True)]


def told(one: Delivery) -> dict[str, Any]:
    """One try."""
    return {
        "message": one.message,
        "type": one.type,
        "match": one.match or None,
        "version": one.version or None,
        "at": stamp(one.at),
        "tries": one.tries,
        "milliseconds": one.ms,
        "status": one.status or None,
        "answer": one.answer,
        "failure": one.words or None,
        "delivered": 200 <= one.status < 300,
        "next_try_at": _time(one.next),
    }


def _shown(hook: Webhook, waiting: int, due: int | None, now: int) -> dict[str, Any]:
    wish = hook.wish
    return {
        "id": hook.id,
        "url": wish.url,
        "name": wish.name,
        "types": list(wish.types),
        "match": wish.match or None,
        "on": not hook.off,
        "off_reason": hook.off or None,
        "created_at": stamp(hook.created),
        "delivered_at": _time(hook.delivered),
        "failing_since": _time(hook.failing),
        "failures": hook.failures,
        "waiting": waiting,
        "next_try_at": None if due is None else stamp(max(due, hook.rests, now)),
        "old_secret_until": _time(hook.overlap if hook.overlap > now else 0),
    }


def _time(at: int) -> str | None:
    return stamp(at) if at else None
