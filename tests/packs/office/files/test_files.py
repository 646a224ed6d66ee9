"""Files that are refused with a reason, and writes that keep every other byte."""

import io
import os
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from docx import Document

from metier.packs.office._hosts import Execution
from metier.packs.office.files import (
    FILE_SENTENCES,
    DocumentVersions,
    OfficeFileError,
    _versions,
    beside,
    digest_of,
    lock_document,
    open_package,
    write_document,
)
from metier.packs.office.files._write import replace_file

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture
def document(tmp_path: Path) -> Path:
    made = Document()
    made.add_paragraph("甲方向乙方支付货款。")
    made.save(str(tmp_path / "合同.docx"))
    return tmp_path / "合同.docx"


def _rewrite(path: Path, **parts: bytes) -> None:
    """Write parts (`__` for `/`) into the file."""
    names = {name.replace("__", "/"): content for name, content in parts.items()}
    with zipfile.ZipFile(path) as archive:
        kept = {one: archive.read(one) for one in archive.namelist() if one not in names}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in {**kept, **names}.items():
            archive.writestr(name, content)


def _read(path: Path, name: str) -> bytes:
    with zipfile.ZipFile(path) as archive:
        return archive.read(name)


def test_files_that_cannot_be_edited_are_refused_with_a_reason(tmp_path: Path, document: Path) -> None:
    good = document.read_bytes()
    ole = bytes.fromhex("D0CF11E0A1B11AE1") + bytes(600)
    hostile = b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><w:document xmlns:w="w">&x;</w:document>'

    def put(name: str, content: bytes) -> Path:
        (tmp_path / name).write_bytes(content)
        return tmp_path / name

    def bomb() -> bytes:
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("word/document.xml", bytes(64 * 1024 * 1024))
        return buffer.getvalue()

    def with_part(name: str, **parts: bytes) -> Path:
        path = put(name, good)
        _rewrite(path, **parts)
        return path

    huge = put("huge.docx", b"PK")
    os.truncate(huge, 200 * 1024 * 1024)
    cases: list[tuple[Path, str]] = [
        (tmp_path / "none.docx", "missing"),
        (tmp_path, "not_a_file"),
        (put("empty.docx", b""), "empty"),
        (huge, "too_large"),
        (put("old.doc", ole), "old_format"),
        (put("old.wps", ole), "old_format"),
        (put("old.et", ole), "old_format"),
        (put("secret.docx", ole + "EncryptedPackage".encode("utf-16-le")), "password"),
        (put("text.docx", b"just text"), "corrupt"),
        (put("page.pdf", b"%PDF-1.7"), "other_type"),
        (put("cut.docx", good[: len(good) // 2]), "corrupt"),
        (put("flipped.docx", good[:200] + bytes(400) + good[600:]), "corrupt"),
        (put("bomb.docx", bomb()), "bomb"),
        (put("really.xlsx", good), "wrong_ending"),
        (with_part("entities.docx", **{"word/document.xml": hostile}), "hostile"),
        (with_part("broken.docx", **{"word/document.xml": b"<w:document"}), "corrupt"),
        (with_part("outside.docx", **{"../evil.txt": b"x"}), "corrupt"),
    ]
    wrong = []
    for path, reason in cases:
        before = path.read_bytes() if path.is_file() else b""
        with pytest.raises(OfficeFileError) as caught:
            open_package(path)
        after = path.read_bytes() if path.is_file() else b""
        said = [caught.value.text(one) + caught.value.hint_text(one) for one in ("zh", "en")]
        if caught.value.reason != reason or before != after or any("…" in one for one in said):
            wrong.append((path.name, caught.value.reason, reason, said))
    assert wrong == []
    with pytest.raises(OfficeFileError, match="outside"):
        open_package(Path("../合同.docx"), within=tmp_path / "folder")
    assert {name for name in FILE_SENTENCES if "." not in name and f"{name}.hint" not in FILE_SENTENCES} == set()


def test_signed_and_protected_documents_are_read_but_not_written(tmp_path: Path, document: Path) -> None:
    settings = _read(document, "word/settings.xml")
    protect = b'<w:documentProtection w:edit="trackedChanges" w:enforcement="1"/>'
    at = settings.index(b">", settings.index(b"<w:settings")) + 1
    _rewrite(document, **{"word/settings.xml": settings[:at] + protect + settings[at:]})
    package = open_package(document)
    assert package.protection == "trackedChanges"
    package.check_writable(only="trackedChanges")
    with pytest.raises(OfficeFileError) as caught:
        package.check_writable()
    assert caught.value.reason == "protected"
    assert caught.value.text("zh") == "“合同.docx”设有编辑保护（只允许修订）"
    _rewrite(document, **{"_xmlsignatures/sig1.xml": b"<Signature/>"})
    with pytest.raises(OfficeFileError) as caught:
        open_package(document).check_writable(only="trackedChanges")
    assert caught.value.reason == "signed"


def test_only_changed_parts_are_written_anew_and_macros_stay(tmp_path: Path, document: Path) -> None:
    _rewrite(document, **{"word/vbaProject.bin": b"\x00macro"})
    package = open_package(document)
    assert package.has_macros
    package.xml("word/document.xml").set("changed", "1")
    package.touch("word/document.xml")
    assert package.save(tmp_path / "out.docx")
    with zipfile.ZipFile(document) as old, zipfile.ZipFile(tmp_path / "out.docx") as new:
        assert old.namelist() == new.namelist()
        assert [name for name in old.namelist() if old.read(name) != new.read(name)] == ["word/document.xml"]
    assert not open_package(document).save(tmp_path / "same.docx")
    assert (tmp_path / "same.docx").read_bytes() == document.read_bytes()


def _append(text: bytes) -> "Callable[[Path, Path], Execution]":
    def execute(source: Path, target: Path) -> Execution:
        target.write_bytes(source.read_bytes() + text)
        return Execution()

    return execute


def test_undo_returns_the_exact_bytes_and_refuses_a_file_changed_by_somebody_else(
    tmp_path: Path, document: Path
) -> None:
    before = document.read_bytes()
    versions = DocumentVersions(tmp_path / "versions", document.name)
    write_document(document, document, _append(b"1"), expected_digest=digest_of(document), versions=versions)
    after_first = digest_of(document)
    write_document(document, document, _append(b"2"), versions=versions, title="second")
    assert [one.title for one in versions.list()] == ["", "", "second"]
    versions.undo(document)
    assert digest_of(document) == after_first
    document.write_bytes(b"somebody else")
    with pytest.raises(OfficeFileError, match="changed after the preview"):
        versions.undo(document)
    document.write_bytes(versions.read(2))
    versions.undo(document)
    assert document.read_bytes() == before
    with pytest.raises(OfficeFileError, match="no earlier version"):
        versions.undo(document)


class Killed(BaseException):
    """The process ends here."""


@pytest.mark.parametrize("step", range(3))
def test_an_undo_that_was_cut_off_and_is_done_again_takes_back_one_write(
    tmp_path: Path, document: Path, step: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    versions = DocumentVersions(tmp_path / "versions", document.name)
    write_document(document, document, _append(b"1"), versions=versions)
    after_first = document.read_bytes()
    write_document(document, document, _append(b"2"), versions=versions)
    steps = iter(range(9))

    def die_at(function: "Callable[..., None]") -> "Callable[..., None]":
        def call(*arguments: Any, **options: Any) -> None:
            if next(steps) == step:
                raise Killed
            function(*arguments, **options)

        return call

    with monkeypatch.context() as patch:
        patch.setattr(_versions, "replace_file", die_at(replace_file))
        patch.setattr(Path, "unlink", die_at(Path.unlink))
        with pytest.raises(Killed):
            versions.undo(document)
    versions.undo(document)
    assert document.read_bytes() == after_first
    assert len(versions.list()) == 2
    assert versions.read(2) == after_first


def test_a_write_that_is_refused_or_fails_leaves_the_file_alone(tmp_path: Path, document: Path) -> None:
    before = document.read_bytes()

    def fail(source: Path, target: Path) -> Execution:
        target.write_bytes(b"half")
        raise OfficeFileError("corrupt", name="x")

    with pytest.raises(OfficeFileError):
        write_document(document, document, fail)
    with pytest.raises(OfficeFileError, match="changed after"):
        write_document(document, document, _append(b"x"), expected_digest="0" * 64)
    (tmp_path / f".~lock.{document.name}#").touch()
    with pytest.raises(OfficeFileError, match="open in another program"):
        write_document(document, document, _append(b"x"))
    (tmp_path / f".~lock.{document.name}#").unlink()
    with (
        lock_document(document),
        pytest.raises(OfficeFileError, match="another request"),
        lock_document(document, wait_s=0),
    ):
        pass
    assert document.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == [document.name]
    assert beside(document, "批注").name == "合同-批注.docx"
