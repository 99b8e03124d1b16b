"""My webhooks: where news of my matches is sent, how each fares and why, and what I do about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import sha256
from secrets import token_hex
from typing import Final

from flask import Response, abort, request
from msgspec.structs import replace

from domain.match.reading import plain
from infra.people.players import Player
from infra.people.spelling import Misspelled, label
from infra.webhooks.destination import Unfit, destination
from infra.webhooks.queue import Item
from infra.webhooks.webhooks import MOST, TYPES, TooManyWebhooks, Webhook, Wish
from service.here import site
from service.hooks import renewed, roused, secret, sent
from service.pages.frame import go, pages, sentence, sheet
from service.pages.session import must_be_ours, yourself

WHY_OFF: Final = {
    "owner": "You switched it off.",
    "gone": "Its server said that there is nothing there any more (410).",
    "failing": "For five days nothing that was sent there was taken.",
}
DONE: Final = {
    "change": "The webhook is changed.",
    "test": "A test is on its way. Look at this page again in a moment: what became of it stands among the deliveries.",
    "on": "It is on. What happened while it was off is not sent; it stands in the histories of your matches.",
    "off": "It is off, and what waited for it is dropped.",
    "delete": "The webhook is gone, and what waited for it with it.",
}


@pages.get("/me/webhooks", strict_slashes=False)
def webhooks() -> Response:
    """All of them, and a form for another."""
    return _all(yourself())


@pages.post("/me/webhooks", strict_slashes=False)
def make_webhook() -> Response:
    """Another one; its secret is shown on the page that answers, and never again."""
    player = yourself()
    must_be_ours()
    wrong: dict[str, str] = {}
    wish = _wish(wrong, Wish(""))
    if wrong:
        return _all(player, 422, wrong)
    try:
        made = site().webhooks.add(player.id, wish, _number(player))
    except TooManyWebhooks as full:
        return _all(player, 409, {"page": sentence(str(full))})
    return _one(player, made, 201, fresh=secret(site(), made))


@pages.get("/me/webhooks/<webhook>")
def webhook(webhook: str) -> Response:
    """One of them, with its last deliveries."""
    player = yourself()
    return _one(player, _mine(player, webhook))


@pages.post("/me/webhooks/<webhook>")
def see_to_webhook(webhook: str) -> Response:
    """Do what one of its buttons asks for."""
    player = yourself()
    must_be_ours()
    hook, asked = _mine(player, webhook), request.form.get("do", "")
    if asked == "secret":
        hook = renewed(site(), hook)
        return _one(player, hook, fresh=secret(site(), hook))
    work = BUTTONS.get(asked)
    if work is None:
        return _one(player, hook, 400, {"page": f"This page has no button “{plain(asked, 40)}”. Nothing was done; use one of the buttons below."})
    wrong: dict[str, str] = {}
    work(hook, wrong)
    if wrong:
        return _one(player, hook, 422, wrong)
    if asked == "delete":
        return go("pages.webhooks", done=asked, _anchor="done")
    return go("pages.webhook", webhook=hook.id, done=asked, _anchor="done")


def _all(player: Player, status: int = 200, wrong: Mapping[str, str] | None = None) -> Response:
    hooks = site().webhooks.of(player.id)
    waiting = site().hook_queue.waiting([hook.id for hook in hooks])
    return _sheet(
        "webhooks.html",
        status,
        player,
        wrong,
        hooks=[(hook, count) for hook, (count, _) in zip(hooks, waiting, strict=True)],
        most=MOST,
        once=token_hex(16),
    )


def _one(player: Player, hook: Webhook, status: int = 200, wrong: Mapping[str, str] | None = None, *, fresh: str = "") -> Response:
    """`fresh` is a secret that was just made."""
    (waiting,) = site().hook_queue.waiting([hook.id])
    return _sheet(
        "webhook.html",
        status,
        player,
        wrong,
        hook=hook,
        waiting=waiting[0],
        rests=hook.rests if waiting[0] else 0,
        deliveries=site().hook_queue.journal(hook.id),
        fresh=fresh,
    )


def _sheet(template: str, status: int, player: Player, wrong: Mapping[str, str] | None, **more: object) -> Response:
    said = {name: plain(text, 2000) for name, text in request.form.items()} if wrong else {}
    chosen = request.form.getlist("type") if wrong else None
    done = DONE.get(request.args.get("done", ""), "")
    return sheet(template, status, player=player, wrong=wrong or {}, said=said, chosen=chosen, done=done, types=TYPES, why_off=WHY_OFF, **more)


def _number(player: Player) -> int:
    """The same for one form however often it is sent: a second click makes no second webhook."""
    return int.from_bytes(sha256(f"{player.id}\n{request.form.get('once') or token_hex(16)}".encode()).digest()[:7]) >> 6


def _mine(player: Player, name: str) -> Webhook:
    return site().webhooks.get(player.id, name) or abort(404, "you have no webhook of this id (any more)")


def _wish(wrong: dict[str, str], before: Wish) -> Wish:
    """What the form says; the complaints about it stand in `wrong`."""
    url, name = request.form.get("url", "").strip(), request.form.get("name", "")
    try:
        destination(url, site().settings.webhooks_private)
    except Unfit as unfit:
        wrong["url"] = sentence(f"the URL {unfit}", url)
    try:
        name = label(name) if name.strip() else ""
    except Misspelled as why:
        wrong["name"] = sentence(str(why), name.strip())
    return replace(before, url=url, name=name, types=tuple(kind for kind in TYPES if kind in request.form.getlist("type")))


def _change(hook: Webhook, wrong: dict[str, str]) -> None:
    wish = _wish(wrong, hook.wish)
    if not wrong:
        site().webhooks.keep(replace(hook, wish=wish), "wish")
        roused(site(), hook, on=False)


def _test(hook: Webhook, _wrong: dict[str, str]) -> None:
    sent(site(), hook, Item("", site().clock()))


def _on(hook: Webhook, _wrong: dict[str, str]) -> None:
    roused(site(), hook, on=True)


def _off(hook: Webhook, _wrong: dict[str, str]) -> None:
    site().webhooks.switch_off(hook, "owner")


def _delete(hook: Webhook, _wrong: dict[str, str]) -> None:
    site().webhooks.delete(hook)


BUTTONS: Final[Mapping[str, Callable[[Webhook, dict[str, str]], None]]] = {
    "change": _change,
    "test": _test,
    "on": _on,
    "off": _off,
    "delete": _delete,
}
