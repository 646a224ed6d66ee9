"""Styles are parsed once for all that read them; who changes them has elements of its own."""

from pathlib import Path
from zipfile import ZipFile

import pytest
from docx import Document

from metier.packs.office.files import OfficeFileError, Package, open_package
from metier.packs.office.writer.reading import StyleTable, w

_STYLES = "word/styles.xml"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    document = Document()
    document.styles["Heading 9"].element.getparent().remove(document.styles["Heading 9"].element)
    document.save(str(tmp_path / "a.docx"))
    return tmp_path / "a.docx"


def _list_ids(package: Package) -> list[str | None]:
    return [one.get(w("styleId")) for one in package.xml(_STYLES).findall(w("style"))]


def test_readers_of_the_same_styles_share_their_elements(path: Path) -> None:
    one, other = StyleTable(open_package(path)), StyleTable(open_package(path))
    assert one.root is other.root
    assert one.default_paragraph == other.default_paragraph == "Normal"


def test_a_style_that_one_document_gets_is_in_no_other(path: Path) -> None:
    changed, before = open_package(path), StyleTable(open_package(path))
    assert StyleTable(changed).ensure_heading(9) == "Heading9"
    assert changed.changed_parts == (_STYLES,)
    assert "Heading9" in _list_ids(changed)
    assert StyleTable(changed).find_id("heading 9") == "Heading9"
    for untouched in (before, StyleTable(open_package(path))):
        assert untouched.find_id("heading 9") == ""
    assert "Heading9" not in _list_ids(open_package(path))


def test_a_table_that_is_opened_to_change_changes_its_document_alone(path: Path) -> None:
    package = open_package(path)
    table = StyleTable(package)
    shared = table.chain("Normal")[0]
    table.open_to_change()
    own = table.chain("Normal")[0]
    own.set(w("customStyle"), "1")
    assert shared.get(w("customStyle")) is None
    assert b"customStyle" in package.read(_STYLES)
    assert package.peek(_STYLES) is package.xml(_STYLES) is table.root


def test_styles_that_cannot_be_read_are_refused_by_the_name_of_the_file(path: Path) -> None:
    broken = path.with_name("broken.docx")
    with ZipFile(path) as whole, ZipFile(broken, "w") as archive:
        for name in whole.namelist():
            archive.writestr(name, b"<w:styles" if name == _STYLES else whole.read(name))
    with pytest.raises(OfficeFileError, match=r"broken\.docx"):
        StyleTable(open_package(broken))
