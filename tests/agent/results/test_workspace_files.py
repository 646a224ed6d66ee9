"""Files of a conversation's folder: found, described, and never those of anybody else."""

import os
from pathlib import Path

import pytest

from metier.agent.results import FileWatch, file_event, resolve_within
from metier.agent.results._workspace_files import list_files


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "workspace"
    (made / "图").mkdir(parents=True)
    (made / "图" / "覆盖.PNG").write_bytes(b"\x89PNG")
    (made / "a.txt").write_text("a", "utf-8")
    (made / ".hidden").write_text("x", "utf-8")
    (made / "__pycache__").mkdir()
    (made / "__pycache__" / "a.pyc").write_text("x", "utf-8")
    (tmp_path / "out.txt").write_text("s", "utf-8")
    (made / "link").symlink_to(tmp_path / "out.txt")
    (made / "inner").symlink_to(made / "图")
    (made / "twin.txt").hardlink_to(tmp_path / "out.txt")
    os.mkfifo(made / "pipe")
    return made


def test_plain_files_are_listed_and_links_pipes_and_hidden_names_are_not(folder: Path) -> None:
    assert list(list_files(folder)) == ["a.txt", "图/覆盖.PNG"]


def test_a_folder_that_is_not_there_is_empty(tmp_path: Path) -> None:
    assert list_files(tmp_path / "none") == {}


@pytest.mark.shares_fixtures
@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("a.txt", "a.txt"),
        ("./图/../图/覆盖.PNG", "图/覆盖.PNG"),
        ("图", None),
        ("", None),
        ("none.txt", None),
        ("../out.txt", None),
        ("/etc/passwd", None),
        ("link", None),
        ("inner/覆盖.PNG", None),
        ("twin.txt", None),
        ("pipe", None),
        ("a\x00b", None),
        ("x" * 5000, None),
    ],
)
def test_a_name_leads_to_a_plain_file_of_the_folder_or_nowhere(folder: Path, name: str, path: str | None) -> None:
    assert resolve_within(folder, name) == path


def test_the_whole_path_of_a_file_in_the_folder_is_its_name(folder: Path) -> None:
    assert resolve_within(folder, str(folder / "a.txt")) == "a.txt"


@pytest.mark.parametrize(
    ("name", "kind", "media_type"),
    [
        ("a.png", "image", "image/png"),
        ("a.JPG", "image", "image/jpeg"),
        ("a.jpeg", "image", "image/jpeg"),
        ("a.webp", "image", "image/webp"),
        ("a.gif", "image", "image/gif"),
        ("a.svg", "image", "image/svg+xml"),
        ("a.csv", "file", "text/csv"),
        ("a.tiff", "file", "image/tiff"),
        ("报告", "file", "application/octet-stream"),
    ],
)
def test_pictures_that_a_page_can_show_are_pictures(tmp_path: Path, name: str, kind: str, media_type: str) -> None:
    (tmp_path / name).write_bytes(b"x")
    told = file_event(tmp_path, name, "c1", 1, {"alt": "一张图"})
    assert told is not None
    assert (told.kind, told.data["media_type"]) == (kind, media_type)
    assert ("alt" in told.data) == (kind == "image")


def test_a_file_that_is_gone_or_became_a_link_is_not_told(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("/etc/passwd")
    assert file_event(tmp_path, "gone.txt", "c1", 1, {}) is None
    assert file_event(tmp_path, "link", "c1", 1, {}) is None


async def test_without_a_first_look_nothing_is_new(folder: Path) -> None:
    files = FileWatch()
    assert await files.find_changes(folder) == ()
    await files.take_snapshot(folder)
    (folder / "b.txt").write_text("b", "utf-8")
    await files.take_snapshot(folder)  # only the first counts
    assert await files.find_changes(folder) == ("b.txt",)
    assert await files.find_changes(folder) == ()
