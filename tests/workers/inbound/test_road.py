"""The road of a reply: what is played, what is refused in which words, who is answered and how often."""

from dataclasses import replace

import pytest

from domain.match.commands import Actor, Answer, Offer, Submit, TakeBack
from infra.outbox import Notice
from tests.workers.inbound.desk import ReplyDesk, words_of
from tests.workers.office import Office
from workers.inbound import road

QUOTE = "\n\nOn Mon, 30 Nov 2026 at 09:00, Forgepost <play@forgepost.localhost> wrote:\n> It is your turn\n> deploy z9\n"


def test_an_action_line_is_played_and_the_mails_own_way_in_stands_in_the_log(desk: ReplyDesk):
    line, mover = desk.legal(), desk.mover
    assert desk.says(f"{line}{QUOTE}").words == "played"
    (taken,) = [event for event in desk.site.desk.events(desk.match) if event.ply == 1 and event.by.seat]
    assert (taken.by.player, taken.by.via) == (mover.id, "reply")
    assert desk.site.inbox.waiting() == 0


def test_who_is_to_go_on_gets_the_turns_own_mail_and_no_receipt(desk: ReplyDesk):
    desk.says(desk.legal())
    (notice,) = desk.answers()
    assert desk.match.ask(notice.seat) is not None
    assert desk.answer() is None


def test_who_waits_for_others_gets_a_receipt(desk: ReplyDesk):
    mover, seat = desk.mover, desk.match.asks[0].seat
    while desk.match.ask(seat):
        last = desk.legal()
        desk.says(last)
        if desk.match.ask(seat):
            desk.answer()
    mail = desk.answer()
    assert mail is not None
    assert mail["To"].addresses[0].addr_spec == mover.address
    body = words_of(mail)
    assert body.startswith("Played\n")
    assert f"{seat.capitalize()} (you) played {last}" in body
    assert "\n\nNow the match waits for " in body


def test_a_turn_is_taken_back_by_reply_and_its_own_mail_says_so(desk: ReplyDesk):
    mover, seat = desk.mover, desk.match.asks[0].seat
    desk.says(desk.legal())
    desk.answer()
    assert desk.match.ply == 1
    assert desk.says("undo", desk.to(seat), mover.address).words == "taken back"
    assert desk.match.ply == 0
    assert desk.answer() is None
    assert desk.says("undo").words == "refused: nothing-to-take-back"
    assert "offer take-back" not in desk.text(), "there is no turn that the others could give back"


def test_who_can_no_longer_take_a_turn_back_is_told_to_ask_the_others_where_they_could_give_it(office: Office):
    desk = ReplyDesk(office, undo_seconds=0)
    while not desk.match.marks:
        seat, mover = desk.match.asks[0].seat, desk.mover
        desk.says(desk.legal())
        desk.site.redis.zremrangebyrank("{p00}:notices", 0, -1)
    assert desk.says("undo", desk.to(seat), f"{mover.name} <{mover.address}>").words == "refused: nothing-to-take-back"
    assert "To ask the others for it, reply: offer take-back" in " ".join(desk.text().split())


def test_who_gets_few_mails_is_told_at_once_that_it_was_played(desk: ReplyDesk):
    desk.site.preferring.choose(desk.mover.id, {"cadence": "daily"})
    desk.says(desk.legal())
    assert desk.text().startswith("Played\n"), "the mail about the turn that goes on would only come with the digest"


def test_who_answers_an_older_mail_before_the_one_about_their_turn_has_come_is_shown_the_position(desk: ReplyDesk):
    line, seat = desk.legal(), desk.match.asks[0].seat
    assert desk.says(line, desk.to(seat)).words == "not seen yet"
    text = " ".join(desk.text().split())
    assert text.startswith("It is your turn now Not played yet: it is your turn, but you replied to a mail that was not about this turn. This is how")
    assert desk.match.ply == 0


def test_a_receipt_for_an_offer_is_not_sent_once_another_offer_is_on_the_table(desk: ReplyDesk):
    mover, other = desk.mover, next(seat for seat in desk.match.seats if desk.match.ask(seat) is None)
    desk.says("offer end")
    desk.site.desk.do(desk.name, Answer(Actor(mover.id, "web"), 1, "decline"))
    desk.site.desk.do(desk.name, Offer(Actor(desk.match.chair(other).player or "", "web")))
    assert desk.answer() is None


def test_a_refusal_says_why_in_the_words_of_the_desk_and_what_is_legal(desk: ReplyDesk):
    match = desk.match
    (ask,) = match.asks
    action = match.game.read(match.state, "deploy c3")
    objection = match.game.objection(match.state, ask.seat, action)
    assert desk.says("deploy c3").words == "refused: illegal-action"
    text = " ".join(desk.text().split())
    assert f"Nothing was done: {objection}." in text
    assert f"You can play: {desk.legal()}" in text


def test_the_answer_stands_in_the_matchs_thread_and_says_that_a_machine_wrote_it(desk: ReplyDesk):
    desk.says("deploy c3")
    mail = desk.answer()
    assert mail is not None
    root = desk.addresses.root_id(desk.name, desk.mover.id)
    assert (mail["In-Reply-To"], mail["References"]) == ("<1@mail.example.org>", f"{root} <1@mail.example.org>")
    assert mail["Auto-Submitted"] == "auto-replied"
    assert mail["Reply-To"] == desk.to()
    assert mail["To"].addresses[0].addr_spec == desk.mover.address


def test_what_is_not_understood_is_told_once_a_turn(desk: ReplyDesk):
    assert desk.says("what do I do now?").words == "refused: unreadable-text"
    assert desk.text().startswith("Not understood\n")
    for _ in range(3):
        assert desk.says("so what?").words == "refused: unreadable-text"
    assert desk.answers() == {}


def test_an_action_within_a_sentence_is_not_looked_for(desk: ReplyDesk):
    assert desk.says(f"I think I will {desk.legal()}").words == "refused: unreadable-text"
    assert desk.match.ply == 0


def test_several_actions_stand_on_lines_of_their_own_or_with_semicolons_between_them(desk: ReplyDesk):
    first = desk.legal()
    match = desk.match
    (ask,) = match.asks
    action = match.game.read(match.state, first)
    after = match.game.apply(match.state, ask.seat, action)
    second = match.game.write(next(iter(match.game.legal(after, ask.seat))))
    assert desk.says(f"{first}; {second}").words == "played"
    assert desk.match.ply >= 2


def test_lines_with_blank_lines_between_them_as_outlook_writes_them_are_all_played(desk: ReplyDesk):
    first = desk.legal()
    match = desk.match
    (ask,) = match.asks
    after = match.game.apply(match.state, ask.seat, match.game.read(match.state, first))
    second = match.game.write(next(iter(match.game.legal(after, ask.seat))))
    assert desk.says(f"{first}\n\n{second}\n\nBest wishes, Ann\n").words == "played"
    assert desk.match.ply >= 2


def test_one_action_that_cannot_be_means_that_none_is_played(desk: ReplyDesk):
    assert desk.says(f"{desk.legal()}\ndeploy c3").words.startswith("refused: ")
    assert desk.match.ply == 0


@pytest.mark.parametrize("spelling", ["  {} ", "“{}”", "Move: {}", "{}.", "\u200b{}", "\u00a0{}", "**{}**"])
def test_a_line_is_read_as_it_was_meant(desk: ReplyDesk, spelling: str):
    assert desk.says(spelling.format(desk.legal())).words == "played"


def test_the_same_mail_again_does_nothing_twice(desk: ReplyDesk):
    raw, to = desk.letter(desk.legal()), desk.to()
    desk.comes(raw, to)
    (notice,) = desk.answers()
    road.deal(desk.site, notice.mail)  # a second job for it
    ply = desk.match.ply
    with pytest.raises(AssertionError):
        desk.comes(raw, to)  # it is known
    assert desk.match.ply == ply


def test_a_worker_that_dies_before_it_is_done_with_a_mail_leaves_it_to_another_who_plays_nothing_twice(
    desk: ReplyDesk, monkeypatch: pytest.MonkeyPatch
):
    class Died(BaseException):
        pass

    def dies(*_: object) -> None:
        raise Died

    monkeypatch.setattr(road, "_end", dies)
    with pytest.raises(Died):
        desk.says(desk.legal())
    ply, version = desk.match.ply, desk.match.version
    assert ply >= 1
    monkeypatch.undo()
    (mail,) = desk.site.inbox.take(desk.site.clock() + 1, 1000, 10)
    road.deal(desk.site, mail)
    assert (desk.match.ply, desk.match.version) == (ply, version)
    assert next(iter(desk.site.inbox.record(1))).words == "played"


def test_a_reply_to_an_old_mail_is_told_what_happened_since(desk: ReplyDesk):
    old, line = desk.to(), desk.legal()
    (ask,) = desk.match.asks
    mover = desk.mover
    desk.site.desk.do(desk.name, Submit(Actor(mover.id, "link"), ask.seat, 0, (next(iter(desk.match.game.legal(desk.match.state, ask.seat))),)))
    other = desk.legal()
    assert desk.says(other, old, mover.address).words == "too late"
    text = desk.text()
    assert text.startswith("Too late for that turn\n")
    assert "this was made for ply 0, and the match is at ply 1 now" in " ".join(text.split())
    assert desk.says(line, old, mover.address).words == "known already"
    assert desk.text().startswith(f"Already played: {line}\n")


def test_a_reply_for_a_turn_that_was_taken_back_plays_nothing(desk: ReplyDesk):
    old, (ask,), mover = desk.to(), desk.match.asks, desk.mover
    desk.office.play(desk.name, ask)
    desk.site.desk.do(desk.name, TakeBack(Actor(mover.id, "link"), ask.seat))
    assert desk.says(desk.legal(), old).words == "too late"
    assert desk.match.ply == 0


def test_a_reply_from_another_address_plays_nothing_and_the_seats_own_is_asked_once(desk: ReplyDesk):
    line, mover = desk.legal(), desk.mover
    assert desk.says(line, sender="Ann <eve@evil.example>").words == "from another address"
    mail = desk.answer()
    assert mail is not None
    assert mail["To"].addresses[0].addr_spec == mover.address
    text = words_of(mail)
    assert text.startswith("Was that you?\n")
    assert f"“{line}”" in text
    assert "eve@" not in text
    assert "/m/" in text
    assert desk.match.ply == 0
    desk.says("buy pills at pills.example", sender="eve@evil.example")
    assert desk.answers() == {}


def test_a_strangers_words_are_not_passed_on(desk: ReplyDesk):
    desk.says("buy pills at pills.example", sender="eve@evil.example")
    assert "pills" not in desk.text()


@pytest.mark.parametrize(
    "named",
    ['"{0}" <eve@evil.example>', "{0}, eve@evil.example", "{0} <eve@evil.example>", "<{0}> <eve@evil.example>", "eve@evil.example ({0})", ""],
)
def test_a_from_that_only_names_the_players_address_is_another_address(desk: ReplyDesk, named: str):
    raw = desk.letter(desk.legal()).replace(
        f"From: {desk.mover.name} <{desk.mover.address}>".encode(), f"From: {named.format(desk.mover.address)}".encode()
    )
    assert desk.comes(raw).words == "from another address"
    assert desk.match.ply == 0


def test_two_from_lines_are_nobodys(desk: ReplyDesk):
    raw = f"From: {desk.mover.address}\nFrom: eve@evil.example\nMessage-ID: <two@x>\n\n{desk.legal()}\n".encode()
    assert desk.comes(raw).words == "from another address"


def test_the_address_is_compared_as_mailboxes_are(desk: ReplyDesk):
    assert desk.says(desk.legal(), sender=desk.mover.address.upper()).words == "played"


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("mx.example.org; spf=pass; dmarc=fail (p=none) header.from=example.org", "from another address"),
        ("MX.example.org 1; dmarc = FAIL", "from another address"),
        ("mx.example.org; dmarc=pass header.from=example.org", "played"),
        ("evil.example; dmarc=fail", "played"),
        ("mx.example.org; none", "played"),
    ],
)
def test_what_our_own_server_says_about_the_sender_counts_and_no_others_word(desk: ReplyDesk, said: str, words: str):
    desk.say_who_vouches("mx.example.org")
    assert desk.says(desk.legal(), Authentication_Results=said).words == words


def test_the_seat_is_found_in_the_headers_where_the_envelope_does_not_name_it(desk: ReplyDesk):
    raw = desk.letter(desk.legal(), Delivered_To=desk.to())
    assert desk.comes(raw, "").words == "played"


def test_the_seat_is_found_by_the_mails_that_are_answered(desk: ReplyDesk):
    match, (ask,), mover = desk.match, desk.match.asks, desk.mover
    turn = desk.addresses.message_id(Notice("turn", match.id, mover.id, ask.seat, ask.version, ask.ply, ask.version))
    raw = desk.letter(desk.legal(), References=f"{desk.addresses.root_id(match.id, mover.id)} {turn}", In_Reply_To=turn)
    assert desk.comes(raw, "play@forgepost.localhost").words == "played"


def test_a_thread_alone_does_not_say_which_turn_is_meant(desk: ReplyDesk):
    raw = desk.letter(desk.legal(), References=desk.addresses.root_id(desk.name, desk.mover.id))
    assert desk.comes(raw, "play@forgepost.localhost").words == "not seen yet"
    assert desk.text().startswith("It is your turn now\n")


@pytest.mark.parametrize("to", ["r+" + "0" * 45 + "@forgepost.localhost", "r+x@forgepost.localhost", "play@forgepost.localhost"])
def test_a_mail_that_speaks_for_nobody_is_recorded_and_not_answered(desk: ReplyDesk, to: str):
    assert desk.says("help", to).sort == "stray"
    assert desk.answers() == {}


def test_who_answers_reads_mail_there_again(desk: ReplyDesk):
    desk.site.players.suppress(desk.mover.id, "550 no such user")
    desk.says("board")
    known = desk.site.players.get(desk.mover.id)
    assert known is not None
    assert (known.confirmed, known.suppressed) == (True, "")


def test_no_more_than_sixty_answers_an_hour_go_to_one_player(desk: ReplyDesk):
    noon = desk.site.clock() // 3_600_000 * 3_600_000 + 1_800_000
    desk.site = replace(desk.site, clock=lambda: noon)  # hours are counted by the clock, and one could begin meanwhile
    for _ in range(62):
        desk.says("help")
    assert len(desk.answers()) == 60
