"""What there is at a site before schemathesis comes: matches of every kind, keys, tokens and a webhook, by their ids."""

from __future__ import annotations

from typing import Any

import httpx

World = dict[str, list[str]]  # the name of a path parameter → values that lead somewhere
PUBLIC = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"  # of the key in RFC 8037, appendix A.1
PENNIES, FOURFOLD = {"game": "penny-ante", "settings": {"seating": "joined"}}, {"game": "fourfold", "settings": {"seating": "joined"}}


def furnish(url: str, mine: str, other: str) -> World:
    """Two players with a token each, and what there is to ask for with the first of them."""
    me, they = (httpx.Client(base_url=f"{url}/api/v1", headers={"Authorization": f"Bearer {token}"}, timeout=60) for token in (mine, other))
    with me, they:
        alone = _made(me, "/matches", {**FOURFOLD, "seats": [{"player": "me"}] * 4})
        with_bots = _made(me, "/matches", {**FOURFOLD, "seats": [{"player": "me"}, *[{"bot": "random"}] * 3]})
        begun = _made(me, "/matches", {**PENNIES, "seats": [{"player": "me"}, {"open": True}]})
        _made(they, f"/matches/{begun['id']}/join", {})
        over = _made(they, "/matches", {**PENNIES, "seats": [{"open": True}, {"player": "me"}]})
        _made(me, f"/matches/{over['id']}/join", {})
        _made(they, f"/matches/{over['id']}/resignation", {})
        waiting = _made(they, "/matches", {**FOURFOLD, "seats": [{"player": "me"}, *[{"open": True}] * 3]})
        _made(me, f"/matches/{waiting['id']}/join", {"seat": "east"})
        foreign = _made(they, "/matches", {**FOURFOLD, "seats": [{"player": "me"}] * 4})
        offered = _made(they, f"/matches/{begun['id']}/offers", {"kind": "end"})["match"]["offer"]["offer"]
        kid = _made(me, "/me/keys", {"name": "laptop", "jwk": {"kty": "OKP", "crv": "Ed25519", "x": PUBLIC}})["kid"]
        spare = _made(me, "/me/tokens", {"name": "spare", "scopes": ["matches:read"]})["id"]
        webhook = _made(me, "/webhooks", {"url": f"{url}/healthz"})["id"]
    matches = [made["id"] for made in (alone, with_bots, begun, over, waiting, foreign)]
    return {"id": matches, "n": [str(offered)], "kid": [kid], "token_id": [spare], "webhook": [webhook], "version": ["1"], "game": ["fourfold"]}


def _made(who: httpx.Client, path: str, body: dict[str, Any]) -> Any:
    answer = who.post(path, json=body)
    assert answer.status_code == 201, answer.text
    return answer.json()
