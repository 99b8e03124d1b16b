"""The letters' look: templates in pairs, `<kind>.txt` and `<kind>.html`, on one frame each, and the one subject that keeps a match in one thread."""

from __future__ import annotations

from typing import Final

from css_inline import CSSInliner
from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from domain.game import Record
from workers.letters.letter import Letter

TEMPLATES: Final = Environment(
    loader=PackageLoader("workers.letters", "templates"),
    autoescape=select_autoescape(["html"]),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
)
LOOK: Final = TEMPLATES.get_template("letter.css").render()
INLINER: Final = CSSInliner(inline_style_tags=False, keep_style_tags=True, load_remote_stylesheets=False, extra_css=LOOK)


class Written(Record, frozen=True):
    """A letter as it will be read. The HTML shows the board as `cid:` + `picture`, if there is one."""

    subject: str
    text: str
    html: str
    unsubscribe: str = ""  # as the header has it


def written(kind: str, letter: Letter, picture: str | None) -> Written:
    """A letter in its template's words; `picture` is the content id of the board, None for a letter without."""
    said = {name: TEMPLATES.get_template(name).render(letter=letter, picture=picture) for name in ("subject.txt", f"{kind}.txt", f"{kind}.html")}
    return Written(said["subject.txt"].strip(), said[f"{kind}.txt"].strip() + "\n", INLINER.inline(said[f"{kind}.html"]), letter.unsubscribe)
