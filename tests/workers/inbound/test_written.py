"""The first lines that somebody wrote, in replies as mail programs of all kinds and languages make them."""

from time import process_time

import pytest

from workers.inbound.written import line_of, written

OURS = ("Forgepost", "turns.example.org")
LINE = "S1>c2"
US = "Forgepost <play@turns.example.org>"
OUTLOOK = "From: {us}\nSent: Monday, November 30, 2026 9:00 AM\nTo: Ann\nSubject: Fourfold\n\nIt is your turn\n\ndeploy a5\n"

ABOVE = {  # what stands between the line and the quote
    "gmail": f"On Mon, Nov 30, 2026 at 9:00 AM {US}\nwrote:\n\n> x",
    "gmail-german": f"Am Mo., 30. Nov. 2026 um 09:00 Uhr schrieb {US}:\n\n> x",
    "gmail-french": f"Le lun. 30 nov. 2026 à 09:00, {US} a\nécrit :\n\n> x",
    "gmail-spanish": "El lun, 30 nov 2026 a las 9:00, Forgepost (<play@turns.example.org>)\nescribió:\n\n> x",
    "gmail-italian": f"Il giorno lun 30 nov 2026 alle ore 09:00 {US} ha\nscritto:\n\n> x",
    "gmail-portuguese": f"{US} escreveu (segunda, 30/11/2026 à(s) 09:00):\n\n> x",
    "gmail-dutch": f"Op ma 30 nov 2026 om 09:00 schreef {US}:\n\n> x",
    "gmail-polish": f"pon., 30 lis 2026 o 09:00 {US} napisał(a):\n\n> x",
    "gmail-russian": f"пн, 30 нояб. 2026 г. в 09:00, {US}:\n\n> x",
    "gmail-japanese": f"2026年11月30日(月) 9:00 {US}:\n\n> x",
    "gmail-chinese": f"{US} 于2026年11月30日周一 09:00写道：\n\n> x",
    "gmail-korean": f"2026년 11월 30일 (월) 오전 9:00, {US}님이 작성:\n\n> x",
    "gmail-arabic": f"في الاثنين، ٣٠ نوفمبر ٢٠٢٦ في ٩:٠٠ ص تمت كتابة ما يلي بواسطة {US}:\n\n> x",
    "gmail-hebrew": f"\u202bבתאריך יום ב׳, 30 בנוב׳ 2026 ב-9:00 מאת \u202a{US}\u202c\u200f>:\u202c\n\n> x",
    "gmail-turkish": f"{US}, 30 Kas 2026 Pzt, 09:00 tarihinde şunu yazdı:\n\n> x",
    "ios": f"Sent from my iPhone\n\n> On 30 Nov 2026, at 09:00, {US} wrote:\n> \n> x",
    "ios-german": f"Von meinem iPhone gesendet\n\n> Am 30.11.2026 um 09:00 schrieb {US}:\n> \n> x",
    "ios-japanese": f"iPhoneから送信\n\n> 2026/11/30 9:00、{US}のメール:\n> \n> x",
    "apple-mail": f"On 30. Nov 2026, at 09:00, {US} wrote:\n> \n> x",
    "apple-mail-french": f"Envoyé de mon iPad\n\n> Le 30 nov. 2026 à 09:00, {US} a écrit :\n> \n> x",
    "outlook": "________________________________\n" + OUTLOOK.format(us=US),
    "outlook-desktop": OUTLOOK.format(us=US),
    "outlook-german": f"Von: {US}\nGesendet: Montag, 30. November 2026 09:00\nAn: Ann\nBetreff: Fourfold\n\nIt is your turn\n",
    "outlook-french": f"De : {US}\nEnvoyé : lundi 30 novembre 2026 09:00\nÀ : Ann\nObjet : Fourfold\n\nIt is your turn\n",
    "outlook-russian": f"От: {US}\nОтправлено: 30 ноября 2026 г. 9:00\nКому: Ann\n\nIt is your turn\n",
    "outlook-chinese": f"发件人: {US}\n发送时间: 2026年11月30日 9:00\n收件人: Ann\n\nIt is your turn\n",
    "outlook-phone": "Get Outlook for Android<https://aka.ms/AAb9ysg>\n________________________________\n" + OUTLOOK.format(us=US),
    "outlook-old": f"-----Original Message-----\nFrom: {US}\n\nIt is your turn\n",
    "outlook-old-german": f"-----Ursprüngliche Nachricht-----\nVon: {US}\n\nIt is your turn\n",
    "thunderbird": "On 11/30/26 09:00, Forgepost wrote:\n> x\n> y\n",
    "thunderbird-german": "Am 30.11.26 um 09:00 schrieb Forgepost:\n> x\n",
    "k9": f"Am 30. November 2026 09:00:00 MEZ schrieb {US}:\n>x\n-- \nDiese Nachricht wurde von meinem Android-Gerät mit K-9 Mail gesendet.",
    "yahoo": f"    On Monday, November 30, 2026 at 09:00:00 AM GMT+1, {US} wrote:  \n \n It is your turn\n \n deploy a5\n",
    "yahoo-phone": f"Yahoo Mail: Search, Organize, Conquer\n\n  On Mon, Nov 30, 2026 at 9:00 AM, "
    f"Forgepost<play@turns.example.org> wrote:   It is your turn\n{US}",
    "proton": f"Sent with [Proton Mail](https://proton.me/) secure email.\n\nOn Monday, November 30th, 2026 at 9:00 AM, {US} wrote:\n\n> x",
    "mutt": "On Mon, Nov 30, 2026 at 09:00:00AM +0000, Forgepost wrote:\n> x\n",
    "gmx": f'Gesendet: Montag, 30. November 2026 um 09:00 Uhr\nVon: "Forgepost" <play@turns.example.org>\nAn: ann@example.org\n{US}\n',
    "qq": f'------------------ 原始邮件 ------------------\n发件人: "Forgepost" <play@turns.example.org>;\nIt is your turn\n{US}',
    "samsung": f"-------- Original message --------From: {US} Date: 30/11/2026  09:00  (GMT+01:00) To: Ann\nIt is your turn",
    "nothing": "",
}


@pytest.mark.parametrize("quote", ABOVE.values(), ids=ABOVE.keys())
def test_the_line_stands_above_what_is_quoted(quote: str):
    assert written(f"{LINE}\n\n{quote}", OURS, "Ann Bee")[0] == [LINE]
    assert written(f"\n\n{LINE}\n{quote}", OURS, "Ann Bee")[0] == [LINE]


@pytest.mark.parametrize("client", [name for name in ABOVE if name.startswith(("gmail", "thunderbird", "mutt", "apple-mail"))])
def test_the_line_stands_below_what_is_quoted(client: str):
    assert written(f"{ABOVE[client]}\n> y\n\n{LINE}\n\n-- \nAnn\n", OURS, "Ann Bee")[0] == [LINE]


@pytest.mark.parametrize(
    ("text", "paragraphs"),
    [
        ("> It is your turn\n> Please play\nS1>c2\nC a1\n> deploy a5\n", [["S1>c2", "C a1"]]),  # within the quote
        ("S1>c2\nThanks!\nAnn\n", [["S1>c2"]]),
        ("S1>c2\nAnn\n", [["S1>c2"]]),
        ("S1>c2\n-- \nAnn Bee\nForge street 1\n", [["S1>c2"]]),
        ("S1>c2\nC a1\n\nBest regards,\nAnn\n", [["S1>c2", "C a1"]]),
        ("S1>c2\n\nC a1\n", [["S1>c2"], ["C a1"]]),
        ("> only\n> a quote\n", []),
        ("", []),
        (
            (
                "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nS1>c2\n- -- \nAnn\n-----BEGIN PGP "
                "SIGNATURE-----\n\nabc\n-----END PGP SIGNATURE-----\n"
            ),
            [["S1>c2"]],
        ),
    ],
)
def test_what_was_written_is_told_from_what_stands_around_it(text: str, paragraphs: list[list[str]]):
    assert written(text, OURS, "Ann Bee") == paragraphs


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("S1 → c2", "S1 → c2"),
        ("L4–2", "L4-2"),
        ("a1 \u2014 b2", "a1 - b2"),
        ("Ｓ１＞ｃ２", "S1>c2"),
        ("\u00a0S1>c2\u00a0", "S1>c2"),
        ("“S1>c2”", "S1>c2"),
        ("*S1>c2*", "S1>c2"),
        ("Move: S1>c2.", "S1>c2"),
        ("?", "?"),
    ],
)
def test_a_line_loses_what_only_dresses_it(said: str, line: str):
    assert line_of(said) == line


HOSTILE = {
    "blank lines": "\n" * 250_000,
    "one word": "On " * 80_000,
    "introductions": "On Mon x\n" * 20_000,
    "ends of introductions": "a:\n" * 80_000,
    "half introductions": "On 1:00 wrote:\n" * 15_000,
    "signs of quotes": ">" * 250_000,
    "dashes": "-" * 250_000,
    "blanks": " " * 250_000 + "x",
    "headings": "From: " * 40_000,
    "dividers": "原始邮件" * 60_000,
    "goodbyes": ("Lähetetty " * 100 + "\n") * 240,
    "sent from": ("von meinem " * 90 + "\n") * 240,
    "addresses": ("a@" * 500 + "\n") * 240,
    "dates": ("1.1.1" * 200 + "\n") * 240,
    "armour": "-----BEGIN PGP SIGNED MESSAGE-----\n" * 7_000,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_nobody_can_make_it_take_long(text: str):
    begun = process_time()
    written(text, OURS, "Ann")
    assert process_time() - begun < 1.0
