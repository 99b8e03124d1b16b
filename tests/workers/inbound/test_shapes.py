"""Mails in the shapes that mail programs send them: charsets, encodings, HTML alone, signed, sealed; and what somebody makes up to stop us."""

from __future__ import annotations

from base64 import b64encode
from quopri import encodestring
from time import process_time

import pytest

from infra.mail.inbox import LARGEST
from workers.inbound.html import text_of
from workers.inbound.letters import decoded, unflowed
from workers.inbound.opening import Opened, Unopenable, opened
from workers.inbound.written import line_of, written

HEAD = b"From: ann@example.org\r\nTo: r+x@turns.example.org\r\nSubject: Re: your match\r\nMIME-Version: 1.0\r\n"
LINE = "S1>c2"


def said(raw: bytes) -> list[str]:
    """The first paragraph that was written, from the text or else the HTML."""
    mail = opened(raw)
    found = written(mail.text or text_of(mail.html), ("Forgepost",), "Ann")
    return [line_of(line) for line in found[0]] if found else []


def part(kind: str, body: bytes, encoding: str = "8bit", more: str = "") -> bytes:
    return f"Content-Type: {kind}\r\nContent-Transfer-Encoding: {encoding}\r\n{more}\r\n".encode() + body + b"\r\n"


def several(kind: str, *parts: bytes) -> bytes:
    return f'Content-Type: multipart/{kind}; boundary="=_b"\r\n\r\n'.encode() + b"".join(b"--=_b\r\n" + each for each in parts) + b"--=_b--\r\n"


@pytest.mark.parametrize(
    ("charset", "introduction"),
    [
        ("utf-8", "Le lun. 30 nov. 2026 à 09:00, Forgepost a écrit :"),
        ("iso-8859-1", "Le lun. 30 nov. 2026 à 09:00, Forgepost a écrit :"),
        ("ISO-8859-15", "Le lun. 30 nov. 2026 à 09:00, Forgepost a écrit :"),
        ("iso-8859-2", "Dne po 30. 11. 2026 v 9:00 Forgepost napsal(a):"),
        ("windows-1250", "Dnia 30.11.2026 o 09:00 Forgepost napisał:"),
        ("windows-1251", "30 ноября 2026, 09:00, Forgepost писал:"),
        ("windows-1252", "Am 30.11.2026 um 09:00 schrieb Forgepost – für Ann:"),
        ("windows-1255", "בתאריך 30.11.2026 ב-9:00 מאת Forgepost:"),
        ("windows-1256", "في 30.11.2026 في 9:00 كتب Forgepost:"),
        ("koi8-r", "30 ноября 2026, 09:00, Forgepost писал:"),
        ("gb18030", "Forgepost 于2026年11月30日 09:00写道："),
        ("gb2312", "Forgepost 于2026年11月30日 09:00写道："),
        ("big5", "Forgepost 於 2026年11月30日 09:00 寫道："),
        ("shift_jis", "2026年11月30日 9:00 Forgepost:"),
        ("iso-2022-jp", "2026年11月30日 9:00 Forgepost:"),
        ("euc-kr", "2026년 11월 30일 9:00, Forgepost님이 작성:"),
        ("utf-7", "Le lun. 30 nov. 2026 à 09:00, Forgepost a écrit :"),
        ("utf-16", "Le lun. 30 nov. 2026 à 09:00, Forgepost a écrit :"),
    ],
)
@pytest.mark.parametrize("encoding", ["8bit", "base64", "quoted-printable"])
def test_a_line_is_read_in_every_charset_and_encoding(charset: str, introduction: str, encoding: str):
    text = f"{LINE}\r\n\r\n{introduction}\r\n> x\r\n".encode(charset)
    if encoding == "8bit" and charset == "utf-16":
        return  # has NUL bytes and line ends of its own: no mail program sends it so
    coded = {"8bit": text, "base64": b64encode(text), "quoted-printable": encodestring(text)}[encoding]
    mail = opened(HEAD + part(f'text/plain; charset="{charset}"', coded, encoding))
    assert introduction in mail.text
    assert said(HEAD + part(f'text/plain; charset="{charset}"', coded, encoding)) == [LINE]


@pytest.mark.parametrize("charset", ["x-unknown", "rot13", "hex", "idna", "undefined", "zip", "unicode_escape", "", "utf-8\r\n x", "a" * 5000])
def test_a_charset_that_is_none_is_read_as_what_it_probably_is(charset: str):
    assert decoded("S1>c2 für".encode(), charset) == "S1>c2 für"
    assert decoded("S1>c2 für".encode("windows-1252"), charset) == "S1>c2 für"


def test_a_wrong_charset_loses_no_line():
    assert said(HEAD + part("text/plain; charset=utf-8", "S1>c2\n\nGrüße".encode("latin-1"))) == [LINE]
    assert said(HEAD + part("text/plain", b"S1>c2\0\n")) == [LINE]


def test_lines_that_were_only_broken_for_sending_are_whole_again():
    assert unflowed("a long \nline\n> quoted \n> on\n-- \nAnn", joined=False) == "a long line\n> quoted on\n-- \nAnn"
    assert unflowed("deploy \na5", joined=True) == "deploya5"
    assert said(HEAD + part("text/plain; format=flowed; delsp=yes", b"S1 \n>c2\n")) == ["S1"]  # a quote is no continuation


HTML = {
    "gmail": '<div dir="ltr">S1&gt;c2</div><br><div class="gmail_quote gmail_quote_container"><div dir="ltr" '
    'class="gmail_attr">On Mon, Forgepost wrote:'
    '<br></div><blockquote class="gmail_quote" style="margin:0">It is your turn</blockquote></div>',
    "outlook": '<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style><!-- p.MsoNormal {margin:0cm} '
    "--></style></head><body lang=EN-GB>"
    "<div class=WordSection1><p class=MsoNormal>S1&gt;c2<o:p></o:p></p><p class=MsoNormal><o:p>&nbsp;</o:p></p><div "
    "style='border:none;border-top:solid "
    "#E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm'><p class=MsoNormal><b>From:</b> Forgepost<br></p></div><p "
    "class=MsoNormal>It is your turn</p></div></body></html>",
    "outlook-web": '<div class="elementToProof">S1&gt;c2</div><div id="appendonsend"></div><hr><div '
    'id="divRplyFwdMsg"><b>From:</b> Forgepost</div><div>It is '
    "your turn</div>",
    "apple": '<html><body>S1&gt;c2<br><div><br><blockquote type="cite"><div>On 30 Nov 2026, Forgepost '
    "wrote:</div><div>It is your turn</div></blockquote></div>"
    "</body></html>",
    "thunderbird": '<html><body><p>S1&gt;c2</p><div class="moz-cite-prefix">On 30/11/26, Forgepost '
    'wrote:<br></div><blockquote type="cite">It is your turn'
    "</blockquote></body></html>",
    "yahoo": '<div class="ydp1"><div dir="ltr">S1&gt;c2</div></div><div id="ydp2" class="yahoo_quoted"><div>On Monday, '
    "Forgepost wrote:</div>It is your turn"
    "</div>",
    "proton": '<div>S1&gt;c2</div><div class="protonmail_signature_block">Sent with Proton Mail</div><div '
    'class="protonmail_quote">On Monday, Forgepost wrote:'
    "<br><blockquote>It is your turn</blockquote></div>",
    "hidden": "<style>S9&gt;z9</style><script>S8&gt;z8</script><title>S7</title><p>S1&gt;c2</p>",
    "broken": "<p>S1&gt;c2<div><b><blockquote>It is <i>your</blockquote> turn",
}


@pytest.mark.parametrize("client", HTML)
def test_a_mail_that_is_only_html_is_read_as_it_is_seen(client: str):
    assert said(HEAD + part("text/html; charset=utf-8", HTML[client].encode())) == [LINE]


def test_the_bottom_of_html_is_read_where_the_top_is_a_quote():
    html = '<blockquote type="cite">It is your turn</blockquote><p>S1&gt;c2</p>'
    assert said(HEAD + part("text/html", html.encode())) == [LINE]


PLAIN = part("text/plain", b"S1>c2\n\nOn Mon, 30 Nov 2026 at 9:00, Forgepost wrote:\n> x\n")


@pytest.mark.parametrize(
    "body",
    [
        several("alternative", PLAIN, part("text/html", b"<p>other</p>")),
        several(
            "signed",
            PLAIN,
            part("application/pkcs7-signature", b64encode(b"\x30\x82"), "base64", 'Content-Disposition: attachment; filename="smime.p7s"\r\n'),
        ),
        several("signed", PLAIN, part("application/pgp-signature", b"-----BEGIN PGP SIGNATURE-----\n\nabc\n-----END PGP SIGNATURE-----")),
        several("mixed", PLAIN, part("image/png", b64encode(b"\x89PNG"), "base64")),
        several("mixed", part("text/plain", b"S9>z9\n", "8bit", "Content-Disposition: attachment; filename=notes.txt\r\n"), PLAIN),
        several("mixed", part("message/rfc822", b"Subject: forwarded\r\n\r\nS9>z9\r\n"), PLAIN),
        several("mixed", PLAIN, part("text/plain", b"This mail was scanned for viruses.\n")),
        several("report", PLAIN),
        b"Content-Type: text/plain\r\n\r\nS1>c2\r\n",
        b"\r\nS1>c2\r\n",
        b"Content-Type: nonsense\r\n\r\nS1>c2\r\n",
        b"Content-Type: text/plain; charset\r\n\r\nS1>c2\r\n",
        b"Content-Type: text/plain; name*=x; name*0*=y\r\n\r\nS1>c2\r\n",
        b"Content-Transfer-Encoding: nonsense\r\n\r\nS1>c2\r\n",
        b'To: "\r\nCc: (c):\r\nMessage-ID: <[x@y]>\r\n\r\nS1>c2\r\n',
    ],
)
def test_the_text_is_found_among_other_parts(body: bytes):
    assert said(HEAD + body) == [LINE]


@pytest.mark.parametrize(
    "body",
    [
        part('application/pkcs7-mime; smime-type=enveloped-data; name="smime.p7m"', b64encode(b"\x30\x82"), "base64"),
        several("encrypted", part("application/pgp-encrypted", b"Version: 1\n"), part("application/octet-stream", b"-----BEGIN PGP MESSAGE-----\n")),
    ],
)
def test_a_sealed_mail_is_known_as_one(body: bytes):
    assert opened(HEAD + body).sealed


def deep(levels: int) -> bytes:
    return b"".join(b'Content-Type: multipart/mixed; boundary="b%d"\r\n\r\n--b%d\r\n' % (level, level) for level in range(levels)) + PLAIN


HOSTILE = {
    "deep": HEAD + deep(3_000),
    "many-parts": HEAD + b'Content-Type: multipart/mixed; boundary="b"\n\n' + b"--b\n\nx\n" * 30_000,
    "many-within": HEAD + b'Content-Type: multipart/mixed; boundary="b"\n\n' + b"--b\nContent-Type: multipart/mixed; boundary=c\n\n--c\n\n" * 4_000,
    "mail-in-mail": b"Content-Type: message/rfc822\n\n" * 8_000,
    "many-mailboxes": HEAD + b"Cc: " + b", ".join(b"a%d@e.org" % number for number in range(16_000)) + b"\n\nS1>c2",
    "many-headers": b"".join(b"X-%d: y\n" % number for number in range(20_000)) + b"\nS1>c2",
    "long-header": b"Subject: " + b"a\n " * 80_000 + b"\n\nS1>c2",
    "encoded-words": b"Subject: " + b"=?utf-8?q?a?= " * 17_000 + b"\n\nS1>c2",
    "half-words": b"Subject: " + b"=?" * 100_000 + b"\n\nS1>c2",
    "parentheses": b"From: " + b"(" * 100_000 + b"\n\nS1>c2",
    "quotes": b'From: "' + b'\\"' * 100_000 + b"\n\nS1>c2",
    "parameters": b"Content-Type: text/plain" + b'; a="' * 50_000 + b"\n\nS1>c2",
    "continued-parameters": b"Content-Type: text/plain" + b"".join(b"; a*%d=x" % number for number in range(20_000)) + b"\n\nS1>c2",
    "blank-lines": HEAD + b"\n" * 250_000,
    "nul": b"\0" * 250_000,
    "nul-within": HEAD + b"\nS1>c2" + b"\0" * 200_000,
    "no-lines": b"a" * 250_000,
    "nothing": b"",
    "base64": HEAD + part("text/plain", b"=" * 200_000, "base64"),
    "uuencoded": HEAD + part("text/plain", b"begin 666 x\n" + b"M" * 200_000, "x-uuencode"),
    "deep-html": HEAD + part("text/html", b"<div>" * 45_000 + b"x"),
    "tables": HEAD + part("text/html", b"<table><tr><td>" * 16_000),
    "comments": HEAD + part("text/html", b"<!--" * 60_000),
    "attributes": HEAD + part("text/html", b"<a " + b'x="1" ' * 40_000 + b">S1"),
    "entities": HEAD + part("text/html", b"&amp;" * 50_000),
    "formats": HEAD + part("text/html", b"<b><i><a>" * 25_000),
    "quoted-html": HEAD + part("text/html", b"<blockquote>" * 20_000 + b"x"),
    "long-style": HEAD + part("text/html", b'<div style="' + b"border: none; border-top: " * 9_000 + b'">S1'),
    "long-class": HEAD + part("text/html", b'<div class="' + b"gmail_quot " * 20_000 + b'">S1'),
}


@pytest.mark.parametrize("raw", HOSTILE.values(), ids=HOSTILE.keys())
def test_nobody_can_make_up_a_mail_that_stops_us_or_takes_long(raw: bytes):
    assert len(raw) <= LARGEST
    begun = process_time()
    try:
        mail = opened(raw)
    except Unopenable as why:
        assert str(why).startswith("it")  # noqa: PT017 - either is right
    else:
        assert isinstance(mail, Opened)
        mail.subject  # noqa: B018 - reading it is what takes time
        written(mail.text, ("Forgepost",), "Ann")
        written(text_of(mail.html), ("Forgepost",), "Ann")
    assert process_time() - begun < 1.0


def test_a_mail_that_is_too_long_is_not_opened():
    with pytest.raises(Unopenable, match="262144 are the most"):
        opened(HEAD + b"x" * LARGEST)
