"""What somebody wrote themselves into a reply: without quotes, what introduces quotes, and signatures; in time that grows with its length alone."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from workers.inbound.letters import plain

MOST_LINES: Final = 2_000  # that are looked at
LONGEST_LINE: Final = 1_000  # characters; an introduction or a heading is no longer
INTRODUCTION: Final = 4  # lines at most, as programs break it

QUOTED: Final = re.compile(r"\s{0,8}[>|]")
DATED: Final = re.compile(
    r"\d{1,2}[:.h]\d{2}\b|\b\d{4}\s?[-/.年년]|\b\d{1,2}\s?[-/.]\s?\d{1,2}\s?[-/.]\s?\d{2,4}|\b(19|20)\d\d\b|\b(١٩|٢٠|۲۰)|[٠-٩]{1,2}:[٠-٩]{2}"
)
ADDRESS: Final = re.compile(r"[^\s@<>]{1,64}@[^\s@<>]{1,200}")
# How an introduction ends, in whatever language, and how some begin or go on that end otherwise.
ENDS: Final = re.compile(r"[:：﹕]\s{0,4}[>›»]?\s{0,4}$")
SAYS: Final = re.compile(
    r"\b(wrote|writes|schrieb\w*|escribi[óo]|a écrit|écrivait|ha scritto|escreveu|schreef|skrev|skrifaði|kirjoitti|napisał\w*|napsal\w*"
    r"|napísal\w*|írta"
    r"|a scris|yazdı|viết|menulis|έγραψε|написа\w*|пише\w*|пишет|написав)\b|写道|寫道|のメール|書きました|님이 작성|작성:|كتب|נכתב|כתב",
    re.IGNORECASE,
)
BEGINS: Final = re.compile(
    r"(on|am|le|el|il|em|op|den|dnia|dne|w dniu|på|o|no dia|vào|pada|στις|в|вт|пн|ср|чт|пт|сб|вс|в\w*,)\b.{0,60}\d|\d{4}[-/.年]"
    r"|(19|20)\d\d|в \w+,|\d{1,2}[./]\d",
    re.IGNORECASE,
)
# Between what was written and what is quoted without any sign before it.
DIVIDER: Final = re.compile(
    r"[-_*=\s]{0,40}\b(original message|original appointment|forwarded message|begin forwarded message|reply message|ursprüngliche nachricht"
    r"|weitergeleitete nachricht|originalnachricht|message d'origine|message original|message transféré|mensaje original|mensaje reenviado"
    r"|mensagem original|messaggio originale|messaggio inoltrato|oorspronkelijk bericht|originalmeddelande|ursprungligt meddelande"
    r"|oprindelig meddelelse"
    r"|opprinnelig melding|alkuperäinen viesti|wiadomość oryginalna|původní zpráva|исходное сообщение|пересылаемое сообщение|пересланное сообщение)"
    r"\b[-_*=:\s]{0,40}"
    r"|-{2,20}\s{0,4}(原始邮件|原始郵件|原邮件|元のメッセージ|転送されたメッセージ|원본 메시지|הודעה מקורית|الرسالة الأصلية)\s{0,4}-{2,20}|_{20,200}",
    re.IGNORECASE,
)
# The first line of a head as Outlook and phones quote it: From, in whatever language, with somebody behind it.
HEADING: Final = re.compile(
    r"\*{0,2}(from|von|de|da|van|från|fra|lähettäjä|od|od kogo|nadawca|feladó|от|от кого|від|gönderen|kimden|từ|dari|από|expéditeur"
    r"|remitente|mittente"
    r"|发件人|寄件者|寄件人|差出人|送信者|보낸 사람|보낸사람|من|מאת|จาก)\s{0,3}\*{0,2}\s{0,3}[:：]\*{0,2}\s{0,3}\S",
    re.IGNORECASE,
)
SENT_AT: Final = re.compile(
    r"\*{0,2}(sent|date|gesendet|datum|envoyé|enviado( em| el)?|enviada em|inviato|data|verzonden|skickat|sendt|wysłano|отправлено|дата"
    r"|发送时间|日期|送信日時)"
    r"\s{0,3}\*{0,2}\s{0,3}[:：]",
    re.IGNORECASE,
)
SIGNED: Final = re.compile(r"--\s{0,3}|—|–|_{2,12}|-{3,80}|={3,80}|\*{3,80}|[~•]{2,40}")
SENT_FROM: Final = re.compile(
    r"(sent|get) (from|via|with|outlook for|bluemail|using)\b.*|(von|mit) (meinem|meiner|der|unterwegs)\b.*(gesendet|verschickt|geschickt).*"
    r"|gesendet (von|mit)\b.*|(envoyé|envoyée) (de|depuis|à partir|avec)\b.*|enviado (desde|do|de|con|via|pelo)\b.*|inviato (da|dal|con)\b.*"
    r"|verzonden (vanaf|via|met)\b.*|verstuurd (vanaf|met)\b.*|skickat från\b.*|sendt fra\b.*|lähetetty\b.*|wysłane z\b.*|wysłano z\b.*"
    r"|odesláno z\b.*"
    r"|отправлено (с|из)\b.*|надіслано з\b.*|從我的.*傳送|发自我的.*|從我的.*|iPhoneから送信|.*から送信|나의 .*에서 (보냄|전송)"
    r"|أُ?رسلت من.*|.*نشلح מה.*"
    r"|.*iphone'umdan gönderildi|outlook (for|para|pour|für) (android|ios)\b.*|get outlook for\b.*|holen sie sich outlook\b.*"
    r"|yahoo mail: .*|envoyé .*mobile.*",
    re.IGNORECASE,
)
GOODBYE: Final = re.compile(
    r"(thanks|thank you|thx|cheers|best|best wishes|best regards|kind regards|regards|bye|lg|mfg|vg|gruß|gruss|grüße|liebe grüße"
    r"|viele grüße|danke|merci"
    r"|cordialement|bises|à bientôt|gracias|saludos|un saludo|obrigad[oa]|abraços|grazie|ciao|saluti|groetjes|groeten|hälsningar|mvh"
    r"|hilsen|terveisin|dzięki"
    r"|pozdrawiam|díky|спасибо|с уважением|привет|ありがとう|よろしく|谢谢|謝謝|감사합니다|شكرا)(\s.{0,20})?[,.!\s]{0,4}",
    re.IGNORECASE,
)
ARMOUR: Final = re.compile(r"-----BEGIN PGP SIGNED MESSAGE-----")


def written(text: str, ours: tuple[str, ...] = (), name: str = "") -> list[list[str]]:
    """The paragraphs that somebody wrote, line by line, in their order: first those above what is quoted, then those between and below.

    `ours`: what stands in every introduction of our mails (our name, our address); `name`: the writer's, which ends a paragraph as a signature.
    """
    lines = [line[:LONGEST_LINE] for line in plain(text).split("\n")[:MOST_LINES]]
    lines = _without_armour(lines)
    paragraphs: list[list[str]] = [[]]
    place = 0
    while place < len(lines):
        line = lines[place].strip()
        if _ends_all(line, ours):
            break
        if not line or QUOTED.match(lines[place]) or SENT_FROM.fullmatch(line):
            paragraphs.append([])
            place += 1
        elif steps := _introduction(lines, place, ours):
            paragraphs.append([])
            place += steps
            if not _quote_follows(lines, place):
                break  # what it introduces stands below without any sign before it
        elif SIGNED.fullmatch(line) or _says_goodbye(line, name):
            paragraphs.append([])
            place = _next_quote(lines, place + 1)
        else:
            paragraphs[-1].append(line)
            place += 1
    return [paragraph for paragraph in paragraphs if paragraph]


def _ends_all(line: str, ours: tuple[str, ...]) -> bool:
    """From here on there is nothing but a quote without any sign before it."""
    if (divided := DIVIDER.match(line)) and (divided.end() == len(line) or HEADING.match(line[divided.end() :])):
        return True
    if SENT_AT.match(line) and DATED.search(line):
        return True
    return bool(HEADING.match(line)) and (bool(ADDRESS.search(line)) or any(word.casefold() in line.casefold() for word in ours))


def _introduction(lines: list[str], place: int, ours: tuple[str, ...]) -> int:
    """How many lines from here introduce a quote; 0 where they do not."""
    joined = ""
    for steps in range(1, INTRODUCTION + 1):
        if place + steps > len(lines):
            return 0
        line = lines[place + steps - 1].strip()
        if not line or QUOTED.match(line):
            return 0
        joined = f"{joined} {line}".strip()
        if len(joined) > LONGEST_LINE:
            return 0
        quoted = _quote_follows(lines, place + steps)
        if ENDS.search(joined) or SAYS.search(joined):
            known = any(word.casefold() in joined.casefold() for word in ours)
            told = bool(ADDRESS.search(joined)) + bool(DATED.search(joined)) + bool(SAYS.search(joined)) + known + quoted
            begun = steps == 1 or bool(DATED.search(lines[place]) or BEGINS.match(lines[place].strip()))
            if begun and told >= 2 and (quoted or known or ENDS.search(joined)):
                return steps
    return 0


def _quote_follows(lines: list[str], place: int) -> bool:
    for line in lines[place : place + 4]:
        if line.strip():
            return bool(QUOTED.match(line))
    return False


def _says_goodbye(line: str, name: str) -> bool:
    words = line.strip(" ,.!-").casefold()
    return bool(GOODBYE.fullmatch(line)) or (bool(name) and words in {name.casefold(), name.casefold().split(" ")[0]})


def _next_quote(lines: list[str], place: int) -> int:
    """After a signature only a quote can come, and below that what was written."""
    while place < len(lines) and not QUOTED.match(lines[place]):
        place += 1
    return place


def _without_armour(lines: list[str]) -> list[str]:
    """A text that PGP signed without its armour; what is signed has `- ` before its own dashes."""
    first = next((place for place, line in enumerate(lines[:20]) if ARMOUR.fullmatch(line.strip())), None)
    if first is None:
        return lines
    begin = next((place for place in range(first + 1, len(lines)) if not lines[place].strip()), len(lines))
    end = next((place for place in range(begin, len(lines)) if lines[place].startswith("-----BEGIN PGP SIGNATURE-----")), len(lines))
    return [line.removeprefix("- ") for line in lines[begin:end]]


def line_of(text: str) -> str:
    """A line as a person meant it: composed letters, plain dashes and blanks, no list sign, no quotes around it, no full stop behind it."""
    said = unicodedata.normalize("NFKC", text)
    said = re.sub("[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]", "-", said)
    said = " ".join(said.split())
    said = re.sub(r"^(move|moves|action|my move|zug)\s?:\s?", "", said, flags=re.IGNORECASE)
    while len(said) > 1 and (said[0], said[-1]) in {
        ('"', '"'),
        ("'", "'"),
        ("“", "”"),
        ("„", "“"),
        ("«", "»"),
        ("»", "«"),
        ("*", "*"),
        ("`", "`"),
        ("_", "_"),
    }:
        said = said[1:-1].strip()
    return said.rstrip(".!,").strip() if said.strip(".!,") else said
