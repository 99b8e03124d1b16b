"""The development mailbox: what was really sent, for the developer's own machine alone."""

from dataclasses import replace
from email import message_from_bytes
from email.message import EmailMessage
from html import unescape

import pytest
from flask.testing import FlaskClient

from infra.mail.handwriting import CLIENTS, Client
from infra.mail.mailbox import Envelope, previews
from infra.wiring import Site
from service.app import create_app
from tests.post import Post, serving
from tests.service.pages.parlour import words

LINK = "http://127.0.0.1:8000/m/" + "a" * 45


@pytest.fixture
def mail(site: Site) -> str:
    """The id of a mail with text, HTML and a picture."""
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "play@example.org", "ann@example.org", "Fourfold <b>: your match"
    message.set_content(f"It is your turn\n\nPlay here:\n{LINK}.\n<script>alert(1)</script>\n")
    picture = '<img src="cid:board@x">'
    message.add_alternative(f'<p style="color:red">Hello <a href="{LINK}">play</a> {picture}</p><script>alert(1)</script>', subtype="html")
    html = message.get_body(("html",))
    assert isinstance(html, EmailMessage)
    html.add_related(b"\x89PNG fake", "image", "png", cid="<board@x>")
    return site.mailbox.deliver(message.as_bytes(), Envelope("b@example.org", ("ann@example.org",), site.clock()))


def test_an_empty_mailbox_says_how_to_fill_it(client: FlaskClient):
    assert "Nothing yet. Start a match" in words(client.get("/dev/mail").text)


def test_the_list_tells_mails_apart(client: FlaskClient, mail: str):
    page = client.get("/dev/mail")
    assert page.status_code == 200
    assert "ann@example.org It is your turn Fourfold <b>: your match 2026-11-29 12:00:00 UTC" in words(page.text)
    assert f'href="/dev/mail/{mail}"' in page.text


def test_a_mail_lies_in_a_frame_without_rights(client: FlaskClient, mail: str):
    page = client.get(f"/dev/mail/{mail}")
    assert 'sandbox="allow-top-navigation-by-user-activation"' in page.text
    frame = unescape(page.text.partition('srcdoc="')[2].partition('"')[0])
    assert f'href="{LINK}"' in frame
    assert 'src="data:image/png;base64,' in frame
    assert "<script>alert" not in page.text
    assert "script-src" not in page.headers["Content-Security-Policy"]
    assert "style-src 'self' 'unsafe-inline'" in page.headers["Content-Security-Policy"]


def test_the_text_has_its_links_to_click(client: FlaskClient, mail: str):
    page = client.get(f"/dev/mail/{mail}?as=text")
    assert f'<a href="{LINK}">{LINK}</a>.' in page.text
    assert "<script>alert" not in page.text
    assert "unsafe-inline" in page.headers["Content-Security-Policy"]


def test_the_headers_and_the_raw_mail_can_be_seen(client: FlaskClient, site: Site, mail: str):
    assert "Subject: Fourfold &lt;b&gt;: your match" in client.get(f"/dev/mail/{mail}?as=headers").text
    raw = client.get(f"/dev/mail/{mail}.eml")
    assert raw.data == site.mailbox.raw(mail)
    assert raw.mimetype == "message/rfc822"


def test_programs_read_it_as_json(client: FlaskClient, mail: str):
    mails = client.get("/dev/mail.json").get_json()
    assert [set(each) for each in mails] == [{"id", "to", "subject", "sent_at", "text", "html", "links", "raw_url"}]
    assert mails[0]["links"] == [LINK]
    assert mails[0]["raw_url"].endswith(f"/dev/mail/{mail}.eml")


@pytest.mark.parametrize("path", ["/dev/mail/999", "/dev/mail/999.eml", "/dev/mail/x", "/dev/mail/..%2f..%2fsecrets", "/dev/mail/1?as=pdf"])
def test_a_mail_that_there_is_not_is_a_404(client: FlaskClient, mail: str, path: str):
    assert client.get(path).status_code == 404


PATHS = ("/dev/mail", "/dev/mail.json", "/dev/mail/1", "/dev/mail/1.eml")


def test_nobody_else_sees_it(client: FlaskClient, mail: str):
    for path in PATHS:
        assert client.get(path, environ_overrides={"REMOTE_ADDR": "192.0.2.7"}).status_code == 404
        assert client.get(path, headers={"Host": "evil.example"}).status_code == 404
        assert client.get(path, headers={"Host": "127"}).status_code == 404
        assert client.get(path, environ_overrides={"REMOTE_ADDR": "::1"}, headers={"Host": "[::1]:8000"}).status_code == 200


def test_a_real_site_has_no_such_pages(site: Site, mail: str):
    client = create_app(replace(site, settings=replace(site.settings, dev=False))).test_client()
    for path in PATHS:
        assert client.get(path).status_code == 404
    assert "/dev/mail" not in client.get("/").text


def test_previews_are_seen_like_mails_and_cannot_be_replied_to(client: FlaskClient, site: Site):
    message = EmailMessage()
    message["Reply-To"], message["Subject"] = "r+abc@forgepost.localhost", "Fourfold: your match"
    message.set_content("It is your turn\n")
    number = previews(site.settings.data, "").deliver(message.as_bytes(), Envelope("", ("ann@example.org",), 0))
    assert "It is your turn" in client.get("/dev/previews").text
    assert [mail["id"] for mail in client.get("/dev/previews.json").get_json()] == [number]
    page = client.get(f"/dev/previews/{number}?as=text").text
    assert "It is your turn" in page
    assert "Reply as" not in page
    assert client.get(f"/dev/previews/{number}.eml").data == message.as_bytes()
    assert client.get("/dev/previews", headers={"Host": "evil.example"}).status_code == 404


@pytest.fixture
def answerable(site: Site) -> str:
    """The id of a mail that asks for a reply."""
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "play@example.org", "ann@example.org", "Fourfold 07-0123456789: your match"
    message["Reply-To"], message["Message-ID"] = f"r+{'a' * 45}@forgepost.localhost", "<turn.1@example.org>"
    message.set_content("It is your turn\n")
    return site.mailbox.deliver(message.as_bytes(), Envelope("b@example.org", ("ann@example.org",), site.clock()))


@pytest.mark.parametrize("program", CLIENTS)
def test_a_reply_in_the_readers_place_is_really_sent_to_where_replies_come_in(site: Site, answerable: str, program: Client):
    post = Post()
    with serving(post) as port:
        here = create_app(replace(site, settings=replace(site.settings, mail_in_url=f"smtp://127.0.0.1:{port}"))).test_client()
        page = here.get(f"/dev/mail/{answerable}")
        assert "Reply as ann@example.org" in page.text
        sent = here.post(f"/dev/mail/{answerable}/reply", data={"words": "deploy a5\nS1>c2", "client": program})
        assert sent.status_code == 303
        assert "The reply of ann@example.org is on its way" in words(here.get(sent.headers["Location"]).text)
        told = here.post(f"/dev/mail/{answerable}/reply.json", json={"words": "board"})
        assert (told.status_code, told.get_json()) == (202, {"sent": True})
    first, second = post.taken
    assert (first.mail_from, first.rcpt_tos) == ("ann@example.org", [f"r+{'a' * 45}@forgepost.localhost"])
    mail = message_from_bytes(first.content)
    assert (mail["In-Reply-To"], mail["Subject"]) == ("<turn.1@example.org>", "Re: Fourfold 07-0123456789: your match")
    assert b"board" in second.content


def test_a_reply_that_cannot_be_sent_says_why(client: FlaskClient, mail: str, answerable: str):
    assert "Reply as" not in client.get(f"/dev/mail/{mail}").text
    assert client.post(f"/dev/mail/{mail}/reply", data={"words": "help"}).status_code == 422
    assert "Not sent: " in client.post(f"/dev/mail/{answerable}/reply", data={"words": "help"}).text  # nobody listens
    assert "Write the line" in client.post(f"/dev/mail/{answerable}/reply", data={"words": " "}).text
    assert client.post(f"/dev/mail/{answerable}/reply", data={"words": "help", "client": "pine"}).status_code == 422
    assert client.post(f"/dev/mail/{answerable}/reply", data={"words": "help"}, headers={"Sec-Fetch-Site": "cross-site"}).status_code >= 400
    assert client.post(f"/dev/mail/{answerable}/reply.json", data='{"words": "help"}').status_code == 422
    assert client.post(f"/dev/mail/{answerable}/reply.json", json=["help"]).status_code == 422
    assert client.post(f"/dev/mail/{answerable}/reply", data={"words": "help"}, headers={"Host": "evil.example"}).status_code == 404


def test_a_mail_can_be_seen_raw(client: FlaskClient, answerable: str):
    assert "Message-ID: &lt;turn.1@example.org&gt;" in client.get(f"/dev/mail/{answerable}?as=raw").text
