"""A mail to try the way that all mails go: made, signed, sealed and handed over as they are, and told about line by line."""

from __future__ import annotations

from collections.abc import Callable
from email.headerregistry import Address
from secrets import token_hex
from typing import Final

from infra.mail.mail_signing import signers
from infra.mail.smtp import Refusal, TryLater
from infra.wiring import Site
from workers.letters.envelope import SENDER, Addresses, begun
from workers.letters.personal import plain
from workers.letters.written import written

WHO: Final = "trial"  # in the place of a player: nobody's bounces and nobody's replies


def try_out(site: Site, to: str, say: Callable[[str], object]) -> bool:
    """Send a test mail to an address and say how it went and how to go on; whether the mail server took it."""
    settings, addresses = site.settings, Addresses(site.keys, site.settings.mail_domain)
    domain, bounces = addresses.domain, addresses.bounce(WHO)
    letter = written("trial", plain(to, "A mail to try the way", settings.url), None)
    message = begun(Address("", addr_spec=to), letter, f"<{WHO}.{token_hex(8)}@{domain}>", addresses, site.clock())
    message["Reply-To"] = reply = f"r+{WHO}@{domain}"
    message["Feedback-ID"] = f"account:{WHO}:{SENDER.lower()}"
    told = {"To": to, "From": f"play@{domain}", "Return path": bounces, "Reply-To": reply, "Message-ID": message["Message-ID"]}
    told["DKIM"] = ", ".join(f"signed by {key.selector}._domainkey.{domain} ({key.algorithm})" for key in signers(settings.dkim))
    told["DKIM"] = told["DKIM"] or "not signed here (DKIM_KEYS is not set): the mail server is to sign"
    for name, value in told.items():
        say(f"{name:<12} {value}")
    try:
        words = site.mailer.send(message, to, bounces)
    except (TryLater, Refusal, ValueError) as refused:
        say(f"{'NOT sent':<12} {refused}")
        say("A player's mail would be tried again for five days." if isinstance(refused, TryLater) else "A player's mail would not be sent either.")
        return False
    say(f"{'Sent':<12} the mail server took it: {words}")
    for line in _next_steps(site):
        say(line)
    return True


def _next_steps(site: Site) -> list[str]:
    settings = site.settings
    if settings.dev:
        return ["", f"This is a development machine, and the mail went no further than {settings.url}/dev/mail."]
    domain = settings.mail_domain
    return [
        "",
        "That says that it was taken, not that it arrived. Look for it there, in the spam folder too, and at its source:",
        "  Authentication-Results, as the receiving server wrote it, should say",
        f"    spf=pass    for {domain} (smtp.mailfrom): else the SPF record of {domain} does not name the server that it came from",
        f"    dkim=pass   for {domain} (header.d or header.i): else nobody signs for {domain}, or the key in the DNS is another",
        "    dmarc=pass  when one of the two passed for the domain of the From line",
        "  Return-Path should be the one above: a mail server that puts its own there keeps the bounces from us.",
        "Then answer it, with any words: within a minute, forgepost mail received should list the answer."
        if settings.mail_in_url or settings.imap_url
        else "Answers are not taken here: neither MAIL_IN_URL nor IMAP_URL is set.",
    ]
