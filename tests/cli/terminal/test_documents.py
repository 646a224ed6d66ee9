"""Files of `--document`: attached, and what was written to them goes beside the originals or, if asked, into them."""

from pathlib import Path

import pytest

from metier.cli.terminal import attach_documents, take_written_documents
from metier.errors import InvalidInput, PathNotFound
from metier.settings import Settings

LINES = "第一条\n第二条\n"


def _write(workspace: Path, name: str, content: bytes) -> None:
    folder = workspace / "documents"
    folder.mkdir(exist_ok=True)
    (folder / name).write_bytes(content)


def _attach(tmp_path: Path, *, in_place: bool) -> tuple[Path, Path]:
    original, workspace = tmp_path / "笔记.csv", tmp_path / "workspace"
    original.write_text(LINES, "utf-8")
    (one,) = attach_documents(workspace, [original], Settings(), in_place=in_place)
    assert one.path == "attachments/001-笔记.csv"
    return original, workspace


def test_a_result_is_written_beside_the_original_once(tmp_path: Path) -> None:
    original, workspace = _attach(tmp_path, in_place=False)
    assert take_written_documents(workspace) == ()
    _write(workspace, "笔记.csv", b"a")
    _write(workspace, "附表.xlsx", b"new")
    names = [one.file.name for one in take_written_documents(workspace)]
    assert names == ["笔记.v1.csv", "附表.xlsx"]
    assert original.read_text("utf-8") == LINES
    assert take_written_documents(workspace) == ()
    _write(workspace, "笔记.csv", LINES.encode())  # undone: nothing more to take home
    assert take_written_documents(workspace) == ()


def test_in_place_keeps_a_backup_and_refuses_a_file_that_changed(tmp_path: Path) -> None:
    original, workspace = _attach(tmp_path, in_place=True)
    _write(workspace, "笔记.csv", b"a")
    (done,) = take_written_documents(workspace)
    assert (done.file, original.read_bytes()) == (original, b"a")
    assert done.backup is not None
    assert done.backup.read_text("utf-8") == LINES
    original.write_bytes(b"by hand")
    _write(workspace, "笔记.csv", b"b")
    with pytest.raises(InvalidInput, match="changed by somebody else"):
        take_written_documents(workspace)
    assert original.read_bytes() == b"by hand"


def test_in_place_leaves_a_read_only_file_alone(tmp_path: Path) -> None:
    original, workspace = _attach(tmp_path, in_place=True)
    original.chmod(0o444)
    _write(workspace, "笔记.csv", b"a")
    with pytest.raises(InvalidInput, match="read-only"):
        take_written_documents(workspace)
    assert original.read_text("utf-8") == LINES
    assert list(tmp_path.rglob("*.bak*")) == []


def test_a_file_that_is_not_there_attaches_nothing(tmp_path: Path) -> None:
    there = tmp_path / "a.txt"
    there.write_text("x", "utf-8")
    with pytest.raises(PathNotFound):
        attach_documents(tmp_path / "workspace", [there, tmp_path / "no.docx"], Settings(), in_place=False)
    assert not (tmp_path / "workspace").exists()


def test_a_folder_that_takes_no_file_is_told_with_the_place_of_the_result(tmp_path: Path) -> None:
    original, workspace = tmp_path / "away" / "笔记.csv", tmp_path / "workspace"
    original.parent.mkdir()
    original.write_text(LINES, "utf-8")
    attach_documents(workspace, [original], Settings(), in_place=False)
    original.unlink()
    original.parent.rmdir()
    _write(workspace, "笔记.csv", b"a")
    with pytest.raises(InvalidInput, match="nothing could be written") as told:
        take_written_documents(workspace)
    assert str(workspace / "documents" / "笔记.csv") in (told.value.hint or "")
