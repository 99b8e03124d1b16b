"""What players give to the lots: pieces of text on one line each, so that no two histories come to the same mix (DESIGN 5)."""

from __future__ import annotations

import re
from typing import Final

from msgspec import UnsetType

from domain.match.refusal import Kind, Refused

PIECE: Final = r"[^\u0000-\u001f\u007f-\u009f\u2028\u2029]{1,128}"  # as ECMAScript reads it, too: openapi.yaml shows it
_PIECE: Final = re.compile(PIECE)


def must_be_a_piece(said: str | UnsetType, kind: Kind) -> None:
    """Refuse what could pass for two pieces, or for none: each is followed by a line break in the mix, and so must not have one."""
    if said and not _PIECE.fullmatch(said):
        raise Refused(kind, "what is given to the lots must be 1 to 128 characters, none of them a control character")
    if said == "":
        raise Refused(kind, "what is given to the lots must not be empty: leave it out")
