"""Mails about a player and no match: the way in, the proof of a new address, the word about it to the old one, a webhook that was switched off."""

from __future__ import annotations

from email.headerregistry import Address
from email.message import EmailMessage
from typing import Final

from msgspec.structs import asdict

from domain.game import Record
from domain.match.telling import isolated
from domain.times import span
from infra.outbox import Notice
from infra.people.players import Player
from infra.seals.links import IN_TIME, NEXT_DAY, to_new_address, to_sign_in
from infra.webhooks.queue import Delivery
from infra.webhooks.webhooks import Webhook
from infra.wiring import Site
from workers.letters.envelope import SENDER, Addresses, begun
from workers.letters.letter import Letter
from workers.letters.written import Written, written

STALE: Final = 3_600_000  # ms after which nobody waits for it any more; who does, asks again
MINUTE: Final = 60_000  # ms
WHY: Final[dict[str, str]] = {
    "gone": "Its server said that there is nothing there any more (410), and asked for no more deliveries.",
    "failing": "For five days nothing that we sent there was taken.",
}


class Personal(Letter, frozen=True, kw_only=True):
    """A letter about its reader: until when its link is good, and whether it is the first that they get."""

    new: bool
    lasts: str
    address: str = ""  # where mail is to go from now on


class SwitchedOff(Personal, frozen=True, kw_only=True):
    """A letter about a webhook that is told nothing any more: which one, why, and what came of the last try."""

    webhook: str
    why: str
    last: str


class Ready(Record, frozen=True):
    """A mail with the address that it goes to."""

    message: EmailMessage
    to: str


def ready(site: Site, notice: Notice, player: Player) -> Ready | None:
    """The mail that a personal notice asks for; None where it has no cause any more."""
    if notice.kind == "webhook-off":
        return _about_a_webhook(site, notice, player)
    now, moving = site.clock(), site.players.moving(player.id)
    if now - notice.again * MINUTE > STALE or (notice.kind != "sign-in" and (moving is None or moving.asked != notice.again)):
        return None
    to = moving.address if moving and notice.kind == "address" else player.address
    addresses = Addresses(site.keys, site.settings.mail_domain)
    letter = written(notice.kind, _letter(site, notice, player, moving.address if moving else "", now), None)
    return Ready(_mail(notice, player, to, letter, addresses, now), to)


def _about_a_webhook(site: Site, notice: Notice, player: Player) -> Ready | None:
    """The mail, as long as it is off and nobody has read that; whose mailbox takes none is not written to for it."""
    hook = site.webhooks.get(player.id, notice.webhook)
    if hook is None or hook.off not in WHY or player.suppressed:
        return None
    last = next((one for one in site.hook_queue.journal(hook.id) if not 200 <= one.status < 300), None)
    letter = switched_off(player.name, hook, last, site.settings.url)
    addresses = Addresses(site.keys, site.settings.mail_domain)
    return Ready(_mail(notice, player, player.address, written(notice.kind, letter, None), addresses, site.clock()), player.address)


def switched_off(to: str, hook: Webhook, last: Delivery | None, url: str) -> SwitchedOff:
    """The letter about a webhook that was switched off, with the last try that failed."""
    base = asdict(plain(to, "Your webhook was switched off", f"{url}/me/webhooks/{hook.id}"))
    came = (f"status {last.status}" if last.status else last.words) if last else ""
    return SwitchedOff(**base, webhook=isolated(hook.wish.name or hook.wish.url), why=WHY[hook.off], last=came)


def _letter(site: Site, notice: Notice, player: Player, address: str, now: int) -> Personal:
    url, headline, lasts = f"{site.settings.url}/sign-in", "Your mail is to go elsewhere", 0
    if notice.kind == "sign-in":
        headline, lasts = "Your way in" if player.confirmed else "Is this your address?", IN_TIME
        url = f"{site.settings.url}/s/{site.tokens.seal(to_sign_in(player.id, notice.again, now))}"
    elif notice.kind == "address":
        headline, lasts = "Is this your address?", NEXT_DAY
        url = f"{site.settings.url}/s/{site.tokens.seal(to_new_address(player.id, notice.again, now))}"
    return plain(player.name, headline, url, new=not player.confirmed, lasts=span(lasts), address=address)


def plain(to: str, headline: str, url: str, *, new: bool = False, lasts: str = "", address: str = "") -> Personal:
    """A letter about nothing but its reader."""
    return Personal(
        to=isolated(to),
        headline=headline,
        url=url,
        new=new,
        lasts=lasts,
        address=address,
        game="Forgepost",
        match="",
        seat=None,
        places=(),
        colours={},
        guide="",
        version=0,
        head="",
        board="",
        passages=(),
    )


def _mail(notice: Notice, player: Player, to: str, letter: Written, addresses: Addresses, now: int) -> EmailMessage:
    message = begun(Address(player.name, addr_spec=to), letter, addresses.message_id(notice), addresses, now)
    message["Feedback-ID"] = f"account:{notice.kind}:{SENDER.lower()}"
    return message
