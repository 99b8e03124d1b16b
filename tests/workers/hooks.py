"""What tests of webhooks do again and again: connect one, relay the feed to it, ask what its owner was told."""

from __future__ import annotations

from threading import Event as Signal
from typing import Any

from infra.webhooks.signature import written
from infra.webhooks.webhooks import Webhook, Wish
from tests.workers.office import Office
from workers import mail_out
from workers.relay import WebhooksRelay


class Watch:
    """The time, which stands still unless it is moved on by hand: a minute ahead, so that whatever a test lets happen has happened by then."""

    def __init__(self, office: Office) -> None:
        self.ahead, self._began = 0, office.site.clock() + 60_000

    def __call__(self) -> int:
        return self._began + self.ahead


def hooked(office: Office, name: str, url: str, number: int = 1, **wish: Any) -> Webhook:
    return office.site.webhooks.add(office.player(name).id, Wish(url, **wish), number)


def again(office: Office, hook: Webhook) -> Webhook:
    found = office.site.webhooks.find(hook.id)
    assert found
    return found


def secret(office: Office, hook: Webhook, number: int = 1) -> str:
    return written(office.site.keys.webhook_secret(hook.id, number))


def told(office: Office, hook: Webhook) -> str:
    """What the one mail to its owner says about it, on one line."""
    for notice in office.outbox():
        if notice.kind == "webhook-off":
            mail_out.send(office.site, notice)
            mail_out.send(office.site, notice)
    (mail,) = [mail for mail in office.post.to("ann@example.org") if mail["Subject"] == "Forgepost: your webhook was switched off"]
    text, html = mail.get_body(("plain",)), mail.get_body(("html",))
    assert text
    assert html
    assert f"{office.settings.url}/me/webhooks/{hook.id}" in text.get_content()
    assert f"{office.settings.url}/me/webhooks/{hook.id}" in html.get_content()
    assert max(map(len, text.get_content().splitlines())) <= 78
    return " ".join(text.get_content().split())


def relayed(office: Office) -> None:
    """What the clock does with the feed."""
    WebhooksRelay(office.site).read(Signal())
