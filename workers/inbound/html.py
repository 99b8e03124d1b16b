"""A mail that is only HTML as text: its lines as they are seen, and what mail programs mark as a quote as one."""

from __future__ import annotations

import re
from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

LONGEST: Final = 128_000  # characters that are looked at
MOST_TAGS: Final = 3_000  # the same of tags: parsing takes the square of how deep they lie in each other
HIDDEN: Final = frozenset({"head", "style", "script", "title", "template", "noscript", "svg", "math", "object", "textarea", "select", "button"})
BLOCKS: Final = frozenset(
    {"address", "article", "aside", "blockquote", "body", "center", "dd", "div", "dl", "dt", "fieldset", "footer", "form", "h1", "h2", "h3", "h4"}
    | {"h5", "h6", "header", "hr", "li", "main", "nav", "ol", "p", "pre", "section", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul"}
)
# What programs call the part that they quote; with `from here`, also all that comes after it.
QUOTES: Final = re.compile(
    r"\b(gmail_quote|gmail_attr|gmail_signature|yahoo_quoted|protonmail_quote|protonmail_signature_block|moz-cite-prefix"
    r"|moz-signature|zmail_extra|tutanota_quote|ms-outlook-mobile-signature|ms-outlook-ios-signature|apple-mail-signature)\b",
    re.IGNORECASE,
)
FROM_HERE: Final = re.compile(r"(divRplyFwdMsg|appendonsend|mail-editor-reference-message-container|x_divRplyFwdMsg|OLK_SRC_BODY_SECTION)")
RULE: Final = re.compile(r"border:\s{0,9}none;\s{0,9}border-top:\s{0,9}solid", re.IGNORECASE)  # above what Outlook quotes


def text_of(html: str) -> str:
    """The text, quotes with `>` before each line."""
    root = LexborHTMLParser(_bounded(html)).root
    found: list[str] = []
    _Walk(found).through(root)
    return re.sub(r"\n{3,}", "\n\n", "".join(found)).strip("\n")


def _bounded(html: str) -> str:
    tags = 0
    for place, sign in enumerate(html[:LONGEST]):
        tags += sign == "<"
        if tags > MOST_TAGS:
            return html[:place]
    return html[:LONGEST]


class _Walk:
    """Goes through the tree without recursion, since anybody may have planted it."""

    def __init__(self, found: list[str]) -> None:
        self._found, self._quoted, self._over = found, 0, False

    def through(self, root: LexborNode | None) -> None:
        waiting: list[tuple[LexborNode | None, str]] = [(root, "")]
        while waiting:
            node, closing = waiting.pop()
            if node is None:
                self._close(closing)
                continue
            tag = node.tag or ""
            if tag == "-text":
                self._say(node.text_content or "")
                continue
            if tag in HIDDEN or tag.startswith(("-", "!")):
                continue
            if tag == "br":
                self._break()
                continue
            closing = self._begin(tag, node)
            waiting.append((None, closing))
            child, children = node.child, []
            while child is not None:
                children.append(child)
                child = child.next
            waiting += [(each, "") for each in reversed(children)]

    def _begin(self, tag: str, node: LexborNode) -> str:
        """What the end of this element ends: a line, a quote."""
        attributes = node.attributes
        if tag in BLOCKS:
            self._line()
        if FROM_HERE.search(attributes.get("id") or "") or RULE.search(attributes.get("style") or ""):
            self._over = True
        if tag == "blockquote" or QUOTES.search(f"{attributes.get('class') or ''} {attributes.get('id') or ''}"):
            self._line()
            self._quoted += 1
            return "quote"
        if tag == "p":
            return "paragraph"
        return "line" if tag in BLOCKS else ""

    def _close(self, closing: str) -> None:
        if closing:
            self._line()
        if closing == "quote":
            self._quoted -= 1
        if closing == "paragraph" and not self._quoted:
            self._found.append("\n")

    def _say(self, text: str) -> None:
        words = " ".join(text.replace("\xa0", " ").split(" ")) if "\n" not in text else text
        words = re.sub(r"[ \t\n\r\f]+", " ", words.replace("\xa0", " "))
        at_start = not self._found or self._found[-1].endswith("\n")
        if at_start:
            words = words.lstrip(" ")
        if words:
            self._found.append(f"> {words}" if at_start and (self._quoted or self._over) else words)

    def _line(self) -> None:
        """The end of a line, where one was begun."""
        if self._found and not self._found[-1].endswith("\n"):
            self._found.append("\n")

    def _break(self) -> None:
        self._found.append("\n")
