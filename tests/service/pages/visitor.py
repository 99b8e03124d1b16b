"""Somebody at a browser with cookies, who signs in by a link as a mail carries it."""

from __future__ import annotations

import re
from typing import Any

from flask import Flask
from werkzeug.test import TestResponse

from infra.people.players import Player
from infra.seals.links import to_new_address, to_sign_in
from infra.wiring import Site

MINUTE = 60_000


class Visitor:
    """A browser."""

    def __init__(self, app: Flask, site: Site) -> None:
        self._client, self._site = app.test_client(), site
        self.proof = ""

    def way_in(self, player: Player) -> str:
        """The path of the link that would be mailed to the player now."""
        now = self._site.clock()
        return f"/s/{self._site.tokens.seal(to_sign_in(player.id, now // MINUTE, now))}"

    def new_address(self, player: Player) -> str:
        """The path of the link that would be mailed to the player's new address now."""
        now = self._site.clock()
        return f"/s/{self._site.tokens.seal(to_new_address(player.id, now // MINUTE, now))}"

    def signs_in(self, player: Player) -> Visitor:
        """Open the link and press the button."""
        assert self.post(self.way_in(player), proof="").location == "/me"
        found = re.search(r'name="proof" value="([0-9a-f]{64})"', self.get("/me/settings").text)
        assert found
        self.proof = found[1]
        return self

    def get(self, path: str) -> TestResponse:
        return self._client.get(path)

    def post(self, path: str, headers: dict[str, str] | None = None, **data: Any) -> TestResponse:
        """Send a form, which carries the proof of its page unless `proof` says otherwise."""
        return self._client.post(path, data={"proof": self.proof, **data}, headers=headers or {})
