"""What a name or an address may look like that goes into other people's mail, and in words why another may not."""

from __future__ import annotations

import re
import unicodedata
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from domain.games import GAMES

LONGEST_NAME = 40  # characters
UNSEEN = {"Cc": "a control character", "Cf": "an invisible character", "Zl": "a line separator", "Zp": "a paragraph separator"}
UNUSABLE = {"Cs": "half a character", "Co": "a character without a meaning", "Cn": "a character without a meaning"}
BLANK_LETTERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")  # letters and marks that show nothing
LOOKS_LIKE_A_LINK = re.compile(
    r"@|:/|::|https?\b|\bwww\b|[\w-]\.[^\W\d_]{2}"
    r"|\d+(\.\d+){3}"  # 1.2.3.4
    r"|\b[a-z][a-z0-9+.-]*:\S"  # tel:123
)
SEATS = sorted({seat for game in GAMES.values() for seat in game.seats})
OURS = re.compile(  # what our mails and pages call people whom they do not name
    r"(the )?(you|nobody|somebody|everybody|(house )?bots?|clock|caretaker|server|forgepost|free|invited)"
    rf"|(the )?({'|'.join(SEATS)}|(seat|chair) \d+)( \(.*\))?"
    rf"|an? (house )?bot|(.*\W)?\((you|house bot|invited|has left)\)"
)
LOCAL_PART = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*")
LABEL = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")
CHANGED_SINCE = frozenset("ßςẞ\u200c\u200d")  # Python's IDNA (2003) turns these into another domain than today's registries do


class Misspelled(ValueError):
    """A name, address or time zone that we cannot take; the message says why and what would do."""


def spelled(name: str) -> str:
    """The name as it is kept: composed (NFC), single blanks, 1 to 40 characters. Raises Misspelled."""
    kept = unicodedata.normalize("NFC", name.strip().replace("\ufe0f", ""))  # U+FE0F, which phones add to hearts, changes no letter
    for sign in kept:
        _look_at(sign)
    kept = " ".join(kept.split())
    if not any(unicodedata.category(sign)[0] in "LNS" for sign in kept):
        raise Misspelled("a name needs at least one letter or digit")
    if len(kept) > LONGEST_NAME:
        raise Misspelled(f"a name has at most {LONGEST_NAME} characters, and this one has {len(kept)}")
    if "^^^^" in "".join("^" if unicodedata.combining(sign) else "." for sign in kept):
        raise Misspelled("this name piles too many accents on one letter")
    seen = unicodedata.normalize("NFKC", kept).casefold().replace("。", ".")
    if LOOKS_LIKE_A_LINK.search(seen):
        raise Misspelled("a name must not look like a mail or web address; after a full stop or a colon put a blank, as in St. John")
    if "=?" in seen:
        raise Misspelled("please leave out =? from the name: mail programs take it for the beginning of something written in code")
    if OURS.fullmatch(" ".join(seen.split()).strip(" .!?")):
        raise Misspelled(f"“{kept}” is what we call somebody in our own words: add something, so that nobody is mixed up")
    return kept


def label(text: str) -> str:
    """What somebody calls a thing of their own, which nobody else reads: single blanks, 1 to 40 characters. Raises Misspelled."""
    kept = " ".join(unicodedata.normalize("NFC", text).split())
    for sign in kept:
        _look_at(sign)
    if not 1 <= len(kept) <= LONGEST_NAME:
        raise Misspelled(f"call it something, with 1 to {LONGEST_NAME} characters")
    return kept


def address(text: str) -> str:
    """The address as mail is sent to it: the part before the @ as given, the domain in small letters and ASCII. Raises Misspelled."""
    text = text.strip()
    if not text:
        raise Misspelled("enter an address, as in ann@example.org")
    if len(text) > 254:
        raise Misspelled("this address is too long: 254 characters are the most that mail can carry")
    for sign in text:
        _look_at(sign)
    if text.count("@") != 1 or " " in text:
        raise Misspelled(f"“{text}” is no mail address: give the address alone, as in ann@example.org")
    local, _, domain = text.partition("@")
    if not local.isascii():
        raise Misspelled(f"we cannot send to {text}: before the @ only the letters a to z, digits and a few signs reach every mail server")
    if not LOCAL_PART.fullmatch(local) or len(local) > 64:
        raise Misspelled(f"“{text}” is no mail address that we can send to: the part before the @ is not written as mail servers write it")
    ascii_domain = _ascii_domain(domain)
    if len(local) + 1 + len(ascii_domain) > 254:
        raise Misspelled("this address is too long: 254 characters are the most that mail can carry")
    return f"{local}@{ascii_domain}"


def same_box(address: str) -> str:
    """What two spellings of one mailbox have in common: no provider that matters tells Ann@ from ann@."""
    return address.lower()


def zone(name: str) -> str:
    """An IANA time zone, as in Europe/Vienna. Raises Misspelled."""
    try:
        return ZoneInfo(name).key
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise Misspelled(f"{name[:LONGEST_NAME]!a} is no time zone that we know; it would be written as in Europe/Vienna") from None


def _look_at(sign: str) -> None:
    category = unicodedata.category(sign)
    blank = sign in BLANK_LETTERS or "\ufe00" <= sign <= "\ufe0e" or "\U000e0100" <= sign <= "\U000e01ef"
    what = UNSEEN.get(category) or UNUSABLE.get(category) or ("an invisible character" if blank else None)
    if what:
        raise Misspelled(f"please leave out {what} (U+{ord(sign):04X} {unicodedata.name(sign, '')}".rstrip() + ")")


def _ascii_domain(domain: str) -> str:
    if CHANGED_SINCE & set(domain):
        raise Misspelled(f"the domain {domain} has letters that mail programs translate differently: write it as your provider does, with xn--")
    try:
        labels = unicodedata.normalize("NFKC", domain).lower().encode("idna").decode().lower().split(".")
        for label in labels:
            label.encode().decode("idna")
    except UnicodeError:
        labels = []
    if len(labels) < 2 or not all(LABEL.fullmatch(label) for label in labels) or labels[-1].isdigit() or len(labels[-1]) < 2:
        raise Misspelled(f"{f'“{domain}”' if domain else 'nothing'} is no domain that mail can be sent to: it would be written as in example.org")
    return ".".join(labels)
