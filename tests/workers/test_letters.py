"""What the mails say, part by part."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest
from jinja2 import UndefinedError

from domain.chain import SeedLot
from domain.match.commands import Actor, Answer, Fill, Hold, House, Invite, Leave, MakeUp, Offer, Open, Resign, TimeOut
from infra.outbox import Kind
from infra.seals.links import DAY, KEPT, SEEN
from tests.table import MATCH, SEED, LoadedLot, Table, ann, creation, four
from tests.workers.writing_desk import ANN, BO, LINK, NAMES, WritingDesk, opened
from workers.letters.written import TEMPLATES


def test_a_turn_says_what_changed_then_until_when_then_where_and_how_then_the_position(desk: WritingDesk):
    text = desk.letter("turn", seat="south").text
    links = iter(range(10))
    text = re.sub(r"http://127.0.0.1:8000/u/[0-9a-z]{45}", "<unsubscribe>", text)
    assert LINK.sub(lambda _: f"<link {next(links)}>", text) == (
        """It is your turn

So far:
  The last seat was taken and the match began
  By lot: north deploys
  North (Bo Ångström): deploy b5; N1>b4
  By lot: south deploys

Ann, you play south. Please play by
Wednesday 2 December 2026, 12:00:30 UTC,
in 3 days. If you do nothing until then, you are out: your seat is vacated
and the match goes on without you.

Play here:
<link 0>

Or answer this mail with your action on the first line, as in
  deploy a1
Several go one below the other. With “check” before it, it is only tried;
“help” tells you what else you can write.


The position
------------

"""
        + desk.table.live.game.text(desk.table.live.state)
        + """


What you can do
---------------

One link chooses; nothing is played before you confirm it.

deploy a1  <link 1>
deploy b1  <link 2>
deploy c1  <link 3>
deploy d1  <link 4>
deploy e1  <link 5>


Who sits where
--------------

North: Bo Ångström
East: house bot
South: you
West: house bot

How to play Fourfold:
http://127.0.0.1:8000/games/fourfold

Resign, or offer to end, pause or take back a turn:
<link 6>

You get this mail because you play in this match.

How much mail you get, and a calendar with your deadlines:
http://127.0.0.1:8000/me/settings

No more mails about this match, or about any:
<unsubscribe>

A fingerprint of match 07-0000000001 as it was when this was written: as
long as you keep this mail, nobody can change what was played before it.
10:0000000000000000000000000000000000000000000000000000000000000000
"""
    )


def test_every_link_of_a_turn_is_good_for_this_turn_and_names_its_action(desk: WritingDesk):
    written = desk.letter("turn", seat="south")
    ask = desk.table.live.ask("south")
    assert ask is not None
    expected = [(choice, ask.version, 2, 0) for choice in range(6)]
    for said in (written.text, written.html):
        *tokens, _ = desk.tokens_in(said)
        assert [(token.choice, token.ask, token.seat_index, token.step) for token in tokens] == expected
        assert {(token.purpose, token.subject) for token in tokens} == {("move", MATCH)}
        assert all(ask.due + KEPT <= token.expires < ask.due + KEPT + DAY for token in tokens)


def test_no_link_is_longer_than_74_characters(desk: WritingDesk):
    assert max(len(url) for url in re.findall(r"https?://\S+", desk.letter("turn", seat="south").text)) <= 74


def test_the_rest_of_a_turn_counts_its_links_steps_from_where_the_turn_began(desk: WritingDesk):
    desk.table.plays("deploy c1")
    written = desk.letter("turn", seat="south")
    assert written.text.startswith("Your turn goes on\n\nSince your last turn:\n  South (you): deploy c1\n")
    *turn, ending = desk.tokens_in(written.text)
    assert ({(token.purpose, token.step) for token in turn}, ending.purpose) == ({("move", 1)}, "resign")


@pytest.mark.parametrize("kind", ["turn", "reminder", "vacated"])
def test_the_foot_of_a_letter_leads_to_where_one_resigns_or_offers_to_end_it_also_out_of_turn(desk: WritingDesk, kind: Kind):
    written = desk.letter(kind, seat="south")
    for said in (written.text, written.html):
        token = desk.tokens_in(said)[-1]
        assert (token.purpose, token.seat_index, token.ask) == ("resign", 2, 4)
        assert desk.table.now + SEEN <= token.expires < desk.table.now + SEEN + DAY
        assert "Resign, or offer to end, pause or take back a turn" in said


def test_who_has_left_or_is_done_is_led_there_no_more(desk: WritingDesk):
    desk.table.does(Resign(Actor(BO, "link")))
    assert "Resign, or offer" in desk.letter("vacated", ANN).text
    assert "Resign, or offer" not in desk.letter("vacated", BO).text
    desk.table.does(Resign(ann()))
    assert "Resign, or offer" not in desk.letter("over", ANN).text


def test_a_reminder_says_so_and_how_much_time_is_left(desk: WritingDesk):
    desk.table.now += 2 * DAY + 3 * 3_600_000
    text = desk.letter("reminder", seat="south").text
    assert text.startswith("Reminder: it is still your turn\n")
    assert "in 21 hours." in text


def test_a_deadline_is_told_in_the_readers_own_zone(tmp_path: Path):
    text = WritingDesk(tmp_path, opened(), zone="Europe/Berlin").letter("turn", seat="south").text
    assert "Wednesday 2 December 2026, 13:00:30 Europe/Berlin (UTC+01:00)" in text


def test_who_would_end_the_match_by_leaving_is_told_so(tmp_path: Path):
    table = Table(LoadedLot([2]))
    table.does(creation(House("random", "p-bot1"), House("random", "p-bot2"), Hold(ANN), House("random", "p-bot3")))
    text = WritingDesk(tmp_path, table).letter("turn", seat="south").text.replace("\n", " ")
    assert "you are out, and the match ends with you in the last place." in text


def test_the_news_begin_with_the_readers_own_last_action(desk: WritingDesk):
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
    written = WritingDesk(tmp_path, table, names={ANN: "Ann", "p-bo": "Bo", "p-cy": "Cy", "p-di": "Di"}).letter("over")
    news = written.text.partition("How it ended:\n")[2].partition("\n\n")[0].splitlines()
    assert re.fullmatch(r"[0-9]+ more before that:", news[0])
    assert re.fullmatch(r"http://127\.0\.0\.1:8000/h/[0-9a-z]{45}", news[1])
    assert news[-1] == "  East (Bo): E7>a5 (forced; east has 4)"
    assert len(news) == 32


@pytest.mark.parametrize(("game", "size"), [("four-forges", 4), ("steinnheimr", 2)])
def test_a_long_deal_at_the_start_is_one_piece_of_news(tmp_path: Path, game: str, size: int):
    table = Table(SeedLot(SEED, MATCH))
    table.does(creation(*([Hold(ANN), Hold(BO)] * 2)[:size], game=game))
    (ask,) = table.live.asks
    said = WritingDesk(tmp_path, table).letter("turn", table.live.chair(ask.seat).player or "", ask.seat).text
    news = said.partition("So far:\n")[2].partition("\n\n")[0]
    assert news.splitlines() == [
        "  The last seat was taken and the match began",
        "  What there is at the start was drawn by lot; the position shows it",
    ]


def test_the_html_tells_the_same_as_the_text(desk: WritingDesk):
    written = desk.letter("turn", seat="south")
    seen = unescape(re.sub(r"<style>.*?</style>|<[^>]+>", "", written.html, flags=re.DOTALL))
    for words in ("It is your turn", "deploy b5; N1>b4", "Wednesday 2 December 2026, 12:00:30 UTC", "your seat is vacated", "deploy a1"):
        assert words in seen
    assert re.search(r'<img [^>]*src="cid:board@here"', written.html)
    assert len(written.html.encode()) < 60_000


def test_the_html_fetches_nothing_and_sets_every_colour_beside_its_background(desk: WritingDesk):
    html = desk.letter("turn", seat="south").html
    assert re.findall(r'(?:src|background)="(?!cid:)', html) == []
    assert re.findall(r"url\(|<script|<link|@import", html) == []
    assert 'bgcolor="#fffdf9"' in html


def test_a_board_of_wide_letters_is_plain_in_html_where_the_font_is_ours(desk: WritingDesk):
    html = desk.letter("turn", seat="south").html
    assert "4 .. N1 .. .. .. 4" in html
    assert "４" not in html


def test_names_cannot_bring_their_own_html_and_templates_leave_no_hole(tmp_path: Path):
    names = {ANN: "<b>Ann</b>", BO: "Bo & Co"}
    written = WritingDesk(tmp_path, opened(), names=names).letter("turn", seat="south")
    assert "&lt;b&gt;Ann&lt;/b&gt;, you play" in written.html
    assert "Bo &amp; Co" in written.html
    assert "<b>Ann</b>, you play" in written.text
    with pytest.raises(UndefinedError):
        TEMPLATES.get_template("turn.txt").render(letter=object(), picture=None)


def test_the_end_is_told_with_places_reason_and_the_whole_history(desk: WritingDesk):
    desk.table.does(Offer(Actor(BO, "link")))
    for player in (ANN, "p-bot1", "p-bot2"):
        desk.table.does(Answer(Actor(player, "link"), 1, "accept"))
    text = desk.letter("over").text
    assert text.startswith(
        "The match is over: you share the first place\n\n"
        "1. North: Bo Ångström, score 0\n1. East: house bot, score 0\n1. South: you, score 0\n1. West: house bot, score 0\n\n"
        "It ended by agreement.\n"
    )
    tokens = desk.tokens_in(text)
    assert [(token.purpose, token.seat_index) for token in tokens] == [("view", 2)] * len(tokens)
    assert max(len(url) for url in re.findall(r"https?://\S+", text)) <= 74
    assert desk.tokens.unseal(re.findall(r"/h/([0-9a-z]+)", text)[0]) == tokens[0]
    assert "\nPlay again with the same players:\nhttp" in text
    assert "\nor answer this mail with one word on the first line: rematch.\n" in text


def test_who_has_left_ranks_below_and_reads_the_end_too(desk: WritingDesk):
    desk.table.does(Resign(Actor(BO, "link")))
    desk.table.does(Resign(ann()))
    text = desk.letter("over").text
    assert text.startswith(
        "The match is over: East and West share the first place\n\n"
        "1. East: house bot, score 0\n1. West: house bot, score 0\n3. South: you, score 0\n4. North: Bo Ångström, score 0\n"
    )
    assert "It ended by resignation." in text


def test_an_offer_says_how_it_would_end(desk: WritingDesk):
    desk.table.does(Offer(Actor(BO, "link")))
    text = desk.letter("offer").text
    assert text.startswith("Bo Ångström offers to end the match as it stands\n")
    assert "\n\nOr answer this mail with one word on the first line: accept, or decline.\n" in text
    assert "1. South: you, score 0" in text
    assert "\n\nIt is your turn (south), until Wednesday 2 December 2026, 12:00:30 UTC.\n" in text
    (token,) = desk.tokens_in(text)
    assert (token.purpose, token.seat_index, token.ask) == ("resign", 2, 4)
    desk.table.does(Answer(ann(), 1, "decline"))
    assert "  Bo Ångström offered to end the match as it stands\n  You declined it\n" in desk.letter("turn", seat="south").text


def test_who_made_an_offer_reads_that_it_was_declined(desk: WritingDesk):
    desk.table.does(Offer(ann()))
    desk.table.does(Answer(Actor(BO, "link"), 1, "decline"))
    text = desk.letter("declined", ANN).text
    assert text.startswith("Bo Ångström declined your offer to end the match as it stands\n\nWhat happened:\n")
    assert "  You offered to end the match as it stands\n  Bo Ångström declined it\n" in text
    assert [token.purpose for token in desk.tokens_in(text)] == ["view", "resign"]


def test_who_opened_a_match_reads_who_does_not_come(tmp_path: Path):
    table = Table()
    table.does(creation(Hold(ANN), Invite(BO), House("random", "p-bot"), Open()))
    table.does(Leave(Actor(BO, "link")))
    text = WritingDesk(tmp_path, table).letter("turned-down", ANN).text
    assert text.startswith(
        "Bo Ångström declined the invitation\n\nAnn, Bo Ångström does not take the seat that was kept for them in your\nmatch of Fourfold."
    )
    assert "North: you\nEast: free\n" in text
    (token,) = WritingDesk(tmp_path, table).tokens_in(text)
    assert (token.purpose, token.seat_index) == ("view", 0)


def test_who_opened_a_match_for_others_reads_it_without_a_seat_to_look_from(tmp_path: Path):
    table = Table()
    table.does(creation(Invite(BO), Hold("p-cy00000000"), House("random", "p-bot"), Open()))
    table.does(Leave(Actor(BO, "link")))
    text = WritingDesk(tmp_path, table, names={**NAMES, "p-cy00000000": "Cy"}).letter("turned-down", ANN).text
    assert "The match:" not in text


def test_a_name_that_is_read_from_right_to_left_turns_no_word_around_it(tmp_path: Path):
    written = WritingDesk(tmp_path, opened(), names={ANN: "Ann", BO: "محمد 7"}).letter("turn", seat="south")
    for said in (written.text, written.html):
        assert "North (\u2068محمد 7\u2069)" in said
        assert said.count("\u2068") == said.count("\u2069") == said.count("محمد")
    assert "\u2068محمد 7\u2069, you play" in WritingDesk(tmp_path, opened(), names={ANN: "محمد 7", BO: "Bo"}).letter("turn", seat="south").html


def test_a_long_name_without_a_blank_breaks_before_the_mail_does(desk: WritingDesk):
    (card,) = re.findall(r'<table class="card"[^>]*>', desk.letter("turn", seat="south").html)
    assert "overflow-wrap: anywhere" in card


def test_a_leaving_is_told_with_who_has_left(tmp_path: Path):
    table = Table(LoadedLot([0]))
    table.does(creation(Hold(BO), Hold("p-cy00000000"), Hold(ANN), House("random", "p-bot")))
    table.does(Resign(Actor(BO, "link")))
    desk = WritingDesk(tmp_path, table, names={**NAMES, "p-cy00000000": "Cy"})
    assert desk.letter("vacated").text.startswith("North (Bo Ångström) has left the match\n")
    assert "North: Bo Ångström (has left)" in desk.letter("vacated").text


def test_who_ran_out_of_time_is_told_as_that(tmp_path: Path):
    table = Table(LoadedLot([0]))
    table.does(creation(Hold(BO), Hold("p-cy00000000"), Hold(ANN), House("random", "p-bot")))
    table.does(TimeOut(), after=3 * DAY + 1)
    desk = WritingDesk(tmp_path, table, names={**NAMES, "p-cy00000000": "Cy"})
    assert desk.letter("vacated").text.startswith("North (Bo Ångström) has run out of time and is out\n")


def test_who_is_out_by_the_clock_reads_it(tmp_path: Path):
    table = Table(LoadedLot([0]))
    table.does(creation(Hold(BO), Hold("p-cy00000000"), Hold(ANN), House("random", "p-bot")))
    table.does(TimeOut(), after=3 * DAY + 1)
    desk = WritingDesk(tmp_path, table, names={**NAMES, "p-cy00000000": "Cy"})
    assert desk.letter("vacated", BO).text.startswith("You are out: the time for your turn has passed\n")


def test_after_an_absence_of_the_site_everybody_reads_until_when_the_match_waits(tmp_path: Path):
    table = Table(LoadedLot([0]))
    table.does(creation(Hold(BO), Hold("p-cy00000000"), Hold(ANN), House("random", "p-bot")))
    table.does(MakeUp(0), after=2 * DAY)
    desk = WritingDesk(tmp_path, table, names={**NAMES, "p-cy00000000": "Cy"})
    away = "Our site was away for 2 days, and that time is given back: "
    assert desk.letter("paused", BO).text.startswith(f"{away}you have until Friday 4 December 2026, 13:00 UTC\n")
    assert desk.letter("paused", ANN).text.startswith(f"{away}North (Bo Ångström) has until Friday 4 December 2026, 13:00 UTC\n")
    assert "The site had been away since Sunday 29 November 2026, 12:00 UTC, so nobody's time ran" in desk.letter("paused", ANN).text


def test_an_invitation_says_from_whom_and_on_which_terms(tmp_path: Path):
    table = Table()
    table.does(creation(Hold(ANN), Invite(BO), House("random", "p-bot"), Open(), seating="random", options={"goals_to_win": 2}))
    desk = WritingDesk(tmp_path, table)
    text = desk.letter("invitation", BO).text
    assert text.startswith("Ann invites you to a match of Fourfold\n\nBo Ångström, Ann keeps a seat for you in a match of Fourfold,")
    assert "You have 3 days for every turn.\n  Goals to win: 2\n" in text
    assert "Or answer this mail with one word on the first line: accept, or decline.\n" in text
    assert "Chair 1: Ann\nChair 2: you, invited\nChair 3: house bot\nChair 4: free\n" in text
    (token,) = desk.tokens_in(text)
    assert (token.purpose, token.seat_index, token.ask) == ("join", 1, 0)


def test_a_match_called_off_is_told(tmp_path: Path):
    table = Table()
    table.does(creation(Hold(ANN), Invite(BO), House("random", "p-bot"), Open()))
    table.does(Leave(ann()))
    assert "will not be played" in WritingDesk(tmp_path, table).letter("aborted", BO).text


def test_whom_mails_do_not_reach_is_told_to_the_others(desk: WritingDesk):
    assert "North: Bo Ångström, whom our mails do not reach" in desk.letter("turn", seat="south", unreached=frozenset([BO])).text


def test_whose_mails_come_back_is_told_with_what_can_be_done(desk: WritingDesk):
    text = desk.letter("unreachable", unreached=frozenset([BO])).text
    assert text.startswith("Our mails do not reach Bo Ångström\n\nAnn, a mail to Bo Ångström came back, so no more is sent there until they sign\n")
    assert [token.purpose for token in desk.tokens_in(text)] == ["view", "resign"]


def test_whose_seat_a_house_bot_has_got_reads_it_without_the_board_of_others(tmp_path: Path):
    table = Table(LoadedLot([2]))
    table.does(creation(Hold(ANN), Invite("p-cy00000000"), House("random", "p-bot"), House("random", "p-bot2")))
    table.does(Fill(ann(), "east", House("random", "p-bot3")))
    assert table.live.status == "live"
    said = WritingDesk(tmp_path, table, names={**NAMES, "p-cy00000000": "Cy"}).letter("given-away", "p-cy00000000")
    assert said.text.startswith("Your seat was given to a house bot\n\nCy, the seat that was kept for you in a match of Fourfold has\n")
    assert "The position" not in said.text
    assert LINK.findall(said.text) == []


def test_a_turn_taken_back_is_told_to_whoever_was_to_play(desk: WritingDesk):
    desk.table.does(Resign(Actor(BO, "link")))
    assert desk.letter("taken-back").text.startswith("A turn was taken back: it is not your turn any more\n\nWhat happened:\n")
