"""Over a whole match, nobody's page, picture, history or problem holds another's link or address, and no log line holds any."""

import logging
import re

import pytest
from flask import Flask
from flask.testing import FlaskClient

from infra.seals.tokens import Token
from infra.wiring import Site
from tests.service.pages.parlour import Parlour
from tests.service.pages.visitor import Visitor

TOKEN = re.compile(r"(?<![0-9a-z])[0-9a-z]{45}(?![0-9a-z])")


def found(site: Site, text: str) -> list[Token]:
    """Every link of ours that a text holds."""
    return [token for word in TOKEN.findall(text) if (token := site.tokens.unseal(word))]


def test_nobody_sees_anothers_links_or_addresses(app: Flask, client: FlaskClient, parlour: Parlour, site: Site, caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.DEBUG)
    match = parlour.start("Ann", "Bo", options={"goals_to_win": 1}, visibility="public")
    bo, theirs, secrets = Visitor(app, site).signs_in(parlour.person("Bo")), match.seats.index("east"), set[str]()
    public = [f"/matches/{match.id}{part}" for part in ("", "/history", "/history.ndjson", "/board.svg")]
    public += [f"/api/v1/matches/{match.id}{part}" for part in ("", "/history", "/legal-actions", "/nothing", "/history/0")] + ["/api/v1/matches"]
    while True:
        now = parlour.look(match)
        links = [parlour.link(now, "view", seat="east"), f"{parlour.link(now, 'view', seat='east')}/history", "/me"]
        own = [bo.get(path).text for path in (*links, *public)]
        assert {token.seat_index for text in own for token in found(site, text)} <= {theirs}
        others = [client.get(path).text for path in public]
        assert [token for text in others for token in found(site, text)] == []
        assert not [text for text in (*own, *others) if "example.org" in text]
        if now.status != "live":
            break
        link = parlour.link(now)
        secrets.add(link.rpartition("/")[2])
        client.get(link)
        client.post(link, data={"ply": now.ply, "action": "nonsense"})
        client.post(link, data={"ply": now.ply, "action": parlour.legal(now)[0]})
        parlour.bots(match)
    assert len(secrets) > 5
    assert "/m/<token>" in caplog.text, "the log tells the route"
    assert not [secret for secret in (*secrets, "example.org") if secret in caplog.text]
    assert found(site, caplog.text) == []
