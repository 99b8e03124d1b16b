"""A written letter as a mail: its parts, and the headers that keep a match in one thread and auto-responders silent (mail.md)."""

from __future__ import annotations

from datetime import UTC, datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import format_datetime
from typing import Final

from domain.chain import canonical
from infra.ids import crockford
from infra.keys import Keys
from infra.outbox import Notice
from infra.players import Player
from infra.smtp import POLICY
from workers.letters.writing import Facts
from workers.letters.written import Written

SENDER: Final = "Forgepost"
MAC_LETTERS: Final = 19  # of the 96 bits of a MAC, five each


class Addresses:
    """The ids and addresses that a site makes up for its mails. Each holds a MAC, so that what comes back can be told from what others made up."""

    def __init__(self, keys: Keys, domain: str) -> None:
        self._keys, self.domain = keys, domain

    def message_id(self, notice: Notice) -> str:
        """The same for every try to send a notice: whoever gets it twice can tell that it is one mail."""
        return f"<{notice.kind}.{notice.match or 'account'}.{self._mac('message-id', canonical(notice))}@{self.domain}>"

    def root_id(self, match: str, player: str) -> str:
        """What every mail of a match to one player answers, so that they stand in one thread."""
        return f"<match.{match}.{self._mac('message-id', f'{match} {player}'.encode())}@{self.domain}>"

    def bounce(self, player: str) -> str:
        """The envelope's sender: whatever bounces says whose mailbox it was (VERP)."""
        return f"b+{player}.{self._mac('bounce', player.encode())}@{self.domain}"

    def picture_id(self, notice: Notice) -> str:
        """The content id of the board in a mail."""
        return f"board.{self._mac('message-id', canonical(notice))}@{self.domain}"

    def _mac(self, purpose: str, data: bytes) -> str:
        return crockford(int.from_bytes(self._keys.mac(self._keys.current_kid, purpose, data)) >> 1, MAC_LETTERS)


def dated(now: int) -> str:
    """A time (ms) as a mail's date."""
    return format_datetime(datetime.fromtimestamp(now // 1000, UTC))


def mail(facts: Facts, player: Player, letter: Written, board: bytes | None, addresses: Addresses, head: str) -> EmailMessage:
    """The whole mail; `board` is a PNG, `head` the signed head of the match, which makes every player's mailbox a witness (DESIGN 5)."""
    notice, game = facts.notice, facts.match.game.id
    root = addresses.root_id(notice.match, player.id)
    message = EmailMessage(policy=POLICY)
    message["From"] = Address(SENDER, "play", addresses.domain)
    message["To"] = Address(player.name, addr_spec=player.address)
    message["Date"] = dated(facts.now)
    message["Subject"] = letter.subject
    message["Message-ID"] = addresses.message_id(notice)
    message["In-Reply-To"] = root
    message["References"] = root
    message["List-Id"] = f"{SENDER} match {notice.match} <{notice.match}.matches.{addresses.domain}>"
    message["Auto-Submitted"] = "auto-generated"
    message["X-Auto-Response-Suppress"] = "OOF, AutoReply"
    message["Feedback-ID"] = f"{notice.match}:{game}:{notice.kind}:{SENDER.lower()}"
    message["Forgepost-Head"] = head
    message.set_content(letter.text)
    message.add_alternative(letter.html, subtype="html")
    if board is not None:
        _, html = message.iter_parts()
        assert isinstance(html, EmailMessage)
        html.add_related(board, "image", "png", cid=f"<{addresses.picture_id(notice)}>", disposition="inline", filename="board.png")
    return message
