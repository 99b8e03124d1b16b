"""A letter as a mail: its parts, and the headers that it travels with."""

from __future__ import annotations

import re
from io import BytesIO

from msgspec.structs import replace
from PIL import Image

from tests.table import MATCH
from tests.workers.writing_desk import BO, WritingDesk


def test_the_headers_keep_a_match_in_one_thread_and_auto_responders_silent(desk: WritingDesk):
    mail = desk.mail("turn", seat="south")
    root = str(mail["References"])
    assert re.fullmatch(r"<match\.07-0000000001\.[0-9a-z]{19}@forgepost\.localhost>", root)
    assert re.fullmatch(r"<turn\.07-0000000001\.[0-9a-z]{19}@forgepost\.localhost>", str(mail["Message-ID"]))
    assert {name: str(mail[name]) for name in mail if name not in {"Message-ID", "Forgepost-Head", "Content-Type", "MIME-Version"}} == {
        "From": "Forgepost <play@forgepost.localhost>",
        "To": "Ann <ann@example.org>",
        "Date": "Sun, 29 Nov 2026 12:00:30 +0000",
        "Subject": "Fourfold 07-0000000001: your match",
        "In-Reply-To": root,
        "References": root,
        "List-Id": "Forgepost match 07-0000000001 <07-0000000001.matches.forgepost.localhost>",
        "Auto-Submitted": "auto-generated",
        "X-Auto-Response-Suppress": "OOF, AutoReply",
        "Feedback-ID": "07-0000000001:fourfold:turn:forgepost",
    }


def test_a_mail_is_text_or_html_with_the_board_in_it(desk: WritingDesk):
    mail = desk.mail("turn", seat="south")
    assert mail.get_content_type() == "multipart/alternative"
    text, related = mail.iter_parts()
    assert (text.get_content_type(), related.get_content_type()) == ("text/plain", "multipart/related")
    html, board = related.iter_parts()
    assert (html.get_content_type(), board.get_content_type(), board.get_content_disposition()) == ("text/html", "image/png", "inline")
    assert f'src="cid:{str(board["Content-ID"])[1:-1]}"' in html.get_content()
    assert [part["Content-Transfer-Encoding"] for part in (text, html)] == ["quoted-printable", "quoted-printable"]
    image = Image.open(BytesIO(board.get_content()))
    assert image.width == 800
    assert len(image.getcolors() or []) <= 64
    assert len(board.get_content()) <= 60_000


def test_one_notice_has_one_message_id_and_one_match_one_subject(desk: WritingDesk):
    first, again, reminder = desk.mail("turn", seat="south"), desk.mail("turn", seat="south"), desk.mail("reminder", seat="south")
    assert first["Message-ID"] == again["Message-ID"] != reminder["Message-ID"]
    assert first["Subject"] == reminder["Subject"]
    assert first["References"] == reminder["References"]
    assert desk.addresses.root_id(MATCH, BO) != first["References"]


def test_a_mail_that_is_asked_for_once_more_is_another_one(desk: WritingDesk):
    notice = desk.facts("turn", seat="south").notice
    asked = [replace(notice, again=minute) for minute in (0, 29_932_560, 29_932_570)]
    assert len({desk.addresses.message_id(each) for each in asked}) == 3
    assert len({desk.addresses.picture_id(each) for each in asked}) == 3
    assert desk.addresses.message_id(asked[0]) == desk.addresses.message_id(notice)
