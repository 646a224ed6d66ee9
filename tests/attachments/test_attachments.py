"""Attached files: told from their content, kept under safe names, read by skills, within limits."""

from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZipFile

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


def make_odd_docx(body: str, *, rels: str | None = None, method: int = ZIP_DEFLATED) -> bytes:
    """A Word file with this XML in its body, and `rels` as the relations of its document."""
    names = "xmlns:w='http://schemas.openxmlformats.org/wordprocessingml/2006/main'"
    made = BytesIO()
    with ZipFile(BytesIO(make_docx(""))) as source, ZipFile(made, "w", method) as target:
        for name in source.namelist():
            content = source.read(name)
            if name == "word/document.xml":
                content = f"<w:document {names}>{body}</w:document>".encode() if body[:1] != "?" else body[1:].encode()
            if name == "word/_rels/document.xml.rels" and rels is not None:
                content = rels.encode()
            target.writestr(name, content)
    return made.getvalue()


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


def test_files_that_are_attached_at_once_get_numbers_of_their_own_and_no_more_than_the_limit(tmp_path: Path) -> None:
    def attach(number: int) -> str:
        try:
            return add(tmp_path, "same.txt", f"file {number}".encode())
        except InvalidInput as error:
            return error.message

    with ThreadPoolExecutor(8) as threads:
        told = list(threads.map(attach, range(MAX_FILES + 10)))
    kept = [one.path for one in list_attachments(tmp_path)]
    assert kept == [f"attachments/{number:03d}-same.txt" for number in range(1, MAX_FILES + 1)]
    assert sorted(one for one in told if "already" not in one) == kept
    assert {one for one in told if "already" in one} == {f"{MAX_FILES} files are attached already"}


def test_numbers_go_on_after_999_and_a_composed_name_keeps_its_accents(tmp_path: Path) -> None:
    (tmp_path / "attachments").mkdir()
    (tmp_path / "attachments" / "999-old.txt").write_text("old", "utf-8")
    assert add(tmp_path, "re\u0301sume\u0301.txt", b"new") == "attachments/1000-r\xe9sum\xe9.txt"
    assert [one.name for one in list_attachments(tmp_path)] == ["old.txt", "r\xe9sum\xe9.txt"]


def test_a_word_file_that_is_made_to_hurt_has_no_text_and_hurts_no_message(tmp_path: Path) -> None:
    span = "<w:tcPr><w:gridSpan w:val='{}'/></w:tcPr>"
    cell = f"<w:tbl><w:tr><w:tc>{span}<w:p><w:r><w:t>in</w:t></w:r></w:p></w:tc></w:tr></w:tbl>"
    entity = "?<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><a>&x;</a>"
    crowded = BytesIO()
    with ZipFile(crowded, "w") as archive:
        archive.writestr("word/document.xml", "<a/>")
        for number in range(12_000):
            archive.writestr(f"word/media/{number:080d}", b"")
    whole = make_odd_docx("<w:body/>")
    cases = {
        "a cell over 2,000,000,000 columns": (make_odd_docx(f"<w:body>{cell.format(2_000_000_000)}</w:body>"), "in"),
        "a span that is no number": (make_odd_docx(f"<w:body>{cell.format('x')}</w:body>"), "in"),
        "no body": (make_odd_docx(""), None),
        "another root": (make_odd_docx("?<x/>"), None),
        "no XML": (make_odd_docx("?hello"), None),
        "entities": (make_odd_docx(entity), None),
        "a relation to nowhere": (
            make_odd_docx("<w:body/>", rels="<Relationships><Relationship/></Relationships>"),
            None,
        ),
        "half a million empty paragraphs": (make_odd_docx("<w:p/>" * 500_000), None),
        "deep": (make_odd_docx("<w:p>" * 100_000 + "</w:p>" * 100_000), None),
        "packed in another way": (make_odd_docx("<w:body/>", method=ZIP_BZIP2), None),
        "damaged": (whole[:400] + bytes([whole[400] ^ 255]) + whole[401:], None),
        "a crowd of members": (crowded.getvalue(), "cannot be attached"),
    }
    wrong = []
    for number, (name, (content, expected)) in enumerate(cases.items()):
        workspace = tmp_path / str(number)
        try:
            add_attachment(workspace, "a.docx", content, max_bytes=1 << 24, quota=WorkspaceQuota())
            found = read_attached_text(workspace)
        except InvalidInput as error:
            if expected is None or expected not in error.message:
                wrong.append((name, error.message))
            continue
        if (found.text if found else None) != expected:
            wrong.append((name, repr(found)[:80]))
    assert wrong == []


def test_files_that_a_tool_put_among_the_attached_ones_do_not_stop_the_others(tmp_path: Path) -> None:
    add(tmp_path, "a.txt", b"hello")
    folder = tmp_path / "attachments"
    (folder / "002-fake.png").write_text("no picture", "utf-8")
    (folder / "003-link.txt").symlink_to("/etc/passwd")
    (folder / "004-other.bin").write_bytes(b"\x00")
    (folder / "005-long.txt").write_text("x" * 1_000_000 + "é", "utf-8")
    assert [one.name for one in list_attachments(tmp_path)] == ["a.txt", "fake.png", "long.txt"]
    found = read_attached_text(tmp_path)
    assert found is not None
    assert found.text.startswith("# a.txt\n\nhello\n\n# long.txt\n\nxxx")
    assert len(found.text) == 200_000


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
