"""What people write around an action: it is played where the action is all that is left, and nothing is guessed from a sentence."""

from time import process_time

import pytest

from domain.match.commands import Actor, Offer
from tests.workers.inbound.desk import ReplyDesk
from workers.inbound.manners import bare, greets

QUOTE = "\n\nOn Mon, 30 Nov 2026 at 09:00, Forgepost <play@forgepost.localhost> wrote:\n> It is your turn\n> deploy z9\n"


@pytest.mark.parametrize(
    "text",
    [
        "{}!",
        "{} please",
        "ok let's do {}",
        "ok, let’s do {}",
        "I'll {}",
        "I’d like to {}",
        "I play {}.",
        "My turn: {}",
        "Play: {}",
        "1. {}",
        "- {}",
        "→ {}",
        "[{}]",
        "({})",
        "{} :)",
        "{} 🙂",
        "{}, thanks",
        "{} danke",
        "{} (finally!)",
        "{} -- sent while walking",
        "Hi,\n\n{}\n\nThanks, Ann",
        "Hello Forgepost,\n{}",
        "Dear all,\n\n{}\n\nKind regards,\nAnn",
        "ok\n{}",
        "Sorry for being late.\n\n{}",
        "Gut, dann {}",
    ],
)
def test_courtesy_around_an_action_does_not_keep_it_from_being_played(desk: ReplyDesk, text: str):
    assert desk.says(text.format(desk.legal()) + QUOTE).words == "played"


@pytest.mark.parametrize(
    "text",
    [
        "I think I will {}",
        "I'll {} if Bo does",
        "Not {}",
        "don't {}",
        "{} or deploy b5",
        "{} (or deploy b5?)",
        "{} -- no, wait",
        "maybe {}",
        "{}\nGood luck everyone",
        "Sorry, I did not mean that\n\n{}",
    ],
)
def test_what_could_be_meant_otherwise_is_not_played(desk: ReplyDesk, text: str):
    assert desk.says(text.format(desk.legal()) + QUOTE).words == "refused: unreadable-text"
    assert desk.match.ply == 0


@pytest.mark.parametrize("text", ["{}?", "Can I play {}?", "Check {}?", "How about {} ?"])
def test_a_question_is_only_tried(desk: ReplyDesk, text: str):
    assert desk.says(text.format(desk.legal()) + QUOTE).words == "tried"
    assert desk.match.ply == 0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Help, please!", "asked for help"),
        ("How do I play?", "asked for help"),
        ("what can I do?", "asked for legal"),
        ("Whose turn is it?", "asked for board"),
        ("history please", "asked for history"),
        ("I give up.", "asked back"),
        ("undo please", "refused: nothing-to-take-back"),
        ("Please stop sending me mails!", "mails off"),
        ("offer a draw", "offered"),
        ("holiday 5 days please", "offered"),
    ],
)
def test_a_word_of_ours_is_known_in_company_too(desk: ReplyDesk, text: str, words: str):
    assert desk.says(text + QUOTE).words == words


@pytest.mark.parametrize("line", [" (" * 450, "- " * 450, "please " * 140, "a -- " * 200, "hi " * 300, ":) " * 300])
def test_hostile_courtesy_takes_no_time(desk: ReplyDesk, line: str):
    begun = process_time()
    desk.says("\n".join([line] * 1_900))
    assert process_time() - begun < 5  # seconds of this process alone, whatever else the machine does; it takes a tenth of that


def test_who_writes_on_below_an_action_is_told_to_leave_a_line_empty(desk: ReplyDesk):
    desk.says(f"{desk.legal()}\nGood luck everyone")
    assert "Leave an empty line between what you play and whatever else you write." in " ".join(desk.text().split())


@pytest.mark.parametrize(("text", "words"), [("Yes", "accepted"), ("No, thanks.", "declined")])
def test_a_mail_about_an_offer_is_answered_by_yes_or_no_too(desk: ReplyDesk, text: str, words: str):
    waiting = next(seat for seat in desk.match.seats if desk.match.ask(seat) is None)
    desk.site.desk.do(desk.name, Offer(Actor(desk.mover.id, "web")))
    player = desk.site.players.get(desk.match.chair(waiting).player or "")
    assert player is not None
    assert desk.says(text, desk.to(waiting), player.address).words == words


def test_yes_to_a_mail_about_a_turn_agrees_to_no_offer(desk: ReplyDesk):
    waiting = next(seat for seat in desk.match.seats if desk.match.ask(seat) is None)
    desk.site.desk.do(desk.name, Offer(Actor(desk.match.chair(waiting).player or "", "web")))
    assert desk.says("yes").words == "refused: unreadable-text"
    assert desk.match.offer is not None


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("Ann: deploy a5", "deploy a5"),
        ("1) deploy a5 please, thanks :-)", "deploy a5"),
        ("refresh", "refresh"),
        ("place a1, thank you very much!", "place a1"),
    ],
)
def test_only_the_ends_of_a_line_are_taken_off(line: str, action: str):
    assert bare(line, "Ann Lee") == action


@pytest.mark.parametrize(
    ("line", "hello"), [("Hi Bo!", True), ("good morning everyone", True), ("ok", True), ("hi deploy a5", False), ("ok deploy a5", False)]
)
def test_a_greeting_is_a_whole_line(line: str, *, hello: bool):
    assert greets(line) is hello
