"""Attached files: told from their content, kept under safe names, read by skills, within limits."""

from io import BytesIO
from pathlib import Path

import docx
import pytest

from metier.attachments import MAX_FILES, add_attachment, list_attachments, read_attached_text, remove_attachment
from metier.errors import InvalidInput, MetierError, PathNotFound, TooLarge
from metier.tools.builtin import list_workspace_files
from metier.workspaces import WorkspaceQuota

QUOTA = WorkspaceQuota(max_bytes=1 << 20)
PNG = b"\x89PNG\r\n\x1a\n" + b"0" * 20


def add(workspace: Path, name: str, content: bytes, max_bytes: int = 500_000) -> str:
    return add_attachment(workspace, name, content, max_bytes=max_bytes, quota=QUOTA).path


def make_docx(text: str) -> bytes:
    document = docx.Document()
    document.add_paragraph(text)
    file = BytesIO()
    document.save(file)
    return file.getvalue()


def test_the_clients_name_is_never_a_path(tmp_path: Path) -> None:
    names = [
        "../../etc/passwd",
        "..\\..\\x.txt",
        "a/b/c.md",
        "周报 (一).txt",
        ".hidden",
        "CON",
        "x" * 500 + ".txt",
        "\u202egpj.txt",
    ]
    for name in names:
        add(tmp_path / "w", name, b"hello")
    stored = list_workspace_files(tmp_path / "w")
    assert len(stored) == len(names)
    assert all(path.startswith("attachments/0") and path.count("/") == 1 and len(path) < 90 for path in stored)
    assert [one.name for one in list_attachments(tmp_path / "w")][:4] == ["passwd.txt", "x.txt", "c.md", "周报 一.txt"]
    assert [path.name for path in tmp_path.iterdir()] == ["w"]


def test_what_cannot_be_attached_says_why_and_leaves_nothing(tmp_path: Path) -> None:
    cases: list[tuple[str, bytes, type[MetierError], str]] = [
        ("a.txt", b"", InvalidInput, "is empty"),
        ("a.png", b"just words", InvalidInput, "holds text"),
        ("a.txt", PNG, InvalidInput, "is a png file"),
        ("a.exe", b"MZ\x00\x01", InvalidInput, "cannot be attached"),
        ("a.docx", b"PK\x03\x04\x00broken", InvalidInput, "cannot be attached"),
        ("a.txt", b"x" * 600_000, TooLarge, "the most is 500000"),
    ]
    wrong = []
    for name, content, kind, words in cases:
        with pytest.raises(kind) as caught:
            add(tmp_path / "w", name, content)
        if words not in caught.value.message or not caught.value.hint:
            wrong.append((name, caught.value.message))
    assert wrong == []
    assert list_workspace_files(tmp_path / "w") == ()


def test_files_count_and_the_quota_of_the_workspace_holds(tmp_path: Path) -> None:
    add(tmp_path / "w", "a.txt", b"x" * 490_000)
    add(tmp_path / "w", "b.txt", b"x" * 490_000)
    with pytest.raises(InvalidInput, match="do not fit"):
        add(tmp_path / "w", "c.txt", b"x" * 490_000)
    for number in range(MAX_FILES):
        add(tmp_path / "v", f"{number}.txt", b"x")
    with pytest.raises(InvalidInput, match="attached already"):
        add(tmp_path / "v", "more.txt", b"x")


def test_skills_read_the_text_of_all_files_and_removed_ones_are_gone(tmp_path: Path) -> None:
    workspace = tmp_path / "w"
    assert read_attached_text(workspace) is None
    add(workspace, "图.png", PNG)
    assert read_attached_text(workspace) is None
    first = add(workspace, "说明.txt", "第一".encode("gb18030"))
    found = read_attached_text(workspace)
    assert found is not None
    assert (found.text, found.name, found.path) == ("第一", "说明.txt", first)
    add(workspace, "report.docx", make_docx("Second"))
    both = read_attached_text(workspace)
    assert both is not None
    assert both.text == "# 说明.txt\n\n第一\n\n# report.docx\n\nSecond"
    remove_attachment(workspace, first)
    assert [one.name for one in list_attachments(workspace)] == ["图.png", "report.docx"]
    with pytest.raises(PathNotFound):
        remove_attachment(workspace, "../w/attachments/001-图.png")
