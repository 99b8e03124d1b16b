"""What people write around a line out of courtesy or habit, taken off at both ends; nothing is looked for inside a sentence."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

SALUTES: Final = (
    r"hi|hello|hey|hiya|dear|greetings|good (?:morning|afternoon|evening|day)|hallo|guten (?:tag|morgen|abend)|liebe[rs]?|servus|moin|grüezi"
    r"|bonjour|salut|bonsoir|hola|buen(?:os|as) \w{4,6}|ciao|buongiorno|olá|hoi|hej|hei|cześć|dzień dobry|ahoj|привет|здравствуйте"
)
SOMEBODY: Final = r"(?i:all|both|everyone|everybody|there|folks|team|friends)|[^\W\d_a-z][\w'’-]{1,20}(?: [^\W\d_a-z][\w'’-]{1,20})?"
# A whole line that only greets, agrees or apologises.
GREETING: Final = re.compile(
    rf"(?i:{SALUTES})(?:,? (?:{SOMEBODY}))?[ ,!.:-]{{0,4}}"
    r"|(?i:ok(?:ay)?|alright|right|well|so|thanks|thank you|here (?:it is|you go|we go))[ ,!.:-]{0,4}"
    r"|(?i:sorry|apologies|entschuldigung|pardon)(?i: (?:for|about) [^?]{0,60}| to keep you waiting|,? i(?:['’]m| am) late)?[ ,!.:-]{0,4}"
)
LEADING: Final = re.compile(
    r"(?:\d{1,2}[.)]|[-*•·→]|[-=]{1,2}>)\s+"
    r"|(?:ok(?:ay)?|alright|right|well|so|then|yes|sure|hm+|gut|also|dann|bien|alors|bueno)(?:[,.!:]\s?|\s)"
    r"|(?:please|pls|bitte)[,:]?\s"
    r"|let['’]?s\s(?:(?:do|play|try|go with)\s)?"
    r"|i\s?(?:['’]ll|will|['’]d like to|would like to|want to|choose(?: to)?|play|do|am going to|['’]m going to)(?::|\b)\s?(?:(?:do|play)\s)?"
    r"|(?:(?:my|mein|mon)\s)?(?:moves?|turn|actions?|answer|play|choice|zug|coup)(?:\sis)?(?:\s?[:=]\s?|\s)",
    re.IGNORECASE,
)
TRAILING: Final = re.compile(
    r"[\s,.!-]+(?:please|pls|thanks?(?: you)?(?: (?:very much|a lot|all|everyone))?|thx|cheers|bye|sorry|for now|danke|bitte|merci|gracias|grazie)"
    r"|\s?[:;]['’]?-?[)(DPp]|\s?\^\^|\s?<3"
    r"|\s(?!.*\b(?:or|not|if|unless|wait|no|maybe|instead)\b)(?:\([^()?\d]{0,80}\)|-{2,3}\s[^?\d]{0,80})",  # a remark that takes nothing back
    re.IGNORECASE,
)
PAIRS: Final = frozenset({("(", ")"), ("[", "]"), ("<", ">")})
MOST: Final = 6  # things that are taken off each end
LONGEST: Final = 200  # characters of a line that is more than an essay


def greets(line: str) -> bool:
    """Whether a line says nothing but hello."""
    return GREETING.fullmatch(line) is not None


def bare(line: str, name: str) -> str:
    """The line without what leads up to an action (`ok, let's do …`, `1. …`, the writer's `name:`) and what comes after it (`…, please :)`)."""
    said = line
    for _ in range(MOST if len(line) <= LONGEST else 0):
        before = said
        said = said.removeprefix(f"{name.split(' ', maxsplit=1)[0]}: ") if name else said
        if (found := LEADING.match(said)) and found.end() < len(said):
            said = said[found.end() :]
        said = _without_pictures(said)
        if ends := next((found for found in TRAILING.finditer(said) if found.start() and found.end() == len(said.rstrip(" .,!"))), None):
            said = said[: ends.start()]
        if len(said) > 2 and (said[0], said[-1]) in PAIRS:
            said = said[1:-1]
        said = said.strip(" ,.!")
        if said == before:
            break
    return said


def _without_pictures(line: str) -> str:
    """Without the emoji at its end."""
    while line and (unicodedata.category(line[-1]) in ("So", "Sk", "Cn") or line[-1] in "\ufe0f\u200d"):
        line = line[:-1].rstrip()
    return line
