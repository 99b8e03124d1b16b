"""What holds for every mail, whatever it is about: read by other people's parsers, small, whole, and usable by those who see no pictures."""

from __future__ import annotations

import re
from email.message import EmailMessage
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree as ET

import html5lib
import mailparser
import pytest

from domain.games import GAMES
from infra.mail.mailbox import previews
from infra.settings import Settings
from tests.markup import flaws
from tests.table import MATCH, NOON
from tests.workers.every_letter import every_letter, wire
from tests.workers.writing_desk import WritingDesk, opened
from workers.letters.letter import Letter
from workers.letters.links import Links
from workers.letters.writing import letter
from workers.letters.written import TEMPLATES, Written
from workers.previews import make

HTML = "{http://www.w3.org/1999/xhtml}"
WHOLE = (
    "message-id",
    "in-reply-to",
    "references",
    "reply-to",
    "list-id",
    "list-unsubscribe",
    "list-unsubscribe-post",
    "feedback-id",
    "forgepost-head",
)

Mails = list[tuple[str, EmailMessage, Written]]


@pytest.fixture(scope="module")
def mails(tmp_path_factory: pytest.TempPathFactory) -> Mails:
    return list(every_letter(tmp_path_factory.mktemp("letters")))


def body(said: Written) -> ET.Element:
    """The HTML by the standard's own parser, which is told to forgive nothing."""
    read: ET.Element = html5lib.HTMLParser(strict=True).parse(said.html)
    return read


def test_there_is_one_of_every_template(mails: Mails):
    shared = {"frame", "parts", "news", "subject", "letter", "screens"}
    others = {"sign-in", "address", "moving", "trial", "webhook-off"}  # about no match: tests/workers/test_personal.py
    answers = {"answer"}  # to a mail that came in
    pages = {name.partition(".")[0] for name in TEMPLATES.list_templates()} - shared - others - answers
    assert {kind for kind, _, _ in mails if not kind.startswith("turn of")} == pages
    assert {kind for kind, _, _ in mails if kind.startswith("turn of")} == {f"turn of {game}" for game in GAMES}


def test_html_is_valid_before_and_after_its_styles_are_inlined(mails: Mails, tmp_path: Path):
    for _, _, said in mails:
        body(said)
    desk = WritingDesk(tmp_path, opened())
    made: Letter = letter(desk.facts("turn", seat="south"), Links(desk.tokens, desk.settings.url))
    html5lib.HTMLParser(strict=True).parse(TEMPLATES.get_template("turn.html").render(letter=made, picture="board@here").strip())


def test_no_mail_is_larger_than_mail_programs_show_whole(mails: Mails):
    sizes = {kind: (len(said.html.encode()), len(wire(message))) for kind, message, said in mails}
    assert {kind: size for kind, size in sizes.items() if size[0] > 60_000 or size[1] > 160_000} == {}


def test_another_parser_reads_every_mail_as_it_was_meant(mails: Mails):
    for kind, message, said in mails:
        read = mailparser.parse_from_bytes(wire(message))
        assert not read.has_defects, (kind, read.defects_categories)
        assert read.subject == said.subject, kind
        assert read.from_ == [("Forgepost", "play@forgepost.localhost")]
        assert [address for _, address in read.to] == ["ann@example.org"]
        assert read.message_id == str(message["Message-ID"])
        assert read.text_plain[0].replace("\r\n", "\n") == said.text
        assert read.text_html[0].replace("\r\n", "\n").strip() == said.html.strip()
        pictures_in = [each["mail_content_type"] for each in read.attachments]
        assert pictures_in == (["image/png"] if "cid:" in said.html else []), kind


def test_on_the_wire_no_line_is_too_long_and_no_id_is_broken(mails: Mails):
    for kind, message, _ in mails:
        raw = wire(message)
        assert raw.isascii(), kind
        assert max(map(len, raw.split(b"\r\n"))) <= 998, kind
        lines = raw.partition(b"\r\n\r\n")[0].split(b"\r\n")
        kept = [name for name in message if name.lower() in WHOLE]
        assert [f"{name}: {message[name]}".encode() for name in kept] == [line for line in lines if line.partition(b":")[0].decode() in kept], kind
        assert not any(line[:1] in (b" ", b"\t") and before.partition(b":")[0].decode() in kept for before, line in pairwise(lines)), kind


def test_all_mails_of_a_match_have_one_subject_and_one_root_and_the_headers_that_keep_machines_quiet(mails: Mails):
    of_match = [(kind, message) for kind, message, _ in mails if kind != "digest"]
    assert {str(message["Subject"]) for kind, message in of_match if not kind.startswith("turn of")} == {f"Fourfold {MATCH}: your match"}
    assert len({str(message["References"]) for kind, message in of_match if kind in ("turn", "over", "vacated", "offer")}) == 1
    for kind, message, _ in mails:
        assert message["Auto-Submitted"] == "auto-generated", kind
        assert message["X-Auto-Response-Suppress"] == "OOF, AutoReply", kind
        assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click", kind
        by_mail = f", <mailto:{message['Reply-To']}?subject=stop&body=stop>" if message["Reply-To"] else ""
        assert re.fullmatch(rf"<http://127\.0\.0\.1:8000/u/[0-9a-z]{{45}}>{re.escape(by_mail)}", str(message["List-Unsubscribe"])), kind
        assert by_mail or kind in ("digest", "given-away", "aborted"), kind
        assert message["Precedence"] is None, kind


def test_whoever_sees_no_pictures_misses_nothing(mails: Mails):
    for kind, _, said in mails:
        read = body(said)
        assert read.get("lang") == "en", kind
        images = list(read.iter(f"{HTML}img"))
        assert all(image.get("alt") for image in images), kind
        assert all(image.get("src", "").startswith("cid:") and image.get("width") for image in images), kind
        if images:
            assert "The position in words" in said.html, kind
        for table in read.iter(f"{HTML}table"):
            headed = any(cell.get("scope") == "col" for cell in table.iter(f"{HTML}th"))
            assert table.get("role") == "presentation" or headed, kind
        headings = [element.tag.removeprefix(HTML) for element in read.iter() if element.tag in (f"{HTML}h1", f"{HTML}h2", f"{HTML}h3")]
        assert headings[0] == "h1", kind
        assert headings.count("h1") == 1, kind
        for anchor in read.iter(f"{HTML}a"):
            assert "".join(anchor.itertext()).strip(), kind


def test_every_kind_of_mail_is_as_the_standard_has_it_but_for_what_old_mail_programs_need(mails: Mails, tmp_path: Path):
    data = Settings.development(tmp_path / "data")
    make(data, NOON)
    pages = {kind: said.html for kind, _, said in mails} | {f"preview {mail.id}": mail.html for mail in previews(data.data, "").mails(200)}
    assert len(pages) > 30
    assert flaws(pages, tmp_path, no_deprecated_attr="off") == []


def test_text_and_html_have_the_same_links(mails: Mails):
    for kind, _, said in mails:
        in_html = {anchor.get("href") for anchor in body(said).iter(f"{HTML}a")}
        in_text = set(re.findall(r"https?://\S+", said.text))
        in_html = {re.sub(r"/m/([0-9a-z]+)/history(\.ndjson)?$", r"/h/\1", link or "") for link in in_html}  # no line of HTML is broken
        assert {link for link in in_html if link and link.startswith("http")} <= in_text | {f"{link})" for link in in_text}, kind
        assert in_text <= in_html, kind


def test_every_kind_of_notice_to_a_person_has_its_letter():
    kinds = {"turn", "reminder", "over", "invitation", "offer", "declined", "turned-down", "vacated", "aborted", "digest", "taken-back", "given-away"}
    pages = {name for name in TEMPLATES.list_templates() if name.partition(".")[0] in kinds}
    assert pages == {f"{kind}.{part}" for kind in kinds for part in ("txt", "html")}
