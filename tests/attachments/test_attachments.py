"""Attached files: told from their content, kept under safe names, read by skills, within limits."""

import zipfile
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from pathlib import Path

import docx
import openpyxl
import pptx
import pytest
from pypdf import PdfWriter
from reportlab.pdfgen.canvas import Canvas

from metier.attachments import MAX_FILES, add_attachment, list_attachments, read_attached_text, remove_attachment
from metier.errors import InvalidInput, MetierError, PathNotFound, TooLarge
from metier.tools.builtin import list_workspace_files
from metier.workspaces import WorkspaceQuota

QUOTA = WorkspaceQuota(max_bytes=1 << 20)
PNG = b"\x89PNG\r\n\x1a\n" + b"0" * 20


def add(workspace: Path, name: str, content: bytes, max_bytes: int = 500_000) -> str:
    return add_attachment(workspace, name, content, max_bytes=max_bytes, quota=QUOTA).path


def make_docx(text: str) -> bytes:
    document, file = docx.Document(), BytesIO()
    document.add_paragraph(text)
    document.save(file)
    return file.getvalue()


def make_xlsx(*rows: list[object]) -> bytes:
    book, file = openpyxl.Workbook(), BytesIO()
    assert book.active is not None
    for row in rows:
        book.active.append(row)
    book.save(file)
    return file.getvalue()


def make_pptx(title: str) -> bytes:
    slides, file = pptx.Presentation(), BytesIO()
    shape = slides.slides.add_slide(slides.slide_layouts[5]).shapes.title
    assert shape is not None
    shape.text = title
    slides.save(file)
    return file.getvalue()


def make_pdf(*pages: str, password: str = "") -> bytes:
    file = BytesIO()
    canvas = Canvas(file)
    for page in pages:
        canvas.drawString(100, 700, page)
        canvas.showPage()
    canvas.save()
    if password:
        writer = PdfWriter(clone_from=file)
        writer.encrypt(password, algorithm="RC4-128")
        writer.write(file := BytesIO())
    return file.getvalue()


def test_text_of_pdf_and_office_files_is_read_once_and_kept_beside_them(tmp_path: Path) -> None:
    add(tmp_path, "plan.pdf", make_pdf("first page", "second page"))
    add(tmp_path, "cells.xlsx", make_xlsx(["小区", "RSRP"], ["A1", -110.5]))
    add(tmp_path, "talk.pptx", make_pptx("Coverage"))
    found = read_attached_text(tmp_path)
    assert found is not None
    lines = [line for line in found.text.splitlines() if line]
    assert lines[:5] == ["# plan.pdf", "first page", "second page", "# cells.xlsx", "# Sheet"]
    assert lines[5:] == ["小区\tRSRP", "A1\t-110.5", "# talk.pptx", "# 1", "Coverage"]
    assert [one.text_chars for one in list_attachments(tmp_path)] == [24, 25, 12]
    for one in list_attachments(tmp_path):
        remove_attachment(tmp_path, one.path)
    assert list_workspace_files(tmp_path) == ()


def test_measured_data_is_kept_as_it_is(tmp_path: Path) -> None:
    npz = BytesIO()
    with zipfile.ZipFile(npz, "w") as archive:
        archive.writestr("acc.npy", b"\x93NUMPY")
    contents = {
        "a.mat": b"MATLAB 5.0 MAT-file, Platform" + b"\x00" * 200,
        "b.wav": b"RIFF\x24\x00\x00\x00WAVEfmt ",
        "c.npy": b"\x93NUMPY\x01\x00",
        "d.npz": npz.getvalue(),
        "e.h5": b"\x89HDF\r\n\x1a\n\x00",
        "f.parquet": b"PAR1\x15\x04\x00PAR1",
    }
    for name, content in contents.items():
        add(tmp_path, name, content)
    assert [one.name for one in list_attachments(tmp_path)] == list(contents)
    assert [one.text_chars for one in list_attachments(tmp_path)] == [0] * len(contents)


OLD = bytes.fromhex("D0CF11E0A1B11AE1")


def test_hostile_files_are_refused_with_a_reason_and_the_others_stay(tmp_path: Path) -> None:
    kept = add(tmp_path, "kept.txt", b"kept")
    bomb = BytesIO(make_xlsx(["a"]))
    with zipfile.ZipFile(bomb, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/more.xml", b"0" * (65 << 20))
    cases = [
        ("bomb.xlsx", bomb.getvalue(), "file_too_complex"),
        ("locked.pdf", make_pdf("x", password="secret"), "file_locked"),
        ("locked.docx", b"\xd0\xcf\x11\xe0\xa1\xb1" + b"\x00" * 600, "file_locked"),
        ("宏.docm", make_docx("x"), "file_has_macros"),
        ("book.xlsm", make_xlsx(["a"]), "file_has_macros"),
        ("文.wps", OLD + "WordDocument".encode("utf-16-le"), "old_text_format"),
        ("表.et", OLD + b"\x00" * 600, "old_sheet_format"),
        ("renamed.docx", OLD + "Workbook".encode("utf-16-le"), "old_sheet_format"),
        ("演示.dps", OLD + "PowerPoint Document".encode("utf-16-le"), "old_slides_format"),
        ("密.xls", OLD + "EncryptedPackage".encode("utf-16-le"), "file_locked"),
        ("cut.pdf", make_pdf("x")[:400], "file_damaged"),
        ("cut.pptx", make_pptx("x")[:-400], "file_damaged"),
        ("other.docx", make_pptx("x"), "file_type_refused"),
        ("page.pdf", b"<html>", "file_type_refused"),
    ]
    wrong = []
    for name, content, code in cases:
        with pytest.raises(InvalidInput) as caught:
            add(tmp_path, name, content)
        if caught.value.code != code or not caught.value.hint or name not in caught.value.message:
            wrong.append((name, caught.value.code, caught.value.message))
    assert wrong == []
    assert list_workspace_files(tmp_path) == (kept,)


def test_a_huge_sheet_is_read_up_to_the_limit(tmp_path: Path) -> None:
    add(tmp_path, "huge.xlsx", make_xlsx(*([number, "x" * 2000] for number in range(150))))
    assert list_attachments(tmp_path)[0].text_chars == 200_000


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
        ("a.csv", "日期,值\n".encode("utf-16-le"), InvalidInput, "no text that can be read"),
        ("a.docx", b"PK\x03\x04\x00broken", InvalidInput, "damaged"),
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


def test_numbers_go_on_after_999_and_a_name_keeps_its_accents(tmp_path: Path) -> None:
    (tmp_path / "attachments").mkdir()
    (tmp_path / "attachments" / "999-old.txt").write_text("old", "utf-8")
    assert add(tmp_path, "re\u0301sume\u0301.txt", b"new") == "attachments/1000-r\xe9sum\xe9.txt"
    assert [one.name for one in list_attachments(tmp_path)] == ["old.txt", "r\xe9sum\xe9.txt"]


def test_files_that_a_tool_put_among_the_attached_ones_do_not_stop_the_others(tmp_path: Path) -> None:
    add(tmp_path, "a.txt", b"hello")
    folder = tmp_path / "attachments"
    (folder / "002-fake.png").write_text("no picture", "utf-8")
    (folder / "003-link.txt").symlink_to("/etc/passwd")
    (folder / "004-other.bin").write_bytes(b"\x00")
    (folder / "005-long.txt").write_text("x" + "\xe9" * 1_000_000, "utf-8")
    assert [one.name for one in list_attachments(tmp_path)] == ["a.txt", "fake.png", "long.txt"]
    found = read_attached_text(tmp_path)
    assert found is not None
    assert found.text.startswith("# a.txt\n\nhello\n\n# long.txt\n\nx\xe9\xe9\xe9")
    assert len(found.text) == 200_000


def test_skills_read_the_text_of_all_files_and_removed_ones_are_gone(tmp_path: Path) -> None:
    workspace = tmp_path / "w"
    assert read_attached_text(workspace) is None
    add(workspace, "图.png", PNG)
    assert read_attached_text(workspace) is None
    for encoding in ("utf-16", "utf-8-sig", "gb18030"):
        first = add(workspace, "说明.txt", "第一".encode(encoding))
        found = read_attached_text(workspace)
        assert found is not None
        assert (found.text, found.name, found.path) == ("第一", "说明.txt", first)
        if encoding != "gb18030":
            remove_attachment(workspace, first)
    add(workspace, "report.docx", make_docx("Second"))
    both = read_attached_text(workspace)
    assert both is not None
    assert both.text == "# 说明.txt\n\n第一\n\n# report.docx\n\nSecond"
    remove_attachment(workspace, first)
    assert [one.name for one in list_attachments(workspace)] == ["图.png", "report.docx"]
    with pytest.raises(PathNotFound):
        remove_attachment(workspace, "../w/attachments/001-图.png")
