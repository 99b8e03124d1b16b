"""What the mails say, part by part, and the headers that they travel with."""

from __future__ import annotations

import re
from email import message_from_bytes, policy
from email.message import EmailMessage
from html import unescape
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from jinja2 import UndefinedError
from PIL import Image

from domain.chain import SeedLot
from domain.desk import Sight
from domain.match.commands import Actor, Answer, Hold, House, Invite, Leave, Offer, Open, Resign, TimeOut
from domain.ports import Tip
from infra import pictures
from infra.keys import Keys
from infra.outbox import Kind, Notice
from infra.players import Player
from infra.settings import Settings
from infra.smtp import POLICY
from infra.tokens import Token, Tokens
from tests.table import MATCH, NOON, SEED, LoadedLot, Table, ann, creation, four
from workers.letters.envelope import Addresses, mail
from workers.letters.links import DAY, KEPT, Links
from workers.letters.writing import Facts, letter, picture
from workers.letters.written import TEMPLATES, Written, written
from workers.mail_out import WIDTH

ANN, BO = "p-ann0000000", "p-bo00000000"
NAMES = {ANN: "Ann", BO: "Bo Ångström"}
LINK = re.compile(r"http://127\.0\.0\.1:8000/m/([0-9a-z]+)")


class Desk:
    """Writes the letters of one match, as the worker does, to one of its players."""

    def __init__(self, data: Path, table: Table, zone: str = "UTC", names: dict[str, str] = NAMES) -> None:
        self.settings = Settings.development(data)
        self.keys = Keys(self.settings)
        self.tokens = Tokens(self.keys)
        self.addresses = Addresses(self.keys, self.settings.mail_domain)
        self.table, self.zone, self.names = table, zone, names

    def facts(self, kind: Kind, player: str = ANN, seat: str = "", **more: Any) -> Facts:
        match = self.table.live
        ask = match.ask(seat) if seat else None
        notice = Notice(kind, match.id, player, seat, ask.version if ask else 0, match.ply, match.version)
        sight = Sight(match, Tip(match.version, bytes(32)))
        return Facts(
            notice=notice,
            sight=sight,
            history=self.table.events,
            to=self.names[player],
            zone=self.zone,
            names=self.names,
            now=self.table.now,
            **more,
        )

    def letter(self, kind: Kind, player: str = ANN, seat: str = "", **more: Any) -> Written:
        facts = self.facts(kind, player, seat, **more)
        return written(kind, letter(facts, Links(self.tokens, self.settings.url)), "board@here" if facts.match.state else None)

    def mail(self, kind: Kind, player: str = ANN, seat: str = "") -> EmailMessage:
        """As it arrives."""
        facts = self.facts(kind, player, seat)
        text = written(kind, letter(facts, Links(self.tokens, self.settings.url)), self.addresses.picture_id(facts.notice))
        board = pictures.png(picture(facts), WIDTH)
        reader = Player(player, self.names[player], "ann@example.org", confirmed=True, zone=self.zone, created=NOON)
        sent = mail(facts, reader, text, board, self.addresses, self.keys.sign_head(MATCH, 1, bytes(32)))
        arrived: Any = message_from_bytes(sent.as_bytes(policy=POLICY), policy=policy.default)
        return arrived  # type: ignore[no-any-return]

    def tokens_in(self, said: str) -> list[Token]:
        found = [self.tokens.unseal(token) for token in LINK.findall(unescape(said))]
        assert None not in found
        return [token for token in found if token]


def opened() -> Table:
    """Bo (north) has deployed and moved, and Ann (south) is to deploy: the second ply of the opening."""
    table = Table(LoadedLot([0, 2]))
    table.does(creation(Hold(BO), House("random", "p-bot1"), Hold(ANN), House("random", "p-bot2")))
    table.plays("deploy b5; N1>b4", after=30_000)
    return table


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path, opened())


def test_a_turn_says_what_changed_then_until_when_then_where_and_how_then_the_position(desk: Desk):
    text = desk.letter("turn", seat="south").text
    links = iter(range(10))
    assert LINK.sub(lambda _: f"<link {next(links)}>", text) == (
        """It is your turn

So far:
  The match began
  By lot: north deploys
  North (Bo Ångström): deploy b5; N1>b4
  By lot: south deploys

Ann, you play south. Please play by
Wednesday 2 December 2026, 12:00:30 UTC (UTC+00:00),
in 3 days. If you do nothing until then, you are out: your seat is vacated
and the match goes on without you.

Play here:
<link 0>

Or choose right away (nothing is played before you confirm it):
deploy a1  <link 1>
deploy b1  <link 2>
deploy c1  <link 3>
deploy d1  <link 4>
deploy e1  <link 5>


The position
------------

"""
        + desk.table.live.game.text(desk.table.live.state)
        + """


Who sits where
--------------

North: Bo Ångström
East: house bot
South: you
West: house bot

How to play Fourfold:
http://127.0.0.1:8000/games/fourfold

You get this mail because you play in this match.
Match 07-0000000001, version 10, head 0000000000000000
"""
    )


def test_every_link_of_a_turn_is_good_for_this_turn_and_names_its_action(desk: Desk):
    written = desk.letter("turn", seat="south")
    ask = desk.table.live.ask("south")
    assert ask is not None
    expected = [(choice, ask.version, 2, 0) for choice in range(6)]
    for said in (written.text, written.html):
        tokens = desk.tokens_in(said)
        assert [(token.choice, token.ask, token.seat_index, token.step) for token in tokens] == expected
        assert {(token.purpose, token.subject) for token in tokens} == {("move", MATCH)}
        assert all(ask.due + KEPT <= token.expires < ask.due + KEPT + DAY for token in tokens)


def test_no_link_is_longer_than_74_characters(desk: Desk):
    assert max(len(url) for url in re.findall(r"https?://\S+", desk.letter("turn", seat="south").text)) <= 74


def test_the_rest_of_a_turn_counts_its_links_steps_from_where_the_turn_began(desk: Desk):
    desk.table.plays("deploy c1")
    written = desk.letter("turn", seat="south")
    assert written.text.startswith("Your turn goes on\n\nSince your last turn:\n  South (you): deploy c1\n")
    assert {token.step for token in desk.tokens_in(written.text)} == {1}


def test_a_reminder_says_so_and_how_much_time_is_left(desk: Desk):
    desk.table.now += 2 * DAY + 3 * 3_600_000
    text = desk.letter("reminder", seat="south").text
    assert text.startswith("Reminder: it is still your turn\n")
    assert "in 21 hours." in text


def test_a_deadline_is_told_in_the_readers_own_zone(tmp_path: Path):
    text = Desk(tmp_path, opened(), zone="Europe/Berlin").letter("turn", seat="south").text
    assert "Wednesday 2 December 2026, 13:00:30 Europe/Berlin (UTC+01:00)" in text


def test_who_would_end_the_match_by_leaving_is_told_so(tmp_path: Path):
    table = Table(LoadedLot([2]))
    table.does(creation(House("random", "p-bot1"), House("random", "p-bot2"), Hold(ANN), House("random", "p-bot3")))
    text = Desk(tmp_path, table).letter("turn", seat="south").text.replace("\n", " ")
    assert "you are out, and the match ends with you in the last place." in text


def test_the_news_begin_with_the_readers_own_last_action(desk: Desk):
    desk.table.lot.falls = [0, 2]  # type: ignore[attr-defined]
    desk.table.plays("deploy c1; S1>c2")
    desk.table.plays("deploy d5; N2>d4")
    assert desk.letter("turn", seat="south").text.startswith(
        "It is your turn\n\nSince your last turn:\n  South (you): S1>c2\n  By lot: north deploys\n  North (Bo Ångström): deploy d5; N2>d4\n"
    )


def test_long_news_are_cut_and_the_rest_is_a_link(tmp_path: Path):
    table = Table(SeedLot(SEED, MATCH))
    table.does(creation(*four("ann", "bo", "cy", "di")))
    table.does(Resign(ann()))
    while table.live.status == "live":
        table.plays(table.live.game.write(next(table.live.game.legal(table.live.state, table.live.asks[0].seat))))
    written = Desk(tmp_path, table, names={ANN: "Ann", "p-bo": "Bo", "p-cy": "Cy", "p-di": "Di"}).letter("over")
    news = written.text.partition("How it ended:\n")[2].partition("\n\n")[0].splitlines()
    assert re.fullmatch(r"  \([0-9]+ more before that: http://127\.0\.0\.1:8000/m/[0-9a-z]{45}/history\)", news[0])
    assert news[-1] == "  The match ended"
    assert len(news) == 31


def test_the_html_tells_the_same_as_the_text(desk: Desk):
    written = desk.letter("turn", seat="south")
    seen = unescape(re.sub(r"<style>.*?</style>|<[^>]+>", "", written.html, flags=re.DOTALL))
    for words in ("It is your turn", "deploy b5; N1>b4", "Wednesday 2 December 2026, 12:00:30 UTC (UTC+00:00)", "your seat is vacated", "deploy a1"):
        assert words in seen
    assert '<img src="cid:board@here"' in written.html
    assert len(written.html.encode()) < 60_000


def test_the_html_fetches_nothing_and_sets_every_colour_beside_its_background(desk: Desk):
    html = desk.letter("turn", seat="south").html
    assert re.findall(r'(?:src|background)="(?!cid:)', html) == []
    assert re.findall(r"url\(|<script|<link|@import", html) == []
    assert 'bgcolor="#fffdf9"' in html


def test_a_board_of_wide_letters_is_plain_in_html_where_the_font_is_ours(desk: Desk):
    html = desk.letter("turn", seat="south").html
    assert "4 .. N1 .. .. .. 4" in html
    assert "４" not in html


def test_names_cannot_bring_their_own_html_and_templates_leave_no_hole(tmp_path: Path):
    names = {ANN: "<b>Ann</b>", BO: "Bo & Co"}
    written = Desk(tmp_path, opened(), names=names).letter("turn", seat="south")
    assert "&lt;b&gt;Ann&lt;/b&gt;, you play" in written.html
    assert "Bo &amp; Co" in written.html
    assert "<b>Ann</b>, you play" in written.text
    with pytest.raises(UndefinedError):
        TEMPLATES.get_template("turn.txt").render(letter=object(), picture=None)


def test_the_end_is_told_with_places_reason_and_the_whole_history(desk: Desk):
    desk.table.does(Offer(Actor(BO, "link")))
    for player in (ANN, "p-bot1", "p-bot2"):
        desk.table.does(Answer(Actor(player, "link"), 1, "accept"))
    text = desk.letter("over").text
    assert text.startswith(
        "The match is over: you share the first place\n\n"
        "1. North: Bo Ångström, 0\n1. East: house bot, 0\n1. South: you, 0\n1. West: house bot, 0\n\n"
        "The players agreed to end it as it stood.\n"
    )
    (token,) = desk.tokens_in(text)
    assert (token.purpose, token.seat_index) == ("view", 2)
    assert f"/m/{LINK.findall(text)[0]}/history" in text


def test_who_has_left_ranks_below_and_reads_the_end_too(desk: Desk):
    desk.table.does(Resign(Actor(BO, "link")))
    desk.table.does(Resign(ann()))
    text = desk.letter("over").text
    assert text.startswith("The match is over\n\n1. East: house bot, 0\n1. West: house bot, 0\n3. South: you, 0\n4. North: Bo Ångström, 0\n")
    assert "It ended when a player resigned." in text


def test_an_offer_says_how_it_would_end(desk: Desk):
    desk.table.does(Offer(Actor(BO, "link")))
    text = desk.letter("offer").text
    assert text.startswith("Bo Ångström offers to end the match\n")
    assert "1. South: you, 0" in text
    (token,) = desk.tokens_in(text)
    assert (token.purpose, token.seat_index, token.ask) == ("resign", 2, 4)
    desk.table.does(Answer(ann(), 1, "decline"))
    assert "  Bo Ångström offered to end the match as it stands\n  You declined to end the match\n" in desk.letter("turn", seat="south").text


def test_a_leaving_is_told_with_who_has_left(tmp_path: Path):
    table = Table(LoadedLot([0]))
    table.does(creation(Hold(BO), Hold("p-cy00000000"), Hold(ANN), House("random", "p-bot")))
    table.does(Resign(Actor(BO, "link")))
    desk = Desk(tmp_path, table, names={**NAMES, "p-cy00000000": "Cy"})
    assert desk.letter("vacated").text.startswith("North (Bo Ångström) has left the match\n")
    assert "North: Bo Ångström (has left)" in desk.letter("vacated").text


def test_who_is_out_by_the_clock_reads_it(tmp_path: Path):
    table = Table(LoadedLot([0]))
    table.does(creation(Hold(BO), Hold("p-cy00000000"), Hold(ANN), House("random", "p-bot")))
    table.does(TimeOut(), after=3 * DAY + 1)
    desk = Desk(tmp_path, table, names={**NAMES, "p-cy00000000": "Cy"})
    assert desk.letter("vacated", BO).text.startswith("You are out: the time for your turn has passed\n")


def test_an_invitation_says_from_whom_and_on_which_terms(tmp_path: Path):
    table = Table()
    table.does(creation(Hold(ANN), Invite(BO), House("random", "p-bot"), Open(), seating="random", options={"goals_to_win": 2}))
    desk = Desk(tmp_path, table)
    text = desk.letter("invitation", BO).text
    assert text.startswith("Ann invites you to a match of Fourfold\n\nBo Ångström, Ann keeps a seat for you in a match of Fourfold,")
    assert "You have 3 days for every turn.\n  goals to win: 2\n" in text
    assert "Seat 1: Ann\nSeat 2: you, invited\nSeat 3: house bot\nSeat 4: free\n" in text
    (token,) = desk.tokens_in(text)
    assert (token.purpose, token.seat_index, token.ask) == ("join", 1, 0)


def test_a_match_called_off_is_told(tmp_path: Path):
    table = Table()
    table.does(creation(Hold(ANN), Invite(BO), House("random", "p-bot"), Open()))
    table.does(Leave(ann()))
    assert "will not be played" in Desk(tmp_path, table).letter("aborted", BO).text


def test_whom_mails_do_not_reach_is_told_to_the_others(desk: Desk):
    assert "North: Bo Ångström, whom our mails do not reach" in desk.letter("turn", seat="south", unreached=frozenset([BO])).text


def test_every_kind_of_notice_to_a_person_has_its_letter():
    kinds = {"turn", "reminder", "over", "invitation", "offer", "vacated", "aborted"}
    pages = {name for name in TEMPLATES.list_templates() if name.partition(".")[0] in kinds}
    assert pages == {f"{kind}.{part}" for kind in kinds for part in ("txt", "html")}


def test_the_headers_keep_a_match_in_one_thread_and_auto_responders_silent(desk: Desk):
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


def test_a_mail_is_text_or_html_with_the_board_in_it(desk: Desk):
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


def test_one_notice_has_one_message_id_and_one_match_one_subject(desk: Desk):
    first, again, reminder = desk.mail("turn", seat="south"), desk.mail("turn", seat="south"), desk.mail("reminder", seat="south")
    assert first["Message-ID"] == again["Message-ID"] != reminder["Message-ID"]
    assert first["Subject"] == reminder["Subject"]
    assert first["References"] == reminder["References"]
    assert desk.addresses.root_id(MATCH, BO) != first["References"]
