"""The doctor's look at the mail: the server that takes it, and what the DNS says about the domain that it comes from."""

from __future__ import annotations

from collections.abc import Iterator
from imaplib import IMAP4
from socket import create_connection
from urllib.parse import unquote, urlsplit

from infra.mail.imap import folder_of, said, signed_in
from infra.mail.mail_dns import Names, NobodyAnswers
from infra.mail.mail_signing import signers
from infra.mail.smtp import PORTS, Mailer, Refusal, TryLater
from infra.setting_texts import LOOPBACK
from infra.settings import Settings
from infra.wiring import Site
from service.checkup.finding import Finding, bad, good, known
from service.checkup.mail_records import policy, reverse_names, senders, signatures, ways_in

PATIENCE = 5.0  # seconds for each answer of the mail server
NO_DOMAIN = ("localhost", "local", "test", "example", "invalid", "internal", "lan", "home.arpa")  # not in the DNS of the world


def mail(here: Site, dns: str = "") -> Iterator[Finding]:
    """Who takes our mail, who takes what comes back, then the DNS; `dns`: the name server that is asked, where it is not this machine's own."""
    settings = here.settings
    yield _relay(settings)
    yield from _replies(here)
    if settings.dev:
        yield known(f"this is a development machine: every mail can be read at {settings.url}/dev/mail")
        return
    if urlsplit(settings.url).scheme == "http":
        yield known(f"FORGEPOST_URL is {settings.url}: the links in mails open on this machine alone; put a proxy with https in front")
    yield from _domain(settings, dns)


def _relay(settings: Settings) -> Finding:
    """As far as one gets without sending a mail."""
    place = urlsplit(settings.smtp_url)
    who = f"the mail server {place.hostname}:{place.port or PORTS[place.scheme]}"
    try:
        relay = Mailer(settings, PATIENCE).examine(f"b+doctor@{settings.mail_domain}")
    except TryLater as gone:
        return bad(f"{gone}: mails wait until it can")
    except Refusal as refused:
        return bad(f"{refused}: let it take mail from this machine or user for senders at {settings.mail_domain}, or set another MAIL_DOMAIN")
    if not relay.tls and place.hostname not in LOOPBACK:
        how = "begin SMTP_URL with smtp+starttls://" if relay.offers_tls else "reach it over a tunnel, or take another"
        return known(f"{who} takes our mail, which goes there readable by everybody on the way, its links too: {how}")
    said = " over TLS" * relay.tls + ", knows our user and password" * relay.known
    return good(f"{who} answers{said} and takes mail from {settings.mail_domain}")


def _replies(here: Site) -> Iterator[Finding]:
    """Whether replies find their way in."""
    settings = here.settings
    if not settings.mail_in_url and not settings.imap_url:
        yield known("nobody takes replies to our mails, nor bounces: set MAIL_IN_URL or IMAP_URL, and start forgepost mail-in")
    if settings.mail_in_url:
        url = urlsplit(settings.mail_in_url)
        try:
            with create_connection((url.hostname or "", url.port or 0), PATIENCE) as asked:
                greeting = asked.recv(512).decode(errors="replace").strip()
        except OSError as gone:
            yield bad(f"nobody takes replies at {settings.mail_in_url} ({gone}); start it with: forgepost mail-in")
        else:
            ours = "Forgepost" in greeting
            other = f"something else listens at {settings.mail_in_url} and says {greeting[:60]!a}: give MAIL_IN_URL another port, and start mail-in"
            yield good(f"replies are taken at {settings.mail_in_url}") if ours else bad(other)
    if settings.imap_url:
        place = urlsplit(settings.imap_url)
        whose = f"the mailbox of {unquote(place.username or '')} at {place.hostname}"
        try:
            with signed_in(settings.imap_url, PATIENCE) as box:
                said(box.select(folder_of(settings.imap_url), readonly=True))
        except (IMAP4.error, OSError) as wrong:
            yield bad(f"{whose} cannot be read ({wrong}), so replies wait there: see to IMAP_URL")
        else:
            yield good(f"{whose} can be read")


def _domain(settings: Settings, dns: str) -> Iterator[Finding]:
    domain, at_home = settings.mail_domain, urlsplit(settings.smtp_url).hostname in LOOPBACK
    if "." not in domain or any(domain.endswith(f".{end}") for end in NO_DOMAIN):
        yield known(f"{domain} is no domain that the world knows, so its DNS was not looked at: set MAIL_DOMAIN to one that is yours")
        return
    try:
        names = Names(dns)
        yield from ways_in(names, domain)
        yield from senders(names, domain)
        yield from signatures(names, domain, signers(settings.dkim))
        yield from policy(names, domain)
        if at_home:
            yield from reverse_names(names, domain)
    except NobodyAnswers as nobody:
        yield known(
            f"the DNS of {domain} was not looked at (further), as no name server answers: {nobody}; try again with a network, or --dns ADDRESS"
        )
