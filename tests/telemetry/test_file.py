"""The file: appended to, kept small, and never the reason that something is lost."""

import logging
import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from metier.telemetry import TelemetryQueries, prune_file
from tests.telemetry.support import NOW, file_at, told


def _names(folder: Path) -> list[str]:
    page = TelemetryQueries(folder / "telemetry.sqlite3").events(limit=1000)
    return [event.event_name for event in reversed(page.events)]


def test_events_come_back_as_they_were(tmp_path: Path) -> None:
    file = file_at(tmp_path)
    event = told("chat.turn_done", text="网络优化", nested={"a": [1, 2.5, None, True]})
    file.write([event])
    file.close()
    assert TelemetryQueries(tmp_path / "telemetry.sqlite3").events().events == (event,)
    assert (tmp_path / "telemetry.sqlite3").stat().st_mode & 0o777 == 0o600


def test_the_same_event_is_kept_once(tmp_path: Path) -> None:
    file = file_at(tmp_path)
    file.write([told("ui.clicked"), told("ui.clicked"), told("ui.clicked", 2)])
    file.write([told("ui.clicked")])
    assert _names(tmp_path) == ["ui.clicked", "ui.clicked"]


def test_half_a_character_does_not_cost_the_batch(tmp_path: Path) -> None:
    file_at(tmp_path).write([told("error", text="\ud83d"), told("error", 2)])
    assert len(_names(tmp_path)) == 2


@pytest.mark.parametrize(
    "damage",
    [b"not a database at all, " * 100, b"short", b"SQLite format 3\x00" + b"\xff" * 5000],
    ids=["prose", "shorter-than-a-header", "broken-header"],
)
def test_a_damaged_file_is_set_aside_and_told(tmp_path: Path, caplog: pytest.LogCaptureFixture, damage: bytes) -> None:
    path = tmp_path / "telemetry.sqlite3"
    path.write_bytes(damage)
    file = file_at(tmp_path)
    with caplog.at_level(logging.WARNING):
        file.write([told("error")])
        file.write([told("error", 2)])
    assert len(_names(tmp_path)) == 2
    (aside,) = [one for one in tmp_path.glob("*.damaged-*") if not one.name.endswith(("-wal", "-shm"))]
    assert aside.read_bytes() == damage
    assert len([record for record in caplog.records if aside.name in record.getMessage()]) == 1


def test_a_folder_in_place_of_the_file_is_refused_and_left_where_it_is(tmp_path: Path) -> None:
    folder = tmp_path / "telemetry.sqlite3"
    folder.mkdir()
    (folder / "kept").write_text("")
    with pytest.raises(OSError, match="is not a file"):
        file_at(tmp_path).write([told("error")])
    assert (folder / "kept").exists()


def test_damage_in_the_middle_is_found_while_writing(tmp_path: Path) -> None:
    file = file_at(tmp_path)
    file.write([told("error", number, pad="x" * 500) for number in range(500)])
    file.close()
    path = tmp_path / "telemetry.sqlite3"
    whole = path.read_bytes()
    path.write_bytes(whole[:4096] + b"\xff" * (len(whole) - 4096))
    file.write([told("chat.turn_start", number) for number in range(300)])
    assert _names(tmp_path) == ["chat.turn_start"] * 300
    assert len(list(tmp_path.glob("*.damaged-*"))) >= 1


def test_a_second_damaged_file_does_not_replace_the_first(tmp_path: Path) -> None:
    for number in range(2):
        (tmp_path / "telemetry.sqlite3").write_bytes(b"damaged")
        file = file_at(tmp_path)
        file.write([told("error", number)])
        file.close()
    assert len(list(tmp_path.glob("*.damaged-*"))) == 2


def test_a_file_of_another_program_is_left_to_it(tmp_path: Path) -> None:
    path = tmp_path / "telemetry.sqlite3"
    with closing(sqlite3.connect(path)) as other:
        other.execute("PRAGMA application_id = 7")
        other.execute("CREATE TABLE theirs (a)")
    file_at(tmp_path).write([told("error")])
    (aside,) = tmp_path.glob("*.damaged-*[0-9]")
    with closing(sqlite3.connect(aside)) as other:
        assert other.execute("SELECT name FROM sqlite_master").fetchall() == [("theirs",)]


def test_a_file_of_a_newer_metier_is_not_touched(tmp_path: Path) -> None:
    file = file_at(tmp_path)
    file.write([told("error")])
    file.close()
    with closing(sqlite3.connect(tmp_path / "telemetry.sqlite3")) as newer:
        newer.execute("PRAGMA user_version = 99")
    with pytest.raises(OSError, match="newer"):
        file_at(tmp_path).write([told("error", 2)])
    assert not list(tmp_path.glob("*.damaged-*"))


def test_a_file_that_was_removed_is_begun_again(tmp_path: Path) -> None:
    file = file_at(tmp_path)
    file.write([told("error")])
    for path in tmp_path.iterdir():
        path.unlink()
    file.write([told("error", 2)])
    assert len(_names(tmp_path)) == 1


def test_a_full_disk_loses_nothing_that_was_written(tmp_path: Path) -> None:
    file = file_at(tmp_path)
    file.write([told("error")])
    assert file._connection is not None
    (pages,) = file._connection.execute("PRAGMA page_count").fetchone()
    file._connection.execute(f"PRAGMA max_page_count = {pages}")
    batch = [told("ui.clicked", number, pad="x" * 500) for number in range(100)]
    with pytest.raises(sqlite3.OperationalError, match="full"):
        file.write(batch)
    file.write(batch)  # there is room again
    assert len(_names(tmp_path)) == 101


def test_a_locked_file_says_so_and_is_written_later(tmp_path: Path) -> None:
    file = file_at(tmp_path)
    file.write([told("error")])
    with closing(sqlite3.connect(tmp_path / "telemetry.sqlite3", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            file.write([told("error", 2)])
    file.write([told("error", 2)])
    assert len(_names(tmp_path)) == 2


def test_old_events_go(tmp_path: Path) -> None:
    file = file_at(tmp_path, retention_days=2)
    file.write([told("error", day, ago=timedelta(days=day)) for day in range(5)])
    kept = TelemetryQueries(tmp_path / "telemetry.sqlite3").events().events
    assert [event.ts for event in kept] == [NOW, NOW - timedelta(days=1), NOW - timedelta(days=2)]


def test_a_file_that_grows_too_large_loses_its_oldest_events(tmp_path: Path) -> None:
    most = 1 << 20
    file = file_at(tmp_path, max_bytes=most)
    for batch in range(20):
        ago = timedelta(minutes=100 - batch)
        file.write([told("error", batch * 100 + one, ago=ago, pad="好" * 300) for one in range(100)])
    file.close()
    assert (tmp_path / "telemetry.sqlite3").stat().st_size <= most
    kept = TelemetryQueries(tmp_path / "telemetry.sqlite3").events(limit=10_000).events
    assert 100 < len(kept) < 2000
    assert kept[0].event_id.startswith("error-19")


def test_pruning_by_hand_says_what_it_did(tmp_path: Path) -> None:
    path = tmp_path / "telemetry.sqlite3"
    assert prune_file(path, now=NOW, days=1, max_bytes=1 << 30).rows == 0
    assert not path.exists()
    file = file_at(tmp_path)
    file.write([told("error", number, ago=timedelta(days=3), pad="x" * 900) for number in range(6000)])
    file.write([told("chat.turn_done")])
    done = prune_file(path, now=NOW, days=1, max_bytes=1 << 30)
    assert done.rows == 6000
    assert done.bytes_after < done.bytes_before / 10
    assert _names(tmp_path) == ["chat.turn_done"]
