"""Export and deletion at the command line."""

import asyncio
from pathlib import Path
from zipfile import ZipFile

import pytest

from metier.cli import run
from metier.settings import load_settings
from metier.store import Store

Capture = pytest.CaptureFixture[str]


def make_conversation(user: str, title: str) -> str:
    async def make() -> str:
        async with Store.open(load_settings().database_url) as store:
            return (await store.conversations.create(user, title=title)).id

    return asyncio.run(make())


def test_a_conversation_is_exported_and_deleted(tmp_path: Path, capsys: Capture) -> None:
    made = make_conversation("local", "April")
    archive = tmp_path / "april.zip"
    assert run(["conversations", "delete", made, "--yes", "--export", str(archive)]) == 0
    assert capsys.readouterr().out == f"deleted {made}\n"
    assert "# April" in ZipFile(archive).read("conversation.md").decode()
    assert archive.stat().st_mode & 0o777 == 0o600
    assert run(["conversations", "list"]) == 0
    assert made not in capsys.readouterr().out
    assert run(["conversations", "delete", made, "--yes"]) == 3


def test_nothing_is_deleted_if_nobody_can_be_asked_or_the_archive_exists(tmp_path: Path, capsys: Capture) -> None:
    made = make_conversation("local", "April")
    taken = tmp_path / "taken.zip"
    taken.write_text("mine", "utf-8")
    assert run(["conversations", "delete", made]) == 4
    assert run(["conversations", "delete", made, "--yes", "--export", str(taken)]) == 4
    assert "exists already" in capsys.readouterr().err
    assert (taken.read_text("utf-8"), [path.name for path in tmp_path.glob(".*")]) == ("mine", [])
    assert run(["conversations", "list"]) == 0
    assert made in capsys.readouterr().out


def test_a_user_is_exported_and_deleted(tmp_path: Path, capsys: Capture) -> None:
    assert run(["users", "add", "ann"]) == 0
    made = make_conversation("ann", "April")
    archive = tmp_path / "ann.zip"
    capsys.readouterr()
    assert run(["users", "export", "ann", "--out", str(archive)]) == 0
    assert f"conversations/{made}/conversation.md" in ZipFile(archive).namelist()
    assert run(["users", "delete", "ann", "--yes"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "deleted ann: 1 conversation; 1 key revoked"
    assert run(["users", "delete", "ann", "--yes"]) == 3


def test_the_name_of_a_removed_user_is_given_to_another_only_after_the_data_is_deleted(capsys: Capture) -> None:
    assert run(["users", "add", "ann"]) == 0
    make_conversation("ann", "secret")
    assert run(["users", "remove", "ann"]) == 0
    assert run(["users", "add", "ann"]) == 1
    assert "data of an earlier user 'ann'" in capsys.readouterr().err
    assert run(["users", "add", "ann", "--same-person"]) == 0
    assert run(["users", "delete", "ann", "--yes"]) == 0
    assert run(["users", "add", "ann"]) == 0
