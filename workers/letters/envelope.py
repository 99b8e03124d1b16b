"""A written letter as a mail: its parts, and the headers that keep a match in one thread and auto-responders silent (mail.md)."""

from __future__ import annotations

from datetime import UTC, datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import format_datetime
from hmac import compare_digest
from typing import Final

from domain.chain import canonical
from domain.game import Seat
from domain.match.match import Ask, Match
from infra.ids import crockford
from infra.mail.inbox import Reply
from infra.mail.smtp import POLICY
from infra.outbox import Notice
from infra.people.players import Player
from infra.seals.keys import Keys
from infra.seals.links import RESIGNING, to_reply, to_reply_out_of_turn
from infra.seals.tokens import Tokens
from workers.letters.writing import Facts
from workers.letters.written import Written

SENDER: Final = "Forgepost"
MAC_LETTERS: Final = 19  # of the 96 bits of a MAC, five each


class Addresses:
    """The ids and addresses that a site makes up for its mails. Each holds a MAC, so that what comes back can be told from what others made up.

    Ids and the addresses for bounces outlive the keys of links: a rotation must not break a match's thread in two.
    """

    def __init__(self, keys: Keys, domain: str) -> None:
        self._keys, self._tokens, self.domain = keys, Tokens(keys), domain

    def reply(self, match: Match, seat: Seat, ask: Ask | None, now: int, *, resigning: bool = False) -> str:
        """Where an answer to a mail is to go: for which seat, to which ask if the mail was about one, and whether it asked about resigning."""
        question = RESIGNING if resigning else 0
        token = to_reply(match, ask, question) if ask else to_reply_out_of_turn(match, seat, now, question)
        return f"r+{self._tokens.seal(token)}@{self.domain}"

    def message_id(self, notice: Notice) -> str:
        """The same for every try to send a notice: whoever gets it twice can tell that it is one mail."""
        return f"<{notice.kind}.{notice.match or 'account'}.{self._mac('message-id', canonical(notice))}@{self.domain}>"

    def root_id(self, match: str, player: str) -> str:
        """What every mail of a match to one player answers, so that they stand in one thread."""
        return f"<match.{match}.{self._mac('message-id', f'{match} {player}'.encode())}@{self.domain}>"

    def bounce(self, player: str) -> str:
        """The envelope's sender: whatever bounces says whose mailbox it was (VERP)."""
        return f"b+{player}.{self._mac('bounce', player.encode())}@{self.domain}"

    def bounced(self, address: str) -> str | None:
        """The player whose mail has come back to this address; None where it is none of our addresses for that."""
        player = address.strip(" <>").lower().partition("@")[0].removeprefix("b+").partition(".")[0]
        return player if compare_digest(address.strip(" <>").lower().encode(), self.bounce(player).encode()) else None

    def picture_id(self, notice: Notice) -> str:
        """The content id of the board in a mail."""
        return f"board.{self._mac('message-id', canonical(notice))}@{self.domain}"

    def _mac(self, purpose: str, data: bytes) -> str:
        return crockford(int.from_bytes(self._keys.lasting_mac(purpose, data)) >> 1, MAC_LETTERS)


def dated(now: int) -> str:
    """A time (ms) as a mail's date."""
    return format_datetime(datetime.fromtimestamp(now // 1000, UTC))


def begun(to: Address, letter: Written, message_id: str, addresses: Addresses, now: int) -> EmailMessage:
    """What all mails have in common: the sender that never changes, the parts, and the headers that keep auto-responders silent."""
    message = EmailMessage(policy=POLICY)
    message["From"] = Address(SENDER, "play", addresses.domain)
    message["To"] = to
    message["Date"] = dated(now)
    message["Subject"] = letter.subject
    message["Message-ID"] = message_id
    message["Auto-Submitted"] = "auto-generated"
    message["X-Auto-Response-Suppress"] = "OOF, AutoReply"
    message.set_content(letter.text)
    message.add_alternative(letter.html, subtype="html")
    return message


def unsubscribed(message: EmailMessage, letter: Written) -> None:
    """The headers by which a mail program stops such mails with one click (RFC 8058), or by a mail where it can do no better (RFC 2369)."""
    reply = f", <mailto:{message['Reply-To']}?subject=stop&body=stop>" if message["Reply-To"] else ""
    message["List-Unsubscribe"] = f"<{letter.unsubscribe}>{reply}"
    message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"


def mail(
    facts: Facts, player: Player, letter: Written, board: bytes | None, addresses: Addresses, head: str, reply: Reply | None = None
) -> EmailMessage:
    """The whole mail; `board` is a PNG, `head` the signed head of the match, which makes every player's mailbox a witness (DESIGN 5).

    `reply`: what it answers to a mail that came in; None where it answers none.
    """
    notice, game = facts.notice, facts.match.game.id
    root = addresses.root_id(notice.match, player.id)
    message = begun(Address(player.name, addr_spec=player.address), letter, addresses.message_id(notice), addresses, facts.now)
    if seat := notice.seat or next(iter(facts.seats), None):
        ask = facts.match.ask(seat) if notice.seat else None
        resigning = reply is not None and reply.asks == "resign"
        message["Reply-To"] = addresses.reply(facts.match, seat, ask, facts.now, resigning=resigning)
    answered = reply.to if reply else ""
    message["In-Reply-To"] = answered or root
    message["References"] = f"{root} {answered}" if answered else root
    if reply is not None:
        message.replace_header("Auto-Submitted", "auto-replied")
    message["List-Id"] = f"{SENDER} match {notice.match} <{notice.match}.matches.{addresses.domain}>"
    unsubscribed(message, letter)
    message["Feedback-ID"] = f"{notice.match}:{game}:{notice.kind}:{SENDER.lower()}"
    message["Forgepost-Head"] = head
    if board is not None:
        _, html = message.iter_parts()
        assert isinstance(html, EmailMessage)
        html.add_related(board, "image", "png", cid=f"<{addresses.picture_id(notice)}>", disposition="inline", filename="board.png")
    return message
