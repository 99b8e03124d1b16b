"""The words that a reply can say instead of an action."""

from itertools import islice

import pytest

from domain.match.commands import Actor, CreateMatch, Hold, Invite, Offer, Open, Resign, Submit
from domain.match.match import Match
from infra.ids import new_match_id
from infra.people.players import Player
from infra.people.preferences import ALWAYS
from tests.workers.inbound.desk import ReplyDesk, words_of
from workers.inbound.wishes import Answering, Mailing, Playing, Proposing, Resigning, Show, Undo, Wish, wish_of


@pytest.mark.parametrize(
    ("line", "wish"),
    [
        ("board", Show("board")),
        ("LEGAL", Show("legal")),
        ("history", Show("history")),
        ("Help", Show("help")),
        ("resign", Resigning(sure=False)),
        ("resign yes", Resigning(sure=True)),
        ("undo", Undo()),
        ("accept", Answering("accept")),
        ("decline", Answering("decline")),
        ("offer end", Proposing("end")),
        ("offer take-back", Proposing("take-back")),
        ("vacation 3 days", Proposing("pause", 259_200)),
        ("pause for 1 hour", Proposing("pause", 3_600)),
        ("vacation 2 weeks", Proposing("pause", 1_209_600)),
        ("vacation", Proposing("pause")),
        ("stop", Mailing(on=False, everywhere=False)),
        ("stop all", Mailing(on=False, everywhere=True)),
        ("start", Mailing(on=True, everywhere=False)),
        ("check deploy a5", Playing(("deploy a5",), only_try=True)),
        ("deploy a5", Playing(("deploy a5",))),
        ("I resign from my job", Playing(("I resign from my job",))),
        ("vacation 3 moons", Playing(("vacation 3 moons",))),
    ],
)
def test_a_line_is_a_word_of_ours_only_as_a_whole(line: str, wish: Wish):
    assert wish_of((line,)) == wish


@pytest.mark.parametrize(("line", "words"), [("Yes!", "joined"), ("No, thanks.", "declined"), ("Yes, I'd love to.", "joined")])
def test_an_invitation_is_answered_by_yes_or_no_too(desk: ReplyDesk, line: str, words: str):
    match, bo = invitation(desk)
    assert desk.says(line, desk.addresses.reply(match, match.seats[1], None, desk.site.clock()), bo.address).words == words
    assert desk.site.desk.look(match.id).match.chairs[1].player == (bo.id if words == "joined" else None)


def test_whoever_is_invited_and_writes_something_else_is_told_the_words_once(desk: ReplyDesk):
    match, bo = invitation(desk)
    to = desk.addresses.reply(match, match.seats[1], None, desk.site.clock())
    assert desk.says("Oh, with pleasure", to, bo.address).words == "not seated yet"
    assert "Reply with one word on the first line: accept, or decline." in " ".join(desk.text().split())
    desk.says("Really", to, bo.address)
    assert desk.answers() == {}


def invitation(desk: ReplyDesk) -> tuple[Match, Player]:
    """A match in which Ann keeps the second seat for Bo."""
    ann, bo = desk.office.player("Ann"), desk.office.player("Bo")
    name = new_match_id(desk.site.settings.partitions)
    made = CreateMatch(Actor(ann.id, "web"), "fourfold", {}, {}, (Hold(ann.id), Invite(bo.id), Open(), Open()))
    return desk.site.desk.do(name, made).sight.match, bo


def test_whoever_is_not_asked_is_told_that_a_mail_will_come(desk: ReplyDesk):
    waiting = next(seat for seat in desk.match.seats if seat != desk.match.asks[0].seat)
    player = desk.site.players.get(desk.match.chair(waiting).player or "")
    assert player is not None
    assert desk.says("deploy a5", desk.to(waiting), player.address).words == "refused: not-your-turn"
    text = " ".join(desk.text().split())
    assert "You get a mail when it is your turn; help tells you what you can write until then." in text
    assert "To try again" not in text


def test_board_shows_the_position_and_whose_turn_it_is(desk: ReplyDesk):
    assert desk.says("board").words == "asked for board"
    mail = desk.answer()
    assert mail is not None
    text = words_of(mail)
    assert text.startswith("The position\n\nIt is your turn, until ")
    assert "The position\n------------" in text
    assert [part.get_content_type() for part in mail.walk()].count("image/png") == 1


def test_legal_lists_what_can_be_played(desk: ReplyDesk):
    desk.says("legal")
    assert f"You can play:\n  {desk.legal()}\n" in desk.text()


def test_history_tells_what_happened(desk: ReplyDesk):
    desk.office.play(desk.name, desk.match.asks[0])
    desk.says("history")
    assert "(you) played " in desk.text() or "played " in desk.text()


def test_help_says_how_to_reply(desk: ReplyDesk):
    desk.says("help")
    text = desk.text()
    assert f"for example: {desk.legal()}. Several" in " ".join(text.split())
    assert "vacation 3 days" in text


def test_check_tries_a_line_and_plays_nothing(desk: ReplyDesk):
    line = desk.legal()
    assert desk.says(f"check {line}").words == "tried"
    assert f"“{line}” could be played now. Nothing was played" in " ".join(desk.text().split())
    assert desk.says("check deploy c3").words == "refused: illegal-action"
    assert desk.text().startswith("That could not be played\n")
    assert desk.match.ply == 0


def test_resign_asks_back(desk: ReplyDesk):
    mover = desk.mover
    assert desk.says("resign").words == "asked back"
    mail = desk.answer()
    assert mail is not None
    assert "reply to this mail with one word: yes" in " ".join(words_of(mail).split())
    assert desk.match.vacated == ()
    assert desk.says("No.", str(mail["Reply-To"])).words == "stays"
    assert desk.text().startswith("You stay in the match\n")
    assert desk.says("Yes.", str(mail["Reply-To"])).words == "resigned"
    assert desk.match.vacated == desk.match.seats_of(mover.id)
    assert desk.text().startswith("You have left the match\n")


def test_who_was_asked_whether_to_resign_can_play_by_that_very_mail(desk: ReplyDesk):
    desk.says("resign")
    mail = desk.answer()
    assert mail is not None
    assert desk.says(desk.legal(), str(mail["Reply-To"])).words == "played"


def test_yes_leaves_no_match_where_nobody_was_asked(desk: ReplyDesk):
    assert desk.says("yes").words == "refused: unreadable-text"
    to = desk.addresses.reply(desk.match, desk.match.asks[0].seat, None, desk.site.clock(), resigning=True)
    assert desk.says("yes, but only if Bo does", to).words != "resigned"
    assert desk.match.vacated == ()


def test_who_resigns_and_so_ends_the_match_gets_the_mail_about_the_end_and_no_other(desk: ReplyDesk):
    staying = [seat for seat in desk.match.seats if desk.match.ask(seat) is None][:2]
    for seat in staying:
        desk.site.desk.do(desk.name, Resign(Actor(desk.match.chair(seat).player or "", "web")))
    assert desk.says("resign yes").words == "resigned"
    assert desk.match.status == "over"
    assert desk.answer() is None


def test_the_answer_to_rematch_leads_to_the_new_match(desk: ReplyDesk):
    mover, to = desk.mover, desk.to(desk.match.asks[0].seat)
    for seat in desk.match.seats[:3]:
        desk.site.desk.do(desk.name, Resign(Actor(desk.match.chair(seat).player or "", "web")))
    assert desk.says("rematch", to, mover.address).words == "rematch"
    text = desk.text()
    token = desk.site.tokens.unseal(text.split("The new match:\n")[1].split("/m/")[1])
    assert token is not None
    assert (token.purpose, f"It is match {token.subject}," in text, token.subject == desk.name) == ("view", True, False)


def test_a_pause_is_offered_and_accepted_by_reply(desk: ReplyDesk):
    assert desk.says("vacation 3 days").words == "offered"
    offer = desk.match.offer
    assert offer is not None
    assert (offer.kind, offer.seconds) == ("pause", 259_200)
    assert desk.text().startswith("You have offered to let the clock stand still for 3 days\n")
    for seat in desk.match.seats:
        player = desk.site.players.get(desk.match.chair(seat).player or "")
        assert player is not None
        if player.id not in offer.agreed:
            desk.says("accept", desk.to(seat), player.address)
            desk.answer()
    assert desk.match.paused_until > desk.site.clock() + 2 * 86_400_000


@pytest.mark.parametrize(("line", "why"), [("vacation 10 minutes", "refused: unreadable-text"), ("vacation 40 days", "refused: invalid-offer")])
def test_a_pause_that_cannot_be_is_refused(desk: ReplyDesk, line: str, why: str):
    assert desk.says(line).words == why


def test_an_offer_is_declined_by_reply(desk: ReplyDesk):
    other = next(seat for seat in desk.match.seats if desk.match.ask(seat) is None)
    desk.site.desk.do(desk.name, Offer(Actor(desk.match.chair(other).player or "", "api")))
    assert desk.says("decline").words == "declined"
    assert desk.match.offer is None
    assert desk.says("accept").words == "refused: no-such-offer"


def test_stop_ends_mails_and_start_brings_them_back(desk: ReplyDesk):
    mover = desk.mover.id
    assert desk.says("stop").words == "mails off"
    assert desk.site.preferring.preferences(mover, desk.name).cadence == "off"
    assert desk.site.preferring.preferences(mover).cadence == "each"
    assert "your time runs all the same" in " ".join(desk.text().split())
    desk.says("start")
    desk.answer()
    assert desk.site.preferring.preferences(mover, desk.name).cadence == "each"
    desk.says("stop all")
    assert desk.site.preferring.preferences(mover, ALWAYS).cadence == "off"


def test_a_rematch_of_a_match_that_runs_is_refused(desk: ReplyDesk):
    assert desk.says("rematch").words == "refused: not-over"


@pytest.mark.parametrize(
    ("line", "became", "told"), [("accept", "joined", "You have a seat"), ("decline", "declined", "You have declined the invitation")]
)
def test_an_invitation_is_answered_by_reply(desk: ReplyDesk, line: str, became: str, told: str):
    cy, eva = desk.office.player("Cy"), desk.office.player("Eva")
    name = new_match_id(desk.site.settings.partitions)
    desk.site.desk.do(name, CreateMatch(Actor(cy.id, "web"), "fourfold", {}, {}, (Hold(cy.id), Invite(eva.id), Open(), Open())))
    match = desk.site.desk.look(name).match
    to = desk.addresses.reply(match, match.seats[1], None, desk.site.clock())
    assert desk.says(line, to, eva.address).words == became
    assert desk.text().startswith(f"{told}\n")
    after = desk.site.desk.look(name).match
    assert (eva.id in [chair.player for chair in after.chairs]) == (line == "accept")


def test_accept_answers_the_games_own_question_first(desk: ReplyDesk):
    people = {player.id: player for player in map(desk.office.player, ("Ann", "Bo", "Cy", "Di"))}
    name = new_match_id(desk.site.settings.partitions)
    settings = {"seating": "joined", "undo_seconds": 0}
    desk.site.desk.do(name, CreateMatch(Actor(next(iter(people)), "web"), "four-forges", {"trading": True}, settings, tuple(map(Hold, people))))
    while "accept" not in lines_of(desk, name):
        match = desk.site.desk.look(name).match
        (ask,) = match.asks
        action = next(action for action in match.game.legal(match.state, ask.seat) if match.game.write(action).startswith("trade "))
        desk.site.desk.do(name, Submit(Actor(match.chair(ask.seat).player or "", "api"), ask.seat, match.ply, (action,)))
    match = desk.site.desk.look(name).match
    (ask,) = match.asks
    player = match.chair(ask.seat).player or ""
    desk.site.desk.do(name, Offer(Actor(next(other for other in people if other != player), "api")))
    to = desk.addresses.reply(match, ask.seat, ask, desk.site.clock())
    assert desk.says("accept", to, people[player].address).words == "played"
    assert desk.site.desk.look(name).match.ply == match.ply + 1


def lines_of(desk: ReplyDesk, name: str) -> list[str]:
    """The first lines that can be played in a match."""
    match = desk.site.desk.look(name).match
    return [match.game.write(action) for action in islice(match.game.legal(match.state, match.asks[0].seat), 5)]
