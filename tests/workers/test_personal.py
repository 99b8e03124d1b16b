"""Mails about a player: the way in, a new address, and when none is sent."""

import re

from infra.people.players import Player
from infra.seals.links import IN_TIME
from infra.seals.tokens import Token
from infra.wiring import Site
from tests.workers.office import Office
from workers import mail_out

HOUR = 3_600_000


def asked(office: Office, kind: str, player: Player, address: str = "", at: int = 0) -> list[str]:
    """Have such a mail sent, asked for now or `at` a time (ms); the links in it."""
    site, to = office.site, address or player.address
    assert site.knocks.ask(kind, player.id, to, at or site.clock())  # type: ignore[arg-type]
    return sent(office, to)


def sent(office: Office, to: str) -> list[str]:
    """The links in the newest mail to an address, once all that are due went out."""
    before = len(office.post.to(to))
    for notice in office.outbox():
        mail_out.send(office.site, notice)
    mails = office.post.to(to)[before:]
    body = mails[-1].get_body(("plain",)) if mails else None
    return re.findall(r"http\S+", body.get_content()) if body else []


def opened(site: Site, link: str) -> Token:
    token = site.tokens.unseal(link.rpartition("/")[2])
    assert token
    return token


def test_the_way_in_is_a_mail_with_a_link_that_is_good_for_half_an_hour(office: Office):
    ann = office.player("Ann")
    before = office.site.clock()
    (link,) = asked(office, "sign-in", ann)
    token = opened(office.site, link)
    assert link.startswith(f"{office.settings.url}/s/")
    assert (token.purpose, token.subject) == ("sign-in", ann.id)
    assert before + IN_TIME <= token.expires <= office.site.clock() + IN_TIME + 600_000
    (mail,) = office.post.to(ann.address)
    assert mail["Subject"] == "Forgepost: is this your address?"
    assert mail["List-Id"] is None
    text, html = (mail.get_body((kind,)) for kind in ("plain", "html"))
    assert text
    assert html
    assert text.get_content().replace("\r\n", "\n") == (
        "Is this your address?\n\nAnn, somebody gave us this address to play with. If it was you,\n"
        f"confirm it here; you are signed in then, too:\n{link}\n\n"
        "The link is good for 30 minutes, and once. There you find your matches,\nyour settings, and tokens for programs that play for you.\n\n"
        "You get this mail because somebody asked for it with your address.\nIf it was not you, do nothing, and nothing happens.\n"
    )
    assert f'href="{link}"' in html.get_content()
    assert max(map(len, text.get_content().splitlines())) <= 78


def test_whose_address_has_answered_is_asked_nothing(office: Office):
    ann = office.player("Ann")
    office.site.players.confirm(ann.id)
    asked(office, "sign-in", ann)
    (mail,) = office.post.to(ann.address)
    assert mail["Subject"] == "Forgepost: your way in"


def test_also_a_mailbox_that_took_no_mail_lately_gets_it(office: Office):
    ann = office.player("Ann")
    office.site.players.suppress(ann.id, "550 full")
    assert asked(office, "sign-in", ann)


def test_a_new_address_is_asked_at_that_address(office: Office):
    ann, site = office.player("Ann"), office.site
    at = site.clock()  # one reading for all: a wish and its mails belong together by the minute
    site.players.wish_to_move(ann.id, "ann@example.net", at // 60_000)
    (link,) = asked(office, "address", ann, "ann@example.net", at)
    token = opened(site, link)
    assert (token.purpose, token.subject) == ("address", ann.id)
    assert asked(office, "moving", ann, at=at) == [f"{office.settings.url}/sign-in"]
    (mail,) = office.post.to(ann.address)
    body = mail.get_body(("plain",))
    assert body
    assert "mails to ann@example.net from now on" in body.get_content()


def test_what_nobody_waits_for_any_more_is_not_sent(office: Office):
    ann, site = office.player("Ann"), office.site
    site.knocks.ask("sign-in", ann.id, ann.address, site.clock() - HOUR - 60_000)
    site.players.wish_to_move(ann.id, "ann@example.net", site.clock() // 60_000)
    site.knocks.ask("address", ann.id, "ann@example.net", site.clock())
    site.players.stay(ann.id)
    bo = office.player("Bo")
    site.knocks.ask("sign-in", bo.id, bo.address, site.clock())
    site.players.forget(bo.id)
    for address in (ann.address, "ann@example.net", bo.address):
        assert sent(office, address) == []
    assert office.outbox() == {}


def test_a_new_address_that_takes_no_mail_does_not_silence_the_old_one(office: Office):
    ann, site = office.player("Ann"), office.site
    office.post.says["ann@example.net"] = "550 no such user"
    at = site.clock()
    site.players.wish_to_move(ann.id, "ann@example.net", at // 60_000)
    assert asked(office, "address", ann, "ann@example.net", at) == []
    now = site.players.get(ann.id)
    assert now
    assert now.suppressed == ""
