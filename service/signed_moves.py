"""A signed move as it comes in: whose key, whether the signature holds, and what was signed; each trouble in words."""

from __future__ import annotations

from domain.chain import canonical
from domain.match.signed import TYP, SignedMove
from infra.seals.jws import Malformed, key_of, read
from service.door.porter import Porter
from service.problems import Problem
from service.schemas.play import SIGNED_MOVE
from service.schemas.strict import loaded
from service.strict_json import NotJson, parse

CHALLENGE = {"WWW-Authenticate": 'Bearer realm="forgepost"'}


def moved(raw: bytes) -> SignedMove:
    """The move in the bytes of a body, which the key that it names has signed; whose key that is, is not asked here. Raises Problem."""
    try:
        text = raw.decode("ascii")
        jws = read(text, TYP)
        key = key_of(jws.kid)
    except UnicodeDecodeError as wrong:
        raise Problem("malformed-jws", f"it is no JWS: byte {wrong.start} (counted from 0) is none of base64url") from wrong
    except Malformed as wrong:
        raise Problem("malformed-jws", str(wrong).replace("`x`", "its `kid`, which must be the `x` of a registered key,")) from wrong
    if not jws.holds(key):
        words = "its signature does not fit its header, its payload and the key that it names"
        raise Problem("bad-signature", words, headers=CHALLENGE)
    try:
        value = parse(jws.payload, "the payload")
    except NotJson as wrong:
        raise Problem("malformed-jws", str(wrong)) from wrong
    if canonical(value) != jws.payload:
        words = "the payload is not canonical JSON (RFC 8785): keys in alphabetical order, no blanks, nothing escaped that can stand for itself"
        raise Problem("malformed-jws", words)
    said = loaded(SIGNED_MOVE, value, "payload")
    return SignedMove(jws.kid, said["match"], said["seat"], said["ply"], tuple(said["actions"]), said["prev"], said.get("nonce"), text)


def signer(porter: Porter, move: SignedMove, asks: str | None) -> str:
    """The player who signed; `asks` is whose token came along, if one did. Raises Problem."""
    player = porter.signer(move.kid)
    if player is None:
        raise Problem("unknown-key", f"no player signs with the key {move.kid}: it is not registered here, or it was revoked", headers=CHALLENGE)
    if asks not in (None, player):
        raise Problem("not-your-key", "the token that came along belongs to another player than the key that signed")
    return player
