"""Replies as they really travel: handed in by SMTP, worked on by processes that may die, alternating with links, and answered."""

import re
from collections.abc import Iterator
from itertools import count
from random import Random
from time import time_ns

import pytest

from tests.end_to_end.correspondent import Correspondent
from tests.end_to_end.house import House
from tests.end_to_end.paper import load
from tests.end_to_end.player import MailPlayer


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with House(tmp_path_factory.mktemp("replies")) as house:
        yield house


def started(house: House, address: str, **options: str) -> Correspondent:
    page = MailPlayer(house.url, address, Random(3)).start(game="fourfold", undo_seconds="0", **{"fourfold.goals_to_win": "1", **options})
    assert page.status == 200, page.words
    return Correspondent(house, address, Random(5))


def test_a_match_is_played_by_replies_and_links_in_turn(house: House):
    """The lots decide how often somebody is asked: matches are played until there was one with enough turns to take turns."""
    for number in count():
        writer = started(house, f"turns{number}@example.org")
        player = MailPlayer(house.url, writer.address, Random(7))
        in_turn(writer, player)
        player.ending = load(writer.over)
        player.check()
        writer.check()
        if min(len(writer.sent), len(player.played)) >= 2:
            break


def in_turn(writer: Correspondent, player: MailPlayer) -> None:
    """Answer letters by reply and by link until the match is over."""
    while not writer.over:
        letter = writer.next_letter()
        headline = letter["text"].partition("\n")[0]
        if "match is over" in headline:
            writer.over = next(link for link in letter["links"] if link.endswith("/history"))
        elif "our turn" in headline and len(writer.sent) <= len(player.played):
            lines = re.findall(r"^(\S.*?) {2,}http://\S+/m/\S+$", letter["text"], re.MULTILINE)
            writer.reply(letter, writer.chance.choice(lines))
        elif "our turn" in headline:
            player.answer(letter)


def test_no_reply_is_lost_and_none_is_played_twice_when_the_processes_for_it_are_killed(house: House):
    kills = 0
    while kills < 4:  # in one match, or as many as the lots make it
        writer = started(house, f"kills{kills}-{time_ns()}@example.org")
        while not writer.over:
            letter = writer.next_letter()
            headline = letter["text"].partition("\n")[0]
            if "match is over" in headline:
                writer.over = next(link for link in letter["links"] if link.endswith("/history"))
            elif "our turn" in headline:
                lines = re.findall(r"^(\S.*?) {2,}http://\S+/m/\S+$", letter["text"], re.MULTILINE)
                writer.reply(letter, writer.chance.choice(lines))
                if kills < 4:
                    house.kill(("worker inbound", "mail-in")[kills % 2])
                    kills += 1
        writer.check()


def test_an_answer_comes_to_the_readers_own_mailbox_and_goes_on_by_reply(house: House):
    writer = started(house, "answers@example.org", **{"fourfold.goals_to_win": "10"})  # of a short match now and then no lot calls on anybody
    turn = writer.next_letter()
    writer.reply(turn, "help")
    helped = writer.next_letter()
    assert helped["text"].startswith("How to play by replying\n")
    writer.reply(helped, "check nonsense")
    refused = writer.next_letter()
    assert refused["text"].startswith("Not understood\n")
    writer.reply(refused, "resign")
    asked = writer.next_letter()
    assert asked["text"].startswith("Do you want to resign?\n")
    writer.reply(asked, "resign yes")
    assert any("over" in writer.next_letter()["text"].partition("\n")[0] for _ in range(2))
