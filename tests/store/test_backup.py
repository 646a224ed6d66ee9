"""Backups: a copy made while others write is one committed state, whole or not there."""

import asyncio
from pathlib import Path

import pytest

from metier.cli import run
from metier.errors import Refused
from metier.faults import InjectedFault, arm_faults
from metier.store import Store
from tests.postgres import PostgresServer


@pytest.fixture
async def lite(sqlite_url: str) -> Store:
    return await Store.open(sqlite_url)


def names_in(folder: Path, part: str) -> list[str]:
    return [path.name for path in folder.iterdir() if part in path.name]


async def test_a_copy_made_during_writes_has_all_that_was_acknowledged_before(lite: Store, tmp_path: Path) -> None:
    talk = await lite.conversations.create("ann")
    for number in range(20):
        await lite.events.append(talk.id, "text.delta", {"text": str(number)})
    target = tmp_path / "copy.sqlite3"

    async def write_on() -> None:
        for number in range(200):
            await lite.events.append(talk.id, "text.delta", {"text": f"later {number}"})

    await asyncio.gather(lite.backup(target), write_on())
    async with Store.open(f"sqlite:///{target}") as copy:
        assert await copy.check() == ()
        events = await copy.events.read(talk.id, limit=1000)
        conversation = await copy.conversations.get(talk.id)
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert len(events) >= 20
    assert conversation.user == "ann"
    assert names_in(tmp_path, ".part") == []
    await lite.close()


async def test_an_existing_file_is_not_overwritten(lite: Store, tmp_path: Path) -> None:
    target = tmp_path / "copy.sqlite3"
    target.write_text("mine", "utf-8")
    with pytest.raises(Refused, match="exists"):
        await lite.backup(target)
    assert target.read_text("utf-8") == "mine"
    await lite.close()


async def test_a_copy_that_fails_leaves_nothing(lite: Store, tmp_path: Path) -> None:
    target = tmp_path / "copy.sqlite3"
    with arm_faults("backup_copied=raise"), pytest.raises(InjectedFault):
        await lite.backup(target)
    assert names_in(tmp_path, "copy") == []
    await lite.close()


async def test_postgresql_has_tools_of_its_own(postgres_server: PostgresServer, tmp_path: Path) -> None:
    async with Store.open(postgres_server.get_uri("shared")) as store:
        with pytest.raises(Refused) as caught:
            await store.backup(tmp_path / "copy")
    assert "pg_dump" in caught.value.hint


def test_the_command_copies_the_database(
    sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("METIER_DATABASE_URL", sqlite_url)
    assert run(["backup", str(tmp_path / "copy.sqlite3")]) == 0
    assert (tmp_path / "copy.sqlite3").is_file()
    assert "copied" in capsys.readouterr().err
