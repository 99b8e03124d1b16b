"""`forgepost player`: what an operator can do about players."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from infra.wiring import Site
from service.cli import main


@pytest.fixture(autouse=True)
def environment(site: Site, monkeypatch: pytest.MonkeyPatch):
    """The commands are about the site of the test."""
    for name, value in site.settings.environ().items():
        monkeypatch.setenv(name, value)


def player(*arguments: str | Path, said: str = "") -> Result:
    return CliRunner().invoke(main, ["player", *map(str, arguments)], input=said)


def made(*arguments: str) -> list[str]:
    done = player(*arguments)
    assert done.exit_code == 0, done.output
    return done.stdout.split()


def test_only_here_can_a_token_have_the_scope_admin(site: Site):
    ann, token = made("add", "Ann", "ann@example.org", "--scope", "admin", "--scope", "matches:read")
    grant = site.players.authenticate(token)
    assert grant
    assert (grant.player, grant.scopes) == (ann, frozenset({"admin", "matches:read"}))
    assert "Invalid value for '--scope'" in player("add", "Ann", "ann@example.org", "--scope", "root").output


def test_players_are_listed_and_shown(site: Site):
    ann, token = made("add", "Ann", "ann@example.org", "--token")
    (bo,) = made("add", "Bo", "bo@example.org")
    site.players.confirm(ann)
    assert sorted(player("list").output.splitlines()) == sorted(
        [f"{ann}  Ann  <ann@example.org>", f"{bo}  Bo  <bo@example.org>  (has not answered yet)"]
    )
    shown = player("show", "ann@example.org").output
    assert f"{ann}\nname     Ann\naddress  ann@example.org\nzone     UTC\n" in shown
    assert "forgepost player add: matches:read matches:play matches:create player:read player:write webhooks:write; never used" in shown
    assert token not in shown
    nobody = player("show", "p-0000000000")
    assert (nobody.exit_code, nobody.output) == (1, "Error: there is no player p-0000000000; forgepost player list shows them all\n")


def test_tokens_are_made_and_revoked(site: Site):
    (ann,) = made("add", "Ann", "ann@example.org")
    (token,) = made("token", ann, "--scope", "player:read", "--days", "7", "--name", "bot")
    (listed,) = site.players.passes(ann)
    assert (listed.name, listed.scopes) == ("bot", ("player:read",))
    assert listed.expires
    assert player("token", ann, "--revoke", listed.id).exit_code == 0
    assert site.players.authenticate(token) is None
    assert player("token", ann, "--revoke", listed.id).exit_code == 1


def test_names_are_changed_and_mail_is_stopped(site: Site):
    (ann,) = made("add", "Ann", "ann@example.org")
    assert player("rename", ann, "Ann Lee").exit_code == 0
    assert player("rename", ann, "www.evil.com").exit_code == 1
    assert player("suppress", ann, "asked for it").exit_code == 0
    known = site.players.get(ann)
    assert known
    assert (known.name, known.suppressed) == ("Ann Lee", "asked for it")
    player("suppress", ann, "--lift")
    known = site.players.get(ann)
    assert known
    assert known.suppressed == ""


def test_a_player_is_erased_after_asking_back(site: Site):
    (ann,) = made("add", "Ann", "ann@example.org")
    asked = player("erase", "ann@example.org", said="n\n")
    assert asked.exit_code == 1
    assert f"{ann} will be erased, and leaves 0 matches that are not over. This cannot be undone." in asked.output
    assert site.players.get(ann)
    assert player("erase", ann, "--yes").output == f"{ann} is erased\n"
    assert site.players.get(ann) is None
    assert player("erase", ann, "--yes").exit_code == 0, "it may be asked again as long as it is not finished"
