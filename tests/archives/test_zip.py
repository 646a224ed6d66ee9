"""Archives are read within bounds by every room that reads them."""

import ast
import tracemalloc
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZIP_LZMA, ZIP_STORED, BadZipFile, ZipFile

import pytest

import metier
from metier.archives import ArchiveTooLarge, open_zip
from metier.errors import InvalidInput, InvalidSkill
from metier.packs.office.files import OfficeFileError, open_package
from metier.packs.phm.loaders import read_file
from metier.packs.workspace.data import build_tools
from metier.plans.results import measure_file
from metier.skills.read import unpack
from metier.tools import ToolContext
from metier.tools.gate._files import detect_tool

METHODS = (ZIP_STORED, ZIP_DEFLATED, ZIP_BZIP2, ZIP_LZMA)
BOMB_BYTES = 144 << 20  # more than twice of what any room reads
SOURCE = Path(metier.__file__).parent
# Readers of their own: a limited process, one that looks at names alone, and three that compare files of a benchmark.
OWN_READERS = {
    "archives/_zip.py",
    "attachments/_file_types.py",
    "documents/_office_reader.py",
    "packs/office/planbench/_package_charts.py",
    "packs/office/planbench/_reopen_docx.py",
    "packs/office/planbench/_unchanged.py",
}


def pack(method: int, **files: bytes) -> bytes:
    return add(b"", method, **files)


def add(before: bytes, method: int = ZIP_BZIP2, **files: bytes) -> bytes:
    """The archive with further files at its end."""
    packed = BytesIO(before)
    with ZipFile(packed, "a", method) as archive:
        for name, content in files.items():
            archive.writestr(name.replace("__", "/").replace("_", "."), content)
    return packed.getvalue()


def test_every_method_is_read_up_to_the_limits_and_its_damage_is_seen() -> None:
    content = bytes(range(256)) * 4_500  # more than is read at once
    for method in METHODS:
        raw = pack(method, a_txt=content)
        with open_zip(BytesIO(raw), max_entries=2, max_bytes=3 * len(content)) as archive:
            assert archive.read("a.txt", len(content)) == content
            assert archive.read("a.txt", 10) == content[:10]
        with (
            open_zip(BytesIO(raw), max_entries=2, max_bytes=len(content) - 1) as archive,
            pytest.raises(ArchiveTooLarge),
        ):
            archive.read("a.txt", len(content))
        with pytest.raises(ArchiveTooLarge), open_zip(BytesIO(raw), max_entries=0, max_bytes=1):
            pass
        # The checksum of the directory, at the 16th byte of its entry, no longer fits.
        at = raw.index(b"PK\x01\x02") + 16
        broken = raw[:at] + bytes([raw[at] ^ 1]) + raw[at + 1 :]
        with open_zip(BytesIO(broken), max_entries=2, max_bytes=1 << 30) as archive, pytest.raises(BadZipFile):
            list(archive.iterate("a.txt"))


async def test_a_bomb_in_blocks_takes_little_memory_in_every_room(tmp_path: Path) -> None:
    book = pack(ZIP_BZIP2, xl__workbook_xml=bytes(BOMB_BYTES))  # packed once, which takes two seconds
    record = book.replace(b"xl/workbook.xml", b"long/signal.npy")
    bomb = add(book.replace(b"xl/workbook.xml", b"word/zeros1.bin"), word__document_xml=b"<w:t>")
    deck = pack(ZIP_LZMA, deck_pptx=pack(ZIP_DEFLATED, ppt__presentation_xml=b"<p/>"))
    files = {"bomb.zip": bomb, "bomb.docx": bomb, "deck.zip": deck, "book.xlsx": book, "record.npz": record}
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    profile = next(tool for tool in build_tools(None) if tool.spec.name == "profile_data")  # type: ignore[arg-type]
    tracemalloc.start()
    try:
        assert measure_file(tmp_path / "bomb.docx").unit == "paragraphs"
        assert detect_tool(tmp_path / "bomb.zip") == "docx"
        assert detect_tool(tmp_path / "deck.zip") == "pptx"
        (tmp_path / "skill").mkdir()
        with pytest.raises(InvalidSkill):
            unpack(tmp_path / "bomb.zip", tmp_path / "skill")
        result = await profile.run({"request": "analyse book.xlsx", "language": "en"}, ToolContext(tmp_path))
        assert result.failure is not None
        assert result.failure.code == "not_a_workbook"
        with pytest.raises(OfficeFileError, match=r"book\.xlsx"):
            open_package(tmp_path / "book.xlsx")
        with pytest.raises(InvalidInput, match="packed"):
            read_file(tmp_path / "record.npz")
        assert tracemalloc.get_traced_memory()[1] < BOMB_BYTES // 2
    finally:
        tracemalloc.stop()


def test_archives_are_opened_for_reading_in_one_room_alone() -> None:
    found = set()
    for path in SOURCE.rglob("*.py"):
        text = path.read_text("utf-8")
        if "ZipFile(" in text and any(map(_opens_to_read, ast.walk(ast.parse(text)))):
            found.add(path.relative_to(SOURCE).as_posix())
    assert found == OWN_READERS


def _opens_to_read(node: ast.AST) -> bool:
    is_open = isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] == "ZipFile"
    return is_open and len(node.args) == 1  # type: ignore[attr-defined]
