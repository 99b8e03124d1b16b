"""The doctor looks at a site's mail: a real name server says what stands in the DNS, a real mail server whether it takes our mail."""

import ssl
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
from aiosmtpd.smtp import AuthResult, LoginPassword

from infra.mail.mail_signing import signers
from infra.settings import Settings
from infra.wiring import site
from service.checkup.mail_room import mail
from tests.name_server import NameServer, answering, mute
from tests.post import Post, serving
from tests.servers import free_port
from tests.workers.office import until
from workers.mail_in import serve

D = "turns.example.org"
FINE = {
    D: ["MX 10 mail.turns.example.org.", 'TXT "v=spf1 mx -all"', 'TXT "some-site-verification=1"'],
    f"mail.{D}": ["A 192.0.2.10"],
    "10.2.0.192.in-addr.arpa": ["PTR mail.turns.example.org."],
    f"_dmarc.{D}": ['TXT "v=DMARC1; p=quarantine; rua=mailto:postmaster@example.org"'],
}
NO_REPLIES = "--  nobody takes replies to our mails, nor bounces: set MAIL_IN_URL or IMAP_URL, and start forgepost mail-in"
MARKS = {True: "ok", False: "!!", None: "--"}

Look = Callable[..., list[str]]


@pytest.fixture
def dkim_key(tmp_path: Path) -> Path:
    key = tmp_path / "rsa.pem"
    subprocess.run(["openssl", "genpkey", "-algorithm", "rsa", "-pkeyopt", "rsa_keygen_bits:2048", "-out", str(key)], check=True, capture_output=True)
    return key


@pytest.fixture
def post() -> Iterator[int]:
    with serving(Post()) as port:
        yield port


def findings(data: Path, zone: dict[str, list[str]], **settings: Any) -> list[str]:
    """What is said, with marks, of a site that is no development machine."""
    with answering(NameServer(zone)) as dns:
        return said(data, dns, **settings)


def said(data: Path, dns: str, **settings: Any) -> list[str]:
    usual: dict[str, Any] = {"dev": False, "mail_domain": D, "url": f"https://{D}", "smtp_url": "smtp://127.0.0.1:1", "mail_in_url": ""}
    here = site(replace(Settings.development(data), **{**usual, **settings}))
    lines = [f"{MARKS[found.sound]}  {found.words}" for found in mail(here, dns)]
    return [line for line in lines if line != NO_REPLIES]


def about(subject: str, lines: list[str]) -> str:
    (line,) = [line for line in lines if line[4:].startswith(f"{subject}:")]
    return line


def test_of_a_domain_that_is_all_set_every_part_is_said_to_be_fine(tmp_path: Path, dkim_key: Path, post: int):
    (signer,) = signers(f"2026:{dkim_key}")
    halves = f'"{signer.record[:200]}" "{signer.record[200:]}"'  # a text has at most 255 characters, so a long record comes in pieces
    zone = {**FINE, f"2026._domainkey.{D}": [f"TXT {halves}"]}
    assert findings(tmp_path, zone, dkim=f"2026:{dkim_key}", smtp_url=f"smtp://127.0.0.1:{post}") == [
        f"ok  the mail server 127.0.0.1:{post} answers and takes mail from turns.example.org",
        "ok  MX: mail for turns.example.org goes to mail.turns.example.org",
        "ok  SPF: “v=spf1 mx -all”; whether it names the server that our mails leave from, forgepost mail test shows",
        "ok  DKIM: 2026._domainkey.turns.example.org is the key that we sign with (rsa-sha256)",
        "ok  DMARC: _dmarc.turns.example.org says quarantine; From, return path and signature are all of turns.example.org, so they are aligned",
        "ok  PTR: 192.0.2.10 is called mail.turns.example.org, and mail.turns.example.org has that address",
    ]


def test_of_a_domain_that_the_dns_knows_nothing_of_every_record_to_add_is_named(tmp_path: Path, dkim_key: Path):
    lines = findings(tmp_path, {}, dkim=f"2026:{dkim_key}")
    (signer,) = signers(f"2026:{dkim_key}")
    assert about("MX", lines).startswith("!!  MX: turns.example.org has neither an MX record nor an address: replies and bounces do not find us")
    assert about("MX", lines).endswith("add: turns.example.org. MX 10 mail.turns.example.org. (or the server that takes mail for it)")
    assert 'add: turns.example.org. TXT "v=spf1 mx -all"' in about("SPF", lines)
    assert about("DKIM", lines) == (
        "!!  DKIM: 2026._domainkey.turns.example.org is not there, so our signatures count for nothing; "
        f'add: 2026._domainkey.turns.example.org. TXT "{signer.record}"'
    )
    assert 'add: _dmarc.turns.example.org. TXT "v=DMARC1; p=none; rua=mailto:postmaster@turns.example.org"' in about("DMARC", lines)


@pytest.mark.parametrize(
    ("records", "says"),
    [
        (["A 192.0.2.1"], "!!  MX: turns.example.org has no MX record: "),
        (["MX 0 ."], "!!  MX: turns.example.org says that it takes no mail (MX 0 .), so replies and bounces are refused"),
        (["MX 10 gone.example.org."], "!!  MX: turns.example.org names gone.example.org, which has no address"),
        (["MX 20 mail.turns.example.org.", "MX 3 mail.turns.example.org."], "ok  MX: "),
    ],
)
def test_where_mail_for_us_goes_is_judged(tmp_path: Path, records: list[str], says: str):
    assert about("MX", findings(tmp_path, {**FINE, D: records})).startswith(says)


@pytest.mark.parametrize(
    ("records", "says"),
    [
        (['TXT "v=spf1 mx ~all"', 'TXT "v=spf1 a -all"'], "!!  SPF: turns.example.org has 2 SPF records, and receivers then heed none"),
        (['TXT "v=spf1 mx +all"'], "!!  SPF: “v=spf1 mx +all” lets everybody send in the name of turns.example.org"),
        (['TXT "v=spf1 -all"'], "!!  SPF: “v=spf1 -all” lets nobody send in the name of turns.example.org"),
        (['TXT "v=spf10 mx -all"'], "!!  SPF: turns.example.org has no SPF record"),
        (['TXT "V=SPF1 include:spf.relay.example -all"'], "ok  SPF: “V=SPF1 include:spf.relay.example -all”"),
        (['TXT "v=spf1 include:wide.relay.example mx -all"'], "!!  SPF: “v=spf1 include:wide.relay.example mx -all” takes 11 look-ups, and"),
        (['TXT "v=spf1 redirect=spf.relay.example"'], "ok  SPF: "),
        (['TXT "v=spf1 include:round.relay.example -all"'], "!!  SPF: “v=spf1 include:round.relay.example -all” takes "),
    ],
)
def test_who_may_send_for_us_is_judged(tmp_path: Path, records: list[str], says: str):
    relays = {
        "spf.relay.example": ['TXT "v=spf1 ip4:192.0.2.0/24 -all"'],
        "wide.relay.example": [f'TXT "v=spf1 {" ".join(f"a:m{n}.relay.example" for n in range(9))} -all"'],
        "round.relay.example": ['TXT "v=spf1 include:round.relay.example -all"'],
    }
    assert about("SPF", findings(tmp_path, {**FINE, **relays, D: records})).startswith(says)


@pytest.mark.parametrize(
    ("record", "says"),
    [
        (
            "v=DKIM1; k=rsa; p=AAAA",
            "!!  DKIM: 2026._domainkey.turns.example.org holds another key than the one that we sign with; put there",
        ),
        ("v=DKIM1; p=", "!!  DKIM: 2026._domainkey.turns.example.org holds another key"),
        ("v=DKIM1; k=rsa; t=s:y; p=OURS", "--  DKIM: 2026._domainkey.turns.example.org is our key, marked as a test (t=y)"),
        ("k=rsa; p= OURS", "ok  DKIM: "),
    ],
)
def test_the_key_in_the_dns_must_be_the_one_that_we_sign_with(tmp_path: Path, dkim_key: Path, record: str, says: str):
    (signer,) = signers(f"2026:{dkim_key}")
    record = record.replace("OURS", signer.record.partition("p=")[2])
    zone = {**FINE, f"2026._domainkey.{D}": [f'TXT "{record[:250]}" "{record[250:]}"']}
    assert about("DKIM", findings(tmp_path, zone, dkim=f"2026:{dkim_key}")).startswith(says)


def test_an_ed25519_key_alone_is_remarked_on_and_no_key_at_all_too(tmp_path: Path):
    key = tmp_path / "ed.pem"
    subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", str(key)], check=True, capture_output=True)
    (signer,) = signers(f"ed:{key}")
    lines = findings(tmp_path, {**FINE, f"ed._domainkey.{D}": [f'TXT "{signer.record}"']}, dkim=f"ed:{key}")
    assert [line for line in lines if "DKIM" in line] == [
        "ok  DKIM: ed._domainkey.turns.example.org is the key that we sign with (ed25519-sha256)",
        "--  DKIM: there are large receivers that cannot check Ed25519 yet: sign with an RSA key, too (DKIM_KEYS takes several)",
    ]
    assert about("DKIM", findings(tmp_path, FINE)) == (
        "--  DKIM: DKIM_KEYS is not set, so the mail server must sign with d=turns.example.org: forgepost mail test shows whether it does"
    )


@pytest.mark.parametrize(
    ("zone", "says"),
    [
        ({f"_dmarc.{D}": ['TXT "v=DMARC1; p=none"']}, "--  DMARC: _dmarc.turns.example.org says none: forged mails in our name go through"),
        ({"_dmarc.example.org": ['TXT "v=DMARC1; p=reject"']}, "ok  DMARC: _dmarc.example.org says reject; "),
        ({"_dmarc.example.org": ['TXT "v=DMARC1; p=reject; sp=none"']}, "--  DMARC: _dmarc.example.org says none"),
        ({f"_dmarc.{D}": ['TXT "v=DMARC1; p=none"', 'TXT "v=DMARC1; p=reject"']}, "!!  DMARC: _dmarc.turns.example.org has 2 records"),
        ({f"_dmarc.{D}": ['TXT "v=spf1 -all"']}, "!!  DMARC: turns.example.org has no DMARC record"),
        ({"_dmarc.org": ['TXT "v=DMARC1; p=reject"']}, "!!  DMARC: turns.example.org has no DMARC record"),
    ],
)
def test_the_policy_is_looked_for_at_the_domain_and_above(tmp_path: Path, zone: dict[str, list[str]], says: str):
    assert about("DMARC", findings(tmp_path, {D: FINE[D], **zone})).startswith(says)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ([], "--  PTR: 192.0.2.10 (mail.turns.example.org) has no reverse name: if our mails leave from there, many refuse them"),
        (["PTR other.example.org."], "--  PTR: 192.0.2.10 (mail.turns.example.org) is called other.example.org, which has another address"),
    ],
)
def test_reverse_names_are_told_where_the_mail_server_is_on_this_machine(tmp_path: Path, name: list[str], says: str):
    zone = {**FINE, "10.2.0.192.in-addr.arpa": name}
    assert about("PTR", findings(tmp_path, zone)).startswith(says)
    assert not any("PTR" in line for line in findings(tmp_path, zone, smtp_url="smtp://192.0.2.1.invalid:25"))


def test_without_a_name_server_that_is_said_and_waited_for_once(tmp_path: Path):
    with mute() as (dns, asked):
        lines = said(tmp_path, dns)
        assert asked() == {f"MX {D}"}
    assert len(lines) == 2
    assert lines[1].startswith("--  the DNS of turns.example.org was not looked at (further), as no name server answers: MX of turns.example.org: ")
    server = NameServer(FINE)
    server.failing = True
    with answering(server) as dns:
        assert said(tmp_path, dns)[1].startswith("--  the DNS of turns.example.org was not looked at (further)")


@pytest.mark.parametrize("domain", ["forgepost.localhost", "turns", "box.lan"])
def test_a_domain_that_nobody_else_knows_is_not_asked_about(tmp_path: Path, domain: str):
    server = NameServer({})
    with answering(server) as dns:
        lines = said(tmp_path, dns, mail_domain=domain)
    assert lines[1] == f"--  {domain} is no domain that the world knows, so its DNS was not looked at: set MAIL_DOMAIN to one that is yours"
    assert server.asked == []


def test_links_that_only_open_here_are_remarked_on(tmp_path: Path):
    lines = findings(tmp_path, FINE, url="http://127.0.0.1:8000")
    assert "--  FORGEPOST_URL is http://127.0.0.1:8000: the links in mails open on this machine alone; put a proxy with https in front" in lines


def test_a_mail_server_is_asked_as_far_as_goes_without_a_mail(tmp_path: Path, certificate: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate)

    def judge(_server: Any, _session: Any, _envelope: Any, _mechanism: str, given: LoginPassword) -> AuthResult:
        return AuthResult(success=given == LoginPassword(b"forge", b"word"), handled=False)

    post = Post()
    with serving(post, tls_context=context, require_starttls=True, authenticator=judge, auth_required=True) as port:
        assert said(tmp_path, "", mail_domain="box.lan", smtp_url=f"smtp+starttls://forge:word@localhost:{port}")[0] == (
            f"ok  the mail server localhost:{port} answers over TLS, knows our user and password and takes mail from box.lan"
        )
        wrong = said(tmp_path, "", mail_domain="box.lan", smtp_url=f"smtp+starttls://forge:secret@localhost:{port}")[0]
        assert wrong.startswith(f"!!  the mail server localhost:{port} cannot be used: it does not accept our user name and password (535 ")
        assert "secret" not in wrong
        post.mail_from = "553 5.7.1 sender not owned by user"
        assert said(tmp_path, "", mail_domain="box.lan", smtp_url=f"smtp+starttls://forge:word@localhost:{port}")[0] == (
            "!!  the mail server refuses mail from b+doctor@box.lan: 553 5.7.1 sender not owned by user: "
            "let it take mail from this machine or user for senders at box.lan, or set another MAIL_DOMAIN"
        )
    assert post.taken == []


def test_a_mail_server_that_is_not_there_or_not_what_was_asked_for_is_said(tmp_path: Path, post: int):
    assert said(tmp_path, "", mail_domain="box.lan")[0] == (
        "!!  the mail server 127.0.0.1:1 cannot be used: [Errno 111] Connection refused: mails wait until it can"
    )
    assert said(tmp_path, "", mail_domain="box.lan", smtp_url=f"smtp+starttls://localhost:{post}")[0] == (
        f"!!  the mail server localhost:{post} cannot be used: STARTTLS extension not supported by server.: mails wait until it can"
    )


def test_whoever_listens_where_replies_are_to_come_in_must_be_us(tmp_path: Path, post: int):
    def replies(**settings: str) -> str:
        return said(tmp_path, "", mail_domain="box.lan", **settings)[1]

    assert replies(mail_in_url="lmtp://127.0.0.1:1") == (
        "!!  nobody takes replies at lmtp://127.0.0.1:1 ([Errno 111] Connection refused); start it with: forgepost mail-in"
    )
    other = replies(mail_in_url=f"lmtp://127.0.0.1:{post}")
    assert other.startswith(f"!!  something else listens at lmtp://127.0.0.1:{post} and says '220 ")
    assert other.endswith(": give MAIL_IN_URL another port, and start mail-in")
    assert replies(imap_url="imap://forge:word@127.0.0.1:1/INBOX") == (
        "!!  the mailbox of forge at 127.0.0.1 cannot be read ([Errno 111] Connection refused), so replies wait there: see to IMAP_URL"
    )
    bare = site(replace(Settings.development(tmp_path), mail_in_url=""))
    assert NO_REPLIES in [f"{MARKS[found.sound]}  {found.words}" for found in mail(bare)]


def test_the_door_that_mail_in_opens_is_known_by_its_greeting(tmp_path: Path):
    here = site(replace(Settings.development(tmp_path), mail_in_url=f"lmtp://127.0.0.1:{free_port()}"))
    stopped = Event()
    door = Thread(target=serve, args=(here, stopped))
    door.start()
    try:
        until(lambda: any(found.words == f"replies are taken at {here.settings.mail_in_url}" for found in mail(here)))
    finally:
        stopped.set()
        door.join()


def test_a_mailbox_is_signed_in_to_and_not_touched(tmp_path: Path):
    port = free_port()
    command = f"--no-service admin --no-service managesieve --host 127.0.0.1 --port {port} --no-tls dict --demo-user replies --demo-password demopass"
    server = subprocess.Popen([Path(sys.executable).with_name("pymap"), *command.split()], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def look(url: str) -> str:
        return said(tmp_path, "", mail_domain="box.lan", imap_url=url)[1]

    fine = f"imap://replies:demopass@127.0.0.1:{port}/INBOX"
    try:
        until(lambda: look(fine) == "ok  the mailbox of replies at 127.0.0.1 can be read")
        wrong = look(fine.replace("demopass", "secret"))
        assert wrong.startswith("!!  the mailbox of replies at 127.0.0.1 cannot be read (")
        assert "secret" not in wrong
        assert look(fine.replace("INBOX", "Elsewhere")).startswith("!!  the mailbox of replies at 127.0.0.1 cannot be read (")
    finally:
        server.kill()
        server.wait()
