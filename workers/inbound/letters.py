"""Bytes as letters: every charset that mail programs write, none that is a trick, and what only directs or hides taken out."""

from __future__ import annotations

import codecs
import re
from typing import Final

# Only what turns bytes into letters: Python knows other codecs (rot13, hex, zip, idna), which a mail could name.
ALLOWED: Final = re.compile(
    r"utf[-_]?(7|8|8-sig|16|16le|16be|32|32le|32be)"
    r"|(us[-_])?ascii|ansi_x3\.4-1968|646"
    r"|iso[-_]?8859[-_]?\d{1,2}(-[ei])?|latin[-_]?\d{1,2}"
    r"|(windows|cp|ibm|x-cp)[-_]?(\d{3,5})|x-sjis|ms[-_]?kanji|mac[-_]?(roman|cyrillic|greek|latin2|turkish)|macintosh"
    r"|koi8[-_]?[rut]|gb[-_]?2312|gbk|gb18030|hz([-_]gb[-_]2312)?|big5([-_]hkscs)?"
    r"|shift[-_]?jis|shift[-_]?jisx0213|euc[-_]?(jp|kr|jis[-_]2004)|iso[-_]?2022[-_]?(jp|kr)([-_](1|2|3|ext|2004))?|ks[-_]c[-_]5601(-1987)?|johab"
    r"|tis[-_]?620|viscii|ptcp154",
    re.IGNORECASE,
)
OTHER_NAMES: Final = {
    "x-sjis": "shift_jis",
    "macintosh": "mac_roman",
    "iso-8859-8-i": "iso-8859-8",
    "iso-8859-8-e": "iso-8859-8",
    "gb2312": "gb18030",
}
GUESSES: Final = ("utf-8", "windows-1252")
UNSEEN: Final = re.compile("[\x00\ufeff\u200b-\u200f\u202a-\u202e\u2060-\u2069\u00ad]")


def decoded(data: bytes, charset: str) -> str:
    """The letters, whatever the charset is called: as it says, else as UTF-8, else as Windows does, where every byte is something."""
    named = charset.strip(" \"'").lower()
    named = OTHER_NAMES.get(named, named)
    for guess in ((named,) if ALLOWED.fullmatch(named) else ()) + GUESSES:
        try:
            return plain(codecs.decode(data, guess))
        except (LookupError, UnicodeError, ValueError):
            continue
    return plain(data.decode("windows-1252", errors="replace"))


def plain(text: str) -> str:
    """With one kind of line end, and without what nobody sees."""
    return UNSEEN.sub("", text.replace("\r\n", "\n").replace("\r", "\n").replace("\u2028", "\n").replace("\u2029", "\n").replace("\x0c", "\n"))


def unflowed(text: str, *, joined: bool) -> str:
    """A text of `format=flowed` (RFC 3676) with its paragraphs on one line again; `joined`: the blank at a line's end was only put in to break it."""
    lines: list[str] = []
    open_depth = -1  # of the quote to which the line before goes on
    for line in text.split("\n"):
        bare = line.lstrip(">")
        depth = len(line) - len(bare)
        bare = bare.removeprefix(" ")
        goes_on = bare.endswith(" ") and bare != "-- "
        if depth == open_depth and bare != "-- ":
            lines[-1] += bare
        else:
            lines.append(f"{'>' * depth} {bare}" if depth else bare)
        if goes_on and joined:
            lines[-1] = lines[-1][:-1]
        open_depth = depth if goes_on else -1
    return "\n".join(lines)
