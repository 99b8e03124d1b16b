"""A match that is over can leave Redis, and nobody who looks at it sees a difference; whatever fails on the way, it is in one place at least."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any, cast

import pytest

from domain.match.commands import Actor, Resign
from domain.match.refusal import Refused
from domain.ports import LogUnavailable
from domain.proof.verify import verify
from infra.keeping import archiving
from infra.keeping.archive import Archive
from infra.keeping.archiving import archive, old_enough
from infra.keeping.backup import back_up
from infra.keeping.inspection import inspect
from infra.keeping.projections import rebuild
from infra.keeping.restore import restore
from infra.redis_log import keys
from infra.seals.heads import signed
from service.app import create_app
from tests.infra.keeping.tables import anew, finish, follow, match, play
from tests.servers import BINARIES, name_of
from tests.workers.office import Office

pytestmark = pytest.mark.parametrize("server", BINARIES[:1], ids=name_of, indirect=True)


def over(office: Office) -> str:
    """A public match that is over, known to the listing."""
    name = match(office, visibility="public")
    play(office, name, 3)
    finish(office, name)
    follow(office)
    return name


def addresses(name: str, version: int) -> list[tuple[str, str]]:
    here = f"/api/v1/matches/{name}"
    kinds = ("application/json", "application/x-ndjson")
    histories = [(f"{here}/history{of}", kind) for of in ("", "?from=3&limit=2") for kind in kinds]
    pictures = [(f"{here}/board.{form}?version={version - 4}", "*/*") for form in ("svg", "txt", "png")]
    return [(here, "*/*"), *histories, (f"{here}/history/3", "*/*"), *pictures, ("/api/v1/matches", "*/*"), (f"{here}/legal-actions", "*/*")]


def seen(office: Office, name: str, version: int) -> list[tuple[str, int, bytes]]:
    """Every address of the match as a process answers that has just started."""
    client = create_app(anew(office)).test_client()
    found = [(address, client.get(address, headers={"Accept": kind})) for address, kind in addresses(name, version)]
    return [(address, answer.status_code, answer.data) for address, answer in found]


def test_an_archived_match_is_served_by_the_same_addresses_and_its_bundle_proves_itself(office: Office):
    name = over(office)
    version = office.site.desk.look(name).tip.version
    before = seen(office, name, version)
    assert [status for _, status, _ in before[:8]] == [200] * 8
    assert archive(office.site, name) == ""
    assert office.site.redis.exists(keys.events(name)) == 0
    assert seen(office, name, version) == before
    bundle = office.site.archive.get(name)
    assert bundle in [body for _, _, body in before]
    assert not verify(bundle, signed, office.site.signing.public()).flaws
    assert inspect(anew(office), name).damage == ()


def test_nothing_is_written_to_an_archived_match(office: Office):
    name = over(office)
    player = office.site.desk.look(name).match.chairs[0].player or ""
    archive(office.site, name)
    with pytest.raises(Refused) as refused:
        anew(office).desk.do(name, Resign(Actor(player, "web")))
    assert refused.value.kind == "match-over"


@pytest.mark.parametrize("step", ["written", "read back", "moved"])
def test_a_crash_at_any_step_loses_nothing_and_the_next_run_ends_it(office: Office, monkeypatch: pytest.MonkeyPatch, step: str):
    name = over(office)
    version = office.site.desk.look(name).tip.version
    before = seen(office, name, version)

    class Killed(BaseException):
        pass

    def die(*_: Any) -> Any:
        raise Killed

    with monkeypatch.context() as patch:
        if step == "written":
            patch.setattr(Archive, "put", die)
        elif step == "read back":
            put = Archive.put
            patch.setattr(Archive, "put", lambda *args: (put(*args), die()))
        else:
            patch.setattr(archiving, "digest", die)
        with pytest.raises(Killed):
            archive(office.site, name)
    assert office.site.redis.exists(keys.events(name)) == 1
    assert seen(office, name, version) == before
    assert archive(office.site, name) == ""
    assert archive(office.site, name) == ""
    assert seen(office, name, version) == before


def test_while_the_archive_is_away_its_matches_answer_503_and_all_others_go_on(office: Office):
    name, other = over(office), match(office, visibility="public")
    archive(office.site, name)
    shutil.move(office.settings.data / "archive", office.settings.data / "away")
    client = create_app(anew(office)).test_client()
    answer = client.get(f"/api/v1/matches/{name}")
    assert answer.status_code == 503
    assert answer.json
    assert answer.json["detail"] == "this match was archived, and the archive cannot be read just now; other matches go on"
    assert client.get(f"/api/v1/matches/{other}").status_code == 200
    assert play(office, other).match.ply > 0
    shutil.move(office.settings.data / "away", office.settings.data / "archive")
    assert client.get(f"/api/v1/matches/{name}").status_code == 200


def test_a_bundle_that_was_changed_is_not_taken_for_the_match(office: Office):
    name = over(office)
    archive(office.site, name)
    place = Path(office.site.archive.place(name))
    place.write_bytes(place.read_bytes().replace(b'"via":"link"', b'"via":"web"', 1))
    with pytest.raises(LogUnavailable, match="is not what was archived: its events come to another head"):
        anew(office).desk.look(name)


def test_a_backup_is_restored_while_the_archive_is_away_and_its_matches_are_listed_when_it_is_back(office: Office, tmp_path: Path):
    name, other = match(office), match(office)
    finish(office, name)
    archive(office.site, name)
    back_up(office.site, tmp_path / "backup")
    office.site.redis.flushall()
    shutil.move(office.settings.data / "archive", office.settings.data / "away")
    done = restore(anew(office), tmp_path / "backup")
    assert list(done.unlisted) == [name]
    assert done.unlisted[name].startswith("its events cannot be read (")
    assert [listed for listed in (name, other) if listed in rows(office)] == [other]
    shutil.move(office.settings.data / "away", office.settings.data / "archive")
    assert dict(rebuild(anew(office), [name, other])) == {name: "listing", other: ""}
    assert name in rows(office)


def rows(office: Office) -> set[str]:
    """The matches that are listed."""
    return {row.decode() for row in cast("Any", office.site.redis.hkeys("{list}:rows"))}


def test_another_history_in_the_archive_is_not_overwritten(office: Office):
    name, other = over(office), over(office)
    archive(office.site, other)
    foreign = office.site.archive.get(other)
    assert foreign
    office.site.archive.put(name, foreign)
    assert archive(office.site, name) == f"the bundle of match {name} is not what was archived: its events come to another head"
    assert office.site.redis.exists(keys.events(name)) == 1
    assert office.site.archive.get(name) == foreign


def test_only_what_is_over_and_old_and_holds_is_moved(office: Office):
    name, live, torn = over(office), match(office), over(office)
    office.site.readonly.mark(torn, "as found")
    assert old_enough(office.site, 0) == [name]
    assert old_enough(office.site, 1) == []
    assert archive(office.site, live) == "it is live: only matches that are over go to the archive"
    assert archive(office.site, torn) == "it does not hold (as found)"
    assert archive(office.site, "07-0000000000") == "there is no such match"


def test_backup_audit_and_rebuild_know_archived_matches(office: Office, tmp_path: Any):
    name = over(office)
    archive(office.site, name)
    assert back_up(office.site, tmp_path / "backup").damaged == {}
    assert anew(office).audit.run() == {}
    assert list(rebuild(anew(office), [name])) == [(name, "")]
