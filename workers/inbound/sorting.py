"""What kind of mail it is, told by its envelope and headers before a word of its text is read; only what a person wrote is answered."""

from __future__ import annotations

import re
from typing import Final

from domain.game import Record
from infra.mail.inbox import Sort
from infra.mail.mailbox import Envelope
from workers.inbound.opening import Opened

MOST_STEPS: Final = 30  # servers that a mail may have come through: what goes round in circles has been at more
DAEMON: Final = re.compile(r"\b(mailer-daemon|postmaster|mail-daemon|mailerdaemon|double-bounce|bounce[sd]?([+-][^@]*)?)@", re.IGNORECASE)
RETURNED: Final = re.compile(
    r"\b(undeliver(ed|able)|delivery (status notification|has failed|failure|report|incomplete)|failure notice|returned mail"
    r"|mail delivery (failed|failure"
    r"|system)|message (not delivered"
    r"|undeliverable)|unzustellbar|nicht zugestellt|non remis|échec de la remise|no se puede entregar|non recapitabile"
    r"|не удалось доставить|недоставлен|退信|配信不能|전송 실패)",
    re.IGNORECASE,
)
AWAY: Final = re.compile(
    r"(re: |aw: )?("
    r"(auto(matic|matische|matisch|mated|matiske|matyczna|matická|-)?[ -]?(reply|response|antwort|antwoord|svar|odpowied|odpov))"
    r"|auto[ -]?(reply|responder)"
    r"|out of (the )?office|i am (away|out)|away from (my|the)|on (vacation|holiday|leave)|vacation|ooo\b"
    r"|abwesen|automatische antwort|ich bin (nicht im|im urlaub)|urlaub"
    r"|réponse automatique|absence|absent|message d'absence|je suis absent"
    r"|respuesta automática|fuera de (la )?oficina|ausente|ausencia|resposta automática|fora do escritório|ausência"
    r"|risposta automatica|fuori (sede|ufficio)|assenza"
    r"|afwezig|automatisch antwoord|autosvar|frånvaro|fravær|poissa|automaattinen vastaus|nieobecno|automatyczna odpowied|nepřítom|automatická odpov"
    r"|szabadság|otomatik yan|автоматическ|автоответ|вне офиса|отсутств|автовідповід|нет на рабочем"
    r"|自動(返信|応答|回覆)|自动(回复|答复)|不在(通知|のお知らせ)|자동 ?(응답|회신)|부재중|رد تلقائي|خارج المكتب|מענה אוטומטי|תשובה אוטומטית"
    r")",
    re.IGNORECASE,
)
DELAYED: Final = re.compile(r"^action:\s{0,9}(delayed|relayed|delivered|expanded)\b", re.IGNORECASE | re.MULTILINE)
STATUS: Final = re.compile(r"\b([245])\.(\d{1,3})\.(\d{1,3})\b")
CODE: Final = re.compile(r"(?<![\d.])([45])(\d{2})(?=[ :#\-\]]|$)", re.MULTILINE)
UNKNOWN: Final = re.compile(
    r"user unknown|unknown user|no such (user|mailbox|recipient|address|person)|does ?n[o']t exist"
    r"|mailbox (unavailable|not found|unknown)|invalid (recipient"
    r"|mailbox)|recipient (rejected|not found|unknown)|address rejected|account (is |has been )?(disabled|deactivated|closed)|unrouteable",
    re.IGNORECASE,
)
LONGEST: Final = 16_000  # characters of a bounce that are looked at


class Sorted(Record, frozen=True):
    """The kind of mail; of a bounce also whether it was for good, and the words that say so: ours, and a code of theirs."""

    sort: Sort
    words: str
    hard: bool = False


def sorted_out(mail: Opened, envelope: Envelope, domain: str) -> Sorted:
    """What a mail is. The first that fits counts."""
    nobody = (not envelope.sender and bool(envelope.to)) or "<>" in (mail.first("return-path"), envelope.sender)
    to_bounces = any(box.lower().startswith("b+") for box in (*envelope.to, *mail.all("delivered-to"), *mail.all("to")))
    report = mail.first("content-type").lower()
    sender = mail.first("from")
    if "message/disposition-notification" in mail.kinds or "disposition-notification" in report:
        return Sorted("receipt", "a read receipt")
    daemon = bool(DAEMON.search(sender))
    if "message/delivery-status" in mail.kinds or "delivery-status" in report or ((daemon or nobody) and RETURNED.search(mail.subject)):
        return _bounced(mail)
    if (daemon or (nobody and to_bounces)) and not _machine(mail) and not AWAY.match(mail.subject):
        return _bounced(mail)
    if mail.all("forgepost-head") or mail.all("x-forgepost-loop") or re.search(rf"@{re.escape(domain)}\b", sender, re.IGNORECASE):
        return Sorted("ours", "a mail of our own")
    if len(mail.all("received")) > MOST_STEPS:
        return Sorted("loop", f"it came through more than {MOST_STEPS} servers")
    if any(kind.startswith("text/vnd.google.email-reaction") for kind in mail.kinds) or mail.all("x-ms-reactions"):
        return Sorted("reaction", "a reaction")
    if machine := _machine(mail):
        return Sorted("automatic", machine)
    if nobody:
        return Sorted("automatic", "nobody sent it")
    if AWAY.match(mail.subject):
        return Sorted("automatic", "its subject is that of somebody away")
    if "text/calendar" in mail.kinds and not mail.text.strip():
        return Sorted("meeting", "an answer to an appointment")
    return Sorted("letter", "")


def _machine(mail: Opened) -> str:
    """By which header a mail says that no person sent it; empty where none does."""
    submitted = mail.first("auto-submitted").split(";")[0].strip().lower()
    if submitted not in ("", "no"):
        return f"Auto-Submitted: {submitted[:40]}"
    for name in ("x-autoreply", "x-autorespond", "x-autoresponder", "x-autogenerated", "x-vacation", "x-mail-autoreply", "x-fc-machinegenerated"):
        if mail.first(name).strip().lower() not in ("", "no", "false"):
            return name
    precedence = mail.first("precedence").strip().lower()
    if precedence in ("bulk", "junk", "list", "auto_reply", "auto-reply"):
        return f"Precedence: {precedence}"
    if mail.first("delivered-to").strip().lower() == "autoresponder":
        return "Delivered-To: Autoresponder"
    if mail.all("list-id"):
        return "it came by a mailing list"
    return ""


def _bounced(mail: Opened) -> Sorted:
    """Whether a mailbox is gone, in trouble, or only slow."""
    said = (mail.report or mail.text or mail.html)[:LONGEST]
    if mail.report and DELAYED.search(said) and not re.search(r"^action:\s{0,9}failed", said, re.IGNORECASE | re.MULTILINE):
        return Sorted("receipt", "a delivery that only takes longer, or was made")
    if found := STATUS.search(said):
        group, subject, detail = found[1], int(found[2]), int(found[3])
        hard = group == "5" and ((subject == 1 and detail not in (7, 8)) or (subject, detail) == (2, 1))
        return Sorted("bounce", f"it came back with status {found[0]}", hard)
    code = CODE.search(said)
    gone = bool(UNKNOWN.search(said))
    words = f"it came back with code {code[0]}" if code else "it came back"
    return Sorted("bounce", words, gone and (code is None or code[1] == "5"))
