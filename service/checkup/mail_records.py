"""What the DNS must say so that a site's mails arrive and what comes back finds its way: MX, SPF, DKIM, DMARC and reverse names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from infra.mail.mail_dns import Names
from infra.mail.mail_signing import Signer
from service.checkup.finding import Finding, bad, good, known

MOST_LOOKUPS: Final = 10  # that a receiver makes for one SPF record (RFC 7208, 4.6.4)
DEEPEST: Final = 10
SHOWN: Final = 120  # characters of a record


def ways_in(names: Names, domain: str) -> Iterator[Finding]:
    """MX: where replies and bounces go."""
    hosts = names.mail_hosts(domain)
    if not hosts:
        what = "no MX record" if names.addresses(domain) else "neither an MX record nor an address"
        yield bad(
            f"MX: {domain} has {what}: replies and bounces do not find us, and many servers refuse mail from a domain that takes none; "
            f"add: {domain}. MX 10 mail.{domain}. (or the server that takes mail for it)"
        )
    elif hosts == ["."]:
        yield bad(f"MX: {domain} says that it takes no mail (MX 0 .), so replies and bounces are refused: give it a server that takes mail")
    elif lost := [host for host in hosts if not names.addresses(host)]:
        yield bad(f"MX: {domain} names {', '.join(lost)}, which has no address: add its A or AAAA record, or take it out")
    else:
        yield good(f"MX: mail for {domain} goes to {', '.join(hosts)}")


def senders(names: Names, domain: str) -> Iterator[Finding]:
    """SPF: who may send with this domain on the envelope, which is where our return path is."""
    found = [text for text in names.texts(domain) if re.match(r"v=spf1( |$)", text, re.IGNORECASE)]
    if not found:
        yield bad(
            f"SPF: {domain} has no SPF record, so no receiver can tell our mails from forged ones; "
            f'add: {domain}. TXT "v=spf1 mx -all", or with the include: that your relay\'s guide names'
        )
        return
    if len(found) > 1:
        yield bad(f"SPF: {domain} has {len(found)} SPF records, and receivers then heed none: make one of them")
        return
    record, terms = found[0], found[0].lower().split()[1:]
    if {"all", "+all"} & set(terms):
        yield bad(f"SPF: {_shown(record)} lets everybody send in the name of {domain}: end it with -all or ~all")
    elif not any(re.match(r"[+?~-]?(a|mx|ip4|ip6|include|exists|ptr)\b|redirect=", term) for term in terms):
        yield bad(f"SPF: {_shown(record)} lets nobody send in the name of {domain}: name the server that our mails leave from (mx, ip4:…, include:…)")
    elif (lookups := _lookups(names, record)) > MOST_LOOKUPS:
        yield bad(
            f"SPF: {_shown(record)} takes {lookups} look-ups, and receivers give up after {MOST_LOOKUPS}: "
            "take out what is not used, or name addresses (ip4:…)"
        )
    else:
        yield good(f"SPF: {_shown(record)}; whether it names the server that our mails leave from, forgepost mail test shows")


def signatures(names: Names, domain: str, signers: tuple[Signer, ...]) -> Iterator[Finding]:
    """DKIM: whether receivers find the public half of the keys that we sign with."""
    if not signers:
        yield known(f"DKIM: DKIM_KEYS is not set, so the mail server must sign with d={domain}: forgepost mail test shows whether it does")
    for signer in signers:
        name = f"{signer.selector}._domainkey.{domain}"
        found = [_tags(text) for text in names.texts(name)]
        ours, keys = _tags(signer.record).get("p"), [tags.get("p", "") for tags in found]
        if not found:
            yield bad(f'DKIM: {name} is not there, so our signatures count for nothing; add: {name}. TXT "{signer.record}"')
        elif keys != [ours]:
            yield bad(f'DKIM: {name} holds another key than the one that we sign with; put there instead: TXT "{signer.record}"')
        elif "y" in found[0].get("t", "").split(":"):
            yield known(f"DKIM: {name} is our key, marked as a test (t=y): some receivers do not heed it; take t=y out")
        else:
            yield good(f"DKIM: {name} is the key that we sign with ({signer.algorithm})")
    if signers and all(signer.algorithm.startswith("ed25519") for signer in signers):
        yield known("DKIM: there are large receivers that cannot check Ed25519 yet: sign with an RSA key, too (DKIM_KEYS takes several)")


def policy(names: Names, domain: str) -> Iterator[Finding]:
    """DMARC: what receivers are to do with mails in our name that are not from us; looked for at the domain and those above it."""
    labels = domain.split(".")
    for at in (".".join(labels[number:]) for number in range(max(len(labels) - 1, 1))):
        found = [tags for tags in map(_tags, names.texts(f"_dmarc.{at}")) if tags.get("v", "").upper() == "DMARC1" and tags.get("psd") != "y"]
        if len(found) > 1:
            yield bad(f"DMARC: _dmarc.{at} has {len(found)} records, and receivers then heed none: make one of them")
            return
        if found:
            asked = found[0].get("p" if at == domain else "sp", found[0].get("p", ""))
            if asked in ("quarantine", "reject"):
                yield good(f"DMARC: _dmarc.{at} says {asked}; From, return path and signature are all of {domain}, so they are aligned")
            else:
                yield known(
                    f"DMARC: _dmarc.{at} says {asked or 'nothing'}: forged mails in our name go through; say p=quarantine once reports look right"
                )
            return
    yield bad(
        f"DMARC: {domain} has no DMARC record: anybody can write mails in our name, and large receivers want one; "
        f'add: _dmarc.{domain}. TXT "v=DMARC1; p=none; rua=mailto:postmaster@{domain}", and p=quarantine once the reports look right'
    )


def reverse_names(names: Names, domain: str) -> Iterator[Finding]:
    """PTR of the servers that take our mail, where it is they, on this machine, who send it as well."""
    for host in [host for host in names.mail_hosts(domain) if host != "."]:
        for address in names.addresses(host):
            name = names.name_of(address)
            if not name:
                yield known(f"PTR: {address} ({host}) has no reverse name: if our mails leave from there, many refuse them; its provider can set it")
            elif address not in names.addresses(name):
                yield known(f"PTR: {address} ({host}) is called {name}, which has another address: if our mails leave from there, make them agree")
            else:
                yield good(f"PTR: {address} is called {name}, and {name} has that address")


def _lookups(names: Names, record: str, deep: int = 0) -> int:
    """How many look-ups the record costs a receiver, those of the records that it includes among them."""
    count = 0
    for term in record.lower().split()[1:]:
        if re.match(r"[+?~-]?(a|mx|ptr|exists|include)\b|redirect=", term):
            count += 1
        inner = re.match(r"[+?~-]?include:(.+)|redirect=(.+)", term)
        if inner and "%" not in term and deep < DEEPEST and count <= MOST_LOOKUPS:
            texts = names.texts(inner[1] or inner[2])
            count += sum(_lookups(names, text, deep + 1) for text in texts if text.lower().startswith("v=spf1"))
    return count


def _tags(text: str) -> dict[str, str]:
    """The tags of a DKIM or DMARC record; a value without its blanks."""
    pairs = (part.partition("=") for part in text.split(";"))
    return {name.strip().lower(): re.sub(r"\s+", "", value) for name, _, value in pairs if name.strip()}


def _shown(record: str) -> str:
    return f"“{record if len(record) <= SHOWN else record[:SHOWN] + '…'}”"
