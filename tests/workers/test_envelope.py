"""A letter as a mail: its parts, and the headers that it travels with."""

from __future__ import annotations

import re
from dataclasses import replace as replace_settings
from io import BytesIO

import pytest
from msgspec.structs import replace
from PIL import Image

from infra.seals.keys import Keys
from tests.table import MATCH
from tests.workers.writing_desk import BO, WritingDesk
from workers.letters.envelope import Addresses


def test_the_headers_keep_a_match_in_one_thread_and_auto_responders_silent(desk: WritingDesk):
    mail = desk.mail("turn", seat="south")
    root = str(mail["References"])
    assert re.fullmatch(r"<match\.07-0000000001\.[0-9a-z]{19}@forgepost\.localhost>", root)
    assert re.fullmatch(r"<turn\.07-0000000001\.[0-9a-z]{19}@forgepost\.localhost>", str(mail["Message-ID"]))
    assert {
        name: str(mail[name])
        for name in mail
        if name not in {"Message-ID", "Reply-To", "List-Unsubscribe", "Forgepost-Head", "Content-Type", "MIME-Version"}
    } == {
        "From": "Forgepost <play@forgepost.localhost>",
        "To": "Ann <ann@example.org>",
        "Date": "Sun, 29 Nov 2026 12:00:30 +0000",
        "Subject": "Fourfold 07-0000000001: your match",
        "In-Reply-To": root,
        "References": root,
        "List-Id": "Forgepost match 07-0000000001 <07-0000000001.matches.forgepost.localhost>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
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


def test_an_answer_goes_to_an_address_that_says_for_which_seat_and_to_which_ask_it_is(desk: WritingDesk):
    turn, news = str(desk.mail("turn", seat="south")["Reply-To"]), str(desk.mail("vacated")["Reply-To"])
    tokens = [desk.tokens.unseal(re.fullmatch(r"r\+([0-9a-z]{45})@forgepost\.localhost", said)[1]) for said in (turn, news)]  # type: ignore[index]
    ask = desk.table.live.ask("south")
    assert ask
    assert [(token.purpose, token.subject, token.seat_index, token.ask) for token in tokens if token] == [
        ("reply", MATCH, 2, ask.version),
        ("reply", MATCH, 2, desk.table.live.chair("south").since),
    ]


def test_a_thread_and_the_address_for_bounces_outlive_the_keys_of_links(desk: WritingDesk):
    rotated = replace_settings(desk.settings, secrets=(("b", bytes(range(32))), *desk.settings.secrets))
    after = Addresses(Keys(rotated), "forgepost.localhost")
    assert after.root_id(MATCH, BO) == desk.addresses.root_id(MATCH, BO)
    assert after.bounced(desk.addresses.bounce(BO)) == BO


@pytest.mark.parametrize(
    "spoilt", ["b+p-bo00000000.0000000000000000000@forgepost.localhost", "b+@forgepost.localhost", "play@forgepost.localhost", ""]
)
def test_an_address_for_bounces_that_somebody_made_up_is_nobodys(desk: WritingDesk, spoilt: str):
    assert desk.addresses.bounced(spoilt) is None
    assert desk.addresses.bounced(f"<{desk.addresses.bounce(BO).upper()}>") == BO
