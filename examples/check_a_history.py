"""Check a downloaded history by oneself: `python check_a_history.py FILE…`. Needs `pip install cryptography`, and nothing of Forgepost.

It makes the chain, every signature, the commitment to the seed and the lot of the seats anew; docs/proof.md says to the byte how.
"""

import json
import sys
from base64 import urlsafe_b64decode
from hashlib import sha256
from hmac import digest
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey


def canonical(value):
    """The one way to write a value as JSON (RFC 8785)."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def binary(text):
    """The bytes behind base64url without padding."""
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def holds(jws, key, typ, payload):
    """Whether this key (`x` of a JWK) signed exactly this payload, as a compact JWS of this type."""
    header, said, signature = jws.split(".")
    kid = json.loads(binary(header))["kid"]
    if binary(header) != canonical({"alg": "Ed25519", "kid": kid, "typ": typ}) or binary(said) != canonical(payload):
        return False
    try:
        Ed25519PublicKey.from_public_bytes(binary(key)).verify(binary(signature), f"{header}.{said}".encode())
    except InvalidSignature:
        return False
    return True


def pick(seed, match, ply, index, entropy, n):
    """The single draw number `index`, from n candidates; `entropy` is a list of all pieces that players had given."""
    mix = sha256("".join(f"{piece}\n" for piece in entropy).encode()).hexdigest()
    for tried in range(1000):
        x = int.from_bytes(digest(seed, f"forgepost-draw-v1\n{match}\n{ply}\n{index}\n{mix}\n{tried}".encode(), "sha256"), "big")
        if x < 2**256 // n * n:
            return x % n
    raise AssertionError("never")


def check(raw):
    """What holds of one history; AssertionError names what does not."""
    lines = raw.split(b"\n")
    assert lines.pop() == b"", "the last line is not complete"
    header, *events, trailer = map(json.loads, lines)
    assert [canonical(line) for line in (header, *events, trailer)] == lines, "a line is not canonical"
    match, prev, entropy, chairs, seed = header["match"], "0" * 64, [], {}, None
    if events[-1]["type"] == "seed.revealed":
        seed = bytes.fromhex(events[-1]["data"]["seed"])
        assert sha256(seed).hexdigest() == events[0]["data"]["commitment"], "the seed is not the one that was committed to"
    for version, event in enumerate(events, start=1):
        data, kind = event["data"], f"{event['type']}.{event['schema']}"
        body = canonical({name: event[name] for name in ("at", "by", "data", "ply")})
        made = sha256(b"forgepost-event-v1\n" + bytes.fromhex(prev) + f"{match}\n{kind}\n".encode() + body).hexdigest()
        assert (event["match"], event["version"], event["prev"], event["hash"]) == (match, version, prev, made), f"version {version}: chain"
        prev = made
        if "jws" in data:
            said = json.loads(binary(data["jws"].split(".")[1]))
            key = json.loads(binary(data["jws"].split(".")[0]))["kid"]
            assert holds(data["jws"], key, "forgepost-move+jws", said), f"version {version}: signature of a move"
            covered = [other["data"]["action"] for other in events[version - 1 : version - 1 + len(said["actions"])]]
            ours = (match, event["by"]["seat"], event["ply"] - 1, covered)
            assert (said["match"], said["seat"], said["ply"], said["actions"]) == ours, f"version {version}: signature of another move"
        entropy += [data[name] for name in ("entropy", "nonce") if name in data]
        if event["type"] == "seat.taken":
            chairs[data["seat"]] = (version, data["player"])
        elif event["type"] == "seat.left":
            chairs.pop(data["seat"], None)
        elif event["type"] == "chance.drawn" and data["kind"] == "seats" and seed:
            waiting = [player for _, player in sorted(chairs.values())]
            for index, seat in enumerate(events[0]["data"]["seats"]):
                drawn = waiting.pop(pick(seed, match, 0, index, entropy, len(waiting)))
                assert data["outcome"]["seats"][seat] == drawn, f"version {version}: the lot of the seats"
    assert (trailer["match"], trailer["version"], trailer["hash"]) == (match, len(events), prev), "the end was cut off, or is another one"
    assert trailer["header"] == sha256(lines[0]).hexdigest(), "the header is another one"
    if "signature" in trailer:
        head = {"hash": prev, "match": match, "version": len(events)}
        kid = json.loads(binary(trailer["signature"].split(".")[0]))["kid"]
        key = next((key["x"] for key in header["keys"] if key["kid"] == kid), "")
        assert key, "the head was signed with none of the header's keys"
        assert holds(trailer["signature"], key, "forgepost-head+jws", head), "the signature of the head"
        assert holds(trailer["seal"], key, "forgepost-export+jws", {**head, "header": trailer["header"]}), "the seal"
    return f"match {match}: {len(events)} events, head {prev}"


if __name__ == "__main__":
    for name in sys.argv[1:]:
        print(check(Path(name).read_bytes()))
