"""Webhooks of the player whose token asks: making, changing, testing, and what became of each delivery."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from msgspec.structs import replace

from domain.match.refusal import Refused
from infra.people.spelling import Misspelled, label
from infra.webhooks.destination import Unfit, destination
from infra.webhooks.queue import Delivery, Item
from infra.webhooks.webhooks import OVERLAP, TooManyWebhooks, Webhook, Wish
from service.api.once import once, repeated, used_up
from service.api.showing import PRIVATE
from service.blueprints import api
from service.contract.operations import JSON, Call, Gives, Operation, Reply, operation
from service.hooks import renewed, roused, secret, sent, shown, told
from service.problems import Problem, invalid
from service.schemas.webhooks import (
    DELIVERY_FILTER,
    DELIVERY_LIST,
    FRESH_WEBHOOK,
    NEW_WEBHOOK,
    ROTATION,
    SENT,
    WEBHOOK_CHANGES,
    WEBHOOK_LIST,
    WEBHOOK_SHOWN,
)

SCOPE: Final = "webhooks:write"
BRIDGE: Final = {"url": "https://bots.example.org/forgepost", "name": "my bridge", "types": ["action.taken", "match.finished"]}
OF_A_MATCH: Final = re.compile(r"([0-9]{2}-[0-9a-z]{10})_([0-9]{1,9})")
PLACE: Final = re.compile(r"[0-9]{1,15}\.[0-9]{1,9}\.msg_[0-9a-z_-]{1,60}")
MADE: Final = Gives(about="The webhook, with its new secret shown this once.", forms={JSON: FRESH_WEBHOOK})
NEW: Final = Gives(about="The webhook, with its secret shown this once.", forms={JSON: FRESH_WEBHOOK}, headers=("Location",))
SETTING_OUT: Final = Gives(about="It is on its way.", forms={JSON: SENT})
ON_ITS_WAY: Final = {202: SETTING_OUT, 200: repeated(SETTING_OUT)}


@operation(
    api,
    Operation(method="GET", rule="/webhooks", tag="webhooks", scope=SCOPE, gives={200: Gives(about="Your webhooks.", forms={JSON: WEBHOOK_LIST})}),
)
def list_webhooks(call: Call) -> Reply:
    """List your webhooks, and how each fares."""
    return Reply({"webhooks": shown(call.site, call.site.webhooks.of(call.player))}, headers=PRIVATE)


@operation(
    api,
    Operation(
        method="POST",
        rule="/webhooks",
        tag="webhooks",
        scope=SCOPE,
        body=NEW_WEBHOOK,
        gives={
            201: NEW,
            200: repeated(NEW),
        },
        refuses=("limit-reached",),
        examples={"moves and ends": BRIDGE},
    ),
)
def make_webhook(call: Call) -> Reply:
    """Make a webhook: from now on events of your matches are sent to its URL.

    Each event of every match that you sit in, are invited to or created is one POST, signed as Standard Webhooks has it. The body is
    `{"type", "timestamp", "data"}`, where `data` is the event just as the history has it.
    """
    site, wish = call.site, _wish(call, Wish(""))

    def do(seed: str) -> str:
        try:
            return site.webhooks.add(call.player, wish, int(seed, 16) >> 78).id
        except TooManyWebhooks as full:
            raise Problem("limit-reached", str(full)) from full

    def tell(name: str, _: str) -> Reply:
        if (hook := site.webhooks.get(call.player, name)) is None:
            raise used_up("the webhook that was made with this idempotency key has been deleted")
        return Reply(_fresh(call, hook), 201, {**PRIVATE, "Location": f"{site.settings.url}/api/v1/webhooks/{name}"})

    return once(call, do, tell)


@operation(
    api,
    Operation(
        method="GET",
        rule="/webhooks/<webhook>",
        tag="webhooks",
        scope=SCOPE,
        gives={200: Gives(about="The webhook.", forms={JSON: WEBHOOK_SHOWN})},
        refuses=("not-found",),
    ),
)
def show_webhook(call: Call) -> Reply:
    """Look at one of your webhooks, and how it fares."""
    return _told(call, _mine(call))


@operation(
    api,
    Operation(
        method="PATCH",
        rule="/webhooks/<webhook>",
        tag="webhooks",
        scope=SCOPE,
        body=WEBHOOK_CHANGES,
        gives={200: Gives(about="The webhook as it is now.", forms={JSON: WEBHOOK_SHOWN})},
        refuses=("not-found",),
        examples={"on again": {"on": True}, "another place": {"url": "https://bots.example.org/v2"}},
    ),
)
def change_webhook(call: Call) -> Reply:
    """Change a webhook, or switch it on or off.

    `on: true` also has it tried at once where it failed lately. What happened while it was off is not sent: read the history of the matches
    from the last `version` that you know.
    """
    site, hook = call.site, _mine(call)
    wish = _wish(call, hook.wish)
    if wish != hook.wish:
        hook = replace(hook, wish=wish)
        site.webhooks.keep(hook, "wish")
    if call.body.get("on") is False:
        hook = site.webhooks.switch_off(hook, "owner")
    elif call.body.get("on") or "url" in call.body:
        hook = roused(site, hook, on=bool(call.body.get("on")))
    return _told(call, hook)


@operation(
    api,
    Operation(
        method="DELETE",
        rule="/webhooks/<webhook>",
        tag="webhooks",
        scope=SCOPE,
        gives={204: Gives(about="It is gone, and what waited for it with it.")},
        refuses=("not-found",),
    ),
)
def delete_webhook(call: Call) -> Reply:
    """Delete a webhook. What is on its way just now may still arrive."""
    call.site.webhooks.delete(_mine(call))
    return Reply(status=204, headers=PRIVATE)


@operation(
    api,
    Operation(
        method="POST",
        rule="/webhooks/<webhook>/secret",
        tag="webhooks",
        scope=SCOPE,
        body=ROTATION,
        gives={
            201: MADE,
            200: repeated(MADE),
        },
        refuses=("not-found",),
        examples={"at once": {"keep_seconds": 0}},
    ),
)
def rotate_secret(call: Call) -> Reply:
    """Give a webhook a new secret.

    For a day, or for `keep_seconds`, each delivery is signed with the old one, too: its `webhook-signature` has two signatures then, and
    the libraries for receivers take whichever fits.
    """
    site, hook = call.site, _mine(call)

    def do(_: str) -> str:
        nonlocal hook
        hook = renewed(site, hook, call.body.get("keep_seconds", OVERLAP))
        return hook.id

    return once(call, do, lambda *_: Reply(_fresh(call, hook), 201, PRIVATE))


@operation(
    api,
    Operation(
        method="GET",
        rule="/webhooks/<webhook>/deliveries",
        tag="webhooks",
        scope=SCOPE,
        query=DELIVERY_FILTER,
        gives={200: Gives(about="A page of the last deliveries.", forms={JSON: DELIVERY_LIST}, headers=("Link",))},
        refuses=("not-found",),
    ),
)
def list_deliveries(call: Call) -> Reply:
    """Read what was delivered lately, what was not, and what the server said."""
    journal, limit = call.site.hook_queue.journal(_mine(call).id), call.query["limit"]
    if cursor := call.query.get("cursor"):
        journal = _after(journal, cursor)
    page, following = journal[:limit], _place(journal[limit - 1]) if len(journal) > limit else None
    headers = PRIVATE | ({"Link": call.next_link(cursor=following)} if following else {})
    return Reply({"deliveries": [told(one) for one in page], "next": following}, headers=headers)


@operation(
    api,
    Operation(
        method="POST",
        rule="/webhooks/<webhook>/deliveries/<message>/retry",
        tag="webhooks",
        scope=SCOPE,
        gives=ON_ITS_WAY,
        refuses=("not-found",),
    ),
)
def retry_delivery(call: Call) -> Reply:
    """Have an event delivered once more, under the same message id, whether it was taken before or not.

    It goes before all that waits, also to a webhook that is off (once, then).
    """
    hook, message = _mine(call), call.path["message"]
    found = OF_A_MATCH.fullmatch(message.removeprefix(f"msg_{hook.id}_"))
    if not found or not _has(call, found[1], int(found[2])):
        raise Problem("not-found", "this webhook has no such message; `GET …/deliveries` lists them, and tests are made anew")
    return _sent(call, hook, Item(found[1], int(found[2])))


@operation(
    api,
    Operation(
        method="POST",
        rule="/webhooks/<webhook>/test",
        tag="webhooks",
        scope=SCOPE,
        gives=ON_ITS_WAY,
        refuses=("not-found",),
    ),
)
def test_webhook(call: Call) -> Reply:
    """Have a test delivered: a message of the type `webhook.test`, tried once.

    It goes before all that waits, also to a webhook that is off or rests. What becomes of it stands among the deliveries.
    """
    return _sent(call, _mine(call), Item("", call.site.clock()))


def _mine(call: Call) -> Webhook:
    hook = call.site.webhooks.get(call.player, call.path["webhook"])
    if hook is None:
        raise Problem("not-found", "you have no webhook of this id; `GET /api/v1/webhooks` lists yours")
    return hook


def _place(one: Delivery) -> str:
    return f"{one.at}.{one.tries}.{one.message}"


def _after(journal: list[Delivery], cursor: str) -> list[Delivery]:
    """What was tried before the delivery that a cursor names, also when that is forgotten by now. Raises Problem."""
    places = [_place(one) for one in journal]
    if cursor in places:
        return journal[places.index(cursor) + 1 :]
    if not PLACE.fullmatch(cursor):
        words = "this cursor was not given by this list: begin again without one"
        raise Problem("invalid-request", words, errors=[{"detail": words, "parameter": "cursor"}])
    return [one for one in journal if one.at < int(cursor.partition(".")[0])]


def _wish(call: Call, before: Wish) -> Wish:
    """What the body says, over what was said before. Raises a Problem that names what cannot be."""
    said: Mapping[str, Any] = call.body
    errors, wish = list[dict[str, str]](), before
    if "url" in said:
        wish = replace(wish, url=said["url"])
        try:
            destination(wish.url, call.site.settings.webhooks_private)
        except Unfit as unfit:
            errors.append(_error("url", str(unfit)))
    if "name" in said:
        try:
            wish = replace(wish, name=label(said["name"]))
        except Misspelled as wrong:
            errors.append(_error("name", str(wrong)))
    if "types" in said:
        wish = replace(wish, types=tuple(said["types"]))
    if "match" in said:
        wish = replace(wish, match=said["match"] or "")
        if wish.match and not _has(call, wish.match, 1):
            errors.append(_error("match", "must be a match that you sit in, are invited to or created"))
    if errors:
        raise invalid(errors)
    return wish


def _has(call: Call, match: str, version: int) -> bool:
    """Whether the match concerns the player, and has come so far."""
    try:
        sight = call.site.desk.look(match)
    except Refused:
        return False
    return call.player in sight.match.concerned and 1 <= version <= sight.tip.version


def _sent(call: Call, hook: Webhook, item: Item) -> Reply:
    return once(call, lambda _: sent(call.site, hook, item), lambda message, _: Reply({"message": message}, 202, PRIVATE))


def _told(call: Call, hook: Webhook) -> Reply:
    return Reply(shown(call.site, [hook])[0], headers=PRIVATE)


def _fresh(call: Call, hook: Webhook) -> dict[str, Any]:
    return {**shown(call.site, [hook])[0], "secret": secret(call.site, hook)}


def _error(name: str, words: str) -> dict[str, str]:
    return {"detail": f"`{name}`: {words}", "pointer": f"#/{name}"}
