"""Sign one move and send it: `python sign_a_move.py http://127.0.0.1:8000 fp_… 07-3f9k2m8qtx`, with your token and your match.

Needs `pip install joserfc`. The key pair is kept in forgepost-key.json: whoever has that file signs as you.
"""

import json
import os
import sys
from pathlib import Path
from urllib.request import Request, urlopen

from joserfc import jws
from joserfc.jwk import OKPKey

KEY = Path("forgepost-key.json")


def asks(method, path, body=None, token=None, media="application/json"):
    """What the API answers."""
    headers = {"Content-Type": media} | ({"Authorization": f"Bearer {token}"} if token else {})
    with urlopen(Request(f"{site}/api/v1{path}", body, headers, method=method)) as answer:
        return json.load(answer)


def key_pair():
    """The one in the file; made there the first time."""
    if not KEY.exists():
        made = OKPKey.generate_key("Ed25519").as_dict(private=True)
        with os.fdopen(os.open(KEY, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as paper:
            json.dump({name: made[name] for name in ("kty", "crv", "x", "d")}, paper)
    return OKPKey.import_key(json.loads(KEY.read_text()))


def signed(move, key):
    """A compact JWS over the move, whose header and payload are canonical JSON (RFC 8785)."""
    header = {"alg": "Ed25519", "kid": key.as_dict(private=False)["x"], "typ": "forgepost-move+jws"}
    payload = json.dumps(move, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return jws.serialize_compact(header, payload.encode(), key, algorithms=["Ed25519"])


site, token, name = sys.argv[1:]
key = key_pair()
public = {field: key.as_dict(private=False)[field] for field in ("kty", "crv", "x")}
asks("POST", "/me/keys", json.dumps({"name": "example", "jwk": public}).encode(), token)  # the same key again changes nothing

match = asks("GET", f"/matches/{name}", token=token)
seat = match["to_act"][0]["seat"]
legal = asks("GET", f"/matches/{name}/legal-actions?seat={seat}", token=token)
move = {
    "match": name,
    "seat": seat,
    "ply": match["ply"],
    "actions": [legal["actions"][0]["action"]],
    "prev": match["head"]["hash"],
}
done = asks("POST", f"/matches/{name}/submissions", signed(move, key).encode(), media="application/jose")  # no token: the signature is enough
print(*(event["data"]["text"] for event in done["events"] if "text" in event["data"]), sep="\n")
