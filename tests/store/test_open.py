import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import CheckConstraint, Connection, inspect

from metier.errors import InvalidSettings, MissingExtra, StoreIncompatible, StoreUnavailable
from metier.store import Store
from metier.store.database import VERSION_TABLE, metadata
from metier.store.database._migrate import HEAD, build_alembic_config
from metier.store.database._url import parse_url
from scripts.forked_children import Child
from tests.store import child
from tests.store.support import closed_gate


def _differences(connection: Connection) -> list[object]:
    context = MigrationContext.configure(
        connection,
        opts={"version_table": VERSION_TABLE, "compare_type": True, "compare_server_default": True},
    )
    return list(compare_metadata(context, metadata))


async def test_an_empty_database_is_migrated_to_exactly_the_metadata(empty_url: str) -> None:
    async with Store.open(empty_url) as store:
        assert await store._session.read(_differences) == []


def _constraints(connection: Connection) -> dict[str, set[str | None]]:
    found = inspect(connection)
    return {name: {check["name"] for check in found.get_check_constraints(name)} for name in metadata.tables}


async def test_the_checks_of_the_metadata_are_in_the_database(empty_url: str) -> None:
    """Alembic's comparison does not look at them."""
    expected = {
        name: {str(one.name) for one in table.constraints if isinstance(one, CheckConstraint)}
        for name, table in metadata.tables.items()
    }
    async with Store.open(empty_url) as store:
        assert await store._session.read(_constraints) == expected


def test_the_known_head_is_the_newest_script() -> None:
    assert ScriptDirectory.from_config(build_alembic_config()).get_current_head() == HEAD


async def test_processes_that_open_a_new_database_at_once_all_succeed(empty_url: str, tmp_path: Path) -> None:
    with closed_gate(tmp_path) as gate:
        children = [Child(child.migrate, empty_url, gate.path) for _ in range(3)]
        assert [one.hear() for one in children] == ["ready"] * 3
    assert [one.hear() for one in children] == ["ann"] * 3
    assert [one.wait().code for one in children] == [0] * 3
    async with Store.open(empty_url) as store:
        assert len(await store.conversations.list("ann")) == 3


async def test_a_database_from_a_newer_metier_is_refused(empty_url: str) -> None:
    async with Store.open(empty_url) as store:
        newer = f"UPDATE {VERSION_TABLE} SET version_num = '9999'"
        await store._session.write(lambda connection: connection.exec_driver_sql(newer))
    with pytest.raises(StoreIncompatible, match="'9999'") as caught:
        await Store.open(empty_url)
    assert "pip install --upgrade metier" in caught.value.hint


async def test_a_database_with_our_table_names_but_not_ours_is_refused(empty_url: str) -> None:
    async with Store.open(empty_url) as store:
        await store._session.write(lambda connection: connection.exec_driver_sql(f"DROP TABLE {VERSION_TABLE}"))
    with pytest.raises(StoreIncompatible, match="not a Metier database"):
        await Store.open(empty_url)


def test_opening_a_store_that_is_up_to_date_does_not_import_alembic(tmp_path: Path) -> None:
    words = [sys.executable, str(child.__file__), f"sqlite:///{tmp_path / 'm.sqlite3'}"]
    told = [subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True).stdout for _ in range(2)]
    assert told == ["alembic", "nothing"]


async def test_a_missing_folder_is_created_and_the_file_is_private(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b 世界 %41#" / "metier.sqlite3"
    async with Store.open(f"sqlite:///{path}") as store:
        await store.conversations.create("ann")
    assert path.stat().st_mode & 0o777 == 0o600


async def test_a_relative_path_is_relative_to_the_working_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    async with Store.open("sqlite:///storage/metier.sqlite3"):
        assert (tmp_path / "storage" / "metier.sqlite3").exists()


async def test_the_pragmas_are_set(tmp_path: Path) -> None:
    names = ("journal_mode", "foreign_keys", "busy_timeout", "synchronous", "recursive_triggers")

    def pragmas(connection: Connection) -> list[object]:
        return [connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in names]

    async with Store.open(f"sqlite:///{tmp_path / 'n.db'}", busy_timeout_s=1.5) as store:
        assert await store._session.write(pragmas) == ["wal", 1, 1500, 1, 1]
    async with Store.open(f"sqlite:///{tmp_path / 'f.db'}", durability="full") as store:
        assert await store._session.write(pragmas) == ["wal", 1, 4000, 2, 1]
        with pytest.raises(StoreUnavailable, match="readonly"):
            await store._session.read(lambda connection: connection.exec_driver_sql("DELETE FROM conversations"))


async def test_another_programs_file_is_refused_and_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "recipes.db"
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE recipes (name TEXT)")
    other.close()
    before = path.read_bytes()
    with pytest.raises(StoreIncompatible, match="recipes"):
        await Store.open(f"sqlite:///{path}")
    assert path.read_bytes() == before
    assert not path.with_name("recipes.db-wal").exists()


def _locks(path: Path) -> list[str]:
    """The kernel's list: `1: POSIX ADVISORY READ pid device:inode first last`."""
    inode = f":{path.stat().st_ino}"
    return [line for line in Path("/proc/locks").read_text().splitlines() if line.split()[5].endswith(inode)]


@pytest.mark.skipif(not Path("/proc/locks").exists(), reason="only Linux lists the locks of files")
async def test_opening_the_file_again_does_not_drop_the_locks_of_the_first(tmp_path: Path) -> None:
    """POSIX locks are the process's: closing any handle on the file lets all of them go, and SQLite would not know."""
    path = tmp_path / "metier.sqlite3"
    async with Store.open(f"sqlite:///{path}") as store:
        await store.conversations.create("ann")
        assert _locks(path)
        async with Store.open(f"sqlite:///{path}") as second:
            await second.conversations.create("bob")
        assert _locks(path)


DAMAGE: dict[str, bytes] = {
    "a text file": b"dear diary, " * 500,
    "a damaged header": b"SQLite format 3\x00" + b"\xff" * 5000,
    "one byte": b"x",
}


@pytest.mark.parametrize("content", DAMAGE.values(), ids=DAMAGE)
async def test_a_file_that_is_no_database_is_refused_and_not_touched(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "metier.sqlite3"
    path.write_bytes(content)
    with pytest.raises((StoreIncompatible, StoreUnavailable), match=r"not a (SQLite )?database|damaged") as caught:
        await Store.open(f"sqlite:///{path}")
    assert caught.value.hint
    assert path.read_bytes() == content


async def test_a_truncated_database_is_refused_and_not_recreated(tmp_path: Path) -> None:
    path = tmp_path / "metier.sqlite3"
    async with Store.open(f"sqlite:///{path}") as store:
        await store.conversations.create("ann")
    os.truncate(path, 4096)
    with pytest.raises(StoreUnavailable, match="damaged"):
        await Store.open(f"sqlite:///{path}")
    assert path.stat().st_size == 4096


async def test_a_damaged_page_is_found_by_a_check_and_never_read_as_data(tmp_path: Path) -> None:
    path = tmp_path / "metier.sqlite3"
    async with Store.open(f"sqlite:///{path}") as store:
        talk = await store.conversations.create("ann")
        for _ in range(50):
            await store.events.append(talk.id, "usage", {"filler": "x" * 500})
    raw = bytearray(path.read_bytes())
    page = raw.rindex(b"filler") // 4096 * 4096
    raw[page : page + 64] = b"\xee" * 64
    path.write_bytes(raw)
    async with Store.open(f"sqlite:///{path}") as store:
        with pytest.raises(StoreUnavailable, match="damaged") as caught:
            await store.events.read(talk.id)
        assert "backup" in caught.value.hint
        assert await store.check() != ()


async def test_a_folder_in_place_of_the_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable, match="is not a file"):  # however long the file system says a folder is
        await Store.open(f"sqlite:///{tmp_path}")


async def test_a_file_in_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "storage").write_text("")
    with pytest.raises(StoreUnavailable):
        await Store.open(f"sqlite:///{tmp_path / 'storage' / 'metier.sqlite3'}")


async def test_a_server_that_is_not_there_is_unavailable(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable, match="cannot be reached"):
        await Store.open(f"postgresql://postgres:@/postgres?host={tmp_path}")
    with pytest.raises(StoreUnavailable, match="cannot be reached"):
        await Store.open("postgresql://ann@127.0.0.1:1/metier")


async def test_a_database_or_user_the_server_does_not_know_is_unavailable(postgres_url: str) -> None:
    for wrong in (postgres_url.replace("/shared", "/nothing"), postgres_url.replace("postgres:@", "nobody:@")):
        with pytest.raises(StoreUnavailable) as caught:
            await Store.open(wrong)
        assert "METIER_DATABASE_URL" in caught.value.hint


async def test_without_the_driver_the_install_line_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "asyncpg", None)
    with pytest.raises(MissingExtra) as caught:
        await Store.open("postgresql://ann@localhost/metier")
    assert caught.value.hint == "pip install 'metier[postgres]'"


BAD_URLS = {
    "memory": "sqlite://",
    "memory by name": "sqlite:///:memory:",
    "a SQLite option": "sqlite:///x.db?mode=memory",
    "a folder of nobody": "sqlite:///~nobody-here/x.db",
    "another database": "mysql://ann@localhost/metier",
    "no URL": "metier.sqlite3",
    "nothing": "",
    "a bad port": "postgresql://ann@localhost:port/metier",
}


@pytest.mark.parametrize("url", BAD_URLS.values(), ids=BAD_URLS)
async def test_a_url_that_cannot_be_used_is_refused_with_the_right_forms(url: str) -> None:
    with pytest.raises(InvalidSettings) as caught:
        await Store.open(url)
    assert "sqlite:///" in caught.value.hint
    assert "secret" not in caught.value.message


URLS = {
    "postgresql://ann:secret@db/metier": "postgresql+asyncpg://ann:secret@db/metier",
    "postgres://db/metier": "postgresql+asyncpg://db/metier",
    "postgresql+psycopg://db/metier": "postgresql+asyncpg://db/metier",
    "postgresql://db/metier?sslmode=require": "postgresql+asyncpg://db/metier?ssl=require",
    "postgresql://postgres:@/postgres?host=/run/pg": "postgresql+asyncpg://postgres:@/postgres?host=/run/pg",
    "sqlite:////var/lib/metier.db": "/var/lib/metier.db",
    "sqlite+aiosqlite:////var/lib/metier.db": "/var/lib/metier.db",
}


@pytest.mark.parametrize(("given", "means"), URLS.items(), ids=URLS)
def test_what_a_url_means(given: str, means: str) -> None:
    parsed = parse_url(given)
    shown = str(parsed) if isinstance(parsed, Path) else parsed.render_as_string(hide_password=False)
    assert shown.replace("%2F", "/") == means


def test_the_metadata_name_no_database_but_sqlite() -> None:
    """An option of PostgreSQL would load its dialect at every start; its conditions stand in the migrations."""
    named = {option for table in metadata.tables.values() for one in table.indexes for option in one.dialect_kwargs}
    assert {option.partition("_")[0] for option in named} == {"sqlite"}
