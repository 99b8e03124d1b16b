"""What the text of each setting says, and in words what is wrong with one that says nothing."""

from __future__ import annotations

import re
from urllib.parse import SplitResult, urlsplit

from infra.limits.quotas import quotas
from infra.mail.mail_signing import Unusable, signers
from infra.networks import EVERYWHERE, NONE, Network
from infra.networks import networks as read
from infra.redis_clients.address import Unfit as NoRedis
from infra.redis_clients.address import address

SECRET_BYTES = 32
MAKE_ONE = """make one with: python -c 'import secrets; print("a:" + secrets.token_hex(32))'"""
MAKE_SEED = "make one with: python -c 'import secrets; print(secrets.token_hex(32))'"
LOOPBACK = ("127.0.0.1", "localhost", "::1")


class Unfit(ValueError):
    """The text is no value of this setting; the message names the setting and says what would be one."""


def secret(name: str, text: str, make: str) -> bytes:
    """At least 32 bytes in hex digits. Raises Unfit."""
    if not re.fullmatch(r"(?:[0-9A-Fa-f]{2})*", text):
        raise Unfit(f"{name} holds a secret that is not written in hex digits: {make}")
    secret = bytes.fromhex(text)
    if len(secret) < SECRET_BYTES:
        raise Unfit(f"{name} holds a secret of {len(secret)} bytes, and {SECRET_BYTES} are needed: {make}")
    if len(set(secret)) < 10:
        raise Unfit(f"{name} holds a secret that nobody drew by chance: {make}")
    return secret


def seed_secret(name: str, text: str) -> bytes:
    """The secret behind the lots. Raises Unfit."""
    return secret(name, text, MAKE_SEED)


def secrets(name: str, text: str) -> tuple[tuple[str, bytes], ...]:
    """Key ids with their secrets. Raises Unfit."""
    found: dict[str, bytes] = {}
    for part in text.split(","):
        kid, colon, written = part.strip().partition(":")
        if not colon:
            raise Unfit(f"{name} must name each secret's key id, as in a:<64 hex digits>: {MAKE_ONE}")
        if not re.fullmatch(r"[0-9a-hjkmnp-tv-z]", kid):
            raise Unfit(f"{name} has the key id {kid!r}: a key id is one digit or one small letter other than i, l, o and u")
        if kid in found:
            raise Unfit(f"{name} has the key id {kid} twice: every secret needs its own")
        found[kid] = secret(name, written, MAKE_ONE)
    return tuple(found.items())


def yes(name: str, text: str) -> bool:
    """Yes or no. Raises Unfit."""
    if text.lower() not in {"1", "yes", "true", "on", "0", "no", "false", "off"}:
        raise Unfit(f"{name} is {text!r}: it can be 1 or 0")
    return text.lower() in {"1", "yes", "true", "on"}


def word(name: str, text: str) -> str:
    """A secret of an operator's own, or none."""
    if text and not re.fullmatch(r"[!-~]{16,200}", text):
        raise Unfit(f"{name} must be 16 to 200 visible ASCII characters; make one with: python -c 'import secrets; print(secrets.token_urlsafe(32))'")
    return text


def networks(name: str, text: str) -> str:
    """Networks, `no` for none. Raises Unfit."""
    try:
        return (NONE, EVERYWHERE)[yes(name, text)]
    except Unfit:
        pass
    try:
        return ",".join(map(str, read(text)))
    except ValueError as wrong:
        raise Unfit(f"{name} must be no, yes, or networks as in 10.0.0.0/8,fd00::/8: {wrong}") from None


def partitions(name: str, text: str) -> int:
    """How many partitions. Raises Unfit."""
    if not re.fullmatch(r"[0-9]{1,3}", text) or not 1 <= int(text) <= 100:
        raise Unfit(f"{name} is {text!r}: it must be a number from 1 to 100")
    return int(text)


def replicas(name: str, text: str) -> int:
    """How many replicas. Raises Unfit."""
    if not re.fullmatch(r"[0-9]", text):
        raise Unfit(f"{name} is {text!r}: it must be a number from 0 to 9")
    return int(text)


def _url(name: str, text: str, schemes: tuple[str, ...]) -> SplitResult:
    try:
        url = urlsplit(text)
        bad = not url.hostname and url.scheme != "unix"
        url.port  # noqa: B018 - reading it is what checks it
    except ValueError:
        bad = True
    if bad or url.scheme not in schemes or not text.isascii() or re.search(r"\s", text):
        raise Unfit(f"{name} is no address that begins with {' or '.join(f'{scheme}://' for scheme in schemes)} and names a host")
    return url


def base(name: str, text: str) -> str:
    """A site's address. Raises Unfit."""
    url = _url(name, text, ("https", "http"))
    if url.path not in {"", "/"} or url.query or url.fragment or url.username is not None:
        raise Unfit(f"{name} must be a host alone, as in https://turns.example.org, with no path behind it")
    return f"{url.scheme}://{url.netloc.lower()}"


def redis(name: str, text: str) -> str:
    """The address of a Redis, with options that its client knows. Raises Unfit."""
    try:
        address(text)
    except NoRedis as wrong:
        raise Unfit(f"{name} {wrong}") from wrong
    return text


def archive(name: str, text: str) -> str:
    """Where an archive is. Raises Unfit."""
    url = urlsplit(text)
    directory = url.scheme in {"", "file"} and not url.netloc and url.path.startswith("/")
    bucket = url.scheme == "s3" and url.netloc and "@" not in url.netloc and not url.query
    if text and not directory and not bucket:
        raise Unfit(f"{name} is {text!r}: it must be a directory, as in file:///srv/forgepost/archive, or a bucket, as in s3://bucket/prefix")
    return text


def limits(name: str, text: str) -> str:
    """Limits of requests. Raises Unfit."""
    try:
        quotas(text, dev=False)
    except ValueError as wrong:
        raise Unfit(f"{name} cannot be kept to: {wrong}") from wrong
    return text


def proxies(name: str, text: str) -> tuple[Network, ...]:
    """Addresses and networks. Raises Unfit."""
    try:
        return read(text)
    except ValueError as wrong:
        raise Unfit(f"{name} must be addresses or networks with commas between them, as in 10.0.0.5,10.1.0.0/16: {wrong}") from wrong


def days(name: str, text: str) -> int:
    """A number of days. Raises Unfit."""
    if not re.fullmatch(r"[0-9]{1,5}", text):
        raise Unfit(f"{name} is {text!r}: it must be a number of days, or 0")
    return int(text)


def smtp(name: str, text: str) -> str:
    """The address of a mail server. Raises Unfit."""
    url = _url(name, text, ("smtp", "smtp+starttls", "smtps"))
    if url.path not in {"", "/"} or url.query or url.fragment:
        raise Unfit(f"{name} must end after the port")
    if url.scheme == "smtp" and url.username is not None and url.hostname not in LOOPBACK:
        raise Unfit(f"{name} would send its password for everybody to read: begin it with smtp+starttls:// or smtps://")
    return text


def mail_in(name: str, text: str) -> str:
    """Where we take mail from our mail server; empty: nowhere. Raises Unfit."""
    if not text:
        return ""
    url = _url(name, text, ("lmtp", "smtp"))
    if url.path not in {"", "/"} or url.query or url.fragment or url.username is not None or url.port is None:
        raise Unfit(f"{name} must end after its port, as in lmtp://127.0.0.1:8024")
    return text


def imap(name: str, text: str) -> str:
    """A mailbox in which we look for mail; empty: none. Raises Unfit."""
    if not text:
        return ""
    url = _url(name, text, ("imaps", "imap+starttls", "imap"))
    if not url.username or url.password is None or url.query or url.fragment:
        raise Unfit(f"{name} must name a user and a password, as in imaps://user:password@host/INBOX")
    if url.scheme == "imap" and url.hostname not in LOOPBACK:
        raise Unfit(f"{name} would send its password for everybody to read: begin it with imaps:// or imap+starttls://")
    return text


def dkim(name: str, text: str) -> str:
    """Selectors with their key files. Raises Unfit."""
    try:
        signers(text)
    except Unusable as why:
        raise Unfit(f"{name}: {why}") from why
    return text


def usual_domain(url: str | None, *, dev: bool) -> str | None:
    """The domain of our addresses where none is said; None where there is no telling."""
    host = (urlsplit(url).hostname or "") if url else "any.example"  # without a URL there is already something to complain about
    named = re.fullmatch(r"[a-z0-9.-]+\.[a-z][a-z0-9-]*", host)
    return host if named else "forgepost.localhost" if dev else None


def domain(name: str, text: str) -> str:
    """A domain. Raises Unfit."""
    if not re.fullmatch(r"(?=.{1,200}\Z)[a-z0-9]([a-z0-9.-]*[a-z0-9])?", text.lower()) or ".." in text:
        raise Unfit(f"{name} is {text!r}: it must be a domain, as in turns.example.org")
    return text.lower()
