"""Webhooks as their owners see them and see to them, by the API as on the settings page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from domain.chain import stamp
from infra.webhooks.queue import Delivery, Item
from infra.webhooks.signature import written
from infra.webhooks.webhooks import OVERLAP, Webhook
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


def secret(site: Site, hook: Webhook) -> str:
    """What its deliveries are signed with, as it is shown to its owner once."""
    return written(site.keys.webhook_secret(hook.id, hook.number))


def renewed(site: Site, hook: Webhook, keep_seconds: int = OVERLAP) -> Webhook:
    """The webhook with a new secret; the one before holds for so long."""
    hook = replace(hook, number=hook.number + 1, overlap=site.clock() + keep_seconds * 1000 if keep_seconds else 0)
    site.webhooks.keep(hook, "number", "overlap")
    return hook


def sent(site: Site, hook: Webhook, item: Item) -> str:
    """Have something delivered before all that waits, also to a webhook that is off or rests; the message's id."""
    site.webhooks.rouse(hook)
    site.hook_queue.again(hook.id, item, site.clock())
    return item.message(hook.id)


def roused(site: Site, hook: Webhook, *, on: bool) -> Webhook:
    """The webhook, whose rest is over; `on`: and which is on again."""
    hook = site.webhooks.rouse(hook, on=on)
    site.hook_queue.look(hook.id, site.clock())
    return hook


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
