"""DKIM (RFC 6376, RFC 8463): signatures under our mails, for sites whose mail server does not sign them itself."""

from __future__ import annotations

import re
from base64 import b64encode
from pathlib import Path
from typing import Any, Final

import dkim
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat, load_pem_private_key

from domain.game import Record

WEAKEST: Final = 1024  # bits of an RSA key, below which receivers take a signature for none (RFC 8301)
SIGNED: Final = (
    "from",  # twice: so that none can be added (RFC 6376, 5.4.2)
    "from",
    "to",
    "reply-to",
    "date",
    "subject",
    "message-id",
    "in-reply-to",
    "references",
    "list-id",
    "list-unsubscribe",  # both, or no mail program offers the one click (RFC 8058)
    "list-unsubscribe-post",
    "auto-submitted",
    "forgepost-head",
    "mime-version",
    "content-type",
)


class Unusable(ValueError):
    """There is no key to sign with; the message says why."""


class Signer(Record, frozen=True):
    """A key and the selector under which its public half stands in the DNS, in the words of `record`."""

    selector: str
    algorithm: str
    secret: bytes
    record: str

    def __repr__(self) -> str:
        return f"Signer({self.selector}, {self.algorithm})"


def signers(said: str) -> tuple[Signer, ...]:
    """The signers in a setting as `selector:file,selector:file`. Raises Unusable."""
    return tuple(_signer(part.strip()) for part in said.split(",")) if said else ()


def signed(raw: bytes, domain: str, by: tuple[Signer, ...]) -> bytes:
    """The mail, as it goes over the wire, with each signer's signature above it."""
    names = {line.partition(b":")[0].decode("latin-1").lower() for line in raw.partition(b"\r\n\r\n")[0].split(b"\r\n")}
    headers = [name.encode() for name in SIGNED if name in names]
    made: list[Any] = [
        dkim.sign(
            raw,
            signer.selector.encode(),
            domain.encode(),
            signer.secret,
            canonicalize=(b"relaxed", b"relaxed"),  # what relays do to blanks breaks nothing
            signature_algorithm=signer.algorithm.encode(),
            include_headers=headers,
        )
        for signer in by
    ]
    return b"".join([*made, raw])


def _signer(part: str) -> Signer:
    selector, colon, file = part.partition(":")
    if not colon or not re.fullmatch(r"[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?", selector):
        raise Unusable(f"{part!r} does not name a selector and the file of its key, as in forgepost:/etc/forgepost/dkim.pem")
    try:
        key = load_pem_private_key(Path(file).read_bytes(), None)
    except OSError as error:
        raise Unusable(f"the key file {file} cannot be read: {error.strerror}") from error
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise Unusable(f"{file} is no private key in PEM without a passphrase: make one with openssl genpkey -algorithm ed25519") from error
    match key:
        case Ed25519PrivateKey():
            public = b64encode(key.public_key().public_bytes_raw()).decode()
            return Signer(selector, "ed25519-sha256", b64encode(key.private_bytes_raw()), f"v=DKIM1; k=ed25519; p={public}")
        case RSAPrivateKey() if key.key_size >= WEAKEST:
            secret = key.private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption())
            public = b64encode(key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)).decode()
            return Signer(selector, "rsa-sha256", secret, f"v=DKIM1; k=rsa; p={public}")
        case _:
            raise Unusable(f"{file} holds a key that mail is not signed with: it must be Ed25519, or RSA with at least {WEAKEST} bits")
