"""The keys of a site, all derived from its master secrets (HKDF-SHA256), so that nothing else needs storing."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from functools import cache
from hashlib import sha256
from hmac import digest
from typing import Any

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from nacl.signing import SigningKey

from domain.chain import canonical
from domain.proof.export import EXPORT, HEAD
from infra.ids import crockford
from infra.settings import Settings

MAC_BYTES = 12
BACKUP = "forgepost-backup+jws"  # beside HEAD and EXPORT the third thing that a site signs


class Keys:
    """MACs for links, signatures for heads and exports, seeds for matches.

    Rotation: the first of the site's secrets makes links and signs heads; what any other listed secret made still holds.
    Seeds come from a secret of their own, which does not rotate while matches run.
    """

    def __init__(self, settings: Settings) -> None:
        masters = dict(settings.secrets)
        self.kids = tuple(masters)
        self.current_kid = self.kids[0]
        self._token_key = derived(masters[self.current_kid], "forgepost-api-token")
        self._seed_secret = settings.seed_secret
        self._lasting_key = cache(lambda purpose: derived(settings.seed_secret, f"forgepost-lasting:{purpose}"))
        self._purpose_key = cache(lambda kid, purpose: derived(masters[kid], f"forgepost-link:{purpose}"))
        signers = [SigningKey(derived(master, "forgepost-head")) for master in masters.values()]
        self._public = [_public_jwk(signer) for signer in signers]
        self._signer = signers[0]
        self._headers = {typ: _b64(canonical({"alg": "Ed25519", "kid": self._public[0]["kid"], "typ": typ})) for typ in (HEAD, EXPORT, BACKUP)}

    def mac(self, kid: str, purpose: str, data: bytes) -> bytes:
        """HMAC-SHA256 cut to 96 bits, under the key of one purpose. KeyError for a key id that is not (or no longer) listed."""
        return digest(self._purpose_key(kid, purpose), data, "sha256")[:MAC_BYTES]

    def lasting_mac(self, purpose: str, data: bytes) -> bytes:
        """The same for what must not change when the keys of links rotate: the ids by which mails of a match find together, for instance."""
        return digest(self._lasting_key(purpose), data, "sha256")[:MAC_BYTES]

    def webhook_secret(self, webhook: str, number: int) -> bytes:
        """The 32 bytes that a webhook's deliveries are signed with; `number` rises when its owner rotates them, and only then they change."""
        return digest(self._lasting_key("webhook"), f"{webhook} {number}".encode(), "sha256")

    def token(self, *words: str) -> str:
        """The API token that follows from these words: the same each time, as long as the current secret is."""
        drawn = digest(self._token_key, "\n".join(words).encode(), "sha512")
        return f"fp_{crockford(int.from_bytes(drawn) >> 512 - 260, 52)}"

    def sign_head(self, match: str, version: int, head: bytes) -> str:
        """A compact JWS by which the site stands to a match's version and its hash (32 bytes)."""
        return self._signed(HEAD, {"hash": head.hex(), "match": match, "version": version})

    def sign_export(self, match: str, version: int, head: bytes, header: bytes) -> str:
        """A compact JWS by which the site stands to a whole export: to its head, and to its header line (the SHA-256 of it, 32 bytes)."""
        return self._signed(EXPORT, {"hash": head.hex(), "header": header.hex(), "match": match, "version": version})

    def sign_backup(self, manifest: bytes) -> str:
        """A compact JWS by which the site stands to a backup that it made: to its manifest (the SHA-256 of it, 32 bytes)."""
        return self._signed(BACKUP, {"manifest": manifest.hex()})

    def public(self) -> tuple[dict[str, Any], ...]:
        """The public keys of the listed secrets, as JWKs (RFC 7517, RFC 8037): the one that signs now first."""
        return tuple(self._public)

    def _signed(self, typ: str, said: dict[str, Any]) -> str:
        text = f"{self._headers[typ]}.{_b64(canonical(said))}"
        return f"{text}.{_b64(self._signer.sign(text.encode()).signature)}"

    def seed(self, match: str) -> bytes:
        """The 32 seed bytes of a match, the same whenever asked."""
        return derived(self._seed_secret, f"forgepost-seed:{match}")


def derived(secret: bytes, info: str) -> bytes:
    """32 bytes for one use of a secret (RFC 5869, no salt)."""
    return HKDF(algorithm=SHA256(), length=32, salt=None, info=info.encode()).derive(secret)


def thumbprint(jwk: dict[str, Any]) -> str:
    """The RFC 7638 thumbprint of an Ed25519 public key: the id by which a signature names it."""
    return _b64(sha256(canonical({name: jwk[name] for name in ("crv", "kty", "x")})).digest())


def _public_jwk(signer: SigningKey) -> dict[str, Any]:
    jwk = {"kty": "OKP", "crv": "Ed25519", "x": _b64(bytes(signer.verify_key))}
    return {**jwk, "kid": thumbprint(jwk), "use": "sig", "alg": "Ed25519"}


def _b64(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()
